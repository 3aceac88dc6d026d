"""Tournaments: every seating under the same luck, results that survive a kill, Elo with intervals, SPRT.

A tournament is a fixed schedule: game number `n` has its agents, its seating and its seed before anything is played. Games are
grouped in rounds; the games of a round are the rotations of one line-up under one seed, so that luck cancels out. The results
file has a header and one line for each finished game; a run that was killed goes on with the games that have no line yet. While
a tournament runs, its file is locked.
"""

from __future__ import annotations

import codecs
import errno
import json
import math
import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forbidden_games._rust import Stop
from forbidden_games.agents import agent
from forbidden_games.errors import (
    AgentError,
    AgentFailureError,
    ConcurrentUseError,
    ForbiddenGamesError,
    OptionsError,
    RecordError,
)
from forbidden_games.files import as_given, is_same_file, lock_file, sync_folder, unique_keys, write_all
from forbidden_games.match import play_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike
    from typing import Self

    from forbidden_games._rust import Game
    from forbidden_games.agents import Agent


SEEDS = 2**64
"""Seeds are the numbers below it; counting on from the last one begins again at 0."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game of the schedule."""

    number: int
    seats: tuple[int, ...]
    """Index of the agent at each seat."""
    seed: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game."""

    number: int
    seats: tuple[int, ...]
    seed: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    plies: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent's results."""

    agent: str
    games: int
    points: float
    """Won pairings against the others at the table: 1 for a better place, 1/2 for the same."""
    pairings: int
    win_rate: float
    """Shared firsts count in part."""
    mean_score: float
    elo: float
    elo_low: float
    elo_high: float

    @property
    def share(self) -> float:
        """Points as a share of pairings."""
        return self.points / self.pairings if self.pairings else 0.5


