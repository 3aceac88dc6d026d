"""Tournaments: every seating under the same luck, results that survive a kill, Elo with intervals, SPRT.

A tournament is a fixed schedule: game number `n` has its agents, its seating and its seed before anything is played. Games are
grouped in rounds; the games of a round are the rotations of one line-up under one seed, so that luck cancels out. The results
file has a header and one line for each finished game; a run that was killed goes on with the games that have no line yet. While
a tournament runs, its file is locked.
"""

from __future__ import annotations

from forbidden_games.tournaments.rating import Standing, standings
from forbidden_games.tournaments.results import GameResult
from forbidden_games.tournaments.run import TournamentResult, tournament
from forbidden_games.tournaments.schedule import SEEDS, ScheduledGame, schedule
from forbidden_games.tournaments.sprt import SprtResult, sequential_test

__all__ = [
    "SEEDS",
    "GameResult",
    "ScheduledGame",
    "SprtResult",
    "Standing",
    "TournamentResult",
    "schedule",
    "sequential_test",
    "standings",
    "tournament",
]
