"""Tournaments: schedule, resuming, Elo, the sequential test."""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import forbidden_games as fg
import pytest
from forbidden_games.tournaments import GameResult, schedule, sequential_test, standings, tournament

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("agents", "players"), [(2, 2), (3, 2), (2, 3), (2, 4), (5, 3), (4, 4)])
def test_every_seating_under_the_same_seed(agents: int, players: int) -> None:
    plan = schedule(agents, players, 60, seed=100)
    assert [one.number for one in plan] == list(range(len(plan)))
    assert len(plan) >= 60
    assert len(plan) % players == 0
    rounds = collections.defaultdict(list)
    for one in plan:
        rounds[one.seed].append(one.seats)
    for seatings in rounds.values():
        assert len(seatings) == players
        for seat in range(players):
            column = sorted(seats[seat] for seats in seatings)
            assert column == sorted(seatings[0])
    assert schedule(agents, players, 30, seed=100) == plan[: len(schedule(agents, players, 30, seed=100))]
    games = collections.Counter(index for one in plan for index in one.seats)
    assert set(games) == set(range(agents))


def test_results_do_not_depend_on_threads_or_on_a_file(tmp_path: Path) -> None:
    game = fg.load("qin")
    plain = tournament(game, ["greedy", "random"], games=6, seed=3)
    other = tournament(game, ["greedy", "random"], games=6, seed=3, threads=3, path=tmp_path / "t.jsonl")
    assert plain == other
    assert plain.scheduled == 6
    assert plain.standings[0].agent == "greedy"
    assert plain.standings[0].elo > 0 > plain.standings[1].elo
    assert plain.standings[0].elo_low < plain.standings[0].elo < plain.standings[0].elo_high
    assert json.loads(json.dumps(plain.to_dict()))["standings"][0]["share"] == plain.standings[0].share
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    assert len(lines) == 7


def test_resuming_loses_and_repeats_nothing(tmp_path: Path) -> None:
    game = fg.load("qin")
    path = tmp_path / "t.jsonl"
    whole = tournament(game, ["greedy", "random"], games=8, seed=1)
    tournament(game, ["greedy", "random"], games=4, seed=1, path=path)
    with path.open("a") as file:
        file.write('{"number":4,"seats":[0,')
    seen: list[int] = []
    again = tournament(
        game, ["greedy", "random"], games=8, seed=1, path=path, on_result=lambda result, done, of: seen.append(result.number)
    )
    assert seen == [4, 5, 6, 7]
    assert again == whole
    assert tournament(game, ["greedy", "random"], games=8, seed=1, path=path) == whole
    for other in ({"seed": 2}, {"agents": ["random", "greedy"]}):
        with pytest.raises(fg.RecordError, match="another tournament"):
            tournament(game, **{"agents": ["greedy", "random"], "games": 8, "seed": 1, "path": path, **other})  # type: ignore[arg-type]
    text = path.read_text().splitlines(keepends=True)
    path.write_text("".join(text[:2]) + "nonsense\n" + "".join(text[2:]))
    with pytest.raises(fg.RecordError, match="line 3"):
        tournament(game, ["greedy", "random"], games=8, seed=1, path=path)


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    program = f"""
import forbidden_games as fg
if __name__ == "__main__":
    fg.tournament(fg.load("qin"), ["ismcts:simulations=150", "random"], games=40, seed=1, threads=2, path={str(path)!r})
"""
    running = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 60
    while (not path.exists() or path.read_bytes().count(b"\n") < 4) and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    before = [json.loads(line)["number"] for line in path.read_bytes().split(b"\n")[1:-1]]
    result = fg.tournament(fg.load("qin"), ["ismcts:simulations=150", "random"], games=max(before) + 2, seed=1, path=path)
    numbers = [json.loads(line)["number"] for line in path.read_bytes().split(b"\n")[1:-1]]
    assert len(numbers) == len(set(numbers)) == result.scheduled
    assert numbers[: len(before)] == before


