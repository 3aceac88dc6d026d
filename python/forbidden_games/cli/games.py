"""`forbidden-games games`: lists the games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import JsonOption

if TYPE_CHECKING:
    from forbidden_games import GameInfo


def games(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game only.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the games with their players and options."""
    infos = [fg.game_info(name) for name in (fg.games() if game is None else [game])]
    if as_json:
        print(json.dumps([_as_data(info) for info in infos], indent=2))
        return
    screen = terminal.detect()
    for number, info in enumerate(infos):
        if number:
            terminal.say()
        terminal.say("\n".join(_describe(info, screen)))
    if game is None:
        terminal.say(f"\n'forbidden-games play {infos[0].name}' plays against a bot; 'forbidden-games rules GAME' explains.")


def _describe(info: GameInfo, screen: terminal.Screen) -> list[str]:
    players = f"{info.min_players} to {info.max_players} players, {info.default_players} if nothing is said"
    lines = [f"{terminal.bold(info.name, screen)}  {info.title}: {info.summary}", f"  {players}"]
    if info.hidden_information:
        lines.append("  with hidden hands")
    for spec in info.option_schema:
        lines.append(f"  --set {spec.name}={_as_text(spec.default)}")
        lines.append(terminal.dim(f"      {spec.meaning}; {spec.expected}", screen))
    lines.append(f"  component sets: {', '.join(info.builtin_components)}")
    return lines


def _as_text(value: str | int | list[str]) -> str:
    """An option's value in the form of the command line."""
    if isinstance(value, list):
        return ",".join(value) or "none"
    return str(value)


def _as_data(info: GameInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "rules_version": info.rules_version,
        "layout_version": info.layout_version,
        "min_players": info.min_players,
        "max_players": info.max_players,
        "default_players": info.default_players,
        "hidden_information": info.hidden_information,
        "phases": info.phases,
        "options": [
            {
                "name": spec.name,
                "kind": spec.kind,
                "default": spec.default,
                "expected": spec.expected,
                "meaning": spec.meaning,
            }
            for spec in info.option_schema
        ],
        "components": list(info.builtin_components),
    }
