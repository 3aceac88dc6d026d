"""The schedule of a tournament: agents, seating and seed of every game, fixed before anything is played."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

SEEDS = 2**64
"""Seeds are the numbers below it; counting on from the last one begins again at 0."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game of the schedule."""

    number: int
    seats: tuple[int, ...]
    """Index of the agent at each seat."""
    seed: int


def schedule(agents: int, players: int, games: int, seed: int) -> list[ScheduledGame]:
    """The games in order. A round is one line-up in all its rotations under one seed; line-ups take turns.

    With more agents than seats the line-ups are all choices of agents; with fewer, agents fill the table in turn and each
    round begins with another one.
    """
    if agents >= players:
        line_ups = [tuple(chosen) for chosen in combinations(range(agents), players)]
    else:
        line_ups = [tuple((first + seat) % agents for seat in range(players)) for first in range(agents)]
    plan: list[ScheduledGame] = []
    round_number = 0
    while len(plan) < games:
        line_up = line_ups[round_number % len(line_ups)]
        for turn in range(players):
            seats = line_up[turn:] + line_up[:turn]
            plan.append(ScheduledGame(len(plan), seats, (seed + round_number) % SEEDS))
        round_number += 1
    return plan
