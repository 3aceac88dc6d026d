"""A network plugged into the search, with nothing but NumPy.

The search gathers leaves over its trees and worlds and calls the evaluator with arrays:

    observations  float32 [B, game.observation_size]   what the seat to move sees
    masks         bool    [B, game.num_actions]        its legal actions
    players       int64   [B]                          which seat that is

and wants back `(priors [B, num_actions], values [B, num_players])`, float32: priors that are 0 where the mask is, and what
every seat can expect, in [-1, 1], by seat. Observations are ordered from the viewer clockwise, so the network speaks of "me,
the next seat, ..." and its values are turned back to seats here.

    python examples/network.py
"""

from __future__ import annotations

import sys

import forbidden_games as fg
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


class Network:
    """One hidden layer, a policy head and a value head. Its weights are random: it shows the plug, not strength."""

    def __init__(self, game: fg.Game, hidden: int = 32, seed: int = 0) -> None:
        """Weights for one game; `action_space` tells for which."""
        random = np.random.default_rng(seed)
        self.action_space = game.action_space
        self.num_players = game.num_players

        def layer(rows: int, columns: int) -> Floats:
            return np.asarray(random.standard_normal((rows, columns)) / np.sqrt(rows), dtype=np.float32)

        self.trunk = layer(game.observation_size, hidden)
        self.policy = layer(hidden, game.num_actions)
        self.value = layer(hidden, game.num_players)

    def __call__(
        self, observations: Floats, masks: npt.NDArray[np.bool_], players: npt.NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Priors and values of a batch."""
        features = np.maximum(observations @ self.trunk, 0)
        logits = np.where(masks, features @ self.policy, -np.inf)
        logits -= logits.max(axis=1, keepdims=True)
        priors = np.exp(logits)
        priors /= priors.sum(axis=1, keepdims=True)
        relative = np.tanh(features @ self.value)
        relative -= relative.mean(axis=1, keepdims=True)
        seats = (np.arange(self.num_players)[None, :] - players[:, None]) % self.num_players
        values = np.take_along_axis(relative, seats, axis=1)
        return priors.astype(np.float32), np.clip(values, -1, 1).astype(np.float32)


class NetworkAgent:
    """The search with the network at its leaves, as an agent for `play_match`."""

    def __init__(self, network: Network, spec: str = "mcts:simulations=64,leaf_batch=16") -> None:
        """Any tree search by specification."""
        agent = fg.agent(spec)
        assert isinstance(agent, fg.SearchAgent)
        self.agent = agent
        self.network = network

    def act(self, info: fg.InformationState) -> fg.Action:
        """What the search prefers."""
        return self.agent.search(info, seed=info.key, evaluator=self.network).action


def main(name: str = "qin", spec: str = "mcts:simulations=64,leaf_batch=16") -> None:
    """One search in detail, then a game against `random`."""
    game = fg.load(name, players=2)
    player = NetworkAgent(Network(game), spec)
    match = game.new_match(seed=1)
    seat = match.current_player
    assert seat is not None
    report = player.agent.search(match.information_state(seat), seed=1, evaluator=player.network)
    print(f"{report.simulations} simulations, best {report.action}, value {report.q.max():+.3f}")
    finished = fg.play_match(game, [player, "random"], seed=1)
    print(f"scores {finished.scores}, ranking {finished.ranking}, {finished.ply} plies")


if __name__ == "__main__":
    main(*sys.argv[1:3])
