"""OpenSpiel: every game registered, `pyspiel.load_game("fg_qin(players=3,board=lion)")`, and agents across the border.

Importing this module registers the games as `fg_forbidden_city` and so on. Parameters are `players`, `components` (the name of a
built-in set) and the options, in text as the command line takes them; what is left out has its usual value. Information states
are texts of perfect recall; `resample_from_infostate` draws a world that the seat cannot tell from the true one. Their C++
`MCTSBot` and `ISMCTSBot` end the process on every game written in Python; the bots in Python work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import forbidden_games as fg
from forbidden_games.envs._common import encode, need

need("pyspiel", "openspiel")

import pyspiel  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = "fg_"


def _parameters(name: str) -> dict[str, Any]:
    """Parameters with what stands for "as usual"."""
    options = {spec.name: "" for spec in fg.game_info(name).option_schema}
    return {"players": 0, "components": "", **options}


def _load(name: str, given: dict[str, Any]) -> fg.Game:
    """The game that parameters mean."""
    schema = {spec.name: spec for spec in fg.game_info(name).option_schema}
    options: dict[str, Any] = {
        key: spec.parse(str(given[key])) for key, spec in schema.items() if given.get(key) not in (None, "")
    }
    components = given.get("components") or None
    return fg.load(name, given.get("players") or None, components=components, **options)


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel; `game` is ours."""

    name = ""
    game_type: Any = None

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Read the parameters."""
        given = dict(params or {})
        self.game = _load(self.name, given)
        utility = self.game.utility
        super().__init__(
            self.game_type,
            pyspiel.GameInfo(
                num_distinct_actions=self.game.num_actions,
                max_chance_outcomes=max(self.game.num_outcomes, 1),
                num_players=self.game.num_players,
                min_utility=utility["min"],
                max_utility=utility["max"],
                # Of a kind of game that is not always zero sum they want none.
                utility_sum=0.0 if self.game_type.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
                max_game_length=self.game.max_plies,
            ),
            given,
        )

    def new_initial_state(self) -> State:
        """The ordinary start, before the first draw."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ARG002
        """Tensors and texts of observations and information states."""
        return Observer(self.game, iig_obs_type)


