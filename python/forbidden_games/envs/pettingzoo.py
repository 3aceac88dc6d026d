"""PettingZoo: every game as an AEC environment, `forbidden_games.envs.pettingzoo.qin_v0` and so on, with `env` and `raw_env`.

```python
from forbidden_games.envs.pettingzoo import qin_v0

env = qin_v0.env(players=3, render_mode="human")
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
```

A seat may act several times running. An action that is not legal ends the game: -1 for the seat, 0 for the others.
"""

from __future__ import annotations

import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

import forbidden_games as fg
from forbidden_games.envs._common import bounds, encode, is_refused, load, need

need("pettingzoo", "pettingzoo")

from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from gymnasium.utils import EzPickle  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

if TYPE_CHECKING:
    import numpy.typing as npt


_NOW = {
    "match", "agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos", "agent_selection",
    "_skip_agent_selection", "_generator",
}  # fmt: skip
"""What changes in an environment from step to step."""


class RawEnv(AECEnv, EzPickle):  # type: ignore[misc]
    """One game as PettingZoo sees it. Agents are `player_0`, `player_1`, ... in seat order.

    An observation is a dict of `observation` (float32, `[observation_size]`) and `action_mask` (int8, `[num_actions]`, zeros for
    a seat that is not to move). Rewards are the returns at the end, in [-1, 1].
    """

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        components: Any = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Load the game; nothing is dealt before `reset`.

        Args:
            game: Its name.
            players: Number of seats.
            components: A component set, as `forbidden_games.load` takes it.
            render_mode: `ansi` (`render` returns text), `human` (it is printed after every step) or `None`.
            options: Options of the game.
        """
        EzPickle.__init__(self, game, players=players, components=components, render_mode=render_mode, **options)
        super().__init__()
        self.game = load(game, players, components, options)
        self.metadata: dict[str, Any] = {
            "name": f"{self.game.name}_v0",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise fg.OptionsError("render_mode", str(render_mode), "ansi, human or None")
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        seen = Box(np.zeros(self.game.observation_size, np.float32), bounds(self.game), dtype=np.float32)
        mask = Box(0, 1, (self.game.num_actions,), np.int8)
        self._observation_space = Dict({"observation": seen, "action_mask": mask})
        self._action_space = Discrete(self.game.num_actions)
        self._generator = np.random.default_rng()
        self.match: fg.Match | None = None

    def __getstate__(self) -> dict[str, Any]:
        """How it was made, and where the game stands."""
        return {"made": EzPickle.__getstate__(self), "now": {name: value for name, value in vars(self).items() if name in _NOW}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make it again, and go on from there."""
        EzPickle.__setstate__(self, state["made"])
        self.__dict__.update(state["now"])

    def observation_space(self, agent: str) -> Dict:  # noqa: ARG002
        """The same for every seat."""
        return self._observation_space

    def action_space(self, agent: str) -> Discrete:  # noqa: ARG002
        """The same for every seat."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a game: with a seed the match of that seed, without one the next of this environment's own generator."""
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        match_seed = seed if seed is not None else int(self._generator.integers(1 << 63))
        self.match = self.game.new_match(seed=match_seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.match.current_player or 0]
        if self.render_mode == "human":
            self.render()

    def _played(self) -> fg.Match:
        if self.match is None:
            raise fg.StateError("match", "none", "a call of reset first")
        return self.match

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What a seat perceives now, with the mask of its legal actions."""
        match, player = self._played(), self.possible_agents.index(agent)
        mask = np.zeros(self.game.num_actions, np.int8)
        if player == match.current_player and not self.terminations.get(agent, True):
            match.write_legal_actions_mask(mask)
        return {"observation": encode(match, player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action id for the seat to move; `None` for each seat once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        match = self._played()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if is_refused(match, -1 if action is None else action):
            self.rewards[agent] = -1.0
            self.terminations = dict.fromkeys(self.agents, True)
        elif match.is_terminal:
            self.rewards = dict(zip(self.agents, match.returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[match.current_player or 0]
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Draw what the seat to move perceives; text with `ansi`, else it is printed."""
        match = self._played()
        if self.render_mode is None:
            return None
        text = match.observation(match.current_player or 0).draw(last=match.last_action)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held."""


def _env(game: str, **given: Any) -> AECEnv:
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(RawEnv(game, **given)))


def _module(game: str) -> ModuleType:
    """The module of a game, as environments of PettingZoo come: with `env` and `raw_env`."""
    name = f"{game}_v0"
    module = ModuleType(
        f"{__name__}.{name}", f"{fg.game_info(game).title} for PettingZoo: `env` with the usual wrappers, `raw_env`."
    )
    module.raw_env = partial(RawEnv, game)  # type: ignore[attr-defined]
    module.env = partial(_env, game)  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    return module


__all__ = ["RawEnv"]
for _game in fg.games():
    globals()[f"{_game}_v0"] = _module(_game)
    __all__ += [f"{_game}_v0"]
    _register = getattr(sys.modules["pettingzoo"], "register", None)
    if _register is not None:
        _register("aec", f"forbidden_games/{_game}_v0", partial(_env, _game))
