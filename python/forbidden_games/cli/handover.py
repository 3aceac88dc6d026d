"""Who looks at the screen and what each person has been told; where hands are secret, only one person looks at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from forbidden_games.cli import terminal
from forbidden_games.cli.options import UsageError
from forbidden_games.cli.telling import Entry, labels_of, start_lines
from forbidden_games.cli.terminal import QuitError

if TYPE_CHECKING:
    from forbidden_games import Match
    from forbidden_games.cli.seats import Seat
    from forbidden_games.cli.terminal import Screen


class Handover:
    """Tells the people at one terminal what happens, each of them only what its seat may see."""

    def __init__(self, match: Match, seats: Sequence[Seat], screen: Screen, *, open_hands: bool) -> None:
        """Nothing is shown yet."""
        self._match = match
        self._seats = list(seats)
        self._screen = screen
        self._open_hands = open_hands
        self.labels = labels_of(seats)
        self.people = [seat.number for seat in seats if seat.is_human]
        self.secret = match.game.info.hidden_information and len(self.people) > 1 and not open_hands
        self.viewer: int | None = None
        """The person in front of the screen, where hands are secret."""
        self._log: list[Entry] = []
        self._told = dict.fromkeys(self.people, 0)
        """How many entries of the log each person has read, where hands are secret."""

    def begin(self) -> None:
        """Tells what the set-up draws did; where hands are secret, each person learns it at its first turn."""
        if not self._log and not self.secret:
            terminal.say_lines(start_lines(self._match.events, self._only_person()))

    def add(self, entry: Entry) -> None:
        """Adds an action to the log; `tell_last` tells it."""
        self._log.append(entry)

    def tell_last(self) -> None:
        """Tells the last action to the person in front of the screen."""
        entry = self._log[-1]
        if not self.secret:
            terminal.say_lines(entry.lines(self.labels, self._only_person()))
        elif self.viewer is not None:
            terminal.say_lines(entry.lines(self.labels, self.viewer))
            self._told[self.viewer] = len(self._log)

    def forget_taken_back(self) -> None:
        """Drops what was taken back from the log."""
        self._log = [entry for entry in self._log if entry.ply < self._match.ply]
        self._told = {player: min(told, len(self._log)) for player, told in self._told.items()}

    def make_viewer(self, seat: Seat) -> None:
        """Before a person decides: where hands are secret and somebody else looks, the screen changes hands."""
        if not self.secret or self.viewer == seat.number:
            return
        if self.viewer is not None:
            self.wait(f"Next is {seat.label}: Enter clears the screen")
        self.viewer = None
        terminal.forget_typed()
        self._wait_for(seat)
        for entry in self._log[self._told[seat.number] :]:
            terminal.say_lines(entry.lines(self.labels, seat.number))
        if not self._log:
            terminal.say_lines(start_lines(self._match.events, seat.number))
        self._told[seat.number] = len(self._log)

    def come_back(self) -> int | None:
        """After Ctrl-Z the screen is empty, and where hands are secret somebody else may sit in front of it.

        Returns the seat whose picture is drawn again, `None` if there is none.
        """
        if not self.secret:
            player = self._match.current_player
            return player if player is not None and self._seats[player].is_human else None
        if self.viewer is None:
            return None
        seat, self.viewer = self._seats[self.viewer], None
        self._wait_for(seat)
        return seat.number

    def wait(self, text: str) -> None:
        """Waits for Enter alone.

        Raises:
            QuitError: If the input ends, or somebody types a word for leaving.
        """
        while True:
            try:
                answer = terminal.read_line(f"{text} ", self._screen).strip().lower()
            except EOFError:
                raise QuitError from None
            if answer in terminal.LEAVING:
                raise QuitError
            if not answer:
                return
            terminal.say("first Enter alone; :quit leaves")

    def _wait_for(self, seat: Seat) -> None:
        terminal.clear()
        self.wait(f"{seat.label}, press Enter when only you see the screen.")
        terminal.clear()
        self.viewer = seat.number

    def _only_person(self) -> int | None:
        """The seat that events are told to: that of the only person; `None` tells everything, as with open hands."""
        return self.people[0] if len(self.people) == 1 and not self._open_hands else None


def check_secrecy(match: Match, seats: list[Seat], screen: Screen, open_hands: bool) -> None:
    """Hands of several people can be kept apart only on a terminal."""
    people = sum(seat.is_human for seat in seats)
    if match.game.info.hidden_information and people > 1 and not open_hands and not screen.interactive:
        raise UsageError("hands cannot be hidden from each other without a terminal: add --open-hands")
