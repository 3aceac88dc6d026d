"""Gymnasium: one seat against agents (`SeatEnv`), and many such games side by side (`VectorEnv` over `forbidden_games.BatchEnv`).

Importing this module registers `ForbiddenGames/Qin-v0` and so on:

```python
import gymnasium
import forbidden_games.envs.gymnasium

env = gymnasium.make("ForbiddenGames/Qin-v0", opponents="greedy")
many = gymnasium.make_vec("ForbiddenGames/Qin-v0", num_envs=256, vectorization_mode="vector_entry_point", opponents="random")
```

The mask of legal actions is `info["action_mask"]`, and `env.action_masks()` for those who look there. An action that is not
legal ends the game with -1. The reward is the seat's return at the end, in [-1, 1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import forbidden_games as fg
from forbidden_games.envs._common import Seats, bounds, encode, is_refused, load, need

need("gymnasium", "gymnasium")

import gymnasium  # noqa: E402
from gymnasium.spaces import Box, Discrete  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    _Observation = npt.NDArray[np.float32]

_AUTORESET = {
    "same_step": AutoresetMode.SAME_STEP,
    "next_step": AutoresetMode.NEXT_STEP,
    "disabled": AutoresetMode.DISABLED,
}


def _spaces(game: fg.Game) -> tuple[Box, Discrete]:
    return Box(np.zeros(game.observation_size, np.float32), bounds(game), dtype=np.float32), Discrete(game.num_actions)


def _seat(game: fg.Game, seat: int) -> int:
    if not 0 <= seat < game.num_players:
        raise fg.OptionsError("seat", str(seat), f"a seat from 0 to {game.num_players - 1}")
    return seat


class SeatEnv(gymnasium.Env):  # type: ignore[misc]
    """One seat of a game; the other seats are played by agents.

    Args:
        game: A game, or its name with `players`, `components` and options.
        seat: The seat that `step` plays.
        opponents: An agent or specification for all other seats, or one for each of them in seat order.
        render_mode: `ansi`, `human` or `None`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str | fg.Game,
        *,
        seat: int = 0,
        opponents: Any = "random",
        players: int | None = None,
        components: Any = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Load the game and make the opponents."""
        self.game = load(game, players, components, options)
        self.seat = _seat(self.game, seat)
        self.opponents = Seats(opponents, self.game.num_players, self.seat)
        self.observation_space, self.action_space = _spaces(self.game)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise fg.OptionsError("render_mode", str(render_mode), "ansi, human or None")
        self.render_mode = render_mode
        self.match: fg.Match | None = None
        self._is_over = True

    def _played(self) -> fg.Match:
        if self.match is None:
            raise fg.StateError("match", "none", "a call of reset first")
        return self.match

    def _answer(self) -> tuple[_Observation, dict[str, Any]]:
        return encode(self._played(), self.seat), {"action_mask": self.action_masks().astype(np.int8)}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, `[num_actions]`; none once the game is over."""
        mask = np.zeros(self.game.num_actions, bool)
        match = self._played()
        if not self._is_over and match.current_player == self.seat:
            match.write_legal_actions_mask(mask)
        return mask

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[_Observation, dict[str, Any]]:
        """Deal a game, up to this seat's first decision: with a seed the match of that seed."""
        super().reset(seed=seed)
        while True:
            match_seed = seed if seed is not None else int(self.np_random.integers(1 << 63))
            self.match = self.game.new_match(seed=match_seed)
            self.opponents.play_on(self.match)
            if not self.match.is_terminal:
                break
            seed = None  # others ended the game before this seat could act
        self._is_over = False
        if self.render_mode == "human":
            self.render()
        return self._answer()

    def step(self, action: Any) -> tuple[_Observation, float, bool, bool, dict[str, Any]]:
        """Play an action id, then the other seats up to this seat's next decision or the end."""
        match, reward = self._played(), 0.0
        if self._is_over:
            raise fg.StateError("match", "one that is over", "a call of reset first")
        if is_refused(match, action):
            reward, self._is_over = -1.0, True
        else:
            self.opponents.play_on(match)
            if match.is_terminal:
                reward, self._is_over = match.returns[self.seat], True
        if self.render_mode == "human":
            self.render()
        observation, info = self._answer()
        return observation, float(reward), self._is_over, False, info

    def render(self) -> str | None:
        """Draw what this seat perceives; text with `ansi`, else it is printed."""
        match = self._played()
        if self.render_mode is None:
            return None
        text = match.observation(self.seat).draw(last=match.last_action)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None


