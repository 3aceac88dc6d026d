"""Tournaments: schedule, resuming, Elo, the sequential test."""

from __future__ import annotations

import collections
import json
import os
import pickle
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import forbidden_games as fg
import pytest
from forbidden_games.tournaments import GameResult, run, schedule, sequential_test, standings, tournament
from forbidden_games.tournaments.sprt import SequentialTest

from .test_cli.helper import refused


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


def test_the_sequential_test_counts_in_the_order_of_the_schedule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever game ends first: games with odd numbers are held back here."""
    game = fg.load("qin")
    plain = tournament(game, ["greedy", "random"], games=60, seed=5, sprt=(0, 200))
    assert plain.sprt is not None
    assert plain.sprt.verdict == "accepted"
    assert len(plain.results) < 40
    play = run._play

    def late(*arguments: Any) -> GameResult:
        if arguments[2].number % 2:
            time.sleep(0.02)
        return play(*arguments)

    monkeypatch.setattr(run, "_play", late)
    path = tmp_path / "t.jsonl"
    assert tournament(game, ["greedy", "random"], games=60, seed=5, sprt=(0, 200), threads=4, path=path) == plain
    # What was played beyond the decision is in the file and does not count.
    assert path.read_bytes().count(b"\n") > len(plain.results)


def test_the_sequential_test_is_the_same_game_by_game() -> None:
    luck = random.Random(1)
    results = []
    test = SequentialTest(-10, 30)
    for one in schedule(2, 3, 90, seed=4):
        ranking = luck.choice([(1, 2, 3), (2, 1, 2), (1, 1, 1), (3, 1, 1)])
        results.append(GameResult(one.number, one.seats, one.seed, (0, 0, 0), ranking, 9))
        test.add(results[-1])
        assert test.result() == sequential_test(results, -10, 30)
        # The formula itself, from the samples.
        rounds: dict[int, list[float]] = collections.defaultdict(list)
        for result in results:
            pairs = [
                0.5 * ((a < b) + (a <= b))
                for a, mine in zip(result.ranking, result.seats, strict=True)
                for b, other in zip(result.ranking, result.seats, strict=True)
                if mine == 0 and other == 1
            ]
            rounds[result.seed].append(statistics.fmean(pairs))
        samples = [statistics.fmean(values) for values in rounds.values()]
        if len(samples) > 1:
            variance = statistics.pvariance(samples) + 0.25 / len(samples)
            low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (-10, 30))
            expected = len(samples) * (high - low) * (2 * statistics.fmean(samples) - low - high) / (2 * variance)
            assert test.result().log_likelihood_ratio == pytest.approx(expected)


def test_a_results_file_is_written_by_one_tournament(tmp_path: Path) -> None:
    game = fg.load("qin")
    path = tmp_path / "t.jsonl"
    before: list[bytes] = []

    def second(result: GameResult, done: int, _of: int) -> None:
        if done == 2:
            before.append(path.read_bytes())
            with pytest.raises(fg.ConcurrentUseError, match=r"t\.jsonl: another tournament is writing this results file"):
                tournament(game, ["random", "random"], games=4, path=path)
            command = ["tournament", "qin", "-n", "4", "--agent", "random", "--agent", "random", "--output", str(path)]
            ran = subprocess.run(
                [sys.executable, "-m", "forbidden_games", *command], capture_output=True, check=False, timeout=60
            )
            assert (ran.returncode, ran.stdout) == (1, b"")
            assert ran.stderr.decode() == f"error: {path}: another tournament is writing this results file\n"
            before.append(path.read_bytes())

    whole = tournament(game, ["random", "random"], games=4, path=path, on_result=second)
    assert before[0] == before[1]
    assert tournament(game, ["random", "random"], games=4, path=path) == whole
    content = path.read_bytes()
    # The same game twice counts once; a blank last line and a byte order mark are an editor's.
    path.write_bytes(b"\xef\xbb\xbf" + content + content.splitlines(keepends=True)[2] + b"\n\r\n")
    assert tournament(game, ["random", "random"], games=6, path=path).results[:4] == whole.results
    for spoil in (lambda: Path(shutil.copy(path, tmp_path / "other")).replace(path), path.unlink):
        with pytest.raises(FileNotFoundError, match="removed or replaced") as caught:
            tournament(game, ["random", "random"], games=9, path=path, on_result=lambda *_, spoil=spoil: spoil())
        assert caught.value.filename == str(path)


def test_a_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    code = f"""
import resource, forbidden_games as fg
resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
try:
    fg.tournament(fg.load("qin"), ["random", "random"], games=60, path={str(path)!r})