class State(pyspiel.State):  # type: ignore[misc]
    """A position for OpenSpiel; `match` is ours, at a chance node too."""

    def __init__(self, game: Game, match: fg.Match | None = None, known: dict[int, list[str]] | None = None) -> None:
        """Begin, or go on from a match; `known` is what seats saw before that match began."""
        super().__init__(game)
        self.match = game.game.new_match(seed=0, resolve=False) if match is None else match
        self.known = known or {}

    def current_player(self) -> int:
        """The seat to move, or what OpenSpiel has for chance and the end."""
        if self.match.is_terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.match.current_player
        return int(pyspiel.PlayerId.CHANCE) if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return [int(action) for action in self.match.legal_actions] if player == self.match.current_player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Ids of outcomes with their probabilities."""
        state = self.match.state
        return [(int(outcome), weight / state.chance_total) for outcome, weight in state.chance_outcomes]

    def _apply_action(self, action: int) -> None:
        self.match.play_step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.match.game
        return str(game.outcome(action) if player == pyspiel.PlayerId.CHANCE else game.action(action))

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self.match.is_terminal

    def returns(self) -> list[float]:
        """Returns at the end, zeros before."""
        return list(self.match.returns) if self.match.is_terminal else [0.0] * self.match.game.num_players

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has seen since the start, a line a step."""
        player = self.match.current_player or 0 if player is None else player
        seen = self.known.get(player, []) + self.match.information_state(player).history
        return "\n".join([f"player {player}", *seen])

    def observation_string(self, player: int | None = None) -> str:
        """What a seat perceives now, as JSON."""
        return self.match.observation(self.match.current_player or 0 if player is None else player).to_json()

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The same as numbers."""
        found: list[float] = encode(self.match, self.match.current_player or 0 if player is None else player).tolist()
        return found

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """A position with the same knowledge of `player`: the world is drawn uniformly, `sampler` gives numbers in [0, 1)."""
        info = self.match.information_state(player)
        world = info.sample_world(int(sampler() * (1 << 62)))
        known = {player: self.known.get(player, []) + info.history}
        return State(self.get_game(), self.match.game.new_match(seed=0, state=world, resolve=False), known)

    def clone(self) -> State:
        """A copy."""
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: object) -> State:
        return State(self.get_game(), self.match.copy(), dict(self.known))

    def __str__(self) -> str:
        return self.match.state.to_json()


class Observer:
    """Observations of a state as OpenSpiel asks for them."""

    def __init__(self, game: fg.Game, iig_obs_type: Any) -> None:
        """Make the tensor once."""
        self.tensor = np.zeros(game.observation_size, np.float32)
        self.dict = {
            block.name: self.tensor[block.offset : block.offset + block.size].reshape(block.shape)
            for block in game.observation_spec
        }
        self._recalls = bool(getattr(iig_obs_type, "perfect_recall", False))

    def set_from(self, state: State, player: int) -> None:
        """Write what a seat perceives into `tensor`."""
        state.match.encode(player, self.tensor)

    def string_from(self, state: State, player: int) -> str:
        """What a seat perceives, or with perfect recall has seen, as text."""
        return state.information_state_string(player) if self._recalls else state.observation_string(player)


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot of OpenSpiel."""

    def __init__(self, agent: str | fg.Agent | fg.SearchAgent, player: int, seed: int = 0) -> None:
        """Seat an agent or the agent of a specification."""
        super().__init__()
        self.agent = fg.agent(agent) if isinstance(agent, str) else agent
        self.player, self.seed = player, seed

    def player_id(self) -> int:
        """The seat."""
        return self.player

    def provides_policy(self) -> bool:
        """It tells the chosen action only."""
        return False

    def restart_at(self, state: State) -> None:
        """Nothing is kept between decisions."""

    def step(self, state: State) -> int:
        """Choose an action id."""
        info = state.match.information_state(self.player)
        if isinstance(self.agent, fg.SearchAgent):
            return int(self.agent.act(info, seed=fg.agent_seed(self.seed, self.player, state.match.ply)))
        return int(self.agent.act(info))


class BotAgent:
    """A bot of OpenSpiel as an agent in our matches. It is shown a world that its seat cannot tell from the true one."""

    def __init__(self, bot: Any, game: str = "") -> None:
        """Take a bot made for `pyspiel.load_game(game)`; without `game` for the game of the match with its usual parameters."""
        self.bot, self.game = bot, game
        self._loaded: Any = None

    def act(self, info: fg.InformationState, /) -> fg.Action:
        """Choose one of `info.legal_actions`."""
        if self._loaded is None:
            self._loaded = pyspiel.load_game(self.game or f"{_PREFIX}{info.game.name}(players={info.game.num_players})")
        if self._loaded.game != info.game:
            raise fg.OptionsError("game", f"a match of {info.game!r}", f"one of {self._loaded.game!r}, for which the bot is")
        match = info.game.new_match(seed=0, state=info.sample_world(0), resolve=False)
        state = State(self._loaded, match, {info.player: info.history})
        return info.game.action(self.bot.step(state))


def _register(name: str) -> type[Game]:
    info = fg.game_info(name)
    least = fg.load(name, info.min_players)
    kind = pyspiel.GameType(
        short_name=_PREFIX + name,
        long_name=info.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if least.utility["zero_sum"] else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=info.max_players,
        min_num_players=info.min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
        default_loadable=True,
        provides_factored_observation_string=False,
    )
    # A class of the module, so that games and states can be pickled.
    made = type(f"{''.join(word.capitalize() for word in name.split('_'))}Game", (Game,), {"name": name, "game_type": kind})
    made.__module__ = __name__
    globals()[made.__name__] = made
    pyspiel.register_game(kind, made)
    return made


GAMES = {name: _register(name) for name in fg.games()}
