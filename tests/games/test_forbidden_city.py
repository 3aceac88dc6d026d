"""Forbidden City through the interface: the rule page's first example with its events, an own set, a refusal with its rule."""

from __future__ import annotations

from typing import Any

import forbidden_games as fg
import pytest

# FC-11.1: x, y, kind, seat, rotation.
PLACEMENTS: list[tuple[int, int, str, int, int]] = [
    (2, -1, "w-A1o", 3, 2),
    (1, 2, "g-DR", 0, 0),
    (2, 2, "g-A2r", 3, 1),
    (2, 3, "g-A1t", 2, 3),
    (2, 1, "g-A1c", 1, 1),
    (2, 0, "p-A2", 3, 1),
    (-1, 2, "w-A2", 1, 1),
    (0, 2, "g-A2", 2, 0),
    (3, -1, "w-A1c", 1, 1),
    (3, 0, "w-A2", 0, 1),
    (3, 1, "w-A1c", 3, 0),
    (3, 2, "p-A3", 1, 0),
    (4, 2, "p-A1c", 2, 1),
    (3, 3, "p-A1c", 3, 3),
    (3, 4, "w-A3", 0, 0),
    (4, 3, "p-A2", 1, 0),
    (5, 3, "p-A1t", 1, 0),
]


def position(count: int, **more: Any) -> dict[str, Any]:
    """The first placements of the example as a position (FC-4.3)."""
    placements = [list(placement) for placement in PLACEMENTS[:count]]
    return {"game": "forbidden_city", "players": 4, "options": {}, "placements": placements, **more}


@pytest.mark.parametrize(
    ("count", "coins"),
    [(5, (0, 0, 0, 0)), (6, (0, 0, 0, 11)), (8, (0, 0, 12, 17)), (11, (3, 0, 12, 20)), (17, (3, 15, 12, 20))],
)
def test_fc_11_1_coins(count: int, coins: tuple[int, ...]) -> None:
    game = fg.load("forbidden_city", players=4)
    assert game.state_from_position(position(count)).scores == coins


def test_fc_11_1_the_last_tile_in_play_with_its_events() -> None:
    game = fg.load("forbidden_city", players=4)
    match = game.new_match(seed=3, position=position(16, hands=[None, "p-A1t", None, None], turn=1))
    assert match.current_player == 1
    assert "5,3 r0" in [str(action) for action in match.legal_actions]
    match.play("5,3 r0")
    texts = [str(event) for event in match.events if event.private_to is None]
    assert texts == [
        "yellow lays p-A1t on 5,3 r0 (FC-5.3)",
        "pink room of 5 tiles closes, worth 15: yellow 15 (FC-5.11)",
    ]
    closes = next(event for event in match.events if event.kind == "close")
    assert closes.data == {"floor": "pink", "tiles": 5, "value": 15, "advisors": [0, 6, 1, 1], "paid": [0, 15, 0, 0]}
    draws = [event for event in match.events if event.kind == "draw"]
    assert [event.private_to for event in draws] == [1]
    assert match.scores == (3, 15, 12, 20)


def test_a_refusal_carries_its_rule_and_changes_nothing() -> None:
    game = fg.load("forbidden_city", components="test-1")
    match = game.new_match(seed=1)
    before = match.state
    with pytest.raises(fg.IllegalActionError) as refused:
        match.play("0,0 r0")
    assert (refused.value.rule, refused.value.reason) == ("FC-5.3", "0,0 is a space of the start tile")
    assert match.state == before


def test_an_own_set_of_tiles() -> None:
    cells: dict[str, Any] = dict.fromkeys(["nw", "ne", "sw", "se", "w", "e", "s"], "garden")
    side = {"temple": "AAAA", "cells": {**cells, "n": {"floor": "g", "edges": ".#A#"}}}
    own = {
        "name": "mine",
        "set": 4,
        "set_two": 4,
        "tiles": [{"id": "Hall", "edges": "..#.", "parts": [{"floor": "g", "advisors": 2}], "count": 4}],
        "start": {"beginner": side, "advanced": side},
    }
    game = fg.load("forbidden_city", players=3, components=own)
    assert game.options["components"] == "mine"
    match = game.new_match(seed=2)
    while not match.is_terminal:
        match.play(match.legal_actions[0])
    assert match.ply == 6
    assert sum(match.scores) >= 24
    own["set"] = 5
    with pytest.raises(fg.ComponentsError, match="set: found 5, expected 4, the sum of all tiles"):
        fg.load("forbidden_city", players=3, components=own)


def test_positions_are_kept_in_records() -> None:
    game = fg.load("forbidden_city", players=4)
    start = position(16, hands=[None, "p-A1t", None, None], turn=1)
    match = game.new_match(seed=3, position=start)
    match.play("5,3 r0")
    assert match.record.header["position"] == start
    assert fg.parse_record(match.record.to_text()).new_match().state == match.state
    assert match.undo()
    assert match.scores == (3, 0, 12, 20)
    match.play_step("5,3 r0")
    assert match.state.phase == "draw"
    assert match.is_chance
    state = game.state_from_position(start)
    assert [fg.perft(state, depth) for depth in (1, 2)] == [73, 4973]


def test_positions_are_checked() -> None:
    game = fg.load("forbidden_city", players=4)
    for damaged in (
        position(17, turn=9),
        {**position(3), "extra": 1},
        {key: value for key, value in position(3).items() if key != "placements"},
        position(0, coins=[-1, 0, 0, 0]),
        {**position(0), "placements": [[0, 0, "g-A2", 0, 0]]},
    ):
        with pytest.raises(fg.StateError):
            game.state_from_position(damaged)