class VectorEnv(gymnasium.vector.VectorEnv):  # type: ignore[misc]
    """Many `SeatEnv`s side by side, stepped in Rust.

    Observations are those of a `BatchEnv`: the same array for ever, unless `copy=True`. `info["action_mask"]` is
    `[N, num_actions]`; with `same_step` there are `final_obs` and `final_info`, each with its mask `_final_obs`, `_final_info`.

    Args:
        game: A game, or its name with `players`, `components` and options.
        num_envs: Number of games.
        seat: The seat that `step` plays.
        opponents: A native agent or specification for all other seats, or one for each of them in seat order.
        autoreset: `next_step`, `same_step` or `disabled`, as Gymnasium means them.
        threads: Threads of a step.
        max_plies: Decisions of all seats after which a game is cut off.
        copy: Whether `reset` and `step` give copies of the arrays.
    """

    def __init__(
        self,
        game: str | fg.Game,
        num_envs: int = 1,
        *,
        seat: int = 0,
        opponents: str | fg.SearchAgent | Sequence[str | fg.SearchAgent] = "random",
        autoreset: str = "next_step",
        threads: int = 1,
        max_plies: int | None = None,
        copy: bool = True,
        players: int | None = None,
        components: Any = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Make the batch."""
        if autoreset not in _AUTORESET:
            raise fg.OptionsError("autoreset", autoreset, f"one of {', '.join(_AUTORESET)}")
        if render_mode is not None:
            raise fg.OptionsError("render_mode", render_mode, "None: many games are not drawn")
        self.game = load(game, players, components, options)
        self.seat = _seat(self.game, seat)
        seats = Seats(opponents, self.game.num_players, self.seat)
        foreign = [agent for agent in seats.agents.values() if not isinstance(agent, fg.SearchAgent)]
        if foreign:
            raise fg.OptionsError("opponents", type(foreign[0]).__name__, "native agents: others play in SeatEnv")
        self.num_envs, self.render_mode = num_envs, None
        self.metadata = {"render_modes": [], "autoreset_mode": _AUTORESET[autoreset]}
        self.batch = fg.BatchEnv(
            self.game,
            num_envs,
            threads=threads,
            autoreset=autoreset,  # type: ignore[arg-type]
            agents=[seats.agents.get(place) for place in range(self.game.num_players)],
            illegal="lose",
            max_plies=max_plies,
        )
        self._copies = copy
        self.single_observation_space, self.single_action_space = _spaces(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copies else array

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._given(self.batch.action_mask.view(np.int8)), "_action_mask": np.ones(self.num_envs, bool)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begin games: all, or those of `options["reset_mask"]`; with a seed game 0 of each row, else the next one.

        Raises:
            OptionsError: If `seed` is a list: the seeds of all rows follow from one.
        """
        if isinstance(seed, (list, tuple)):
            raise fg.OptionsError("seed", "a list", "one integer, from which the seeds of all rows follow")
        mask = (options or {}).get("reset_mask")
        self.batch.reset(seed, mask=None if mask is None else np.ascontiguousarray(mask, dtype=bool))
        return self._given(self.batch.observations), self._info()

    def step(self, actions: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play an action in every game. A finished row of mode `disabled` takes any action and waits."""
        given = np.asarray(actions)
        batch = self.batch
        if self.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            given = np.where(batch.players < 0, -1, given)
        batch.step(given)
        info = self._info()
        ended = batch.final_players >= 0
        if batch.final_observations is not None and ended.any():
            final = np.empty(self.num_envs, object)
            for row in np.flatnonzero(ended):
                final[row] = batch.final_observations[row].copy()
            info |= {"final_obs": final, "_final_obs": ended}
            info |= {
                "final_info": {"action_mask": np.zeros_like(batch.action_mask, np.int8), "_action_mask": ended},
                "_final_info": ended,
            }
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        return self._given(batch.observations), rewards, batch.terminated.copy(), batch.truncated.copy(), info

    def close_extras(self, **given: Any) -> None:  # noqa: ARG002
        """Let go of the threads."""
        self.batch.close()


def _register() -> None:
    for name in fg.games():
        title = "".join(word.capitalize() for word in name.split("_"))
        gymnasium.register(
            id=f"ForbiddenGames/{title}-v0",
            entry_point=SeatEnv,
            vector_entry_point=VectorEnv,
            kwargs={"game": name},
            order_enforce=True,
        )


_register()
