"""RLlib: every seat turn by turn, as a `MultiAgentEnv` that returns only the seat to move.

```python
from ray.rllib.algorithms.ppo import PPOConfig
from forbidden_games.envs.rllib import TurnEnv

config = PPOConfig().environment(TurnEnv, env_config={"game": "qin"}, disable_env_checking=True)
```

Observations are dicts of `observations` and `action_mask`, both float32, as RLlib's action-masking modules want them. An action
that is not legal ends the game: -1 for the seat, 0 for the others. `disable_env_checking` is needed, as the checker plays without
the mask.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import forbidden_games as fg
from forbidden_games.envs._common import bounds, encode, is_refused, load, need

need("ray.rllib", "rllib")

from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # noqa: E402


class TurnEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game. Agents are `player_0`, `player_1`, ... in seat order.

    `config` has `game` (a name), and may have `players`, `components`, and `options`, a dict.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        """Load the game; nothing is dealt before `reset`."""
        super().__init__()
        given = dict(config or {})
        unknown = set(given) - {"game", "players", "components", "options"}
        if unknown or "game" not in given:
            raise fg.OptionsError(
                "env_config", ", ".join(sorted(given)) or "nothing", "game, and perhaps players, components, options"
            )
        self.game = load(given["game"], given.get("players"), given.get("components"), dict(given.get("options") or {}))
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.agents = self.possible_agents[:]
        seen = Box(np.zeros(self.game.observation_size, np.float32), bounds(self.game), dtype=np.float32)
        mask = Box(0.0, 1.0, (self.game.num_actions,), np.float32)
        space = Dict({"observations": seen, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, Discrete(self.game.num_actions))
        self._generator = np.random.default_rng()
        self.match: fg.Match | None = None

    def _seen(self, match: fg.Match, player: int) -> dict[str, Any]:
        mask = np.zeros(self.game.num_actions, bool)
        if player == match.current_player:
            match.write_legal_actions_mask(mask)
        return {"observations": encode(match, player), "action_mask": mask.astype(np.float32)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:  # noqa: ARG002
        """Deal a game: with a seed the match of that seed, without one the next of this environment's own generator."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self.match = self.game.new_match(seed=seed if seed is not None else int(self._generator.integers(1 << 63)))
        self.agents = self.possible_agents[:]
        player = self.match.current_player or 0
        return {self.possible_agents[player]: self._seen(self.match, player)}, {}

    def step(
        self, action_dict: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the action of the seat to move."""
        match = self.match
        if match is None or match.current_player is None:
            raise fg.StateError("match", "none that is running", "a call of reset first")
        agent = self.possible_agents[match.current_player]
        if set(action_dict) != {agent}:
            raise fg.OptionsError("action_dict", ", ".join(map(str, action_dict)) or "nothing", f"an action of {agent} alone")
        rewards: dict[str, float] = {}
        refused = is_refused(match, action_dict[agent])
        if refused or match.is_terminal:
            returns = match.returns if not refused else [-1.0 if one == agent else 0.0 for one in self.possible_agents]
            rewards = dict(zip(self.possible_agents, map(float, returns), strict=True))
            nothing = {
                "observations": np.zeros(self.game.observation_size, np.float32),
                "action_mask": np.zeros(self.game.num_actions, np.float32),
            }
            self.agents, self.match = [], None
            ends = dict.fromkeys([*self.possible_agents, "__all__"], True)
            return dict.fromkeys(self.possible_agents, nothing), rewards, ends, {"__all__": False}, {}
        player = match.current_player
        seen = {self.possible_agents[player]: self._seen(match, player)}
        return seen, rewards, {"__all__": False}, {"__all__": False}, {}
