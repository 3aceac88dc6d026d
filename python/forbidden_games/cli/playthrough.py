"""`forbidden-games playthrough`: one whole game as JSON lines, every state and every legal action in it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli.options import (
    ComponentsOption,
    FixedSeedOption,
    GameArgument,
    PlayersOption,
    SetOption,
    UsageError,
    load_game,
)


def playthrough(
    game: GameArgument,
    players: PlayersOption = None,
    seed: FixedSeedOption = 0,
    settings: SetOption = None,
    components: ComponentsOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="SPEC", help="Who plays: one for all seats, or one for each. [default: random]"),
    ] = None,
) -> None:
    """Print a whole game as the JSON lines of CONVENTIONS 7, and nothing else."""
    chosen = load_game(game, players, settings, components)
    specs = agents or ["random"]
    if len(specs) not in (1, chosen.num_players):
        raise UsageError(f"--agent is given {len(specs)} times: expected one for all seats, or {chosen.num_players}")
    for line in fg.playthrough(chosen, seed, agents=specs):
        sys.stdout.write(line + "\n")
