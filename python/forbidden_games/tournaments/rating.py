"""Standings of a tournament: points and Elo ratings with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forbidden_games.tournaments.results import GameResult


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's results."""

    agent: str
    games: int
    points: float
    """Won pairings against the others at the table: 1 for a better place, 1/2 for the same."""
    pairings: int
    win_rate: float
    """Shared firsts count in part."""
    mean_score: float
    elo: float
    elo_low: float
    elo_high: float

    @property
    def share(self) -> float:
        """Points as a share of pairings."""
        return self.points / self.pairings if self.pairings else 0.5


def standings(names: Sequence[str], results: Sequence[GameResult]) -> tuple[Standing, ...]:
    """Points, Elo with 95 % intervals (mean of all agents 0), best first."""
    count = len(names)
    games = [0] * count
    firsts = [0.0] * count
    scores = [0.0] * count
    points = [[0.0] * count for _ in range(count)]
    for result in results:
        winners = result.ranking.count(1)
        for seat, one in enumerate(result.seats):
            games[one] += 1
            firsts[one] += (result.ranking[seat] == 1) / winners
            scores[one] += result.scores[seat]
            for other_seat, other in enumerate(result.seats):
                if one != other:
                    points[one][other] += 0.5 * (
                        (result.ranking[seat] < result.ranking[other_seat]) + (result.ranking[seat] <= result.ranking[other_seat])
                    )
    ratings, errors = _bradley_terry(points)
    made = []
    for one, name in enumerate(names):
        pairings = round(sum(points[one][other] + points[other][one] for other in range(count)))
        made.append(
            Standing(
                agent=name,
                games=games[one],
                points=sum(points[one]),
                pairings=pairings,
                win_rate=firsts[one] / games[one] if games[one] else 0.0,
                mean_score=scores[one] / games[one] if games[one] else 0.0,
                elo=ratings[one],
                elo_low=ratings[one] - 1.96 * errors[one],
                elo_high=ratings[one] + 1.96 * errors[one],
            )
        )
    return tuple(sorted(made, key=lambda standing: -standing.elo))


_ELO = 400 / math.log(10)


def _bradley_terry(points: list[list[float]]) -> tuple[list[float], list[float]]:
    """Ratings and standard errors from pairwise points, with half a drawn pairing between all agents as prior.

    The prior keeps an agent that won everything finite. Newton's method on the log-likelihood, mean fixed at 0; the errors come
    from the pseudo-inverse of the Fisher information.
    """
    import numpy as np

    won = np.array(points, dtype=np.float64)
    count = len(won)
    won += 0.25 * (1 - np.eye(count))
    total = won + won.T
    strength = np.zeros(count)
    information = np.eye(count)
    for _ in range(100):
        expected = 1 / (1 + np.exp(-np.clip(strength[:, None] - strength[None, :], -50, 50)))
        gradient = (won - total * expected).sum(axis=1)
        weight = total * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        change = np.clip(np.linalg.pinv(information) @ gradient, -1, 1)
        strength += change
        strength -= strength.mean()
        if np.abs(change).max() < 1e-10:
            break
    errors = np.sqrt(np.clip(np.diag(np.linalg.pinv(information)), 0, None))
    return [float(one) * _ELO for one in strength], [float(one) * _ELO for one in errors]
