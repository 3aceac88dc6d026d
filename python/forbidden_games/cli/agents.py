"""`forbidden-games agents`: lists the agents and their settings."""

from __future__ import annotations

from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError, JsonOption, clean_name
from forbidden_games.cli.watch import print_json


def agents(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One agent, with its settings.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List agents and levels, or the settings of one (`name:key=value,key=value`)."""
    known = fg.agent_names()
    if name is not None and name not in known:
        raise CommandError(f"agent {clean_name(name)}: expected one of {', '.join(known)}")
    if as_json:
        print_json([_as_data(one, known[one]) for one in (known if name is None else [name])])
    elif name is None:
        margin = max(len(one) for one in known)
        for one, meaning in known.items():
            terminal.say(f"{one:<{margin}}  {meaning}")
        terminal.say("\n'forbidden-games agents NAME' shows settings; py:module:Class is an agent of your own.")
    elif any(str(agent) != name for agent in _by_game(name).values()):
        terminal.say(f"{name}: {known[name]}")
        for game, agent in _by_game(name).items():
            terminal.say(f"  {game}: {agent}")
        terminal.say("  its settings can be changed like those of the agent it stands for")
    else:
        terminal.say(f"{name}: {known[name]}")
        for setting in fg.agent_settings(name):
            terminal.say(f"  {setting.name}={setting.default}")
            terminal.say(f"      {setting.meaning}; {setting.expected}")
        if name in ("mcts", "ismcts"):
            terminal.say("\nwhere a spec does not say otherwise, a game begins with settings of its own:")
            for info in map(fg.game_info, fg.games()):
                for players in range(info.min_players, info.max_players + 1):
                    own = fg.load(info.name, players=players).search_defaults
                    terminal.say(f"  {info.name} -p {players}: {own}")


def _by_game(name: str) -> dict[str, fg.SearchAgent]:
    """The agent that a level stands for in each game."""
    return {game: fg.SearchAgent(name).resolve(fg.load(game)) for game in fg.games()}


def _as_data(name: str, meaning: str) -> dict[str, object]:
    settings = [
        {"name": one.name, "default": one.default, "expected": one.expected, "meaning": one.meaning}
        for one in fg.agent_settings(name)
    ]
    return {"name": name, "meaning": meaning, "settings": settings}
