"""`forbidden-games components`: the built-in sets as templates, drawn, and a user's file checked."""

from __future__ import annotations

import json
from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    AsciiOption,
    CommandError,
    ComponentsOption,
    GameArgument,
    PlayersOption,
    SetOption,
    UsageError,
    clean_name,
    load_game,
)


def components(
    game: GameArgument,
    export: Annotated[
        str | None, typer.Option("--export", metavar="NAME", help="Print a built-in set as TOML, to start from.")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Draw every tile, card or board with its count.")] = False,
    check: Annotated[str | None, typer.Option("--check", metavar="FILE", help="Check your own file.")] = None,
    players: PlayersOption = None,
    settings: SetOption = None,
    components_file: ComponentsOption = None,
    ascii_only: AsciiOption = False,
) -> None:
    """List, print, draw or check component sets."""
    info = fg.game_info(game)
    if sum((export is not None, show, check is not None)) > 1:
        raise UsageError("--export, --show and --check exclude each other")
    if export is not None:
        if export not in info.builtin_components:
            raise CommandError(f"--export {clean_name(export)}: no such set; built in: {', '.join(info.builtin_components)}")
        print(info.builtin_components[export].rstrip("\n"))
    elif check is not None:
        _check(game, check, players, settings)
    elif show:
        screen = terminal.detect(ascii_only=ascii_only)
        chosen = load_game(game, players, settings, components_file)
        terminal.say(chosen.draw_components(color=screen.color, ascii=screen.ascii))
    else:
        terminal.say(f"{info.title}: built-in component sets, the default first")
        for name in info.builtin_components:
            terminal.say(f"  {name}")
        terminal.say(
            f"'forbidden-games components {game} --export NAME > mine.toml' makes a template; rename it inside, then\n"
            f"'forbidden-games components {game} --check mine.toml' and 'forbidden-games play {game} --components mine.toml'."
        )


def _check(game: str, file: str, players: int | None, settings: list[str] | None) -> None:
    """A file must fit every number of seats, unless one is named."""
    info = fg.game_info(game)
    counts = range(info.min_players, info.max_players + 1) if players is None else [players]
    name: object = None
    for count in counts:
        chosen = load_game(game, count, settings, file)
        name = chosen.components if isinstance(chosen.components, str) else chosen.components.get("name")
    seats = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
    terminal.say(f"{terminal.clean(file, 200)}: good, set {json.dumps(name)} for {seats} players")
