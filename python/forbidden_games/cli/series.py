"""`play GAME --series`: several games of the same players, added up by the rules of the game."""

from __future__ import annotations

from typing import Any

import forbidden_games as fg
from forbidden_games import Series
from forbidden_games.cli import autosave, terminal
from forbidden_games.cli.options import UsageError, clean_name, fresh_seed, load_game
from forbidden_games.cli.play import people_and_bots, sit_down
from forbidden_games.cli.seats import Seat, seat_all


def play_series(
    name: str,
    players: int | None,
    settings: list[str] | None,
    components: str | None,
    specs: list[str] | None,
    seed: int | None,
    values: str,
    screen: terminal.Screen,
    hint: str,
    open_hands: bool,
) -> None:
    """Plays the games one after the other; the first seat goes round."""
    games = [
        load_game(name, players, [*(settings or ()), _setting(name, value)], components)
        for value in (part.strip() for part in values.split(","))
    ]
    series = Series(games[0])
    table = people_and_bots(specs, games[0].num_players)
    first_seed = fresh_seed() if seed is None else seed
    for number, game in enumerate(games):
        chosen = {key: value for key, value in game.options.items() if value != games[number - 1].options[key]}
        terminal.say(f"\nGame {number + 1} of {len(games)}{': ' if chosen else ''}{_in_words(chosen)}")
        order = {series.seat(one.number, number): one for one in table}
        seats = seat_all([order[seat].spec for seat in range(game.num_players)], game.num_players, "greedy")
        match = game.new_match(first_seed + number, seats=[one.spec for one in seats])
        if not sit_down(match, seats, screen, autosave.new_path(name), hint, open_hands):
            return
        series.add(match)
        terminal.say("\n" + "\n".join(_table(series, table)))


def _setting(name: str, value: str) -> str:
    """`VALUE` alone means the one option that takes it; `OPTION=VALUE` says which."""
    if "=" in value:
        return value
    fitting = []
    for spec in fg.game_info(name).option_schema:
        try:
            options: dict[str, Any] = {spec.name: spec.parse(value)}
            fg.load(name, **options)
        except fg.ForbiddenGamesError:
            continue
        fitting.append(spec.name)
    if len(fitting) != 1:
        found = f"both {' and '.join(fitting)} take it" if fitting else "no option takes it"
        raise UsageError(f"--series {clean_name(value)}: {found}; write OPTION={clean_name(value)}")
    return f"{fitting[0]}={value}"


def _in_words(options: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def _table(series: Series, table: list[Seat]) -> list[str]:
    """Every game, the totals and the places, player by player."""
    lines = [f"Series after {len(series.games)} games (lowest total wins):"]
    for player, one in enumerate(table):
        games = " + ".join(str(game[player]) for game in series.games)
        lines.append(f"  {series.ranking[player]}. {one.spec}: {games} = {series.totals[player]}")
    return lines
