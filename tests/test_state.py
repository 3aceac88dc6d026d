"""States, steps, observations, information states: what crosses the boundary."""

from __future__ import annotations

import copy
import json
import pickle
import re

import forbidden_games as fg
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import play_some


def test_a_game_by_explicit_steps(game: fg.Game) -> None:
    state = game.new_state()
    for _ in range(2 * (game.max_plies + game.max_chance_nodes)):
        assert state.node == ("chance" if state.is_chance else "terminal" if state.is_terminal else "decision")
        if state.is_terminal:
            break
        before = state.to_json()
        if state.is_chance:
            outcomes = state.chance_outcomes
            assert state.current_player is None
            assert not state.legal_actions
            assert state.chance_total == sum(weight for _, weight in outcomes)
            assert all(weight > 0 for _, weight in outcomes)
            outcome, _ = outcomes[state.ply % len(outcomes)]
            child = state.child(outcome)
            assert child == state.child(str(outcome)) == state.child(int(outcome))
        else:
            assert state.current_player in range(game.num_players)
            assert not state.chance_outcomes
            action = state.legal_actions[state.ply % len(state.legal_actions)]
            child = state.child(action)
            assert child == state.child(str(action)) == state.child(int(action))
            assert child.ply == state.ply + 1
        assert state.to_json() == before
        state = child
    assert state.is_terminal
    assert sorted(state.ranking)[0] == 1
    assert all(-1 <= part <= 1 for part in state.returns)
    totals = [sum(line.points[seat] for line in state.score_sheet) for seat in range(game.num_players)]
    assert tuple(totals) == state.scores


def test_results_only_at_the_end(game: fg.Game) -> None:
    state = game.new_state()
    assert len(state.scores) == game.num_players
    for name in ("ranking", "returns"):
        with pytest.raises(fg.NotOverError):
            getattr(state, name)


def test_states_are_values(game: fg.Game) -> None:
    state = play_some(game, 3, 9).state
    twin = play_some(fg.load(game.name), 3, 9).state
    assert state == twin
    assert hash(state) == hash(twin)
    assert state.key == twin.key
    assert {state: 1}[twin] == 1
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state
    assert state != play_some(game, 3, 10).state
    assert state != 1
    assert repr(state).startswith("<State ")
    assert str(state)
    with pytest.raises(AttributeError):
        state.ply = 3  # type: ignore[misc]


def test_json_and_pickle(game: fg.Game) -> None:
    state = play_some(game, 5, 7).state
    assert json.loads(state.to_json()) == state.to_dict()
    assert game.state_from_json(state.to_json()) == state
    assert game.state_from_json(state.to_dict()) == state
    both = pickle.loads(pickle.dumps([state, state.child(state.legal_actions[0])]))
    assert both[0] == state
    # The game is pickled once.
    assert both[0].game is both[1].game
    for damaged in ("", "{", "[]", "null", '{"game":"x"}', json.dumps({**state.to_dict(), "more": 1})):
        with pytest.raises(fg.StateError):
            game.state_from_json(damaged)


