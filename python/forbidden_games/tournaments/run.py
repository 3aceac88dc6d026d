"""Plays the games of the schedule that have no result yet, on several threads."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from forbidden_games._rust import Stop
from forbidden_games.agents import agent
from forbidden_games.errors import AgentError, AgentFailureError, ForbiddenGamesError, OptionsError
from forbidden_games.match import play_out
from forbidden_games.tournaments.rating import standings
from forbidden_games.tournaments.results import GameResult, ResultsFile, header
from forbidden_games.tournaments.schedule import SEEDS, schedule
from forbidden_games.tournaments.sprt import SequentialTest, sequential_test

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from forbidden_games._rust import Game
    from forbidden_games.agents import Agent
    from forbidden_games.tournaments.rating import Standing
    from forbidden_games.tournaments.schedule import ScheduledGame
    from forbidden_games.tournaments.sprt import SprtResult


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All results of a tournament, with standings and the sequential test."""

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
    """Play a tournament, or resume one.

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
    progress = _Progress(None if sprt is None else SequentialTest(*sprt))
    with ResultsFile(path, header(game, names, seed), plan) as file:
        progress.add(file.results)
        missing = iter([one for one in plan if one.number not in file.results])
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
                        file.append(future.result())
                        progress.add(file.results)
                        if on_result is not None:
                            on_result(future.result(), len(file.results), len(plan))
                    if failure is not None:
                        raise failure
            except BaseException:
                # Whatever is being played is left at once; it has no line in the file and will be played again.
                stop.set()
                raise
            stop.set()  # what is still being played is beyond the decision
    done = sorted(file.results)[: progress.counted if progress.is_decided else None]
    results = tuple(file.results[number] for number in done)
    return TournamentResult(
        game=game.name,
        agents=names,
        scheduled=len(plan),
        results=results,
        standings=standings(names, results),
        sprt=None if sprt is None else sequential_test(results, *sprt),
    )


class _Progress:
    """Counts the games of the schedule that are played without a gap, until the sequential test is decided."""

    def __init__(self, test: SequentialTest | None) -> None:
        self.counted = 0
        self.is_decided = False
        self._test = test

    def add(self, results: dict[int, GameResult]) -> None:
        """Counts the games that follow without a gap."""
        while not self.is_decided and self.counted in results:
            if self._test is not None:
                self._test.add(results[self.counted])
                self.is_decided = self._test.result().verdict != "undecided"
            self.counted += 1


def _play(game: Game, names: tuple[str, ...], one: ScheduledGame, stop: Stop) -> GameResult:
    """Plays one game. An error of an agent names agent, seat, game, seed and ply."""
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