@dataclass(frozen=True, slots=True)
class SprtResult:
    """A sequential probability ratio test of "the first agent is `elo1` stronger" against "`elo0` stronger"."""

    elo0: float
    elo1: float
    log_likelihood_ratio: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str:
        """`accepted` (elo1), `rejected` (elo0) or `undecided`."""
        if self.log_likelihood_ratio >= self.upper:
            return "accepted"
        return "rejected" if self.log_likelihood_ratio <= self.lower else "undecided"


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All results of a tournament and what follows from them."""

    game: str
    agents: tuple[str, ...]
    scheduled: int
    results: tuple[GameResult, ...] = field(repr=False)
    standings: tuple[Standing, ...]
    """Best first."""
    sprt: SprtResult | None = None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        data = asdict(self)
        data["standings"] = [{**asdict(standing), "share": standing.share} for standing in self.standings]
        if self.sprt is not None:
            data["sprt"] = {**asdict(self.sprt), "verdict": self.sprt.verdict}
        return data


def tournament(
    game: Game,
    agents: Sequence[str],
    *,
    games: int = 100,
    seed: int = 0,
    threads: int = 1,
    path: str | PathLike[str] | None = None,
    sprt: tuple[float, float] | None = None,
    on_result: Callable[[GameResult, int, int], object] | None = None,
) -> TournamentResult:
    """Play a tournament, or go on with one.

    Args:
        game: The game.
        agents: Two or more specifications; the same one may occur twice.
        games: Number of games, rounded up to whole rounds.
        seed: Decides luck and agents.
        threads: Games at the same time. Native agents run without the interpreter's lock.
        path: Results file, JSON Lines. If it exists it must belong to the same tournament, which then goes on; `games` may
            have grown.
        sprt: `(elo0, elo1)`: stop early once the first agent is shown to be stronger by `elo1` or only by `elo0` (errors of
            5 % each). Needs two agents. Games count in the order of the schedule, whichever ends first: the result is the same
            for any number of threads. Games that were played beyond the decision stay in the file and do not count.
        on_result: Called after each game with the result, the number of finished games and of scheduled games.

    Raises:
        AgentError: If an agent cannot be made.
        AgentFailureError: If an agent raises an exception or answers with what is no legal action; it names agent, seat, game,
            seed and ply. Finished games stay in the file: the same call plays those that are missing.
        ConcurrentUseError: If another tournament is writing the results file.
        RecordError: If the results file is none, belongs to another tournament, has games that are not scheduled, has one game
            with two results, or is damaged before its last line; it stays as it is. The same line twice counts once.
        OSError: If the results file cannot be read or written, or is removed meanwhile; it has its path.
        OptionsError: If the seed is negative or 2^64 or more, or `games` or `threads` is below 1.
    """
    if len(agents) < 2:
        raise AgentError(f"{len(agents)} agents: a tournament needs at least 2")
    if sprt is not None and len(agents) != 2:
        raise AgentError(f"{len(agents)} agents: the sequential test needs exactly 2")
    if not 0 <= seed < SEEDS:
        raise OptionsError("seed", str(seed), f"an integer from 0 to {SEEDS - 1}")
    for name, number in (("games", games), ("threads", threads)):
        if number < 1:
            raise OptionsError(name, str(number), "an integer from 1")
    made = [agent(spec) for spec in agents]
    names = tuple(spec if spec.startswith("py:") else str(one) for spec, one in zip(agents, made, strict=True))
    plan = schedule(len(names), game.num_players, games, seed)
    progress = _Progress(None if sprt is None else _SequentialTest(*sprt))
    with _Book(path, _header(game, names, seed), plan) as book:
        progress.add(book.results)
        missing = iter([one for one in plan if one.number not in book.results])
        stop = Stop()
        with ThreadPoolExecutor(max_workers=threads) as pool:
            running: dict[Future[GameResult], int] = {}
            try:
                while not progress.is_decided:
                    while len(running) < threads and (one := next(missing, None)) is not None:
                        running[pool.submit(_play, game, names, one, stop)] = one.number
                    if not running:
                        break
                    wait(running, return_when=FIRST_COMPLETED)
                    finished = sorted((future for future in running if future.done()), key=lambda future: running[future])
                    failure: BaseException | None = None
                    for future in finished:
                        del running[future]
                        failure = failure or future.exception()
                        if future.exception() is not None:
                            continue
                        book.append(future.result())
                        progress.add(book.results)
                        if on_result is not None:
                            on_result(future.result(), len(book.results), len(plan))
                    if failure is not None:
                        raise failure
            except BaseException:
                # Whatever is being played is left at once; it has no line in the file and will be played again.
                stop.set()
                raise
            stop.set()  # what is still being played is beyond the decision
    done = sorted(book.results)[: progress.counted if progress.is_decided else None]
    results = tuple(book.results[number] for number in done)
    return TournamentResult(
        game=game.name,
        agents=names,
        scheduled=len(plan),
        results=results,
        standings=standings(names, results),
        sprt=None if sprt is None else sequential_test(results, *sprt),
    )


class _Progress:
    """How far the schedule has been played without a gap, and whether the sequential test is decided by then."""

    def __init__(self, test: _SequentialTest | None) -> None:
        self.counted = 0
        self.is_decided = False
        self._test = test

    def add(self, results: dict[int, GameResult]) -> None:
        """Counts what can be counted now."""
        while not self.is_decided and self.counted in results:
            if self._test is not None:
                self._test.add(results[self.counted])
                self.is_decided = self._test.result().verdict != "undecided"
            self.counted += 1


def schedule(agents: int, players: int, games: int, seed: int) -> list[ScheduledGame]:
    """The games in order. A round is one line-up in all its rotations under one seed; line-ups take turns.

    With more agents than seats the line-ups are all choices of agents; with fewer, agents fill the table in turn and each
    round begins with another one.
    """
    if agents >= players:
        line_ups = [tuple(chosen) for chosen in combinations(range(agents), players)]
    else:
        line_ups = [tuple((first + seat) % agents for seat in range(players)) for first in range(agents)]
    plan: list[ScheduledGame] = []
    round_number = 0
    while len(plan) < games:
        line_up = line_ups[round_number % len(line_ups)]
        for turn in range(players):
            seats = line_up[turn:] + line_up[:turn]
            plan.append(ScheduledGame(len(plan), seats, (seed + round_number) % SEEDS))
        round_number += 1
    return plan


def _play(game: Game, names: tuple[str, ...], one: ScheduledGame, stop: Stop) -> GameResult:
    """Plays one game; whatever an agent does wrong says where it happened."""
    match = game.new_match(one.seed)
    seated: list[Agent] = []
    try:
        for index in one.seats:
            seated.append(agent(names[index]))
        play_out(match, seated, stop=stop)
    except (Exception, SystemExit) as error:  # somebody else's code may raise anything
        seat = len(seated) if len(seated) < len(one.seats) else match.current_player
        if seat is None:
            raise
        raised = isinstance(error, ForbiddenGamesError)
        reason = " ".join((str(error) if raised else f"{type(error).__name__}: {error}").split())
        raise AgentFailureError(names[one.seats[seat]], seat, one.number, one.seed, match.ply, reason) from error
    return GameResult(one.number, one.seats, one.seed, match.scores, match.ranking, match.ply)


# ---- The results file ----------------------------------------------------------------------------------------------------


def _header(game: Game, names: tuple[str, ...], seed: int) -> dict[str, Any]:
    return {
        "tournament": 1,
        "game": game.name,
        "rules": game.info.rules_version,
        "players": game.num_players,
        "options": game.options,
        "components": game.components,
        "agents": list(names),
        "seed": seed,
    }


class _Book:
    """The results file: one line for each finished game, appended and flushed; a broken last line is cut off.

    It is open and locked from the first look to the end, so that two tournaments never write one file.
    """

    def __init__(self, path: str | PathLike[str] | None, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        self.results: dict[int, GameResult] = {}
        self._path = path
        self._file = -1
        self._sound = 0
        if path is None:
            return
        with as_given(path):
            self._open(path)
        try:
            self._load(header, plan)
        except BaseException:
            os.close(self._file)
            raise

    def _open(self, path: str | PathLike[str]) -> None:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():  # reading a pipe would wait for ever
            raise OSError(errno.EINVAL, "not an ordinary file")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._file = os.open(path, flags, 0o666)
        try:
            lock_file(self._file)
        except BlockingIOError:
            os.close(self._file)
            raise ConcurrentUseError(f"{os.fspath(path)}: another tournament is writing this results file") from None
        except BaseException:
            os.close(self._file)
            raise

    def _load(self, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        assert self._path is not None
        with as_given(self._path), os.fdopen(os.dup(self._file), "rb") as file:
            content = file.read()
        *lines, unfinished = content.split(b"\n")
        while lines and not lines[-1].strip() and len(lines) > 1:  # blank last lines, by an editor
            lines.pop()
            unfinished = b""
        # Without a whole line only the beginning of our own header is surely ours, and may be overwritten.
        if not lines and not _line(header).startswith(unfinished):
            raise RecordError(1, None, f"no results file of a tournament: expected {json.dumps(header)}")
        for number, line in enumerate(lines, start=1):
            self._read(number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line, header, plan)
            self._sound += len(line) + 1
        with as_given(self._path):
            # What follows the last newline was being written when the run was killed.
            if self._sound < len(content):
                os.truncate(self._file, self._sound)
            if self._sound == 0:
                self._write(header)
                sync_folder(Path(os.path.realpath(self._path)).parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file >= 0:
            os.close(self._file)

    def _read(self, number: int, line: bytes, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        try:
            data = json.loads(line, object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, None, f"no JSON: {error}") from error
        if number == 1:
            if data != header:
                raise RecordError(1, None, f"the file belongs to another tournament: expected {json.dumps(header)}")
            return
        try:
            result = _result(data, plan)
        except ValueError as error:
            raise RecordError(number, None, str(error)) from None
        if self.results.setdefault(result.number, result) != result:
            raise RecordError(number, None, f"game {result.number} is there twice, with another result")

    def append(self, result: GameResult) -> None:
        if self._path is not None:
            with as_given(self._path):
                if not is_same_file(self._file, self._path):
                    raise FileNotFoundError(errno.ENOENT, "removed or replaced while the tournament was running")
                self._write(asdict(result))
        self.results[result.number] = result

    def _write(self, data: dict[str, Any]) -> None:
        line = _line(data)
        try:
            write_all(self._file, line)
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):  # a full disk takes a part
                os.truncate(self._file, self._sound)
            raise
        self._sound += len(line)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


_LARGEST = 2**31 - 1
"""No score and no number of plies is larger; beyond it, floats would overflow."""


def _result(data: Any, plan: list[ScheduledGame]) -> GameResult:
    """The result that a line of the file tells; a `ValueError` says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("no result of a game: expected an object")
    number = _whole(data, "number", 0, _LARGEST)
    if number >= len(plan):
        raise ValueError(f"game {number} is not among the {len(plan)} scheduled games: expected as many as before, or more")
    scheduled = plan[number]
    players = len(scheduled.seats)
    seats = _wholes(data, "seats", players, 0, _LARGEST)
    if (scheduled.seats, scheduled.seed) != (seats, _whole(data, "seed", 0, 2**64 - 1)):
        raise ValueError(f"game {number} does not follow the schedule")
    scores = _wholes(data, "scores", players, -_LARGEST, _LARGEST)
    ranking = _wholes(data, "ranking", players, 1, players)
    if 1 not in ranking:
        raise ValueError("ranking: expected a first place")
    return GameResult(number, seats, scheduled.seed, scores, ranking, _whole(data, "plies", 0, _LARGEST))


