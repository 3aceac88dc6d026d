"""`play GAME --series`: several games of the same players, added up by the rules of the game, kept in one file.

The file is JSON Lines: a header with the players and every game to be played, then the records of the games one after the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.handover import check_secrecy
from forbidden_games.cli.options import SEEDS, CommandError, UsageError, clean_name, fresh_seed, load_game
from forbidden_games.cli.seats import people_and_bots, seat_all, trusted
from forbidden_games.cli.session import Session
from forbidden_games.files import unique_keys

if TYPE_CHECKING:
    from forbidden_games import Game, Match
    from forbidden_games.cli.autosave import Autosave
    from forbidden_games.cli.seats import Seat

MOST_GAMES = 100


def split_records(text: str) -> list[str]:
    """The records in a file: one, or those of a series."""
    if series_header(text) is None:
        return [text]
    records: list[list[str]] = []
    for line in text.splitlines(keepends=True)[1:]:
        if line.startswith('{"record"') or not records:
            records.append([])
        records[-1].append(line)
    return ["".join(lines) for lines in records]


def series_header(text: str) -> dict[str, Any] | None:
    """The first line of a series file; `None` if it is something else."""
    line = text.partition("\n")[0]
    if not line.startswith('{"series"'):
        return None
    try:
        header = json.loads(line, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def check_header(header: dict[str, Any]) -> list[Any]:
    """The games that the header of a series names.

    Raises:
        CommandError: If they are no list, or a list without games or with more than there can be.
    """
    games = header.get("games")
    if not isinstance(games, list) or not 1 <= len(games) <= MOST_GAMES:
        raise CommandError(f"line 1 is no header of a series: expected a list of 1 to {MOST_GAMES} games")
    return games


@dataclass
class Plan:
    """The games of a series, its players, and what has been played."""

    games: list[Game]
    players: list[Seat]
    seed: int
    finished: list[Match]
    current: Match | None = None

    def text(self) -> str:
        """Header and finished games, as they are kept."""
        header = {
            "series": 1,
            "players": [player.spec for player in self.players],
            "seed": self.seed,
            "games": [_identity(game) for game in self.games],
        }
        lines = [json.dumps(header, separators=(",", ":")) + "\n"]
        return "".join(lines + [match.record.to_text() for match in self.finished])


def begin(
    name: str,
    players: int | None,
    settings: list[str] | None,
    components: str | None,
    specs: list[str] | None,
    seed: int | None,
    values: str,
) -> Plan:
    """The series that the command line names."""
    parts = [part.strip() for part in values.split(",")]
    if len(parts) > MOST_GAMES:
        raise UsageError(f"--series: {len(parts)} games, expected at most {MOST_GAMES}")
    games = [load_game(name, players, [*(settings or ()), _setting(name, part)], components) for part in parts]
    return Plan(games, people_and_bots(specs, games[0].num_players), fresh_seed() if seed is None else seed, [])


def resume(text: str, specs: list[str] | None) -> tuple[Plan, str | None]:
    """The series in a file up to the first damage, and the error there."""
    header = series_header(text) or {}
    identities = check_header(header)
    try:
        names, seed = header["players"], header["seed"]
        blank = [{"record": 1, **identity, "seats": names, "seed": seed} for identity in identities]
    except (KeyError, TypeError):
        raise CommandError("line 1 is no header of a series") from None
    games = [fg.parse_record(json.dumps(record)).game for record in blank]
    plan = Plan(games, people_and_bots(specs or trusted(names), games[0].num_players), seed, [])
    for number, part in enumerate(split_records(text)):
        record, problem = fg.parse_record_prefix(part)
        if number >= len(games) or record.game != games[number] or plan.current is not None:
            raise CommandError(f"game {number + 1} of the file does not belong to the series")
        match = record.new_match()
        if match.is_terminal:
            plan.finished.append(match)
        else:
            plan.current = match
        if problem is not None:
            return plan, f"game {number + 1}: {problem}"
    return plan, None


def play_series(plan: Plan, keep: Autosave, screen: terminal.Screen, hint: str, open_hands: bool) -> None:
    """Plays the remaining games of a series; the first seat rotates."""
    totals = fg.Series(plan.games[0])
    for match in plan.finished:
        totals.add(match)
    for number in range(len(plan.finished), len(plan.games)):
        game = plan.games[number]
        order = {totals.seat(player.number, number): player.spec for player in plan.players}
        seats = seat_all([order[seat] for seat in range(game.num_players)], game.num_players, "greedy")
        match = plan.current or game.new_match((plan.seed + number) % SEEDS, seats=[seat.spec for seat in seats])
        plan.current = None
        check_secrecy(match, seats, screen, open_hands)
        terminal.say(
            f"\nGame {number + 1} of {len(plan.games)}: {', '.join(f'{key} {game.options[key]}' for key in game.options)}"
        )
        keep.before = plan.text()
        if not Session(match, seats, screen, keep, hint=hint, open_hands=open_hands).run():
            return
        plan.finished.append(match)
        totals.add(match)
        terminal.say("\n" + "\n".join(_table(totals, plan)))


def _identity(game: Game) -> dict[str, Any]:
    """The fields of a record's header that identify the game."""
    header: dict[str, Any] = json.loads(game.new_match(0).record.to_text().partition("\n")[0])
    return {key: header[key] for key in ("game", "rules", "players", "options", "components")}


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


def _table(totals: fg.Series, plan: Plan) -> list[str]:
    """Every game, the totals and the places, player by player."""
    lines = [f"Series after {len(totals.games)} of {len(plan.games)} games (lowest total wins):"]
    for player, one in enumerate(plan.players):
        games = " + ".join(str(game[player]) for game in totals.games)
        lines.append(f"  {totals.ranking[player]}. {one.spec}: {games} = {totals.totals[player]}")
    return lines
