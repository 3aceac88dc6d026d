"""`forbidden-games analyze`: an agent's values for a position, in a table that is updated during the search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import (
    AsciiOption,
    CommandError,
    ComponentsOption,
    FixedSeedOption,
    FromOption,
    JsonOption,
    MovesOption,
    OptionalGameArgument,
    PlayersOption,
    SetOption,
    Source,
    UsageError,
    load_game,
    read_text,
)
from forbidden_games.cli.seats import ADVISER
from forbidden_games.cli.telling import report_lines
from forbidden_games.cli.watch import print_json

if TYPE_CHECKING:
    from forbidden_games import InformationState, Report, SearchAgent


def analyze(
    game: OptionalGameArgument = None,
    players: PlayersOption = None,
    settings: SetOption = None,
    components: ComponentsOption = None,
    from_file: FromOption = None,
    moves_file: MovesOption = None,
    observation: Annotated[
        str | None, typer.Option("--observation", metavar="FILE", help="What a seat sees, as JSON; needs GAME and --player.")
    ] = None,
    player: Annotated[int | None, typer.Option("--player", metavar="SEAT", help="Whose observation it is.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", metavar="SPEC", help="Who searches.")] = None,
    seed: FixedSeedOption = 0,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, max=1000, help="Number of actions shown.")] = 10,
    as_json: JsonOption = False,
    ascii_only: AsciiOption = False,
) -> None:
    """Search a position and show visits, values and the best line."""
    spec = ADVISER if agent is None else agent
    searcher = fg.agent(spec)
    if not isinstance(searcher, fg.SearchAgent):
        raise UsageError(f"--agent {terminal.clean(spec)}: expected one of {', '.join(fg.agent_names())}")
    if observation is None:
        source = Source(game, players, settings, components, from_file, moves_file)
        match = source.match(seed)
        if match.current_player is None:
            raise CommandError("the game is over there: nothing to decide")
        if player is not None and player != match.current_player:
            raise UsageError(f"--player {player}: it is seat {match.current_player}'s decision")
        info, last = match.information_state(match.current_player), match.last_action
    else:
        if game is None or player is None or from_file is not None or moves_file is not None:
            raise UsageError("--observation needs GAME and --player, and no --from or --moves")
        chosen = load_game(game, players, settings, components)
        if not 0 <= player < chosen.num_players:
            raise UsageError(f"--player {player}: expected a seat from 0 to {chosen.num_players - 1}")
        info, last = chosen.information_state_from_json(read_text(observation), player), None
        if not len(info.legal_actions):
            raise CommandError(f"seat {player} has nothing to decide there")
    if as_json:
        print_json(searcher.search(info, seed=seed).to_dict())
        return
    screen = terminal.detect(ascii_only=ascii_only)
    terminal.say(info.observation.draw(width=screen.width, color=screen.color, ascii=screen.ascii, last=last))
    report = _live(searcher, info, seed, top) if screen.interactive else searcher.search(info, seed=seed)
    terminal.say("\n" + "\n".join(table(report, top)))


def _live(searcher: SearchAgent, info: InformationState, seed: int, top: int) -> Report:
    """Shows the results of searches with fewer simulations before the whole search has ended."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    budget = searcher.resolve(info.game).options.get("simulations", "")
    parts = [int(budget) // divisor for divisor in (64, 16, 4)] if budget.isdigit() else []
    with Live(Text("searching ..."), console=Console(highlight=False), transient=True) as live:
        for simulations in (part for part in parts if part >= 50):
            smaller = searcher.resolve(info.game).replace(simulations=simulations).search(info, seed=seed)
            live.update(Text("\n".join(table(smaller, top))))
        return searcher.search(info, seed=seed)


def table(report: Report, top: int) -> list[str]:
    """The best actions with the recommended one first, their values, and the expected line."""
    lines = [report.agent, *report_lines(report, top)]
    if report.values:
        lines.append(f"value by seat: {', '.join(f'{value:+.3f}' for value in report.values)}")
    limit = ", stopped growing at the memory limit" if report.truncated else ""
    lines.append(
        f"{report.simulations:,} simulations, {report.nodes:,} nodes, depth {report.depth}, "
        f"{report.memory / 1_048_576:.1f} MiB, {report.seconds:.2f} s{limit}"
    )
    return lines
