"""The players at the seats: people by name, agents by specification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import forbidden_games as fg
from forbidden_games.cli.options import CommandError, UsageError, clean_name

if TYPE_CHECKING:
    from forbidden_games import Agent

HUMAN = "human"
BOT = "amateur"
"""Who takes a seat that nobody was named for."""
ADVISER = "expert"
"""Who is asked for hints and analyses."""


@dataclass(frozen=True)
class Seat:
    """One seat of one match; `agent` is `None` where a person sits."""

    number: int
    spec: str
    agent: Agent | None

    @property
    def is_human(self) -> bool:
        """Whether a person decides here."""
        return self.agent is None

    @property
    def label(self) -> str:
        """The label of the seat: number, and name or specification."""
        _, _, name = self.spec.partition(":")
        called = (name or "you") if self.is_human else self.spec
        return f"seat {self.number} ({called})"


def seat_all(specs: Sequence[str], players: int, default: str) -> list[Seat]:
    """The seats by the specifications in order; the default takes the other seats."""
    if len(specs) > players:
        raise UsageError(f"{len(specs)} seats given for {players} players")
    filled = [*specs, *[default] * (players - len(specs))]
    people = sum(_is_human(spec) for spec in filled)
    seats = []
    for number, spec in enumerate(filled):
        if _is_human(spec):
            named = f"{HUMAN}:player {number}" if people > 1 and spec == HUMAN else spec
            seats.append(Seat(number, named, None))
        else:
            made = fg.agent(spec)
            seats.append(Seat(number, spec, made.new_session() if isinstance(made, fg.SearchAgent) else made))
    return seats


def people_and_bots(specs: list[str] | None, players: int) -> list[Seat]:
    """The table; at least one person sits at it."""
    seats = seat_all(specs or [HUMAN], players, BOT)
    if not any(one.is_human for one in seats):
        raise UsageError("no seat is human: 'forbidden-games watch' shows games between agents")
    return seats


def trusted(specs: list[str]) -> list[str]:
    """The seats of a file, if none of them imports code: only a person may ask for that."""
    for number, spec in enumerate(specs):
        if spec.startswith("py:"):
            found = f"seat {number} was {clean_name(spec)}, code that a file may not run"
            raise CommandError(f"{found}: say who plays, with one --seat for each seat")
    return specs


def _is_human(spec: str) -> bool:
    if spec == HUMAN:
        return True
    kind, colon, name = spec.partition(":")
    if kind != HUMAN or not colon:
        return False
    if not name.strip() or len(name) > 40 or not name.isprintable():
        raise UsageError(f"{HUMAN}:NAME needs a name of 1 to 40 printable characters")
    return True
