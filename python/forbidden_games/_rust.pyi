"""The compiled part of forbidden_games: rules, matches, records, search.

Docstrings in full are in the compiled classes (`help(forbidden_games.State)`); this file has the signatures.
Wherever a *step* is taken, an `Action`, an `Outcome`, its notation or its id will do. Wherever JSON is taken, text or the
same thing as a dict will do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, SupportsIndex, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as Python data."""

__version__: str

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

def parse_components(text: str, *, json: bool = False) -> JsonObject:
    """Read the text of a component file (TOML, or JSON) as data; `load_game` checks it."""

@final
class GameInfo:
    """What is known of a game before players, options and components."""

    name: str
    title: str
    summary: str
    rules_version: int
    layout_version: int
    min_players: int
    max_players: int
    default_players: int
    hidden_information: bool
    phases: list[str]
    rules: str
    """The rule page, Markdown."""
    readme: str
    """The game's page: options, components, specs, action ids, observation blocks. Markdown."""
    option_schema: list[OptionSpec]
    builtin_components: dict[str, str]
    """Name and TOML text of the built-in sets, the default first."""

@final
class OptionSpec:
    """One option of a game."""

    name: str
    kind: Literal["choice", "integer", "text", "names"]
    choices: list[str] | None
    min: int | None
    max: int | None
    odd: bool
    default: str | int | list[str]
    meaning: str
    expected: str
    """The allowed values in words."""
    def parse(self, text: str) -> str | int | list[str]:
        """Read a value written as text (`41`, `wind,stair`)."""

@final
class Block:
    """One named block of an encoded observation."""

    name: str
    shape: tuple[int, ...]
    offset: int
    size: int
    meaning: str

@final
class Game:
    """Rules with players, options and components; immutable, hashable, picklable."""

    info: GameInfo
    name: str
    title: str
    num_players: int
    options: JsonObject
    option_schema: list[OptionSpec]
    components: str | JsonObject
    window: int | None
    rules: str
    readme: str
    num_actions: int
    num_outcomes: int
    max_plies: int
    max_chance_nodes: int
    action_space: str
    """A fingerprint of the action ids; store it beside data and checkpoints."""
    observation_spec: list[Block]
    observation_size: int
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
        position: str | Mapping[str, Any] | None = None,
        state: State | str | Mapping[str, Any] | None = None,
        seats: Sequence[str] | None = None,
        resolve: bool = True,
    ) -> Match:
        """Begin a match; `seats` are names or agent specifications for the record.

        With `resolve=False` the match waits at a first chance node for `play_step` or `resolve_chance`.
        """
    def state_from_json(self, state: str | Mapping[str, Any]) -> State: ...
    def state_from_position(self, position: str | Mapping[str, Any]) -> State: ...
    def information_state_from_json(self, observation: str | Mapping[str, Any], player: int) -> InformationState: ...
    def draw_components(self, *, color: bool = False, ascii: bool = False) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# ---- Steps ---------------------------------------------------------------------------------------------------------------

@final
class Action:
    """One decision: `str(action)` is its notation, `int(action)` its id."""

    game: Game
    id: int
    group: str
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

    game: Game
    id: int
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

@final
class LegalActions(Sequence[Action]):
    """All legal actions, ascending by id; `in` is a test of legality and takes actions, notation and ids."""

    game: Game
    ids: list[int]
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Action: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Action]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Action]: ...
    def __contains__(self, action: object, /) -> bool: ...
    def index(self, action: Action | str | int, start: int = 0, stop: int | None = None) -> int: ...
    def count(self, action: object) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

# ---- Positions -----------------------------------------------------------------------------------------------------------

@final
class ScoreLine:
    """One line of a score sheet: an item, the rule it follows, and points per seat."""

    item: str
    rule: str
    points: tuple[int, ...]

