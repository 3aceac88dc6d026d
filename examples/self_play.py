"""Self-play data for learning: observations, search policies and final returns as one NumPy file.

The file names the action space (`game.action_space`) and the observation blocks, so that a checkpoint trained on it can check
that it still means the same.

    python examples/self_play.py data.npz
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import forbidden_games as fg
import numpy as np


def self_play(game: fg.Game, agent: fg.SearchAgent, games: int, seed: int) -> dict[str, Any]:
    """Plays games of the agent against itself; a row for each decision with more than one legal action."""
    observations, policies, players, returns = [], [], [], []
    for number in range(games):
        match = game.new_match(seed + number)
        rows = 0
        while (player := match.current_player) is not None:
            info = match.information_state(player)
            report = agent.search(info, seed=fg.agent_seed(match.seed, player, match.ply))
            if len(info.legal_actions) > 1:
                policy = np.zeros(game.num_actions, dtype=np.float32)
                policy[info.legal_actions.ids] = report.visit_counts / max(1, report.visit_counts.sum())
                observations.append(info.observation.tensor)
                policies.append(policy)
                players.append(player)
                rows += 1
            match.play(report.action)
        returns.extend([match.returns] * rows)
    return {
        "observations": np.array(observations),
        "policies": np.array(policies),
        "players": np.array(players, dtype=np.int64),
        "returns": np.array(returns, dtype=np.float32),
    }


def main(path: str = "self_play.npz", name: str = "qin", spec: str = "mcts:simulations=32") -> None:
    """Writes a small data set."""
    if Path(path).exists():
        sys.exit(f"{path} exists: name another file")
    games = 2
    game = fg.load(name, players=2)
    agent = fg.agent(spec)
    assert isinstance(agent, fg.SearchAgent)
    arrays = self_play(game, agent, games, seed=0)
    blocks = [{"name": block.name, "shape": list(block.shape), "offset": block.offset} for block in game.observation_spec]
    meta = json.dumps({"action_space": game.action_space, "blocks": blocks, "agent": str(agent)})
    with Path(path).open("xb") as file:  # never over a file that somebody has made meanwhile
        np.savez_compressed(file, meta=np.array(meta), **arrays)
    print(f"{len(arrays['players'])} rows of {games} games in {Path(path).name}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
