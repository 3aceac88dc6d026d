"""`forbidden-games watch`: shows a game between agents, move by move."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    AsciiOption,
    CommandError,
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
from forbidden_games.cli.saving import ForceOption, may_write
from forbidden_games.cli.seats import BOT, seat_all
from forbidden_games.cli.telling import Entry, labels_of, score_table, start_lines
from forbidden_games.match import choose


def watch(
    game: OptionalGameArgument = None,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="SPEC", help="Who plays: one for all seats, or one for each."),
    ] = None,
    seed: SeedOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    view: Annotated[
        int | None, typer.Option("--view", metavar="SEAT", help="Look with the eyes of this seat only. (Default: who moves.)")
    ] = None,
    delay: Annotated[float, typer.Option("--delay", metavar="SECONDS", min=0, max=60, help="Pause after each move.")] = 0.5,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE", help="Write the record.")] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
    ascii_only: AsciiOption = False,
) -> None:
    """Watch agents play; in a pipe the moves without pictures, with --json the record."""
    source = Source(game, players, settings, components, from_file, moves_file)
    count = source.game.num_players
    check_view(view, count)
    screen = terminal.detect(ascii_only=ascii_only)
    if save is not None and not may_write(save, save, screen, force=force, way_out="--force"):
        raise CommandError(f"{terminal.clean(save, 4096)} stays as it is: name another file")
    specs = agents or [BOT]
    seats = seat_all(specs * count if len(specs) == 1 else specs, count, "greedy")
    if any(seat.is_human for seat in seats) or len(specs) not in (1, count):
        raise UsageError(f"--agent: expected one agent for all seats, or {count}")
    match = source.match(seed, [seat.spec for seat in seats])
    labels = labels_of(seats)
    if not as_json:
        terminal.say(f"{match.game.title}, {count} players, seed {match.seed}")
        for line in start_lines(match.events, view):
            terminal.say(line)
    try:
        while (player := match.current_player) is not None:
            agent = seats[player].agent
            assert agent is not None
            ply = match.ply
            match.play(choose(agent, match, player))
            if as_json:
                continue
            terminal.say("\n".join(Entry(ply, player, str(match.last_action), tuple(match.events)).lines(labels, view)))
            if screen.interactive:
                viewer = player if view is None else view
                picture = match.observation(viewer).draw(
                    width=screen.width, color=screen.color, ascii=screen.ascii, last=match.last_action
                )
                terminal.say(f"\n{picture}\n")
                time.sleep(delay)
    finally:  # after Ctrl-C, what has been played
        if save is not None:
            match.record.save(save)
    if as_json:
        print(match.record.to_text(), end="")
        return
    if not screen.interactive:
        terminal.say("\n" + match.observation(view or 0).draw(width=screen.width, ascii=screen.ascii, last=match.last_action))
    terminal.say("\n" + "\n".join(score_table(match, labels)))
    if save is not None:
        terminal.say(f"record: {terminal.clean(save, 4096)}")


def check_view(view: int | None, players: int) -> None:
    """Checks that the seat of the view is in the game."""
    if view is not None and not 0 <= view < players:
        raise UsageError(f"--view {view}: expected a seat from 0 to {players - 1}")


def print_json(value: object) -> None:
    """One JSON value on one line."""
    print(json.dumps(value, separators=(",", ":")))
