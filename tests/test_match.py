"""Matches and records."""

from __future__ import annotations

import copy
import json
import os
import pickle
import threading
from typing import TYPE_CHECKING

import forbidden_games as fg
import pytest
from forbidden_games import _rust
from forbidden_games.files import check_target
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import play_some

if TYPE_CHECKING:
    from pathlib import Path


def test_the_same_seed_gives_the_same_game(game: fg.Game) -> None:
    one, other = play_some(game, 11, 30), play_some(fg.load(game.name), 11, 30)
    assert one.record == other.record
    assert one.record.to_text() == other.record.to_text()
    assert play_some(game, 12, 30).record != one.record


def test_undo_meets_the_same_luck(game: fg.Game) -> None:
    match = play_some(game, 9, 12)
    states = []
    while match.undo():
        states.append(match.state)
    assert match.ply == 0
    assert not match.undo()
    assert match.state == game.new_match(seed=9).state
    again = play_some(game, 9, 12)
    assert [state.ply for state in states] == list(range(len(states) - 1, -1, -1))
    while again.undo():
        assert again.state == states.pop(0)


def test_undo_to_a_seat(game: fg.Game) -> None:
    match = play_some(game, 10, 15)
    for player in range(game.num_players):
        other = match.copy()
        if other.undo(player):
            assert other.current_player == player
    with pytest.raises(fg.OptionsError):
        match.undo(game.num_players)


def test_copies_go_their_own_way(game: fg.Game) -> None:
    match = play_some(game, 1, 5)
    for other in (match.copy(), copy.copy(match), copy.deepcopy(match)):
        other.play(other.legal_actions[-1])
        assert other.ply == match.ply + 1 == 6


def test_events_and_history(game: fg.Game) -> None:
    match = game.new_match(seed=5)
    assert match.last_action is None
    steps = len(match.history)
    action = match.legal_actions[0]
    match.play(action)
    assert match.last_action == action
    assert match.history[steps] == action
    assert [str(event) for event in match.events] == [str(event) for event in match.events_since(steps)]
    assert len(match.events_since(0)) >= len(match.events)
    assert match.events_since(10_000) == []


def test_explicit_outcomes(game: fg.Game) -> None:
    match = game.new_match(seed=5, resolve=False)
    while match.is_chance:
        assert match.current_player is None
        assert not match.legal_actions
        match.play_step(match.state.chance_outcomes[-1][0])
    assert match.current_player == 0
    other = game.new_match(seed=5, resolve=False)
    other.resolve_chance()
    assert other.state == game.new_match(seed=5).state
    assert fg.parse_record(match.record.to_text()).new_match().state == match.state


def test_other_beginnings(game: fg.Game) -> None:
    state = play_some(game, 3, 6).state
    for start in (state, state.to_json(), state.to_dict()):
        match = game.new_match(seed=1, state=start)
        assert match.state == state
        match.play(match.legal_actions[0])
        assert fg.parse_record(match.record.to_text()).new_match().state == match.state
    with pytest.raises(fg.StateError):
        game.new_match(position={"nonsense": 1})
    with pytest.raises(fg.StateError):
        game.new_match(position={}, state=state)
    other = fg.load(game.name, game.info.max_players)
    if other != game:
        with pytest.raises(fg.StateError):
            other.new_match(state=state)


