"""The conformance battery for games with your own components."""

from __future__ import annotations

import copy
import pickle
from typing import TYPE_CHECKING

from forbidden_games import _rust

if TYPE_CHECKING:
    from collections.abc import Iterable

    from forbidden_games._rust import Game, State


def check_game(game: Game, seeds: Iterable[int] = range(4)) -> None:
    """Play random games and check the whole contract, in Rust and across the boundary.

    Args:
        game: Any game, with any options and components.
        seeds: One random game for each.

    Raises:
        AssertionError: The first promise that is broken. The message ends with the call that meets it again.
    """
    chosen = list(seeds)
    _rust.check_game(game, chosen)
    assert pickle.loads(pickle.dumps(game)) == game, "a pickled game differs"
    for seed in chosen:
        try:
            _check_boundary(game, seed)
        except AssertionError as broken:
            message = f"{broken}\nrun it again: fg.testing.check_game(game, seeds=[{seed}])"
            raise AssertionError(message) from broken


def _check_boundary(game: Game, seed: int) -> None:
    match = game.new_match(seed)
    step = seed
    while not match.is_terminal:
        actions = match.legal_actions
        state = match.state
        assert list(actions) == sorted(actions, key=int), f"seed {seed}: actions are not ascending"
        assert [int(action) for action in actions] == state.legal_actions_mask.nonzero()[0].tolist(), f"seed {seed}: mask"
        if step % 7 == 0:
            _check_state(game, state, seed)
        step += 1
        action = actions[step * 7919 % len(actions)]
        assert game.parse_action(str(action)) == action, f"seed {seed}: {action} does not read back"
        match.play(action)
    _check_state(game, match.state, seed)
    again = _rust.parse_record(match.record.to_text())
    assert again == match.record, f"seed {seed}: the record reads back differently"
    assert again.new_match().state == match.state, f"seed {seed}: the record replays to another state"


def _check_state(game: Game, state: State, seed: int) -> None:
    for name, other in (
        ("json", game.state_from_json(state.to_json())),
        ("dict", game.state_from_json(state.to_dict())),
        ("pickle", pickle.loads(pickle.dumps(state))),
        ("copy", copy.deepcopy(state)),
    ):
        assert other == state, f"seed {seed}: {name} gives another state"
        assert hash(other) == hash(state), f"seed {seed}: {name} gives another hash"
        assert other.key == state.key, f"seed {seed}: {name} gives another key"
        for player in range(game.num_players):
            assert other.evaluate(player) == state.evaluate(player), f"seed {seed}: {name} is judged otherwise"
    for player in range(game.num_players):
        observation = state.observation(player)
        assert observation.tensor.shape == (game.observation_size,), f"seed {seed}: shape of the tensor"
        assert pickle.loads(pickle.dumps(observation)) == observation, f"seed {seed}: a pickled observation differs"
        world = state.information_state(player).sample_world(seed)
        assert world.observation(player) == observation, f"seed {seed}: a sampled world shows player {player} something else"
