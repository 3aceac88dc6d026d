"""`forbidden-games perft`: counts sequences of decisions, to compare two programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli.options import (
    ComponentsOption,
    FromOption,
    JsonOption,
    MovesOption,
    OptionalGameArgument,
    PlayersOption,
    SeedOption,
    SetOption,
    Source,
    UsageError,
)
from forbidden_games.cli.progress import bar

if TYPE_CHECKING:
    from forbidden_games import Action, State


WORTH_A_BAR = 3
"""The depth from which counting can take long."""


def perft(
    game: OptionalGameArgument = None,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="D", min=0, max=64, help="Number of decisions.")] = 1,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    seed: SeedOption = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also the count behind each first action.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the sequences of exactly D decisions (CONVENTIONS 9); the number stands alone on the last line."""
    if seed is not None and moves_file is None:
        raise UsageError("--seed is for draws that --moves leaves out: without --moves nothing is drawn")
    state = Source(game, players, settings, components, from_file, moves_file).state(seed or 0)
    if depth > 0 and (divide or depth >= WORTH_A_BAR):
        parts = _by_action(state, depth)
        count = sum(part for _, part in parts)
    else:
        parts = []
        count = fg.perft(state, depth)
    if as_json:
        data = {"game": state.game.name, "players": state.game.num_players, "depth": depth, "count": count}
        print(json.dumps({**data, "divide": {str(action): part for action, part in parts}} if divide else data))
        return
    if divide:
        for action, part in parts:
            print(f"{action}: {part}")
    print(count)


def _by_action(state: State, depth: int) -> list[tuple[Action, int]]:
    """The count behind each first action, with a bar: `perft_divide` in parts."""
    while state.is_chance:
        state = state.child(min((outcome for outcome, _ in state.chance_outcomes), key=lambda outcome: str(outcome).encode()))
    actions = state.legal_actions
    parts = []
    with bar(f"perft {depth}", len(actions), "actions") as advance:
        for action in actions:
            parts.append((action, fg.perft(state.child(action), depth - 1)))
            advance(1)
    return parts
