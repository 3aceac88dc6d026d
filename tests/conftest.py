"""What all tests share."""

from __future__ import annotations

import os

import forbidden_games as fg
import pytest
from hypothesis import settings

settings.register_profile("fast", max_examples=30, deadline=None)
settings.register_profile("slow", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the large counts out unless they are asked for."""
    if config.getoption("-m"):
        return
    skip = pytest.mark.skip(reason="large counts: pytest -m slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(params=fg.games())
def game(request: pytest.FixtureRequest) -> fg.Game:
    """Every game with its usual options."""
    return fg.load(request.param)


def play_some(game: fg.Game, seed: int, plies: int) -> fg.Match:
    """A match after some moves that the seed decides."""
    match = game.new_match(seed=seed)
    for ply in range(plies):
        if match.is_terminal:
            break
        actions = match.legal_actions
        match.play(actions[(seed * 7919 + ply * 104_729) % len(actions)])
    return match
