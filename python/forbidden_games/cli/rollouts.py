"""`forbidden-games rollouts`: plays random games and prints their mean returns."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    ComponentsOption,
    FixedSeedOption,
    FromOption,
    JsonOption,
    MovesOption,
    OptionalGameArgument,
    PlayersOption,
    SetOption,
    Source,
    ThreadsOption,
)
from forbidden_games.cli.progress import bar
from forbidden_games.cli.watch import print_json

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from forbidden_games import State

SECONDS_A_PART = 0.2


def rollouts(
    game: OptionalGameArgument = None,
    count: Annotated[int, typer.Option("--count", "-n", metavar="N", min=1, max=100_000_000, help="Number of games.")] = 10_000,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    seed: FixedSeedOption = 0,
    threads: ThreadsOption = 1,
    as_json: JsonOption = False,
) -> None:
    """Play random games to their end and print the mean returns of every seat."""
    state = Source(game, players, settings, components, from_file, moves_file).state(seed)
    begin = time.perf_counter()
    means, errors, firsts = in_parts(state, count, seed, threads)
    seconds = time.perf_counter() - begin
    if as_json:
        print_json(
            {
                "game": state.game.name,
                "players": state.game.num_players,
                "count": count,
                "seed": seed,
                "threads": threads,
                "mean_returns": means,
                "standard_errors": errors,
                "win_rates": firsts,
                "seconds": round(seconds, 3),
                "games_per_second": round(count / seconds, 1) if seconds > 0 else None,
            }
        )
        return
    terminal.say(f"{state.game.title}: {count:,} random games, seed {seed}, {threads} thread{'s' if threads > 1 else ''}")
    for player, (mean, error, first) in enumerate(zip(means, errors, firsts, strict=True)):
        terminal.say(f"  seat {player}: mean return {mean:+.4f} (+- {1.96 * error:.4f}), in front {100 * first:.1f} %")
    if seconds > 0:
        terminal.say(f"  {count / seconds:,.0f} games/s")


def in_parts(state: State, count: int, seed: int, threads: int) -> tuple[list[float], list[float], list[float]]:
    """Mean returns, their standard errors and shares of games with a positive return, with a progress bar.

    Parts grow until one takes a moment; their size has no influence on the results.
    """
    total: npt.NDArray[np.float64] | None = None
    done, part = 0, 64 * threads
    with bar("random games", count, "games") as advance:
        while done < count:
            size = min(part, count - done)
            begin = time.perf_counter()
            returns = fg.rollouts(state, size, seed=seed, threads=threads, first=done).astype("float64")
            sums = _stack(returns)
            total = sums if total is None else total + sums
            done += size
            advance(size)
            if time.perf_counter() - begin < SECONDS_A_PART:
                part = min(part * 2, 1_000_000)
    assert total is not None
    means = [float(value) / count for value in total[0]]
    squares = [float(value) / count for value in total[1]]
    errors = [math.sqrt(max(0.0, square - mean * mean) / count) for square, mean in zip(squares, means, strict=True)]
    return means, errors, [float(value) / count for value in total[2]]


def _stack(returns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums of the returns, of their squares, and of being in front, one row each."""
    import numpy as np

    return np.stack([returns.sum(axis=0), (returns * returns).sum(axis=0), (returns > 0).sum(axis=0).astype(np.float64)])
