"""`forbidden-games play`: a game at the terminal, alone against agents or hot-seat; also resuming kept games."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import autosave, terminal
from forbidden_games.cli.handover import check_secrecy
from forbidden_games.cli.options import (
    AsciiOption,
    CommandError,
    ComponentsOption,
    FromOption,
    MovesOption,
    PlayersOption,
    SeedOption,
    SetOption,
    Source,
    UsageError,
    read_text,
    reseat,
)
from forbidden_games.cli.seats import ADVISER, Seat, people_and_bots, trusted
from forbidden_games.cli.session import Session
from forbidden_games.files import clear_leftovers

if TYPE_CHECKING:
    from forbidden_games import Match
    from forbidden_games.cli.autosave import Autosave


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Which game; with --resume the name of a kept game, or a record file."),
    ] = None,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat", metavar="SPEC", help="Who sits at 0, 1, ...: human, human:NAME, or an agent. (Default: human, then bots.)"
        ),
    ] = None,
    seed: SeedOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a kept game; alone it lists them.")] = False,
    series: Annotated[
        str | None,
        typer.Option("--series", metavar="VALUE,VALUE", help="Several games, each with another value of an option."),
    ] = None,
    open_hands: Annotated[bool, typer.Option("--open-hands", help="People at one screen may see each other's hands.")] = False,
    hint: Annotated[str | None, typer.Option("--hint", metavar="SPEC", help="The agent that :hint asks.")] = None,
    ascii_only: AsciiOption = False,
) -> None:
    """Play against bots, or several people at one screen."""
    screen = terminal.detect(ascii_only=ascii_only)
    hint_spec = ADVISER if hint is None else hint
    fg.agent(hint_spec)
    if resume:
        if any((players, settings, components, from_file, moves_file, series, seed is not None)):
            raise UsageError("--resume goes with a name, --seat, --open-hands, --hint and --ascii only")
        if game is None:
            _list_kept()
        else:
            _resume(game, seat, screen, hint_spec, open_hands)
        return
    if series is not None:
        from forbidden_games.cli.series import begin, play_series

        if from_file is not None or moves_file is not None or game is None:
            raise UsageError("--series needs a game and begins at the ordinary start")
        plan = begin(game, players, settings, components, seat, seed, series)
        with _kept(autosave.Autosave(f"{plan.games[0].name}-series")) as keep:
            play_series(plan, keep, screen, hint_spec, open_hands)
        return
    source = Source(game, players, settings, components, from_file, moves_file)
    seats = people_and_bots(seat, source.game.num_players)
    match = source.match(seed, [one.spec for one in seats])
    if match.is_terminal:
        raise CommandError("the game is over there: 'forbidden-games replay' shows records")
    with _kept(autosave.Autosave(match.game.name)) as keep:
        sit_down(match, seats, screen, keep, hint_spec, open_hands)


@contextmanager
def _kept(keep: Autosave) -> Iterator[Autosave]:
    """Context manager that saves a game, and unlocks its file at the end.

    Raises:
        CommandError: If at the end something is not kept.
    """
    try:
        yield keep
        if keep.problem is not None:
            raise CommandError(keep.problem)
    finally:
        keep.close()


def sit_down(match: Match, seats: list[Seat], screen: terminal.Screen, keep: Autosave, hint: str, open_hands: bool) -> bool:
    """Plays one match that is kept; whether it came to its end."""
    check_secrecy(match, seats, screen, open_hands)
    if not screen.interactive or sum(seat.is_human for seat in seats) < 2:
        terminal.say(f"{match.game.title}, {match.game.num_players} players, seed {match.seed}; ? helps, :rules explains")
    return Session(match, seats, screen, keep, hint=hint, open_hands=open_hands).run()


def _resume(name: str, specs: list[str] | None, screen: terminal.Screen, hint: str, open_hands: bool) -> None:
    """Goes on with a kept game, a series, or any record file."""
    from forbidden_games.cli.series import play_series, resume, series_header

    path = autosave.find(name)
    # Locked before it is read: from here on nobody else goes on with it.
    with _kept(autosave.Autosave(path.name.removesuffix(autosave.SUFFIX), path)) as keep:
        text = read_text(str(path))
        if series_header(text) is not None:
            plan, problem = resume(text, specs)
            if len(plan.finished) == len(plan.games):
                raise CommandError(f"{terminal.clean(name)}: the series is over; 'forbidden-games replay' shows it")
            _choose_file(keep, problem)
            play_series(plan, keep, screen, hint, open_hands)
            return
        record, problem = fg.parse_record_prefix(text)
        match = record.new_match()
        if match.is_terminal:
            raise CommandError(f"{terminal.clean(name)}: the game is over; 'forbidden-games replay' shows it")
        seats = people_and_bots(specs or trusted(record.seats), record.game.num_players)
        if specs:
            match = reseat(match, [one.spec for one in seats])
        _choose_file(keep, problem)
        sit_down(match, seats, screen, keep, hint, open_hands)


def _choose_file(keep: Autosave, problem: str | None) -> None:
    """Chooses the file of a resumed game: its own, or a new one if it is damaged or from another folder."""
    if problem is not None:
        terminal.warn(f"warning: {terminal.clean(problem, 500)}; the game goes on from there")
    elif keep.path is None or keep.path.parent == autosave.folder():
        return
    else:
        terminal.say(f"{autosave.shown(str(keep.path))} stays as it is: the game goes on in a file of its own")
    keep.leave()


def _list_kept() -> None:
    """Unfinished kept games with the command that goes on with each."""
    unfinished = finished = 0
    clear_leftovers(autosave.folder(), locks=True)
    for path in autosave.kept():
        try:
            is_finished, lines = _describe(path)
        except (fg.ForbiddenGamesError, CommandError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            terminal.warn(f"warning: {autosave.shown(path.name)}: {terminal.clean(str(reason), 500)}")
            continue
        finished += is_finished
        unfinished += bool(lines)
        for line in lines:
            terminal.say(line)
    if not unfinished:
        terminal.say("no unfinished game is kept")
    if finished:
        terminal.say(f"{finished} finished: 'forbidden-games replay FILE' shows them, in {autosave.folder()}")


def _describe(path: Path) -> tuple[bool, list[str]]:
    """Whether what is kept there is finished; else the lines of the list, none if nobody has acted."""
    from forbidden_games.cli.series import check_header, series_header, split_records

    text = read_text(str(path))
    header = series_header(text)
    games = 1 if header is None else len(check_header(header))
    parts = split_records(text)
    record, problem = fg.parse_record_prefix(parts[-1] if parts else "")
    if record.result is not None and problem is None and len(parts) == games:
        return True, []
    if record.plies == 0 and problem is None and len(parts) == 1:
        return False, []
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    damage = ", damaged at its end" if problem is not None else ""
    which = "" if header is None else f"game {len(parts)} of {games}, "
    players = terminal.clean(", ".join(record.seats), 300)
    return False, [
        f"{record.game.title}, {players}: {which}ply {record.plies}, {when}{damage}",
        f"    forbidden-games play --resume {autosave.shown(shlex.quote(path.name.removesuffix(autosave.SUFFIX)))}",
    ]
