"""A series: the same players play several games, and the rules of the game add them up (Qin: QN-7.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forbidden_games import _rust
from forbidden_games.errors import NotOverError, OptionsError

if TYPE_CHECKING:
    from forbidden_games._rust import Game, Match


class Series:
    """Games of the same players, added up; the lowest total wins.

    In game `g` (from 0) player `i` takes seat `(i - g) % n`, so that the start goes round. Each game may have its own options.
    """

    def __init__(self, game: Game) -> None:
        """Begin a series of `game`, or of the same game with other options.

        Raises:
            OptionsError: If the rules of the game have no series.
        """
        if game.new_state().series_total is None:
            raise OptionsError("series", game.name, "a game whose rules have a series")
        self.name = game.name
        self.num_players = game.num_players
        self._games: list[tuple[int, ...]] = []

    def seat(self, player: int, game: int | None = None) -> int:
        """The seat of a player in game `game` (default: the next one)."""
        return _rust.series_seat(player, len(self._games) if game is None else game, self.num_players)

    def add(self, match: Match) -> None:
        """Add a finished match as the next game.

        Raises:
            NotOverError: If it is not over.
            OptionsError: If it is a match of another game or number of seats.
        """
        if match.game.name != self.name or match.game.num_players != self.num_players:
            found = f"{match.game.name} for {match.game.num_players}"
            raise OptionsError("series", found, f"{self.name} for {self.num_players}")
        if not match.is_terminal:
            raise NotOverError("the match is not over: a series adds up finished games")
        totals = match.state.series_total
        assert totals is not None
        self._games.append(totals)

    @property
    def games(self) -> list[tuple[int, ...]]:
        """What each game added, per player."""
        return [tuple(game) for game in self._standing()[0]]

    @property
    def totals(self) -> tuple[int, ...]:
        """Sum per player."""
        return tuple(self._standing()[1])

    @property
    def ranking(self) -> tuple[int, ...]:
        """Place per player, 1 is first, equal totals share a place.

        Raises:
            NotOverError: If no game has been added.
        """
        self._check_begun()
        return tuple(self._standing()[2])

    @property
    def returns(self) -> tuple[float, ...]:
        """Returns of the ranking, by the formula for a single game.

        Raises:
            NotOverError: If no game has been added.
        """
        self._check_begun()
        return tuple(self._standing()[3])

    def _standing(self) -> tuple[list[list[int]], list[int], list[int], list[float]]:
        return _rust.series_standing(self._games, self.num_players)

    def _check_begun(self) -> None:
        if not self._games:
            raise NotOverError("the series has no game yet")
