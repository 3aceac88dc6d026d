"""`forbidden-games bench`: measures the speed of each game through the Python API."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    SEEDS,
    ComponentsOption,
    FixedSeedOption,
    JsonOption,
    PlayersOption,
    SetOption,
    ThreadsOption,
    UsageError,
    load_game,
)
from forbidden_games.cli.watch import print_json

if TYPE_CHECKING:
    from forbidden_games import Game, Match


def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game only; else all.")] = None,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    seed: FixedSeedOption = 0,
    threads: ThreadsOption = 1,
    seconds: Annotated[float, typer.Option("--seconds", metavar="S", min=0.01, max=60, help="Time for each figure.")] = 0.5,
    as_json: JsonOption = False,
) -> None:
    """Measure rollouts, the Python loop, observations and world samples."""
    if game is None and (settings or components):
        raise UsageError("--set and --components need a GAME")
    for name in fg.games() if game is None else [game]:
        chosen = load_game(name, players, settings, components)
        figures = measure(chosen, seed, threads, seconds)
        if as_json:
            print_json({"game": name, "players": chosen.num_players, "threads": threads, **figures})
            continue
        terminal.say(f"{chosen.title}, {chosen.num_players} players")
        for what, value in figures.items():
            terminal.say(f"  {what.replace('_', ' '):<32}{value:>14,.1f}")


def measure(game: Game, seed: int, threads: int, seconds: float) -> dict[str, float]:
    """The figures by name; times are microseconds for one call."""
    start = game.new_match(seed).state
    middle = _middle(game, seed)
    length = _mean_length(game, seed)
    games = _rate(lambda count: fg.rollouts(start, count, seed=seed, threads=threads), seconds)
    observation = middle.state.observation(middle.current_player or 0)
    tensor = observation.tensor
    info = middle.information_state(middle.current_player or 0)
    state = middle.state
    action = state.legal_actions[0]
    return {
        "random_games_per_second": games,
        "random_plies_per_second": games * length,
        "python_loop_plies_per_second": _python_loop(game, seed, seconds),
        "legal_actions_us": _microseconds(lambda: state.legal_actions, seconds),
        "child_us": _microseconds(lambda: state.child(action), seconds),
        "observation_into_array_us": _microseconds(lambda: observation.encode(tensor), seconds),
        "zero_the_same_array_us": _microseconds(lambda: tensor.fill(0), seconds),
        "sample_world_us": _microseconds(lambda: info.sample_world(1), seconds),
        "state_json_us": _microseconds(state.to_json, seconds),
    }


def _middle(game: Game, seed: int) -> Match:
    """A random game, played half."""
    match = _random_game(game, seed)
    half = match.ply // 2
    while match.ply > half and match.undo():
        pass
    return match


def _random_game(game: Game, seed: int) -> Match:
    match, luck = game.new_match(seed), random.Random(seed)
    while not match.is_terminal:
        actions = match.legal_actions
        match.play(actions[luck.randrange(len(actions))])
    return match


def _mean_length(game: Game, seed: int, games: int = 20) -> float:
    return sum(_random_game(game, (seed + number) % SEEDS).ply for number in range(games)) / games


def _python_loop(game: Game, seed: int, seconds: float) -> float:
    """Plies a second of the plain loop, with the numbers drawn beforehand."""
    luck = random.Random(seed)
    numbers = [luck.randrange(1 << 30) for _ in range(game.max_plies)]
    plies, number = 0, seed
    spent = 0.0
    while spent < seconds:
        match = game.new_match(number)
        number = (number + 1) % SEEDS
        begin = time.perf_counter()
        ply = 0
        while not match.is_terminal:
            actions = match.legal_actions
            match.play(actions[numbers[ply] % len(actions)])
            ply += 1
        spent += time.perf_counter() - begin
        plies += ply
    return plies / spent


def _rate(run: Callable[[int], object], seconds: float) -> float:
    """Units a second; the number of units grows until the run is long enough."""
    count = 16
    while True:
        begin = time.perf_counter()
        run(count)
        spent = time.perf_counter() - begin
        if spent >= seconds or count >= 1 << 24:
            return count / spent
        count *= 2 if spent > seconds / 8 else 4


def _microseconds(call: Callable[[], object], seconds: float) -> float:
    def run(count: int) -> None:
        for _ in range(count):
            call()

    return 1e6 / _rate(run, seconds / 4)
