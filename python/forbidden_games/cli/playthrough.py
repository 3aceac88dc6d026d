"""`forbidden-games playthrough`: one whole game as JSON lines, every state and every legal action in it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli.options import (
    ComponentsOption,
    FixedSeedOption,
    FromOption,
    MovesOption,
    OptionalGameArgument,
    PlayersOption,
    SetOption,
    Source,
    UsageError,
)


def playthrough(
    game: OptionalGameArgument = None,
    players: PlayersOption = None,
    seed: FixedSeedOption = 0,
    settings: SetOption = None,
    components: ComponentsOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="SPEC", help="Who plays: one for all seats, or one for each. (Default: random.)"),
    ] = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
) -> None:
    """Print a whole game as the JSON lines of CONVENTIONS 7, and nothing else."""
    source = Source(game, players, settings, components, from_file, moves_file)
    specs = agents or ["random"]
    if len(specs) not in (1, source.game.num_players):
        raise UsageError(f"--agent is given {len(specs)} times: expected one for all seats, or {source.game.num_players}")
    begins_elsewhere = (from_file is not None and source.position is None) or bool(source.moves)
    lines = fg.playthrough(
        source.game,
        seed,
        agents=specs,
        position=None if begins_elsewhere else source.position,
        state=source.state(seed) if begins_elsewhere else None,
    )
    for line in lines:
        sys.stdout.write(line + "\n")
