"""The compiled part of forbidden_games: rules, matches, records, search.

Docstrings in full are in the compiled classes (`help(forbidden_games.State)`); this file has the signatures.
Wherever a *step* is taken, an `Action`, an `Outcome`, its notation or its id will do. Wherever JSON is taken, text or the
same thing as a dict will do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Self, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
import numpy.typing as npt

__all__ = [
    "Action",
    "AgentSetting",
    "BatchEnv",
    "Block",
    "EncodedPositions",
    "Event",
    "Game",
    "GameInfo",
    "InformationState",
    "LegalActions",
    "Match",
    "Observation",
    "OptionSpec",
    "Outcome",
    "Record",
    "Report",
    "ScoreLine",
    "SearchAgent",
    "SearchSession",
    "SparseBatch",
    "State",
    "Stop",
    "__version__",
    "agent_names",
    "agent_seed",
    "agent_settings",
    "break_match",
    "build_cpu_level",
    "build_profile",
    "check_game",
    "check_invariants",
    "encode_positions",
    "game_info",
    "games",
    "load_game",
    "parse_components",
    "parse_record",
    "parse_record_prefix",
    "perft",
    "perft_divide",
    "play_native_match",
    "playthrough",
    "restore_agent_setting",
    "restore_block",
    "restore_event",
    "restore_game",
    "restore_information_state",
    "restore_legal_actions",
    "restore_match",
    "restore_observation",
    "restore_option_spec",
    "restore_record",
    "restore_report",
    "restore_score_line",
    "restore_state",
    "rollouts",
    "search_batch",
    "series_seat",
    "series_standing",
]

_JsonObject: TypeAlias = dict[str, Any]
_Json: TypeAlias = str | Mapping[str, Any]
_Mask = TypeVar("_Mask", bound=npt.NDArray[Any])
_Numbers = TypeVar("_Numbers", bound=npt.NDArray[Any])

__version__: str
build_cpu_level: str
build_profile: str

# ---- Games ---------------------------------------------------------------------------------------------------------------

def games() -> list[str]:
    """Names of all games, in order."""

def game_info(name: str) -> GameInfo:
    """What is known of a game before players, options and components."""

def load_game(
    name: str,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    components: str | Mapping[str, Any] | None = None,
    window: int | None = None,
) -> Game:
    """Make a game; `forbidden_games.load` is the same with options as keywords and component files by path."""

def parse_components(text: str, *, json: bool = False) -> _JsonObject:
    """Read the text of a component file (TOML, or JSON) as data; `load_game` checks it."""

@final
class GameInfo:
    """What is known of a game before players, options and components."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def layout_version(self) -> int: ...
    @property
    def min_players(self) -> int: ...
    @property
    def max_players(self) -> int: ...
    @property
    def default_players(self) -> int: ...
    @property
    def hidden_information(self) -> bool: ...
    @property
    def phases(self) -> list[str]: ...
    @property
    def rules(self) -> str:
        """The rule page, Markdown."""
    @property
    def readme(self) -> str:
        """The game's page: options, components, specs, action ids, observation blocks. Markdown."""
    @property
    def option_schema(self) -> list[OptionSpec]: ...
    @property
    def builtin_components(self) -> dict[str, str]:
        """Name and TOML text of the built-in sets, the default first."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class OptionSpec:
    """One option of a game."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Literal["choice", "integer", "text", "names"]: ...
    @property
    def choices(self) -> list[str] | None: ...
    @property
    def min(self) -> int | None: ...
    @property
    def max(self) -> int | None: ...
    @property
    def odd(self) -> bool: ...
    @property
    def default(self) -> str | int | list[str]: ...
    @property
    def meaning(self) -> str: ...
    @property
    def expected(self) -> str:
        """The allowed values in words."""
    def parse(self, text: str) -> str | int | list[str]:
        """Read a value written as text (`41`, `wind,stair`)."""
    def format(self, value: str | int | Sequence[str]) -> str:
        """Write a value as text that `parse` reads again."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_option_spec(game: str, name: str) -> OptionSpec:
    """Rebuild a pickled option."""

@final
class Block:
    """One named block of an encoded observation."""

    @property
    def name(self) -> str: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def offset(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def scale(self) -> int: ...
    @property
    def bound(self) -> int: ...
    @property
    def meaning(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_block(name: str, shape: Sequence[int], offset: int, scaling: tuple[int, int], meaning: str) -> Block:
    """Rebuild a pickled block."""

@final
class Game:
    """Rules with players, options and components; immutable, hashable, picklable."""

    @property
    def info(self) -> GameInfo: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def num_players(self) -> int: ...
    @property
    def options(self) -> _JsonObject: ...
    @property
    def option_schema(self) -> list[OptionSpec]: ...
    @property
    def components(self) -> str | _JsonObject: ...
    @property
    def window(self) -> int | None: ...
    @property
    def rules(self) -> str: ...
    @property
    def readme(self) -> str: ...
    def is_square(self, text: str) -> bool:
        """Whether `text` names a square of the game (`d4`, in Forbidden City `3,-2`)."""
    @property
    def num_actions(self) -> int: ...
    @property
    def num_outcomes(self) -> int: ...
    @property
    def search_defaults(self) -> str:
        """Settings that `mcts` and `ismcts` start from in this game with so many seats, `key=value,key=value`."""
    @property
    def max_plies(self) -> int: ...
    @property
    def max_chance_nodes(self) -> int: ...
    @property
    def utility(self) -> dict[str, Any]:
        """What returns can be: `zero_sum` (those of all seats add up to 0), `min`, `max`."""
    @property
    def action_space(self) -> str:
        """A fingerprint of the action ids; store it beside data and checkpoints."""
    @property
    def observation_spec(self) -> list[Block]: ...
    @property
    def observation_size(self) -> int: ...
    def action(self, id: int) -> Action: ...
    def outcome(self, id: int) -> Outcome: ...
    def parse_action(self, text: str) -> Action: ...
    def parse_outcome(self, text: str) -> Outcome: ...
    def new_state(self) -> State:
        """The ordinary start, before the set-up draws."""
    def new_match(
        self,
        seed: int = 0,
        *,
        position: _Json | None = None,
        state: State | _Json | None = None,
        seats: Sequence[str] | None = None,
        resolve: bool = True,
    ) -> Match:
        """Begin a match; `seats` are names or agent specifications for the record.

        With `resolve=False` the match waits at a first chance node for `play_step` or `resolve_chance`.
        """
    def state_from_json(self, state: _Json) -> State: ...
    def state_from_position(self, position: _Json) -> State: ...
    def information_state_from_json(self, observation: _Json, player: int) -> InformationState: ...
    def draw_components(self, *, color: bool = False, ascii: bool = False) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: object, /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# ---- Steps ---------------------------------------------------------------------------------------------------------------

@final
class Action:
    """One decision: `str(action)` is its notation, `int(action)` its id."""

    @property
    def game(self) -> Game: ...
    @property
    def id(self) -> int: ...
    @property
    def group(self) -> str:
        """A short word that groups actions in a list: the square, or the verb."""
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Action, /) -> bool: ...
    def __le__(self, other: Action, /) -> bool: ...
    def __gt__(self, other: Action, /) -> bool: ...
    def __ge__(self, other: Action, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Outcome:
    """One result of a draw: `str(outcome)` is its notation, `int(outcome)` its id."""

    @property
    def game(self) -> Game: ...
    @property
    def id(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __lt__(self, other: Outcome, /) -> bool: ...
    def __le__(self, other: Outcome, /) -> bool: ...
    def __gt__(self, other: Outcome, /) -> bool: ...
    def __ge__(self, other: Outcome, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_game(identity: str) -> Game:
    """The game of a pickle."""

@final
class LegalActions(Sequence[Action]):
    """All legal actions, ascending by id, made as far as they are asked for; `in` tests legality of actions, notation and ids."""

    @property
    def game(self) -> Game: ...
    @property
    def ids(self) -> list[int]: ...
    @property
    def array(self) -> npt.NDArray[np.uint32]: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Action: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Action]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Action]: ...
    def __contains__(self, action: object, /) -> bool: ...
    def index(self, action: Action | str | int, start: int = 0, stop: int | None = None) -> int: ...
    def count(self, action: object) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_legal_actions(game: Game, ids: Sequence[int]) -> LegalActions:
    """Rebuild a pickled list of legal actions."""

# ---- Positions -----------------------------------------------------------------------------------------------------------

@final
class ScoreLine:
    """One line of a score sheet: an item, the rule it follows, and points per seat."""

    @property
    def item(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def points(self) -> tuple[int, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_score_line(item: str, rule: str, points: Sequence[int]) -> ScoreLine:
    """Rebuild a pickled line of a score sheet."""

@final
class Event:
    """One thing that an action or a draw brought about; `str(event)` ends with the rule number."""

    @property
    def kind(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def data(self) -> _JsonObject: ...
    @property
    def private_to(self) -> int | None: ...
    def is_visible_to(self, viewer: int) -> bool: ...
    def to_dict(self) -> _JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_event(kind: str, rule: str, text: str, data: _JsonObject, private_to: int | None) -> Event:
    """Rebuild a pickled event."""

@final
class State:
    """One complete position with its hidden parts; immutable, hashable, picklable."""

    @property
    def game(self) -> Game: ...
    @property
    def node(self) -> Literal["decision", "chance", "terminal"]: ...
    @property
    def current_player(self) -> int | None: ...
    @property
    def is_chance(self) -> bool: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def ply(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def key(self) -> int: ...
    @property
    def legal_actions(self) -> LegalActions: ...
    @property
    def legal_actions_mask(self) -> npt.NDArray[np.bool_]:
        """Fresh array, bool over `num_actions`; `write_legal_actions_mask` writes into yours."""
    @property
    def chance_outcomes(self) -> list[tuple[Outcome, int]]: ...
    @property
    def chance_total(self) -> int: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def ranking(self) -> tuple[int, ...]: ...
    @property
    def returns(self) -> tuple[float, ...]: ...
    @property
    def score_sheet(self) -> list[ScoreLine]: ...
    @property
    def series_total(self) -> tuple[int, ...] | None: ...
    def write_legal_actions_mask(self, out: _Mask) -> _Mask: ...
    def child(self, step: Action | Outcome | str | int) -> State: ...
    def child_with_events(self, step: Action | Outcome | str | int) -> tuple[State, list[Event]]: ...
    def resolve_chance(self, seed: int) -> State:
        """The next decision or the end: every chance node on the way is drawn under `seed`."""
    def check(self, step: Action | Outcome | str | int, *, player: int | None = None) -> None:
        """Raise `IllegalActionError` with rule and reason if the step is not legal; `player` is the seat that asks."""
    def observation(self, player: int) -> Observation: ...
    def information_state(self, player: int) -> InformationState:
        """What the seat knows, with an empty history."""
    def evaluate(self, player: int) -> float:
        """The game's heuristic, in points; documented in `game.readme`."""
    def to_json(self) -> str: ...
    def to_dict(self) -> _JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object, /) -> State: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Observation:
    """What one seat perceives of a position; it cannot hold what is hidden from it. `str()` draws it."""

    @property
    def game(self) -> Game: ...
    @property
    def player(self) -> int: ...
    @property
    def tensor(self) -> npt.NDArray[np.float32]:
        """Fresh flat array of `game.observation_size` numbers: all blocks in order."""
    @property
    def blocks(self) -> dict[str, npt.NDArray[np.float32]]:
        """Each block of one `tensor` as a view in its shape."""
    def encode(self, out: _Numbers) -> _Numbers:
        """Write the tensor into `out` (float32, `observation_size` values, C-contiguous, writable) and return it."""
    def draw(
        self,
        *,
        width: int | None = 80,
        color: bool = False,
        ascii: bool = False,
        focus: str | None = None,
        legal: Sequence[Action] = (),
        last: Action | None = None,
    ) -> str: ...
    def to_json(self) -> str: ...
    def to_dict(self) -> _JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class InformationState:
    """All that an agent gets: observation, what the seat has seen so far, legal actions when it is to move."""

    @property
    def game(self) -> Game: ...
    @property
    def player(self) -> int: ...
    @property
    def observation(self) -> Observation: ...
    @property
    def history(self) -> list[str]:
        """What the seat saw, step by step, since the start of the match."""
    @property
    def key(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def legal_actions(self) -> LegalActions: ...
    @property
    def legal_actions_mask(self) -> npt.NDArray[np.bool_]: ...
    def sample_world(self, seed: int) -> State: ...
    def sample_worlds(self, count: int, seed: int) -> list[State]: ...
    def interpret(self, text: str) -> Action | None:
        """The one legal action that `text` means, canonical or not; `None` if there is none or more than one."""
    def to_json(self) -> str:
        """The observation's JSON."""
    def to_dict(self) -> _JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_observation(identity: str, bytes: bytes) -> Observation:
    """Rebuild a pickled observation."""

def restore_information_state(identity: str, bytes: bytes) -> InformationState:
    """Rebuild a pickled information state."""

def restore_state(identity: str, bytes: bytes) -> State:
    """Rebuild a pickled state."""

# ---- Matches and records -------------------------------------------------------------------------------------------------

@final
class Match:
    """A game being played: state, luck and history. Chance is resolved by the match. One thread at a time."""

    @property
    def game(self) -> Game: ...
    @property
    def seed(self) -> int: ...
    @property
    def seats(self) -> list[str]: ...
    @property
    def state(self) -> State:
        """A snapshot."""
    @property
    def current_player(self) -> int | None: ...
    @property
    def is_chance(self) -> bool: ...
    @property
    def is_terminal(self) -> bool: ...
    @property
    def ply(self) -> int: ...
    @property
    def legal_actions(self) -> LegalActions: ...
    @property
    def legal_actions_mask(self) -> npt.NDArray[np.bool_]: ...
    def write_legal_actions_mask(self, out: _Mask) -> _Mask: ...
    def encode(self, player: int, out: _Numbers) -> _Numbers: ...
    @property
    def history(self) -> list[Action | Outcome]: ...
    @property
    def events(self) -> list[Event]:
        """What happened since the last decision was asked for: the last action and the draws after it."""
    @property
    def last_action(self) -> Action | None: ...
    @property
    def record(self) -> Record: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def ranking(self) -> tuple[int, ...]: ...
    @property
    def returns(self) -> tuple[float, ...]: ...
    @property
    def score_sheet(self) -> list[ScoreLine]: ...
    def play(self, action: Action | str | int, *, player: int | None = None) -> None:
        """Play an action, then draw up to the next decision; `player` is the seat that asks."""
    def check(self, step: Action | Outcome | str | int, *, player: int | None = None) -> None:
        """Raise `IllegalActionError` with rule and reason if the step is not legal; `player` is the seat that asks."""
    def play_step(self, step: Action | Outcome | str | int) -> None:
        """Play an action, or at a chance node an explicit outcome, and resolve nothing after it."""
    def resolve_chance(self) -> None:
        """Draw by the match's luck up to the next decision; `play` does it by itself."""
    def events_since(self, step: int) -> list[Event]:
        """What happened from step `step` of `history` on."""
    def undo(self, player: int | None = None) -> bool:
        """Go back to the last decision (of `player`); `False` if there is none."""
    def information_state(self, player: int) -> InformationState: ...
    def observation(self, player: int) -> Observation: ...
    def copy(self) -> Match: ...
    def __copy__(self) -> Match: ...
    def __deepcopy__(self, memo: object, /) -> Match: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_match(text: str, game: Game) -> Match:
    """A match out of a pickle."""

def break_match(match: Match) -> None:
    """Panic inside a match as an error of the program would; for tests."""

@final
class Record:
    """A match as JSON Lines: header, a line per step, a result line."""

    @property
    def game(self) -> Game: ...
    @property
    def header(self) -> _JsonObject: ...
    @property
    def seats(self) -> list[str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def steps(self) -> list[str]:
        """Notation of every step: actions and outcomes."""
    @property
    def plies(self) -> int: ...
    @property
    def result(self) -> _JsonObject | None: ...
    def to_text(self) -> str: ...
    def new_match(self, ply: int | None = None) -> Match:
        """The match as it stood before decision `ply` (default: at the end of the record).

        Raises:
            ValueError: If the record does not come to that ply.
        """
    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, whole or not at all; a file that is there is replaced. An `OSError` has the path."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __len__(self) -> int:
        """Number of steps."""
    def __reduce__(self) -> tuple[Any, ...]: ...

def parse_record(text: str) -> Record:
    """Read and replay a whole record."""

def restore_record(text: str, game: Game) -> Record:
    """A record out of a pickle."""

def parse_record_prefix(text: str) -> tuple[Record, str | None]:
    """Read as far as the record is sound; also the error that ended it, in words."""

# ---- Counting and rolling ------------------------------------------------------------------------------------------------

def perft(state: State, depth: int) -> int:
    """Number of different sequences of exactly `depth` decisions (CONVENTIONS 9)."""

def perft_divide(state: State, depth: int) -> list[tuple[Action, int]]:
    """The count behind each first action."""

def rollouts(state: State, count: int, *, seed: int = 0, threads: int = 1, first: int = 0) -> npt.NDArray[np.float32]:
    """Returns of `count` random games from `state`, numbers `first` and on: array `[count, num_players]`."""

def playthrough(
    game: Game,
    seed: int = 0,
    *,
    agents: Sequence[SearchAgent | str] | None = None,
    position: _Json | None = None,
    state: State | _Json | None = None,
) -> list[str]:
    """The JSON lines of CONVENTIONS 7, without line ends; one native agent for all seats (default: random), or one for each."""

def check_invariants(state: State) -> None:
    """Raise `AssertionError` if the state breaks an invariant of the rule page; slow, for tests."""

def series_standing(
    games: Sequence[Sequence[int]], num_players: int
) -> tuple[list[list[int]], list[int], list[int], list[float]]:
    """Of a series (QN-7.6), per player: what each game added, totals, places, returns; games are given in seat order."""

def series_seat(player: int, index: int, num_players: int) -> int:
    """The seat of a player in game `index` of a series."""

def check_game(game: Game, seeds: Sequence[int]) -> None:
    """Run the conformance battery; `forbidden_games.testing.check_game` is the call for users."""

# ---- Agents --------------------------------------------------------------------------------------------------------------

_Evaluator: TypeAlias = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.int64]],
    tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
]