def test_records(game: fg.Game, tmp_path: Path) -> None:
    match = fg.play_match(game, ["random"] * game.num_players, seed=4)
    record = match.record
    record.save(tmp_path / "game.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]
    loaded = fg.load_record(tmp_path / "game.jsonl")
    assert loaded == record
    assert loaded.game == game
    assert loaded.seed == 4
    assert loaded.seats == ["random"] * game.num_players
    assert loaded.plies == match.ply
    assert len(loaded) == len(loaded.steps) == len(match.history)
    assert loaded.result is not None
    assert loaded.result["scores"] == list(match.scores)
    assert loaded.header["game"] == game.name
    assert pickle.loads(pickle.dumps(record)) == record
    assert loaded.new_match().state == match.state
    for ply in (0, 1, match.ply // 2, match.ply):
        assert loaded.new_match(ply).ply == ply
    assert loaded.new_match(0).state == game.new_match(seed=4).state


def test_every_prefix_of_a_record_is_a_game_in_progress(game: fg.Game) -> None:
    lines = fg.play_match(game, ["random"] * game.num_players, seed=6).record.to_text().splitlines(keepends=True)
    for end in range(1, len(lines) + 1, max(1, len(lines) // 20)):
        record = fg.parse_record("".join(lines[:end]))
        assert record.new_match().record.to_text().startswith("".join(lines[:end]))


def test_damaged_records_name_line_or_ply(game: fg.Game) -> None:
    lines = fg.play_match(game, ["random"] * game.num_players, seed=6).record.to_text().splitlines(keepends=True)
    with pytest.raises(fg.RecordError) as caught:
        fg.parse_record("".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    assert caught.value.line == len(lines)
    assert f"line {len(lines)}" in str(caught.value)
    first_action = next(index for index, line in enumerate(lines) if '"action"' in line)
    step = json.loads(lines[first_action])
    other = json.dumps({**step, "action": "nonsense"}) + "\n"
    with pytest.raises(fg.RecordError) as caught:
        fg.parse_record("".join(lines[:first_action]) + other + "".join(lines[first_action + 1 :]))
    assert caught.value.ply == 0
    header = json.loads(lines[0])
    for change in ({"rules": 99}, {"game": "chess"}, {"players": 77}, {"record": 2}, {"options": {"x": 1}}):
        with pytest.raises(fg.RecordError) as caught:
            fg.parse_record(json.dumps({**header, **change}) + "\n" + "".join(lines[1:]))
        assert caught.value.line == 1
    result = json.loads(lines[-1])
    with pytest.raises(fg.RecordError, match="result"):
        fg.parse_record("".join(lines[:-1]) + json.dumps({**result, "scores": [999] * game.num_players}) + "\n")
    for text in ("", "\n", "[]", "\x00", "{}"):
        with pytest.raises(fg.RecordError):
            fg.parse_record(text)


def test_a_sound_part_of_a_damaged_file_is_kept(game: fg.Game, tmp_path: Path) -> None:
    text = play_some(game, 2, 8).record.to_text()
    (tmp_path / "game.jsonl").write_text(text + '{"ply": 8, "acti', encoding="utf-8")
    record, error = fg.load_record_prefix(tmp_path / "game.jsonl")
    assert record.to_text() == text
    assert error is not None
    assert "line" in error
    (tmp_path / "game.jsonl").write_bytes(text.encode() + b"\xff\xfe")
    record, error = fg.load_record_prefix(tmp_path / "game.jsonl")
    assert record.to_text() == text
    assert error is not None
    (tmp_path / "game.jsonl").write_text(text, encoding="utf-8")
    assert fg.load_record_prefix(tmp_path / "game.jsonl") == (fg.load_record(tmp_path / "game.jsonl"), None)


def test_a_second_thread_gets_a_documented_error() -> None:
    game = fg.load("forbidden_city")
    match = game.new_match(seed=1)
    stop = fg.Stop()
    agents = ["mcts:simulations=1000000"] * 2
    worker = threading.Thread(target=_play_until_stopped, args=(match, agents, stop))
    worker.start()
    try:
        for _ in range(2000):
            try:
                match.copy()
            except fg.ConcurrentUseError:
                break
            threading.Event().wait(0.001)
        else:
            pytest.fail("nobody was in the match")
    finally:
        stop.set()
        worker.join()
    assert match.copy().state == match.state


def _play_until_stopped(match: fg.Match, agents: list[str], stop: fg.Stop) -> None:
    from forbidden_games._rust import SearchAgent, play_native_match

    with pytest.raises(KeyboardInterrupt):
        play_native_match(match, [SearchAgent(one) for one in agents], stop)


def test_seats_are_checked(game: fg.Game) -> None:
    names = [f"player {seat}" for seat in range(game.num_players)]
    assert game.new_match(seats=names).record.seats == names
    for wrong in (names[:-1], ["a\nb"] * game.num_players, ["x" * 1000] * game.num_players):
        with pytest.raises(fg.OptionsError, match="seats"):
            game.new_match(seats=wrong)


def test_series_go_round() -> None:
    games = [fg.load("qin", 3), fg.load("qin", 3, board="lion")]
    series = fg.Series(games[0])
    with pytest.raises(fg.NotOverError):
        _ = series.ranking
    matches = [fg.play_match(one, ["random"] * 3, seed=1) for one in games]
    for number, match in enumerate(matches):
        assert [series.seat(player) for player in range(3)] == [(player - number) % 3 for player in range(3)]
        series.add(match)
    added = [match.state.series_total for match in matches]
    assert added[0] is not None
    assert added[1] is not None
    assert series.totals == tuple(added[0][player] + added[1][(player - 1) % 3] for player in range(3))
    assert min(series.ranking) == 1
    assert abs(sum(series.returns)) < 1e-9
    with pytest.raises(fg.NotOverError):
        series.add(games[0].new_match())
    with pytest.raises(fg.OptionsError):
        fg.Series(fg.load("forbidden_city"))
    with pytest.raises(fg.OptionsError):
        series.add(fg.load("qin", 2).new_match())


@given(data=st.data())
def test_play_undo_copy_and_replay_in_any_order(data: st.DataObject) -> None:
    game = fg.load(data.draw(st.sampled_from(fg.games())))
    match = game.new_match(seed=data.draw(st.integers(0, 1000)))
    for _ in range(data.draw(st.integers(1, 25))):
        what = data.draw(st.sampled_from(["play", "play", "play", "undo", "copy", "replay"]))
        if what == "play" and not match.is_terminal:
            match.play(match.legal_actions[data.draw(st.integers(0, 10**6)) % len(match.legal_actions)])
        elif what == "undo":
            match.undo()
        elif what == "copy":
            match = match.copy()
        elif what == "replay":
            assert match.record.new_match().state == match.state
    replayed = fg.parse_record(match.record.to_text()).new_match()
    assert replayed.state == match.state
    for player in range(game.num_players):
        assert replayed.information_state(player).key == match.information_state(player).key


@given(data=st.data())
def test_damaged_records_are_refused_or_sound(data: st.DataObject) -> None:
    game = fg.load(data.draw(st.sampled_from(fg.games())))
    text = play_some(game, data.draw(st.integers(0, 20)), 8).record.to_text()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 12)))
    try:
        record = fg.parse_record(text[:start] + data.draw(st.text(max_size=6)) + text[end:])
    except fg.RecordError:
        return
    assert fg.parse_record(record.to_text()) == record


def test_a_pickled_record_keeps_the_window_of_its_game() -> None:
    game = fg.load("forbidden_city", window=5)
    record = game.new_match(1).record
    copy = pickle.loads(pickle.dumps(record))
    assert copy == record
    assert copy.game == game
    with pytest.raises(fg.RecordError):
        _rust.restore_record(record.to_text(), fg.load("qin"))


def test_more_worlds_than_memory_holds_are_refused() -> None:
    match = fg.load("forbidden_city").new_match(1)
    info = match.information_state(0)
    assert len(info.sample_worlds(1500, seed=1)) == 1500
    assert info.sample_worlds(2, seed=1) == info.sample_worlds(1500, seed=1)[:2]
    with pytest.raises(fg.OptionsError, match="count"):
        info.sample_worlds(1_000_001, seed=1)
    with pytest.raises(fg.OptionsError, match="first"):
        fg.rollouts(match.state, 1, first=-1)


def test_saving_replaces_only_ordinary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = fg.load("qin").new_match(1).record
    target, link, dangling, pipe = (tmp_path / name for name in ("target", "link", "dangling", "pipe"))
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "new")
    for path in (link, dangling, tmp_path / ("x" * 250)):
        record.save(path)
        assert fg.load_record(path) == record
    assert link.is_symlink()
    assert dangling.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    record.save(pipe)
    reader.join()
    assert got == [record.to_text()]
    assert pipe.is_fifo()
    record.save(os.devnull)
    for wrong in ("", "/", ".", "x" * 300, "no/such/folder", str(target / "below"), "zero\0byte"):
        for save in (record.save, check_target):
            with pytest.raises(OSError) as caught:
                save(wrong)
            assert caught.value.filename == wrong
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".partial")]