def test_ctrl_c_ends_the_games_that_are_being_played() -> None:
    program = """
import os, signal, threading, time
import forbidden_games as fg
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
sent = []
def interrupt():
    time.sleep(0.7)
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    fg.tournament(fg.load("qin"), ["ismcts:simulations=100000000", "random"], games=10, threads=2)
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert float(ran.stdout) < 2.0, ran.stdout


def test_agents_of_users_take_part() -> None:
    result = tournament(fg.load("qin"), ["py:tests.test_agents:First", "random"], games=2, threads=2)
    assert {standing.agent for standing in result.standings} == {"py:tests.test_agents:First", "random"}
    for wrong in (["random"], ["random", "no_such_agent"]):
        with pytest.raises(fg.AgentError):
            tournament(fg.load("qin"), wrong, games=2)


def results_of(wins: int, losses: int, draws: int) -> list[GameResult]:
    """Two-player games in pairs under one seed."""
    rankings = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * draws
    return [GameResult(number, (0, 1), number, (0, 0), ranking, 10) for number, ranking in enumerate(rankings)]


def test_elo_follows_the_logistic_curve() -> None:
    table = standings(["a", "b"], results_of(750, 250, 0))
    assert table[0].agent == "a"
    assert table[0].points == 750
    assert table[0].pairings == 1000
    assert table[0].elo - table[1].elo == pytest.approx(190.8, abs=1)
    # Standard error of the difference: 400 / ln 10 / sqrt(n p q); each of the two has half of it.
    assert table[0].elo_high - table[0].elo_low == pytest.approx(2 * 1.96 * 0.5 * 173.7 / (1000 * 0.75 * 0.25) ** 0.5, rel=0.02)
    even = standings(["a", "b"], results_of(10, 10, 20))
    assert even[0].elo == pytest.approx(0, abs=1e-6)
    swept = standings(["a", "b"], results_of(50, 0, 0))
    assert 300 < swept[0].elo < 1500


def test_sequential_test_decides() -> None:
    assert sequential_test(results_of(140, 60, 0), 0, 50).verdict == "accepted"
    assert sequential_test(results_of(95, 105, 0), 0, 50).verdict == "rejected"
    assert sequential_test(results_of(3, 2, 0), 0, 50).verdict == "undecided"
    assert sequential_test([], 0, 50).verdict == "undecided"
    result = tournament(fg.load("qin"), ["greedy", "random"], games=400, seed=5, sprt=(0, 100))
    assert result.sprt is not None
    assert result.sprt.verdict == "accepted"
    assert len(result.results) < 400
    with pytest.raises(fg.AgentError, match="2"):
        tournament(fg.load("qin", 3), ["greedy", "random", "random"], games=3, sprt=(0, 10))


def test_a_file_that_is_not_its_own_is_never_touched(tmp_path: Path) -> None:
    game = fg.load("qin")
    path = tmp_path / "t.jsonl"
    tournament(game, ["greedy", "random"], games=2, seed=1, path=path)
    whole = path.read_bytes()
    header = whole.split(b"\n")[0]
    for content in (b"my diary", b'{"tournament":1,"game":"tang', b"\x00" * 10, b"\n", b"line\nanother"):
        path.write_bytes(content)
        with pytest.raises(fg.RecordError, match="line 1"):
            tournament(game, ["greedy", "random"], games=2, seed=1, path=path)
        assert path.read_bytes() == content
    for content in (b"", header[:20], header, header + b"\n", whole[:-5]):
        path.write_bytes(content)
        tournament(game, ["greedy", "random"], games=2, seed=1, path=path)
        assert path.read_bytes() == whole


def test_damaged_results_are_named_by_line(tmp_path: Path) -> None:
    game = fg.load("qin")
    path = tmp_path / "t.jsonl"
    tournament(game, ["greedy", "random"], games=2, seed=1, path=path)
    head, first, second = path.read_text().splitlines(keepends=True)
    good = json.loads(first)
    damaged: list[Any] = [
        {**good, "number": -1},
        {**good, "number": "0"},
        {**good, "number": True},
        {**good, "number": 2},
        {**good, "seats": None},
        {**good, "seats": [1, 0]},
        {**good, "seed": 1.0},
        {**good, "scores": [1]},
        {**good, "scores": [10**400, 1]},
        {**good, "ranking": [2, 2]},
        {**good, "ranking": {"1": 2}},
        {**good, "plies": -3},
        {**good, "number": 1},
        {},
        [],
        None,
    ]
    for line in [*(json.dumps(one) for one in damaged), "[" * 100_000, "9" * 5000]:
        text = head + line + "\n" + second + "cut o"
        path.write_text(text)
        with pytest.raises(fg.RecordError, match=r"line [23]: "):
            tournament(game, ["greedy", "random"], games=2, seed=1, path=path)
        assert path.read_text() == text


def test_seeds_count_on_from_the_last_one() -> None:
    last = 2**64 - 1
    assert [one.seed for one in schedule(2, 2, 4, last)] == [last, last, 0, 0]
    for seed in (-1, 2**64):
        with pytest.raises(fg.OptionsError, match="seed"):
            tournament(fg.load("qin"), ["random", "random"], games=2, seed=seed)


def test_a_tournament_has_games_and_threads() -> None:
    for number in (0, -1):
        with pytest.raises(fg.OptionsError, match="games"):
            tournament(fg.load("qin"), ["random", "random"], games=number)
        with pytest.raises(fg.OptionsError, match="threads"):
            tournament(fg.load("qin"), ["random", "random"], games=2, threads=number)