def test_refusals_carry_rule_and_reason(game: fg.Game) -> None:
    state = play_some(game, 1, 0).state
    illegal = next(action for action in map(game.action, range(game.num_actions)) if action not in state.legal_actions)
    with pytest.raises(fg.IllegalActionError) as caught:
        state.child(illegal)
    assert caught.value.action == str(illegal)
    number = re.match(r"[A-Z]+-\d+(\.\d+)*|CONVENTIONS \d+", caught.value.rule)
    assert number is not None, caught.value.rule
    assert number[0] in game.rules or number[0].startswith("CONVENTIONS")
    assert caught.value.reason
    assert caught.value.rule in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.action, again.rule, again.reason) == (caught.value.action, caught.value.rule, caught.value.reason)
    with pytest.raises(fg.IllegalActionError):
        state.check(illegal)
    state.check(state.legal_actions[0])
    with pytest.raises(fg.IllegalActionError):
        state.child(game.outcome(0))
    with pytest.raises(TypeError):
        state.child(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        state.child(True)


def test_actions_of_another_game_are_refused() -> None:
    one, other = fg.load("qin"), fg.load("qin", board="lion")
    state = one.new_state().resolve_chance(1)
    foreign = other.new_state().resolve_chance(1).legal_actions[0]
    if one.action_space != other.action_space:
        with pytest.raises(fg.ParseActionError, match="this game"):
            state.child(foreign)
    with pytest.raises(fg.ParseActionError):
        state.child(fg.load("forbidden_city").action(0))


def test_actions_are_values(game: fg.Game) -> None:
    actions = game.new_match(seed=1).legal_actions
    first, last = actions[0], actions[-1]
    assert first == fg.load(game.name).action(int(first))
    assert hash(first) == hash(game.action(first.id))
    assert first != int(first)
    assert pickle.loads(pickle.dumps(first)) == first
    assert str(first) in repr(first)
    assert first.group
    assert np.arange(game.num_actions)[first] == first.id
    assert (first < last) == (len(actions) > 1)
    outcome = game.outcome(0)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert game.parse_outcome(str(outcome)) == outcome
    assert first != outcome


def test_legal_actions_are_a_sequence(game: fg.Game) -> None:
    actions = game.new_match(seed=1).legal_actions
    as_list = list(actions)
    assert len(actions) == len(as_list) > 0
    assert actions.ids == sorted(set(actions.ids)) == [int(action) for action in as_list]
    assert actions[-1] == as_list[-1]
    assert actions[1:3] == as_list[1:3]
    assert actions[::-1] == as_list[::-1]
    assert list(reversed(actions)) == as_list[::-1]
    for place, action in enumerate(as_list):
        assert action in actions
        assert str(action) in actions
        assert int(action) in actions
        assert actions.index(action) == place
        assert actions.count(action) == 1
    assert "nonsense" not in actions
    assert None not in actions
    assert game.outcome(0) not in actions
    assert -1 not in actions
    with pytest.raises(IndexError):
        actions[len(actions)]
    with pytest.raises(ValueError, match="nonsense"):
        actions.index("nonsense")
    assert actions == game.new_match(seed=1).legal_actions
    assert bool(actions)


def test_masks(game: fg.Game) -> None:
    state = game.new_match(seed=2).state
    mask = state.legal_actions_mask
    assert mask.dtype == np.bool_
    assert mask.shape == (game.num_actions,)
    assert mask.nonzero()[0].tolist() == state.legal_actions.ids
    out = np.ones(game.num_actions, dtype=np.bool_)
    assert state.write_legal_actions_mask(out) is out
    assert (out == mask).all()
    assert (state.information_state(state.current_player or 0).legal_actions_mask == mask).all()
    rows = np.zeros((3, game.num_actions), dtype=np.bool_)
    state.write_legal_actions_mask(rows[1])
    assert rows.sum() == mask.sum()
    read_only = out.copy()
    read_only.flags.writeable = False
    for wrong, message in (
        (out.astype(np.int16), "int16"),
        (out[:-1], r"expected a C-contiguous array of bool, int8 or uint8 of shape"),
        (np.zeros((game.num_actions, 2), dtype=np.bool_)[:, 0], "gaps"),
        (read_only, "read-only"),
    ):
        with pytest.raises(ValueError, match=message):
            state.write_legal_actions_mask(wrong)
    with pytest.raises(TypeError):
        state.write_legal_actions_mask([False] * game.num_actions)  # type: ignore[type-var]


def test_masks_and_numbers_of_a_live_match(game: fg.Game) -> None:
    match = play_some(game, 6, 7)
    state = match.state
    assert (match.legal_actions_mask == state.legal_actions_mask).all()
    for kind in (np.bool_, np.int8, np.uint8):
        for source in (match, state):
            out = np.full(game.num_actions, 1, dtype=kind)
            assert source.write_legal_actions_mask(out) is out
            assert (out.astype(bool) == state.legal_actions_mask).all()
    for player in range(game.num_players):
        observation = state.observation(player)
        floats = np.ones(game.observation_size, dtype=np.float32)
        assert match.encode(player, floats) is floats
        assert (floats == observation.tensor).all()
        raw = np.ones(game.observation_size, dtype=np.uint8)
        assert match.encode(player, raw) is raw
        assert (observation.encode(np.ones_like(raw)) == raw).all()
        scales = np.concatenate([np.full(block.size, block.scale, dtype=np.float32) for block in game.observation_spec])
        assert (raw.astype(np.float32) / scales == floats).all()
        assert all(block.bound <= 255 for block in game.observation_spec)
    with pytest.raises(ValueError, match="int16"):
        match.encode(0, np.zeros(game.observation_size, dtype=np.int16))
    with pytest.raises(ValueError, match="shape"):
        match.encode(0, np.zeros(3, dtype=np.uint8))


def test_legal_actions_are_made_as_far_as_asked_for(game: fg.Game) -> None:
    """Counting, picking and asking give what the list gives, in any order, and a list of a match stays what it was."""
    match = play_some(game, 8, 5)
    whole = list(match.legal_actions)
    assert [match.legal_actions[place] for place in range(len(whole))] == whole
    fresh = match.legal_actions
    assert [fresh[place] for place in range(len(whole))] == whole
    assert (bool(fresh), len(fresh), fresh.ids, fresh.array.tolist()) == (True, len(whole), *[[int(one) for one in whole]] * 2)
    assert fresh.array.dtype == np.uint32
    assert all(action in match.legal_actions for action in whole)
    illegal = next(number for number in range(game.num_actions) if number not in fresh.ids)
    assert illegal not in match.legal_actions
    assert illegal not in fresh
    kept = match.legal_actions
    match.play(whole[0])
    assert list(kept) == whole
    assert not game.new_state().legal_actions or not game.new_state().is_chance
    assert match.state.legal_actions == match.legal_actions


def test_tensors(game: fg.Game) -> None:
    state = play_some(game, 4, 8).state
    for player in range(game.num_players):
        observation = state.observation(player)
        tensor = observation.tensor
        assert tensor.dtype == np.float32
        assert tensor.shape == (game.observation_size,)
        assert np.isfinite(tensor).all()
        blocks = observation.blocks
        assert list(blocks) == [block.name for block in game.observation_spec]
        base = next(iter(blocks.values())).base
        for block in game.observation_spec:
            assert blocks[block.name].shape == block.shape
            assert blocks[block.name].base is base
            assert (blocks[block.name].ravel() == tensor[block.offset : block.offset + block.size]).all()
        batch = np.full((2, game.observation_size), np.nan, dtype=np.float32)
        assert observation.encode(batch[1]) is not None
        assert (batch[1] == tensor).all()
        assert np.isnan(batch[0]).all()
        with pytest.raises(ValueError, match="float64"):
            observation.encode(np.zeros(game.observation_size))


def test_observations(game: fg.Game) -> None:
    state = play_some(game, 6, 6).state
    for player in range(game.num_players):
        observation = state.observation(player)
        assert observation.player == player
        assert observation == state.observation(player)
        assert hash(observation) == hash(state.observation(player))
        assert pickle.loads(pickle.dumps(observation)) == observation
        assert observation.to_dict() == json.loads(observation.to_json())
        assert observation.to_dict().keys() == state.to_dict().keys()
        info = game.information_state_from_json(observation.to_json(), player)
        assert info.observation == observation
        assert info.history == []
        assert info.legal_actions == state.information_state(player).legal_actions
        plain = observation.draw()
        assert "\x1b" not in plain
        assert str(observation) == plain
        assert all(len(line) <= 80 for line in plain.splitlines())
        assert observation.draw(ascii=True).isascii()
        assert observation.draw(width=None, color=True)
        marked = observation.draw(legal=info.legal_actions)
        assert marked == observation.draw(legal=list(info.legal_actions))
    for player in (game.num_players, 200, 10**30, -1):
        with pytest.raises(fg.OptionsError, match="player"):
            state.observation(player)


def test_information_states(game: fg.Game) -> None:
    match = play_some(game, 8, 10)
    for player in range(game.num_players):
        info = match.information_state(player)
        assert len(info.history) == len(match.history)
        assert info.key == match.information_state(player).key
        assert info == match.information_state(player)
        assert pickle.loads(pickle.dumps(info)) == info
        assert bool(info.legal_actions) == (player == match.current_player)
        worlds = info.sample_worlds(5, seed=1)
        assert worlds[0] == info.sample_world(seed=1)
        for world in worlds:
            assert world.observation(player) == info.observation
            assert (world.node, world.ply, world.phase) == (match.state.node, match.state.ply, match.state.phase)
    mover = match.current_player
    if mover is not None:
        info = match.information_state(mover)
        for action in info.legal_actions[:5]:
            assert info.interpret(f"  {str(action).upper()} ") == action
        assert info.interpret("nonsense") is None


def test_resolve_chance_meets_the_luck_of_a_match(game: fg.Game) -> None:
    for seed in range(5):
        assert game.new_state().resolve_chance(seed) == game.new_match(seed=seed).state
    for seed in (-1, 2**64):
        with pytest.raises(fg.OptionsError, match="seed"):
            game.new_state().resolve_chance(seed)
    game.new_state().resolve_chance(2**64 - 1)


def test_events_of_a_child(game: fg.Game) -> None:
    state = game.new_state()
    while state.is_chance:
        state, events = state.child_with_events(state.chance_outcomes[0][0])
    child, events = state.child_with_events(state.legal_actions[0])
    assert child == state.child(state.legal_actions[0])
    for event in events:
        assert str(event).endswith(f"({event.rule})")
        assert event.to_dict()["kind"] == event.kind
        assert event.to_dict()["data"] == event.data
        assert event.is_visible_to(0) or event.private_to not in (None, 0)


def test_heuristic_is_a_number(game: fg.Game) -> None:
    state = play_some(game, 2, 5).state
    assert all(np.isfinite(state.evaluate(player)) for player in range(game.num_players))


@given(data=st.data())
def test_random_text_is_refused_and_changes_nothing(data: st.DataObject) -> None:
    game = fg.load(data.draw(st.sampled_from(fg.games())))
    match = play_some(game, data.draw(st.integers(0, 50)), data.draw(st.integers(0, 12)))
    before = match.state
    for given_step in (data.draw(st.text(max_size=20)), data.draw(st.integers())):
        try:
            match.copy().play(given_step)
            before.child(given_step)
        except (fg.ParseActionError, fg.IllegalActionError):
            pass
    assert match.state == before


@given(data=st.data())
def test_damaged_state_json_is_refused_or_sound(data: st.DataObject) -> None:
    game = fg.load(data.draw(st.sampled_from(fg.games())))
    state = play_some(game, data.draw(st.integers(0, 50)), data.draw(st.integers(0, 40))).state
    text = state.to_json()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    damaged = text[:start] + data.draw(st.text('0123456789[]{}:,"nulabr -', max_size=6)) + text[end:]
    try:
        loaded = game.state_from_json(damaged)
    except fg.StateError:
        return
    assert game.state_from_json(loaded.to_json()) == loaded