def _whole(data: dict[str, Any], key: str, low: int, high: int) -> int:
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{key}: expected an integer from {low} to {high}")
    return value


def _wholes(data: dict[str, Any], key: str, count: int, low: int, high: int) -> tuple[int, ...]:
    values = data.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{key}: expected a list of {count} integers")
    return tuple(_whole({key: value}, key, low, high) for value in values)


# ---- Elo and SPRT --------------------------------------------------------------------------------------------------------


def standings(names: Sequence[str], results: Sequence[GameResult]) -> tuple[Standing, ...]:
    """Points, Elo with 95 % intervals (mean of all agents 0), best first."""
    count = len(names)
    games = [0] * count
    firsts = [0.0] * count
    scores = [0.0] * count
    points = [[0.0] * count for _ in range(count)]
    for result in results:
        winners = result.ranking.count(1)
        for seat, one in enumerate(result.seats):
            games[one] += 1
            firsts[one] += (result.ranking[seat] == 1) / winners
            scores[one] += result.scores[seat]
            for other_seat, other in enumerate(result.seats):
                if one != other:
                    points[one][other] += 0.5 * (
                        (result.ranking[seat] < result.ranking[other_seat]) + (result.ranking[seat] <= result.ranking[other_seat])
                    )
    ratings, errors = _bradley_terry(points)
    made = []
    for one, name in enumerate(names):
        pairings = round(sum(points[one][other] + points[other][one] for other in range(count)))
        made.append(
            Standing(
                agent=name,
                games=games[one],
                points=sum(points[one]),
                pairings=pairings,
                win_rate=firsts[one] / games[one] if games[one] else 0.0,
                mean_score=scores[one] / games[one] if games[one] else 0.0,
                elo=ratings[one],
                elo_low=ratings[one] - 1.96 * errors[one],
                elo_high=ratings[one] + 1.96 * errors[one],
            )
        )
    return tuple(sorted(made, key=lambda standing: -standing.elo))


