"""Whole games of greedy and of the levels in all seats: how they end and what is done in them stays within bounds set by looking.

The bounds are in `golden/GAME/self_play.toml`; `python -m tools.self_play GAME --bounds` prints them beside what is measured.
The games are fixed by their seeds, so a failure says that an agent plays otherwise than before, never that luck was bad.
"""

from __future__ import annotations

from typing import Any

import forbidden_games as fg
import pytest

from tools import self_play

LEVELS = ["novice", "amateur", "expert", "master"]
ROWS = [(name, row) for name in fg.games() for row in self_play.read_bounds(name)]
FIELDS = {"players", "agent", "games", "soak", "seed", "ends", "decisions", "turns_with", "events", "medians", "game_means"}


def title(value: object) -> str:
    return f"{value['players']}-{value['agent']}" if isinstance(value, dict) else str(value)


def resolved(level: str, game: fg.Game) -> fg.SearchAgent:
    agent = fg.agent(level)
    assert isinstance(agent, fg.SearchAgent)
    return agent.resolve(game)


def outside(name: str, row: dict[str, Any], games: int) -> list[str]:
    summary = self_play.measure(name, row["players"], row["agent"], games, row["seed"])
    compared = self_play.compare(summary, row)
    assert compared
    return [
        f"{what} is {measured:.4g}: expected {least:g} to {greatest:g}"
        for what, measured, least, greatest in compared
        if not least <= measured <= greatest
    ]


@pytest.mark.parametrize(("name", "row"), [(name, row) for name, row in ROWS if row["games"]], ids=title)
def test_games_of_one_agent_are_within_their_bounds(name: str, row: dict[str, Any]) -> None:
    assert outside(name, row, row["games"]) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "row"), [(name, row) for name, row in ROWS if row["soak"]], ids=title)
def test_many_games_of_one_agent_are_within_their_bounds(name: str, row: dict[str, Any]) -> None:
    assert outside(name, row, row["soak"]) == []


@pytest.mark.parametrize("name", fg.games())
def test_every_level_and_number_of_seats_has_bounds(name: str) -> None:
    rows = self_play.read_bounds(name)
    for row in rows:
        assert set(row) <= FIELDS, row
        # Ends are always bounded, as one that is not listed may not come; and something that is done in the games, too.
        assert row["ends"], row
        assert row.get("events") or row.get("turns_with") or row.get("decisions"), row
        assert row["games"] or row["soak"], row
    info = fg.game_info(name)
    for players in range(info.min_players, info.max_players + 1):
        game = fg.load(name, players)
        levels = {str(resolved(level, game)): level for level in LEVELS}
        # One level is greedy, which plays in `make test` too.
        expected = {"greedy"} | {level for agent, level in levels.items() if agent != "greedy"} | {"random"}
        assert {row["agent"] for row in rows if row["players"] == players} == expected
        assert [
            row["games"] > 0 and row["soak"] > row["games"]
            for row in rows
            if (row["players"], row["agent"]) == (players, "greedy")
        ] == [True]


def test_what_is_outside_the_bounds_is_named() -> None:
    name = fg.games()[0]
    row = {
        "players": 2,
        "agent": "random",
        "seed": 1,
        "ends": {"XX-1.1": [0.5, 1]},
        "game_means": {"plies": [0, 1e9], "turns": [0, 1]},
    }
    summary = self_play.measure(name, 2, "random", 1, 1)
    [end] = summary.ends
    assert outside(name, row, 1) == [
        "ends.XX-1.1 is 0: expected 0.5 to 1",
        f"ends.{end} is 1: expected 0 to 0",
        f"game_means.turns is {summary.plays[0].turns}: expected 0 to 1",
    ]


def test_turns_and_verbs_are_counted_as_they_were_played() -> None:
    for name in fg.games():
        summary = self_play.measure(name, 2, "random", 2, 5)
        for play, seed in zip(summary.plays, (5, 6), strict=True):
            match = fg.play_match(fg.load(name, 2), ["random", "random"], seed)
            assert play.plies == sum(play.verbs.values()) == match.ply
            assert play.scores == tuple(match.scores)
            assert play.events.total() == len(match.events_since(0))
            assert all(play.turns_with[verb] <= min(play.turns, count) for verb, count in play.verbs.items())
            assert play.end.startswith(match.events[-1].rule)
        assert sum(summary.ends.values()) == pytest.approx(1)
        assert sum(summary.decisions.values()) == pytest.approx(1)
