"""`forbidden-games tournament`: lets agents play in all seatings, and prints Elo with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    ComponentsOption,
    FixedSeedOption,
    GameArgument,
    JsonOption,
    PlayersOption,
    SetOption,
    ThreadsOption,
    UsageError,
    clean_name,
    load_game,
)
from forbidden_games.cli.progress import bar
from forbidden_games.cli.watch import print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from forbidden_games import TournamentResult


def tournament(
    game: GameArgument,
    agents: Annotated[
        list[str] | None, typer.Option("--agent", metavar="SPEC", help="An agent; repeatable, at least two.")
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, max=10_000_000, help="Games, rounded up to whole rounds.")
    ] = 100,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    seed: FixedSeedOption = 0,
    threads: ThreadsOption = 1,
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop once the first agent is ELO1 stronger, or only ELO0."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Results file; the same command goes on with it.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament: seats go round, every seating meets the same luck."""
    specs = agents or []
    if len(specs) < 2:
        raise UsageError("a tournament needs at least two agents: --agent SPEC --agent SPEC")
    chosen = load_game(game, players, settings, components)
    bounds = None if sprt is None else _bounds(sprt)
    try:
        with bar(chosen.title, games, "games") as advance:
            result = fg.tournament(
                chosen,
                specs,
                games=games,
                seed=seed,
                threads=threads,
                path=output,
                sprt=bounds,
                on_result=_counter(advance),
            )
    except KeyboardInterrupt:
        if output is not None:
            terminal.warn(f"the games played are kept in {output}; the same command goes on with it")
        raise
    if as_json:
        print_json(result.to_dict())
        return
    terminal.say("\n".join(table(result, chosen.num_players)))
    if output is not None:
        terminal.say(f"results: {output}")


def _counter(advance: Callable[[int], None]) -> Callable[[object, int, int], None]:
    """Updates the bar with the number of finished games, including those of an earlier run."""
    seen = 0

    def count(_result: object, done: int, _scheduled: int) -> None:
        nonlocal seen
        advance(done - seen)
        seen = done

    return count


def _bounds(text: str) -> tuple[float, float]:
    parts = text.split(",")
    try:
        low, high = (float(part) for part in parts)
    except ValueError:
        raise UsageError(f"--sprt {clean_name(text)}: expected two numbers, ELO0,ELO1") from None
    if not -2000 <= low < high <= 2000:
        raise UsageError(f"--sprt {clean_name(text)}: expected ELO0 below ELO1, both from -2000 to 2000")
    return low, high


def table(result: TournamentResult, players: int) -> list[str]:
    """Standings, best first."""
    margin = max(len("agent"), *(len(standing.agent) for standing in result.standings))
    lines = [
        f"{result.game}, {players} players, {len(result.results)} of {result.scheduled} games",
        f"{'agent':<{margin}}  {'games':>6}  {'points':>7}  {'first':>6}  {'score':>7}  {'Elo':>6}  95 %",
    ]
    lines.extend(
        f"{one.agent:<{margin}}  {one.games:>6}  {100 * one.share:>6.1f}%  {100 * one.win_rate:>5.1f}%  "
        f"{one.mean_score:>7.1f}  {one.elo:>+6.0f}  {one.elo_low:+.0f} to {one.elo_high:+.0f}"
        for one in result.standings
    )
    if result.sprt is not None:
        test = result.sprt
        lines.append(
            f"SPRT [{test.elo0:g}, {test.elo1:g}]: {test.verdict}, log-likelihood ratio {test.log_likelihood_ratio:.2f} "
            f"in [{test.lower:.2f}, {test.upper:.2f}]"
        )
    return lines