except OSError as error:
    print(error.filename, error.strerror)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == f"{path} File too large\n"
    content = path.read_bytes()
    assert 1300 < len(content) <= 1500
    assert content.endswith(b"}\n")
    assert tournament(fg.load("qin"), ["random", "random"], games=60, path=path).scheduled == 60
    assert path.read_bytes().startswith(content)


class Shaky:
    """An agent that fails in the third game that it is made for."""

    made = 0
    mood = "fine"

    def __init__(self) -> None:
        Shaky.made += 1
        self.fails = Shaky.made == 4  # once before the first game, to find a wrong specification
        self.asked = 0
        if self.fails and self.mood == "unmade":
            raise ValueError("no weights")

    def act(self, info: fg.InformationState, /) -> Any:
        """The first legal action, or what the mood says."""
        self.asked += 1
        if self.fails and self.asked == 4:
            if self.mood == "raises":
                raise RuntimeError("boom\ntwice")
            if self.mood == "exits":
                sys.exit(3)
            return {"nonsense": "xyzzy", "fine": info.legal_actions[0]}[self.mood]
        return info.legal_actions[0]


@pytest.mark.parametrize(
    ("mood", "reason", "cause"),
    [
        ("raises", "RuntimeError: boom twice", RuntimeError),
        ("exits", "SystemExit: 3", SystemExit),
        ("nonsense", 'agent Shaky at seat 1: no action of the game: cannot parse "xyzzy"', fg.AgentError),
        ("unmade", 'agent "py:tests.test_tournament:Shaky": ValueError: no weights', fg.AgentError),
    ],
)
def test_an_agent_that_fails_is_named_and_a_resumed_run_plays_what_is_missing(
    mood: str, reason: str, cause: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = "py:tests.test_tournament:Shaky"
    path = tmp_path / "t.jsonl"
    monkeypatch.setattr(Shaky, "mood", mood)
    monkeypatch.setattr(Shaky, "made", 0)
    with pytest.raises(fg.AgentFailureError) as caught:
        tournament(fg.load("qin"), ["random", spec], games=6, path=path)
    error = caught.value
    assert (error.agent, error.seat, error.game, error.seed) == (spec, 1, 2, 1)
    assert (error.ply > 4) == (mood != "unmade")
    assert error.reason.startswith(reason)
    assert str(error).startswith(f"game 2, seed 1, ply {error.ply}: agent {spec} at seat 1: {reason}")
    assert "\n" not in str(error)
    assert type(error.__cause__) is cause
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    before = path.read_bytes()
    assert before.count(b"\n") == 3
    Shaky.made = 1  # now the first game that is missing fails: game 3 is the second
    if mood == "raises":
        arguments = ("tournament", "qin", "-n", "6", "--agent", "random", "--agent", spec, "--output", str(path))
        assert re.fullmatch(rf"error: game 3, seed 1, ply \d+: agent {spec} at seat 0: {reason}", refused(*arguments, code=1))
        assert path.read_bytes().startswith(before)
    monkeypatch.setattr(Shaky, "mood", "fine")
    seen: list[int] = []
    tournament(fg.load("qin"), ["random", spec], games=6, path=path, on_result=lambda result, *_: seen.append(result.number))
    assert seen == ([3, 4, 5] if mood == "raises" else [2, 3, 4, 5])


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
    twice = '{"number":0,' + first.strip()[1:]
    for line in [*(json.dumps(one) for one in damaged), twice, "[" * 100_000, "9" * 5000]:
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
