"""REINFORCE in NumPy on many games side by side: `python examples/reinforce.py`.

A network of one hidden layer learns Qin against `random`. Observations are sparse: the first layer is a sum of the rows of its
weights for what is set, so its cost goes with what is set and not with the size of an observation. Opponents play inside the
step, in Rust.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import forbidden_games as fg
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

HIDDEN = 32
ROWS = 128
RATE = 0.02


class Network:
    """Two layers; only legal actions have a probability."""

    def __init__(self, game: fg.Game, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.scales = np.concatenate([np.full(block.size, block.scale, np.float32) for block in game.observation_spec])
        self.first: Floats = (rng.standard_normal((game.observation_size, HIDDEN)) * 0.05).astype(np.float32)
        self.second: Floats = np.zeros((HIDDEN, game.num_actions), np.float32)

    def hidden(self, batch: fg.SparseBatch) -> tuple[Floats, Floats]:
        """The hidden layer `[N, HIDDEN]`, and the inputs that are set as numbers."""
        inputs = batch.values / self.scales[batch.indices]
        sums = np.add.reduceat(self.first[batch.indices] * inputs[:, None], batch.offsets[:-1], axis=0)
        return np.maximum(sums, 0), inputs.astype(np.float32)

    def policy(self, hidden: Floats, mask: npt.NDArray[np.bool_]) -> Floats:
        """Probabilities `[N, num_actions]`."""
        logits = np.where(mask, hidden @ self.second, -1e9)
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        found: Floats = exponents / exponents.sum(axis=1, keepdims=True)
        return found

    def learn(self, batch: fg.SparseBatch, inputs: Floats, hidden: Floats, slopes: Floats) -> None:
        """One step along `slopes`, the gradient of the logits `[N, num_actions]`."""
        back = (slopes @ self.second.T) * (hidden > 0)
        self.second += RATE * hidden.T @ slopes
        rows = np.repeat(np.arange(len(batch)), np.diff(batch.offsets))
        np.add.at(self.first, batch.indices, RATE * inputs[:, None] * back[rows])


def choose(policy: Floats, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """An action for each row by its probabilities."""
    found: npt.NDArray[np.int64] = (
        policy.cumsum(axis=1) > rng.random((len(policy), 1)) * policy.sum(axis=1, keepdims=True)
    ).argmax(axis=1)
    return found


def train(game: fg.Game, seconds: float, seed: int = 1) -> Network:
    """Play against `random` from both seats for so long, and learn from whole games."""
    network, rng = Network(game, seed), np.random.default_rng(seed)
    began, games = time.process_time(), 0
    while time.process_time() - began < seconds:
        seat = games % 2
        agents: list[str | None] = ["random", "random"]
        agents[seat] = None
        env = fg.BatchEnv(game, ROWS, seed=seed * 1_000_000 + games, observation="sparse", autoreset="disabled", agents=agents)
        steps = []
        returns = np.zeros(ROWS, np.float32)
        while (env.players >= 0).any():
            batch, running = env.sparse, env.players >= 0
            hidden, inputs = network.hidden(padded(batch))
            policy = network.policy(hidden, env.action_mask)
            actions = np.where(running, choose(policy, rng), -1)
            steps.append((batch, inputs, hidden, policy, actions, running, env.action_mask.copy()))
            env.step(actions)
            returns += env.rewards[:, seat]
        advantage = (returns - returns.mean()) / (returns.std() + 1e-3)
        for batch, inputs, hidden, policy, actions, running, mask in steps:
            slopes = -policy
            slopes[np.arange(ROWS), np.maximum(actions, 0)] += 1
            slopes *= (advantage * running)[:, None] * mask / ROWS
            network.learn(padded(batch), inputs, hidden, slopes.astype(np.float32))
        games += 1
    return network


def padded(batch: fg.SparseBatch) -> fg.SparseBatch:
    """A feature of weight 0 in rows without any, since `reduceat` wants one in each."""
    counts = np.diff(batch.offsets)
    if counts.all():
        return batch
    empty = np.flatnonzero(counts == 0)
    places = batch.offsets[empty]
    counts[empty] = 1
    return fg.SparseBatch(
        np.concatenate([[0], counts.cumsum()]),
        np.insert(batch.indices, places, 0).astype(np.uint16),
        np.insert(batch.values, places, 0).astype(np.int16),
        batch.legal_offsets,
        batch.legal_ids,
    )


def wins(game: fg.Game, network: Network, games: int = 400, seed: int = 9) -> float:
    """The share of games won against `random`, half of them from each seat; a tie is half a game."""
    won = 0.0
    for seat in (0, 1):
        agents: list[str | None] = ["random", "random"]
        agents[seat] = None
        rows = games // 2
        env = fg.BatchEnv(game, rows, seed=seed, observation="sparse", autoreset="disabled", agents=agents)
        while (env.players >= 0).any():
            hidden, _ = network.hidden(padded(env.sparse))
            actions = network.policy(hidden, env.action_mask).argmax(axis=1)
            running = env.players >= 0
            env.step(np.where(running, actions, -1))
            ended = running & env.terminated
            won += float((env.rewards[ended, seat] + 1).sum()) / 2
    return won / games


def main(seconds: float = 45.0) -> None:
    """Train, and say how many of 400 games are won."""
    game = fg.load("qin")
    network = train(game, seconds)
    share = wins(game, network)
    error = 1.96 * (share * (1 - share) / 400) ** 0.5
    print(f"{100 * share:.1f} % +- {100 * error:.1f} of 400 games of Qin won against random")


if __name__ == "__main__":
    main()
