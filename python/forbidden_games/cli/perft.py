"""`forbidden-games perft`: how many sequences of decisions there are, to compare two programs."""

from __future__ import annotations

import json
from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli.options import (
    ComponentsOption,
    FixedSeedOption,
    FromOption,
    JsonOption,
    MovesOption,
    OptionalGameArgument,
    PlayersOption,
    SetOption,
    Source,
)


def perft(
    game: OptionalGameArgument = None,
    depth: Annotated[int, typer.Option("--depth", "-d", metavar="D", min=0, max=64, help="Number of decisions.")] = 1,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    seed: FixedSeedOption = 0,
    divide: Annotated[bool, typer.Option("--divide", help="Also the count behind each first action.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the sequences of exactly D decisions (CONVENTIONS 9); the number stands alone on the last line."""
    state = Source(game, players, settings, components, from_file, moves_file).state(seed)
    if divide and depth > 0:
        parts = fg.perft_divide(state, depth)
        count = sum(part for _, part in parts)
    else:
        parts = []
        count = fg.perft(state, depth)
    if as_json:
        data = {"game": state.game.name, "players": state.game.num_players, "depth": depth, "count": count}
        print(json.dumps({**data, "divide": {str(action): part for action, part in parts}} if divide else data))
        return
    for action, part in parts:
        print(f"{action}: {part}")
    print(count)
