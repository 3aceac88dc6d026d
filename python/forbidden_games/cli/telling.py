"""Text for people: the events that a seat may see, score sheets, results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forbidden_games import Event, Match, Report
    from forbidden_games.cli.seats import Seat


MOST_START_LINES = 12


@dataclass(frozen=True)
class Entry:
    """One action and its events."""

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
    """The events of the set-up draws; a long list becomes one line, as the picture shows the result."""
    lines = list(event_lines(events, viewer))
    return lines if len(lines) <= MOST_START_LINES else [f"    {len(lines)} draws for the set-up"]


def labels_of(seats: Sequence[Seat]) -> list[str]:
    """The labels of the seats."""
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
    """A sentence that names the winners."""
    if match.game.num_players == 1:
        return f"{labels[0]} has {'won' if match.returns[0] > 0 else 'lost'} with {match.scores[0]}"
    winners = [labels[player] for player, place in enumerate(match.ranking) if place == 1]
    if len(winners) == 1:
        return f"{winners[0]} has won"
    return f"{', '.join(winners[:-1])} and {winners[-1]} share the first place"


UNITS = {
    "return": "value: return in [-1, 1], 1 is a win",
    "points": "value: points of the game, as the agent judges",
    None: "the agent judges no action",
}
_SURE = 100_000
"""Beyond it, values in points tell the result of a finished game, in millions (`Report.value_unit`)."""


def report_lines(report: Report, top: int) -> list[str]:
    """The recommended action in the first row, the next best actions, and the expected line."""
    actions = [str(action) for action in report.legal_actions]
    visits = [int(count) for count in report.visit_counts]
    by_value = report.value_unit != "return"  # visits tell how long it had to look there, not how good it is
    chosen = actions.index(str(report.action))

    def rank(place: int) -> tuple[bool, float, float]:
        value = -float(report.q[place])
        return (place != chosen, value, 0) if by_value else (place != chosen, -visits[place], value)

    order = sorted(range(len(actions)), key=rank)[:top]
    margin = max(len("action"), *(len(actions[place]) for place in order))
    looked = "positions" if by_value else "visits"
    total = max(1, sum(visits))
    lines = [
        f"recommended: {actions[chosen]} ({UNITS[report.value_unit]})",
        f"  {'action':<{margin}}  {'value':>8}  {looked:>9}  {'share':>6}  {'prior':>6}",
    ]
    for place in order:
        lines.append(
            f"{'>' if place == chosen else ' '} {actions[place]:<{margin}}  {_value(report, place):>8}  {visits[place]:>9,}  "
            f"{100 * visits[place] / total:>5.1f}%  {float(report.priors[place]):>6.3f}"
        )
    lines.append(f"best line: {', '.join(report.principal_variation) or report.action}")
    return lines


def _value(report: Report, place: int) -> str:
    """The value of an action; of a finished game its result."""
    value = float(report.q[place])
    if report.visit_counts[place] == 0:
        return "-"
    if report.value_unit == "points" and abs(value) > _SURE:
        return f"end {value / 1_000_000:+.2f}"
    return f"{value:+.2f}" if report.value_unit == "points" else f"{value:+.3f}"
