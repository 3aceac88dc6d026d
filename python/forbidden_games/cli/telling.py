"""What happened, in words: events for the eyes of one seat, score sheets, results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forbidden_games import Event, Match
    from forbidden_games.cli.seats import Seat


MOST_START_LINES = 12


@dataclass(frozen=True)
class Entry:
    """One action and what it brought about."""

    ply: int
    """Decisions before it."""
    seat: int
    action: str
    events: tuple[Event, ...]

    def lines(self, labels: Sequence[str], viewer: int | None) -> Iterator[str]:
        """The entry for `viewer`; `None` may see everything."""
        yield f"{labels[self.seat]}: {self.action}"
        yield from event_lines(self.events, viewer)


def event_lines(events: Sequence[Event], viewer: int | None) -> Iterator[str]:
    """A line for each event that the viewer may see."""
    for event in events:
        if viewer is None or event.is_visible_to(viewer):
            yield f"    {event}"


def start_lines(events: Sequence[Event], viewer: int | None) -> list[str]:
    """What the draws of the set-up did; a long list is left to the picture."""
    lines = list(event_lines(events, viewer))
    return lines if len(lines) <= MOST_START_LINES else [f"    {len(lines)} draws for the set-up"]


def labels_of(seats: Sequence[Seat]) -> list[str]:
    """How the seats are called."""
    return [seat.label for seat in seats]


def score_table(match: Match, labels: Sequence[str]) -> list[str]:
    """The score sheet line by line, total and place last."""
    players = range(match.game.num_players)
    sheet = [(f"{line.item} ({line.rule})", [str(points) for points in line.points]) for line in match.score_sheet]
    rows = [("", [f"seat {player}" for player in players]), *sheet, ("total", [str(score) for score in match.scores])]
    if match.is_terminal:
        rows.append(("place", [str(place) for place in match.ranking]))
    margin = max(len(name) for name, _ in rows)
    widths = [max(len(cells[player]) for _, cells in rows) for player in players]
    table = [
        f"{name:<{margin}}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        for name, cells in rows
    ]
    return [*table, *([] if not match.is_terminal else ["", outcome(match, labels)])]


def outcome(match: Match, labels: Sequence[str]) -> str:
    """Who has won, in a sentence."""
    if match.game.num_players == 1:
        return f"{labels[0]} has {'won' if match.returns[0] > 0 else 'lost'} with {match.scores[0]}"
    winners = [labels[player] for player, place in enumerate(match.ranking) if place == 1]
    if len(winners) == 1:
        return f"{winners[0]} has won"
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the first place"
