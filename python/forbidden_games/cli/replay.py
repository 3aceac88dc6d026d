"""`forbidden-games replay`: a record step by step, forwards and backwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

import forbidden_games as fg
from forbidden_games.cli import autosave, terminal
from forbidden_games.cli.options import AsciiOption, CommandError, JsonOption, UsageError, read_text, split_ply
from forbidden_games.cli.series import split_records
from forbidden_games.cli.telling import Entry, score_table, start_lines
from forbidden_games.cli.watch import check_view, print_json

if TYPE_CHECKING:
    from forbidden_games import Match, Record


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE[@PLY]", help="A record, or the name of a kept game.")],
    view: Annotated[
        int | None, typer.Option("--view", metavar="SEAT", help="Look with the eyes of this seat only. (Default: who moves.)")
    ] = None,
    boards: Annotated[bool, typer.Option("--boards", help="In a pipe too, draw the position before every move.")] = False,
    as_json: JsonOption = False,
    ascii_only: AsciiOption = False,
) -> None:
    """Show a record; on a terminal Enter goes on and p goes back."""
    name, ply = split_ply(file)
    text = read_text(str(autosave.find(name)) if name != "-" else "-")
    parts = split_records(text)
    if len(parts) != 1 and ply is not None:
        raise UsageError(f"{terminal.clean(file)}: a series has no single ply {ply}")
    for number, part in enumerate(parts):
        record, problem = fg.parse_record_prefix(part)
        check_view(view, record.game.num_players)
        tape = Tape(record, view, terminal.detect(ascii_only=ascii_only))
        if len(parts) > 1 and not as_json:
            terminal.say(f"\nGame {number + 1} of {len(parts)}")
        _show(tape, file, ply, boards, as_json)
        if problem is not None:
            raise CommandError(problem)


def _show(tape: Tape, file: str, ply: int | None, boards: bool, as_json: bool) -> None:
    """One record in the form that fits."""
    if ply is not None and not tape.first <= ply <= tape.last:
        raise UsageError(f"{terminal.clean(file)}: expected a ply from {tape.first} to {tape.last}")
    if as_json:
        tape.print_json()
    elif tape.screen.interactive:
        tape.browse(tape.first if ply is None else ply)
    elif ply is not None:
        terminal.say(tape.picture(tape.at(ply)))
    else:
        tape.print_all(boards)


class Tape:
    """A record with random access to its plies."""

    def __init__(self, record: Record, view: int | None, screen: terminal.Screen) -> None:
        """No position is shown yet."""
        self.record = record
        self.view = view
        self.screen = screen
        names = record.seats or [""] * record.game.num_players
        self.labels = [
            f"seat {seat}" if name in ("", f"seat {seat}") else f"seat {seat} ({name.removeprefix('human:')})"
            for seat, name in enumerate(names)
        ]
        self.end = record.new_match()
        self.last = self.end.ply
        self.first = self.last - sum(isinstance(step, fg.Action) for step in self.end.history)

    def at(self, ply: int) -> Match:
        """The match as it stood before decision `ply`."""
        return self.record.new_match(ply) if ply < self.last else self.end

    def entry(self, ply: int) -> Entry | None:
        """Decision `ply - 1` with its events; `None` at the beginning."""
        if ply <= self.first:
            return None
        seat = self.at(ply - 1).current_player
        match = self.at(ply)
        assert seat is not None
        return Entry(ply - 1, seat, str(match.last_action), tuple(match.events))

    def told(self, ply: int) -> Sequence[str]:
        """The events that led to the position before decision `ply`."""
        entry = self.entry(ply)
        if entry is None:
            return start_lines(self.at(ply).events, self.view)
        return list(entry.lines(self.labels, self.view))

    def picture(self, match: Match) -> str:
        """The position as the chosen seat sees it, else the seat to move."""
        viewer = self.view if self.view is not None else (match.current_player or 0)
        return match.observation(viewer).draw(
            width=self.screen.width, color=self.screen.color, ascii=self.screen.ascii, last=match.last_action
        )

    def print_all(self, boards: bool) -> None:
        """Prints the whole record."""
        terminal.say(f"{self.record.game.title}: {', '.join(self.labels)}")
        for ply in range(self.first, self.last + 1):
            if boards and ply < self.last:
                terminal.say("\n".join([*self.told(ply), "", self.picture(self.at(ply)), ""]))
            else:
                terminal.say("\n".join(self.told(ply)))
        terminal.say("\n" + self.picture(self.end) + "\n")
        terminal.say("\n".join(score_table(self.end, self.labels)))

    def browse(self, ply: int) -> None:
        """Moves back and forth through the record at a terminal."""
        while True:
            match = self.at(ply)
            terminal.say("\n".join(["", *self.told(ply), "", self.picture(match)]))
            if match.is_terminal:
                terminal.say("\n" + "\n".join(score_table(match, self.labels)))
            try:
                answer = terminal.read_line(f"ply {ply} of {self.last}; Enter next, p back, a number, q> ", self.screen)
            except EOFError:
                return
            answer = answer.strip().lower()
            if answer in ("q", *terminal.LEAVING) or (answer in ("", "n") and ply == self.last):
                return
            if answer in ("", "n"):
                ply += 1
            elif answer == "p":
                ply = max(self.first, ply - 1)
            elif answer.isascii() and answer.isdigit() and len(answer) < 10 and self.first <= int(answer) <= self.last:
                ply = int(answer)
            else:
                terminal.say(f"expected Enter, p, q or a ply from {self.first} to {self.last}")

    def print_json(self) -> None:
        """A line for each decision with its events, then the scores."""
        for ply in range(self.first + 1, self.last + 1):
            entry = self.entry(ply)
            assert entry is not None
            events: list[dict[str, Any]] = [
                event.to_dict() for event in entry.events if self.view is None or event.is_visible_to(self.view)
            ]
            print_json({"ply": entry.ply, "seat": entry.seat, "action": entry.action, "events": events})
        result: dict[str, Any] = {"over": self.end.is_terminal, "scores": list(self.end.scores)}
        if self.end.is_terminal:
            result.update(ranking=list(self.end.ranking), returns=list(self.end.returns))
        print_json(result)
