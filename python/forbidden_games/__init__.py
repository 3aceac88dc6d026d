"""Forbidden City, Qin, Dragon Castle and Tang Garden: exact rules, hidden information, search.

```python
import forbidden_games as fg

game = fg.load("qin", players=3, board="lion")
match = game.new_match(seed=7)
while not match.is_terminal:
    match.play(match.legal_actions[0])
print(match.scores, match.ranking)
```

Nothing but the compiled module is loaded here, after a look at the processor: NumPy comes with the first array, everything else
with its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forbidden_games import _cpu as _cpu  # first of all: an ImportError where the compiled module cannot run
from forbidden_games._rust import (
    Action,
    AgentSetting,
    BatchEnv,
    Block,
    EncodedPositions,
    Event,
    Game,
    GameInfo,
    InformationState,
    LegalActions,
    Match,
    Observation,
    OptionSpec,
    Outcome,
    Record,
    Report,
    ScoreLine,
    SearchAgent,
    SearchSession,
    SparseBatch,
    State,
    Stop,
    __version__,
    agent_names,
    agent_seed,
    agent_settings,
    encode_positions,
    game_info,
    games,
    parse_components,
    parse_record,
    parse_record_prefix,
    perft,
    perft_divide,
    playthrough,
    rollouts,
    search_batch,
)
from forbidden_games.agents import Agent, Evaluator, agent
from forbidden_games.errors import (
    AgentError,
    AgentFailureError,
    ComponentsError,
    ConcurrentUseError,
    EvaluatorError,
    ForbiddenGamesError,
    IllegalActionError,
    InternalError,
    MissingExtraError,
    NotOverError,
    OptionsError,
    ParseActionError,
    RecordError,
    StateError,
)
from forbidden_games.loading import load, read_components
from forbidden_games.match import play_match
from forbidden_games.record import load_record, load_record_prefix
from forbidden_games.series import Series

if TYPE_CHECKING:
    from forbidden_games import testing
    from forbidden_games.tournaments import Standing, TournamentResult, tournament

__all__ = [
    "Action",
    "Agent",
    "AgentError",
    "AgentFailureError",
    "AgentSetting",
    "BatchEnv",
    "Block",
    "ComponentsError",
    "ConcurrentUseError",
    "EncodedPositions",
    "Evaluator",
    "EvaluatorError",
    "Event",
    "ForbiddenGamesError",
    "Game",
    "GameInfo",
    "IllegalActionError",
    "InformationState",
    "InternalError",
    "LegalActions",
    "Match",
    "MissingExtraError",
    "NotOverError",
    "Observation",
    "OptionSpec",
    "OptionsError",
    "Outcome",
    "ParseActionError",
    "Record",
    "RecordError",
    "Report",
    "ScoreLine",
    "SearchAgent",
    "SearchSession",
    "Series",
    "SparseBatch",
    "Standing",
    "State",
    "StateError",
    "Stop",
    "TournamentResult",
    "__version__",
    "agent",
    "agent_names",
    "agent_seed",
    "agent_settings",
    "encode_positions",
    "game_info",
    "games",
    "load",
    "load_record",
    "load_record_prefix",
    "parse_components",
    "parse_record",
    "parse_record_prefix",
    "perft",
    "perft_divide",
    "play_match",
    "playthrough",
    "read_components",
    "rollouts",
    "search_batch",
    "testing",
    "tournament",
]

_LATER = {"Standing": "tournaments", "TournamentResult": "tournaments", "tournament": "tournaments"}


def __getattr__(name: str) -> object:
    """Import rarely used names on first access."""
    import importlib

    if name == "testing":
        return importlib.import_module("forbidden_games.testing")
    if name in _LATER:
        value: object = getattr(importlib.import_module(f"forbidden_games.{_LATER[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names, also those that are imported later."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
