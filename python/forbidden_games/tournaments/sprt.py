"""The sequential probability ratio test, game by game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forbidden_games.tournaments.results import GameResult


@dataclass(frozen=True, slots=True)
class SprtResult:
    """A sequential probability ratio test of "the first agent is `elo1` stronger" against "`elo0` stronger"."""

    elo0: float
    elo1: float
    log_likelihood_ratio: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str:
        """`accepted` (elo1), `rejected` (elo0) or `undecided`."""
        if self.log_likelihood_ratio >= self.upper:
            return "accepted"
        return "rejected" if self.log_likelihood_ratio <= self.lower else "undecided"


def sequential_test(results: Sequence[GameResult], elo0: float, elo1: float, error: float = 0.05) -> SprtResult:
    """The generalised test on rounds: the mean result of agent 0 in the games that share a seed, normal approximation.

    Games of a round share their luck and are not independent, so the round is the sample.
    """
    rounds: dict[int, list[GameResult]] = {}
    for result in results:
        rounds.setdefault(result.seed, []).append(result)
    test = SequentialTest(elo0, elo1, error)
    for games in rounds.values():
        for result in games:
            test.add(result)
    return test.result()


class SequentialTest:
    """`sequential_test` game by game; the games of a round come one after the other."""

    def __init__(self, elo0: float, elo1: float, error: float = 0.05) -> None:
        """No game has been added; `error` is the probability of either wrong decision."""
        self._elo = (elo0, elo1)
        self._bound = math.log((1 - error) / error)
        self._count = 0
        """Of complete rounds; their sum and sum of squares, around an even result."""
        self._sum = self._squares = 0.0
        self._seed: int | None = None
        self._round: list[float] = []

    def add(self, result: GameResult) -> None:
        """Adds the next game of the schedule."""
        mine = [place for seat, place in zip(result.seats, result.ranking, strict=True) if seat == 0]
        others = [place for seat, place in zip(result.seats, result.ranking, strict=True) if seat != 0]
        pairs = [0.5 * ((a < b) + (a <= b)) for a in mine for b in others]
        if not pairs:
            return
        if result.seed != self._seed:
            self._count, self._sum, self._squares = self._sums()
            self._seed, self._round = result.seed, []
        self._round.append(sum(pairs) / len(pairs))

    def _sums(self) -> tuple[int, float, float]:
        """Number, sum and sum of squares of the rounds, with the one that is being played."""
        if not self._round:
            return self._count, self._sum, self._squares
        sample = sum(self._round) / len(self._round) - 0.5
        return self._count + 1, self._sum + sample, self._squares + sample * sample

    def result(self) -> SprtResult:
        """The test on all games so far, in constant time."""
        count, total, squares = self._sums()
        ratio = 0.0
        if count > 1:
            mean = total / count
            # One half-point of prior variance keeps the first equal results from looking like certainty.
            variance = (max(0.0, squares - count * mean * mean) + 0.25) / count
            low, high = (1 / (1 + 10 ** (-elo / 400)) - 0.5 for elo in self._elo)
            ratio = count * (high - low) * (2 * mean - low - high) / (2 * variance)
        return SprtResult(*self._elo, ratio, -self._bound, self._bound)
