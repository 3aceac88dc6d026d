"""Steps a second of the PettingZoo environments beside PettingZoo's classics: `python benches/python/environments.py`.

One loop for all: `last()`, a choice from the mask, `step`. The classics are those that `pettingzoo[classic]` brings; without it
only ours are timed.
"""

from __future__ import annotations

import importlib
import random
import time
from typing import Any

import forbidden_games as fg
import numpy as np
from control import REFERENCE, rate

SECONDS = 1.0
CLASSICS = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "chess_v6", "go_v5", "hanabi_v5")


def steps(env: Any) -> float:
    """Steps a second, the best of three."""
    rng, best = random.Random(1), 0.0
    for run in range(3):
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            env.reset(seed=run)
            for _ in env.agent_iter():
                observation, _, termination, truncation, info = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                env.step(int(rng.choice(np.flatnonzero(mask))))
                count += 1
        best = max(best, count / (time.perf_counter() - began))
    return best


def plain(game: fg.Game) -> float:
    """The same work on a match: encode, mask, play."""
    rng, best = random.Random(1), 0.0
    seen, mask = np.zeros(game.observation_size, np.float32), np.zeros(game.num_actions, np.int8)
    for run in range(3):
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            match = game.new_match(seed=run)
            while (player := match.current_player) is not None:
                match.encode(player, seen)
                match.write_legal_actions_mask(mask)
                match.play(int(rng.choice(np.flatnonzero(mask))))
                count += 1
        best = max(best, count / (time.perf_counter() - began))
    return best


def main() -> None:
    """Print the tables."""
    scale = REFERENCE / rate()
    print(f"control: {REFERENCE / scale / 1e6:.2f} M rounds/s")
    zoo = importlib.import_module("forbidden_games.envs.pettingzoo")
    print("| | `env`, thousand steps/s | `raw_env` | match alone | `raw_env` over match |")
    print("| --- | --- | --- | --- | --- |")
    for name in fg.games():
        module = getattr(zoo, f"{name}_v0")
        wrapped, raw, match = steps(module.env()), steps(module.raw_env()), plain(fg.load(name))
        over = (1 / raw - 1 / match) * 1e6 / scale
        print(f"| {name} | {wrapped * scale / 1e3:.1f} | {raw * scale / 1e3:.1f} | {match * scale / 1e3:.1f} | {over:.1f} us |")
    for name in CLASSICS:
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
            print(f"| PettingZoo {name} | {steps(module.env()) * scale / 1e3:.1f} | | | |")
        except Exception as error:  # whatever a foreign environment needs and does not find
            print(f"PettingZoo {name}: {type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
