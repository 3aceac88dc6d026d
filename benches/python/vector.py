"""Million steps a second of `BatchEnv` in one thread: `python benches/python/vector.py`, as a table for docs/batches.md.

Random legal actions are chosen in Rust. Each figure is the best of some runs, scaled to the machine of `control.py`.
"""

from __future__ import annotations

import time
from typing import Any

import forbidden_games as fg
from control import REFERENCE, rate

SECONDS, RUNS = 0.4, 3
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("no observation", 1024, {"observation": None, "action_mask": False}),
    ("mask", 1024, {"observation": None}),
    ("float32, N=128", 128, {}),
    ("float32", 1024, {}),
    ("uint8", 1024, {"observation": "uint8"}),
    ("sparse", 1024, {"observation": "sparse", "action_mask": False}),
]


def steps(game: fg.Game, rows: int, threads: int = 1, **given: Any) -> float:
    """Steps a second."""
    env = fg.BatchEnv(game, rows, threads=threads, **given)
    best = 0.0
    for _ in range(RUNS):
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < SECONDS:
            env.step(env.sample())
            if given.get("observation") == "sparse":
                _ = env.observations
            count += rows
        best = max(best, count / (time.perf_counter() - began))
    return best


def rollouts(game: fg.Game) -> float:
    """Plies a second of `fg.rollouts` with one thread."""
    games = 2000
    env = fg.BatchEnv(game, 200, observation=None, action_mask=False, autoreset="disabled")
    plies = 0
    while (env.players >= 0).any():
        plies += int((env.players >= 0).sum())
        env.step(env.sample())
    start, best = game.new_match(seed=0).state, 0.0
    for _ in range(RUNS):
        began = time.perf_counter()
        fg.rollouts(start, games, seed=1)
        best = max(best, games * plies / 200 / (time.perf_counter() - began))
    return best


def main() -> None:
    """Print the table."""
    scale = REFERENCE / rate()
    print(f"control: {REFERENCE / scale / 1e6:.2f} M rounds/s")
    print("| | " + " | ".join(name for name, _, _ in CASES) + " | of `fg.rollouts`, without observation | two threads, float32 |")
    print("| --- |" + " --- |" * (len(CASES) + 2))
    for name in fg.games():
        game = fg.load(name)
        found = []
        for _, rows, given in CASES:
            try:
                found.append(steps(game, rows, **given))
            except fg.OptionsError:
                found.append(0.0)
        share, two = found[0] / rollouts(game), steps(game, 1024, threads=2) / found[3]
        cells = [f"{value * scale / 1e6:.2f}" if value else "-" for value in found]
        print(f"| {game.title} | {' | '.join(cells)} | {share:.2f} | {two:.2f}x |")


if __name__ == "__main__":
    main()