@final
class Event:
    """One thing that an action or a draw brought about; `str(event)` ends with the rule number."""

    kind: str
    rule: str
    text: str
    data: JsonObject
    private_to: int | None
    def is_visible_to(self, viewer: int) -> bool: ...
    def to_dict(self) -> JsonObject: ...

@final
class State:
    """One complete position with its hidden parts; immutable, hashable, picklable."""

    game: Game
    node: Literal["decision", "chance", "terminal"]
    current_player: int | None
    is_chance: bool
    is_terminal: bool
    ply: int
    phase: str
    key: int
    legal_actions: LegalActions
    legal_actions_mask: npt.NDArray[np.bool_]
    """Fresh array, bool over `num_actions`; `write_legal_actions_mask` writes into yours."""
    chance_outcomes: list[tuple[Outcome, int]]
    chance_total: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    returns: tuple[float, ...]
    score_sheet: list[ScoreLine]
    series_total: tuple[int, ...] | None
    def write_legal_actions_mask(self, out: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]: ...
    def child(self, step: Action | Outcome | str | int) -> State: ...
    def child_with_events(self, step: Action | Outcome | str | int) -> tuple[State, list[Event]]: ...
    def resolve_chance(self, seed: int) -> State:
        """The next decision or the end: every chance node on the way is drawn under `seed`."""
    def check(self, step: Action | Outcome | str | int) -> None:
        """Raise `IllegalActionError` with rule and reason if the step is not legal."""
    def observation(self, player: int) -> Observation: ...
    def information_state(self, player: int) -> InformationState:
        """What the seat knows, with an empty history."""
    def evaluate(self, player: int) -> float:
        """The game's heuristic, in points; documented in `game.readme`."""
    def to_json(self) -> str: ...
    def to_dict(self) -> JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: object, /) -> State: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Observation:
    """What one seat perceives of a position; it cannot hold what is hidden from it. `str()` draws it."""

    game: Game
    player: int
    tensor: npt.NDArray[np.float32]
    """Fresh flat array of `game.observation_size` numbers: all blocks in order."""
    blocks: dict[str, npt.NDArray[np.float32]]
    """Each block of one `tensor` as a view in its shape."""
    def encode(self, out: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
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
    def to_dict(self) -> JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class InformationState:
    """All that an agent gets: observation, what the seat has seen so far, legal actions when it is to move."""

    game: Game
    player: int
    observation: Observation
    history: list[str]
    """What the seat saw, step by step, since the start of the match."""
    key: int
    legal_actions: LegalActions
    legal_actions_mask: npt.NDArray[np.bool_]
    def sample_world(self, seed: int) -> State: ...
    def sample_worlds(self, count: int, seed: int) -> list[State]: ...
    def interpret(self, text: str) -> Action | None:
        """The one legal action that `text` means, canonical or not; `None` if there is none or more than one."""
    def to_json(self) -> str:
        """The observation's JSON."""
    def to_dict(self) -> JsonObject: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

# ---- Matches and records -------------------------------------------------------------------------------------------------

@final
class Match:
    """A game being played: state, luck and history. Chance is resolved by the match. One thread at a time."""

    game: Game
    seed: int
    seats: list[str]
    state: State
    """A snapshot."""
    current_player: int | None
    is_chance: bool
    is_terminal: bool
    ply: int
    legal_actions: LegalActions
    history: list[Action | Outcome]
    events: list[Event]
    """What happened since the last decision was asked for: the last action and the draws after it."""
    last_action: Action | None
    record: Record
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    returns: tuple[float, ...]
    score_sheet: list[ScoreLine]
    def play(self, action: Action | str | int) -> None: ...
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

@final
class Record:
    """A match as JSON Lines: header, a line per step, a result line."""

    game: Game
    header: JsonObject
    seats: list[str]
    seed: int
    steps: list[str]
    """Notation of every step: actions and outcomes."""
    plies: int
    result: JsonObject | None
    def to_text(self) -> str: ...
    def new_match(self, ply: int | None = None) -> Match:
        """The match as it stood before decision `ply` (default: at the end of the record)."""
    def save(self, path: str | PathLike[str]) -> None:
        """Write it atomically."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __len__(self) -> int:
        """Number of steps."""
    def __reduce__(self) -> tuple[Any, ...]: ...

def parse_record(text: str) -> Record:
    """Read and replay a whole record."""

def parse_record_prefix(text: str) -> tuple[Record, str | None]:
    """Read as far as the record is sound; also the error that ended it, in words."""

# ---- Counting and rolling ------------------------------------------------------------------------------------------------

def perft(state: State, depth: int) -> int:
    """Number of different sequences of exactly `depth` decisions (CONVENTIONS 9)."""

def perft_divide(state: State, depth: int) -> list[tuple[Action, int]]:
    """The count behind each first action."""

def rollouts(
    state: State, count: int, *, seed: int = 0, threads: int = 1, first: int = 0
) -> npt.NDArray[np.float32]:
    """Returns of `count` random games from `state`, numbers `first` and on: array `[count, num_players]`."""

def playthrough(
    game: Game,
    seed: int = 0,
    *,
    agents: Sequence[SearchAgent | str] = ("random",),
    position: str | Mapping[str, Any] | None = None,
    state: State | str | Mapping[str, Any] | None = None,
) -> list[str]:
    """The JSON lines of CONVENTIONS 7, without line ends; one native agent for all seats, or one for each."""

def check_game(game: Game, seeds: Sequence[int]) -> None:
    """Run the conformance battery; `forbidden_games.testing.check_game` is the call for users."""

# ---- Agents --------------------------------------------------------------------------------------------------------------

Evaluator: TypeAlias = Callable[
    [npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.int64]],
    tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
]
"""Gets observations `[B, size]`, masks `[B, num_actions]`, players `[B]`; returns priors `[B, num_actions]`, values `[B, num_players]`."""

@final
class SearchAgent:
    """A frozen agent specification, `name:key=value,key=value`; `forbidden_games.agent` makes one."""

    name: str
    options: dict[str, str]
    def __new__(cls, spec: str) -> SearchAgent: ...
    def act(self, info: InformationState, *, seed: int = 0) -> Action: ...
    def search(self, info: InformationState, *, seed: int = 0, evaluator: Evaluator | None = None) -> Report: ...
    def resolve(self, game: Game) -> SearchAgent:
        """A level (`expert`) replaced by the agent it stands for in this game; other agents as they are."""
    def replace(self, **settings: str | float) -> SearchAgent:
        """The same agent with some settings changed: `agent.replace(simulations=500)`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Report:
    """What a search found. Arrays run along `legal_actions`."""

    agent: str
    """The agent in full, levels resolved."""
    player: int
    action: Action
    legal_actions: LegalActions
    visit_counts: npt.NDArray[np.int64]
    q: npt.NDArray[np.float64]
    """What the seat can expect of each action: a return in [-1, 1] (greedy: points); 0 where it was never visited."""
    priors: npt.NDArray[np.float64]
    values: list[float]
    """What every seat can expect; empty if the agent does not know (random, greedy)."""
    principal_variation: list[str]
    simulations: int
    nodes: int
    depth: int
    memory: int
    truncated: bool
    """Whether the memory limit stopped the growth."""
    seconds: float
    def to_dict(self) -> JsonObject: ...

@final
class AgentSetting:
    """One setting that a native agent takes."""

    name: str
    expected: str
    default: str
    meaning: str

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
    evaluator: Evaluator | None = None,
) -> list[Report]:
    """Search many roots of one game at once; batches of leaves are filled across them. One seed for all, or one for each."""

@final
class Stop:
    """Stops long calls that run in other threads and were given it."""

    def __new__(cls) -> Stop: ...
    def set(self) -> None: ...

def play_native_match(match: Match, agents: Sequence[SearchAgent], stop: Stop | None = None) -> None:
    """Let native agents play a match to its end; `forbidden_games.play_match` is the call for users."""