@final
class SearchAgent:
    """A frozen agent specification, `name:key=value,key=value`; `forbidden_games.agent` makes one."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> dict[str, str]: ...
    def __new__(cls, spec: str) -> SearchAgent: ...
    def act(self, info: InformationState, *, seed: int = 0) -> Action: ...
    def search(self, info: InformationState, *, seed: int = 0, evaluator: _Evaluator | None = None) -> Report: ...
    def resolve(self, game: Game) -> SearchAgent:
        """A level (`expert`) replaced by the agent it stands for in this game; other agents as they are."""
    def replace(self, **settings: str | float) -> SearchAgent:
        """The same agent with some settings changed: `agent.replace(simulations=500)`."""
    def new_session(self) -> SearchSession:
        """The agent on a seat of one match, which can keep its tree between decisions (`reuse=true`)."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class SearchSession:
    """A native agent on one seat of one match; with `reuse=true` it goes on with the tree of its last search."""

    @property
    def agent(self) -> SearchAgent: ...
    def act(self, info: InformationState, *, seed: int = 0) -> Action: ...
    def search(self, info: InformationState, *, seed: int = 0, evaluator: _Evaluator | None = None) -> Report: ...
    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, and what comes out of a pickle, begins without a tree."""

@final
class Report:
    """What a search found. Arrays run along `legal_actions`."""

    @property
    def agent(self) -> str:
        """The agent in full, levels resolved."""
    @property
    def player(self) -> int: ...
    @property
    def action(self) -> Action: ...
    @property
    def legal_actions(self) -> LegalActions: ...
    @property
    def visit_counts(self) -> npt.NDArray[np.int64]: ...
    @property
    def q(self) -> npt.NDArray[np.float64]:
        """What the seat can expect of each action: a return in [-1, 1] (greedy: points); 0 where it was never visited."""
    @property
    def value_unit(self) -> Literal["return", "points"] | None:
        """What `q` counts: `return` in [-1, 1], `points` of the game (greedy), `None` if nothing is judged (random)."""
    @property
    def priors(self) -> npt.NDArray[np.float64]: ...
    @property
    def values(self) -> list[float]:
        """What every seat can expect; empty if the agent does not know (random, greedy)."""
    @property
    def principal_variation(self) -> list[str]: ...
    @property
    def simulations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def truncated(self) -> bool:
        """Whether the memory limit stopped the growth."""
    @property
    def seconds(self) -> float: ...
    def to_dict(self) -> _JsonObject: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_report(
    game: Game,
    agent: str,
    player: int,
    chosen: int,
    actions: Sequence[tuple[int, int, float, float]],
    measures: tuple[Sequence[float], Sequence[str], tuple[int, int, int, int], bool, int],
) -> Report:
    """Rebuild a pickled report."""

@final
class AgentSetting:
    """One setting that a native agent takes."""

    @property
    def name(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def default(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def restore_agent_setting(name: str) -> AgentSetting:
    """Rebuild a pickled setting."""

def agent_names() -> dict[str, str]:
    """Names of all native agents and levels, each with one line of what it does."""

def agent_settings(name: str) -> list[AgentSetting]:
    """The settings that a native agent takes."""

def agent_seed(seed: int, player: int, ply: int) -> int:
    """The seed of the agent on seat `player` for its decision at `ply` of a match with `seed`."""

def search_batch(
    agent: SearchAgent,
    infos: Sequence[InformationState],
    *,
    seed: int | Sequence[int] = 0,
    evaluator: _Evaluator | None = None,
) -> list[Report]:
    """Search many roots of one game at once; batches of leaves are filled across them. One seed for all, or one for each."""

@final
class Stop:
    """Stops long calls that run in other threads and were given it."""

    def __new__(cls) -> Stop: ...
    def set(self) -> None: ...
    @property
    def is_set(self) -> bool: ...
    def __copy__(self) -> Stop:
        """The same switch."""
    def __deepcopy__(self, memo: object, /) -> Stop: ...
    def __reduce__(self) -> tuple[Any, ...]:
        """Raise `TypeError`: it works within one process."""

def play_native_match(match: Match, agents: Sequence[SearchAgent], stop: Stop | None = None) -> None:
    """Let native agents play a match to its end; `forbidden_games.play_match` is the call for users."""

# ---- Many games side by side ---------------------------------------------------------------------------------------------------

_Observation: TypeAlias = Literal["float32", "uint8", "sparse"] | None

@final
class BatchEnv:
    """Many games side by side, a row a game. The arrays are made once, are the same objects for ever, and are written in place.

    N is `num_envs`. `docs/batches.md` says what a step means.
    """

    def __new__(
        cls,
        game: Game,
        num_envs: int,
        *,
        seed: int = 0,
        threads: int = 1,
        observation: _Observation = "float32",
        action_mask: bool = True,
        autoreset: Literal["same_step", "next_step", "disabled"] = "same_step",
        agents: Sequence[SearchAgent | str | None] | None = None,
        illegal: Literal["raise", "lose"] = "raise",
        max_plies: int | None = None,
        out: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> Self: ...
    @property
    def game(self) -> Game: ...
    @property
    def num_envs(self) -> int: ...
    @property
    def observations(self) -> Any:
        """`[N, observation_size]` float32 or uint8 of the seat to move; a new `SparseBatch`; or `None`."""
    @property
    def final_observations(self) -> Any:
        """With `same_step`: of a game that ended in this step, what the seat that moved last perceives; zeros elsewhere."""
    @property
    def action_mask(self) -> npt.NDArray[np.bool_]:
        """`[N, num_actions]`; `None` with `action_mask=False`."""
    @property
    def players(self) -> npt.NDArray[np.int8]:
        """`[N]`: the seat to move, -1 in a finished row."""
    @property
    def final_players(self) -> npt.NDArray[np.int8]: ...
    @property
    def ply(self) -> npt.NDArray[np.uint32]: ...
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """`[N, num_players]`: returns in the step that ends a game, else 0."""
    @property
    def scores(self) -> npt.NDArray[np.int32]: ...
    @property
    def terminated(self) -> npt.NDArray[np.bool_]: ...
    @property
    def truncated(self) -> npt.NDArray[np.bool_]: ...
    @property
    def seeds(self) -> npt.NDArray[np.uint64]: ...
    @property
    def episodes(self) -> npt.NDArray[np.uint64]: ...
    @property
    def legal(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
        """Offsets `[N + 1]` and ids of the legal actions of all rows, new arrays at each call."""
    @property
    def sparse(self) -> SparseBatch:
        """What the seats to move perceive, and their legal actions, as lists; new at each call."""
    def step(self, actions: npt.ArrayLike) -> None: ...
    def reset(
        self,
        seed: int | None = None,
        *,
        mask: npt.NDArray[np.bool_] | None = None,
        states: Sequence[State | _Json | None] | None = None,
    ) -> None: ...
    def sample(self, seed: int | None = None) -> npt.NDArray[np.int64]: ...
    def match(self, row: SupportsIndex) -> Match:
        """The match of a row: a copy."""
    def state(self, row: SupportsIndex) -> State: ...
    def actions(self, row: SupportsIndex) -> LegalActions: ...
    def copy(self) -> Self:
        """A copy with arrays of its own. Agents begin without what they kept of their last search."""
    def close(self) -> None:
        """Let go of the threads; afterwards only the arrays can be looked at."""
    def __len__(self) -> int: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: object) -> Self: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, error: object, trace: object) -> None: ...

@final
class SparseBatch:
    """Observations and legal actions of N positions as lists, one behind the other."""

    def __new__(
        cls,
        offsets: npt.NDArray[np.int64],
        indices: npt.NDArray[np.uint16] | npt.NDArray[np.uint32],
        values: npt.NDArray[np.int16],
        legal_offsets: npt.NDArray[np.int64],
        legal_ids: npt.NDArray[np.uint32],
    ) -> Self: ...
    @property
    def offsets(self) -> npt.NDArray[np.int64]:
        """`[N + 1]`: where the features of each position begin."""
    @property
    def indices(self) -> npt.NDArray[np.uint16] | npt.NDArray[np.uint32]:
        """Features that are not 0, ascending in each position; uint32 where an observation has more than 65,536 values."""
    @property
    def values(self) -> npt.NDArray[np.int16]:
        """Their raw numbers."""
    @property
    def legal_offsets(self) -> npt.NDArray[np.int64]: ...
    @property
    def legal_ids(self) -> npt.NDArray[np.uint32]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class EncodedPositions:
    """What `encode_positions` gives."""

    def __new__(
        cls,
        observations: Any,
        action_mask: npt.NDArray[np.bool_] | None,
        players: npt.NDArray[np.int8],
        ply: npt.NDArray[np.uint32],
        legal: tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]],
    ) -> Self: ...
    @property
    def observations(self) -> Any: ...
    @property
    def action_mask(self) -> npt.NDArray[np.bool_]: ...
    @property
    def players(self) -> npt.NDArray[np.int8]: ...
    @property
    def ply(self) -> npt.NDArray[np.uint32]: ...
    @property
    def legal(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]: ...
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def encode_positions(
    game: Game,
    games: Sequence[Record | Match | tuple[int, Sequence[int] | npt.NDArray[np.int64]]],
    *,
    plies: Sequence[Sequence[int]] | None = None,
    observation: _Observation = "float32",
    action_mask: bool = True,
    threads: int = 1,
) -> EncodedPositions:
    """Observations, masks and legal ids of many positions, derived again from seeds and actions in one call.

    `games` are records, matches, or pairs of seed and action ids; `plies` says after how many actions of each game a position is
    wanted, ascending; without it, the last. Rows are in the order of games and plies.
    """