_ELO = 400 / math.log(10)


def _bradley_terry(points: list[list[float]]) -> tuple[list[float], list[float]]:
    """Ratings and standard errors from pairwise points, with half a drawn pairing between all agents as prior.

    The prior keeps an agent that won everything finite. Newton's method on the log-likelihood, mean fixed at 0; the errors come
    from the pseudo-inverse of the Fisher information.
    """
    import numpy as np

    won = np.array(points, dtype=np.float64)
    count = len(won)
    won += 0.25 * (1 - np.eye(count))
    total = won + won.T
    strength = np.zeros(count)
    information = np.eye(count)
    for _ in range(100):
        expected = 1 / (1 + np.exp(-np.clip(strength[:, None] - strength[None, :], -50, 50)))
        gradient = (won - total * expected).sum(axis=1)
        weight = total * expected * (1 - expected)
        information = np.diag(weight.sum(axis=1)) - weight
        change = np.clip(np.linalg.pinv(information) @ gradient, -1, 1)
        strength += change
        strength -= strength.mean()
        if np.abs(change).max() < 1e-10:
            break
    errors = np.sqrt(np.clip(np.diag(np.linalg.pinv(information)), 0, None))
    return [float(one) * _ELO for one in strength], [float(one) * _ELO for one in errors]


def sequential_test(results: Sequence[GameResult], elo0: float, elo1: float, error: float = 0.05) -> SprtResult:
    """The generalised test on rounds: the mean result of agent 0 in the games that share a seed, normal approximation.

    Games of a round share their luck and are not independent, so the round is the sample.
    """
    rounds: dict[int, list[GameResult]] = {}
    for result in results:
        rounds.setdefault(result.seed, []).append(result)
    test = _SequentialTest(elo0, elo1, error)
    for games in rounds.values():
        for result in games:
            test.add(result)
    return test.result()


class _SequentialTest:
    """`sequential_test` game by game; the games of a round come one after the other."""

    def __init__(self, elo0: float, elo1: float, error: float = 0.05) -> None:
        self._elo = (elo0, elo1)
        self._bound = math.log((1 - error) / error)
        self._count = 0
        """Of complete rounds; their sum and sum of squares, around an even result."""
        self._sum = self._squares = 0.0
        self._seed: int | None = None
        self._round: list[float] = []

    def add(self, result: GameResult) -> None:
        mine = [place for seat, place in zip(result.seats, result.ranking, strict=True) if seat == 0]
        others = [place for seat, place in zip(result.seats, result.ranking, strict=True) if seat != 0]
        pairs = [0.5 * ((a < b) + (a <= b)) for a in mine for b in others]
        if not pairs:
            return
        if result.seed != self._seed:
            self._count, self._sum, self._squares = self._sums()
            self._seed, self._round = result.seed, []
        self._round.append(sum(pairs) / len(pairs))

    def _sums(self) -> tuple[int, float, float]:
        """Number, sum and sum of squares of the rounds, with the one that is being played."""
        if not self._round:
            return self._count, self._sum, self._squares
        sample = sum(self._round) / len(self._round) - 0.5
        return self._count + 1, self._sum + sample, self._squares + sample * sample

    def result(self) -> SprtResult:
        count, total, squares = self._sums()
        ratio = 0.0
        if count > 1:
            mean = total / count
            # One half-point of prior variance keeps the first equal results from looking like certainty.
            variance = (max(0.0, squares - count * mean * mean) + 0.25) / count
            low, high = (1 / (1 + 10 ** (-elo / 400)) - 0.5 for elo in self._elo)
            ratio = count * (high - low) * (2 * mean - low - high) / (2 * variance)
        return SprtResult(*self._elo, ratio, -self._bound, self._bound)
