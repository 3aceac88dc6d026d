"""`play_match`: one game between agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forbidden_games._rust import SearchAgent, SearchSession, Stop, agent_seed, play_native_match
from forbidden_games.agents import Agent, agent
from forbidden_games.errors import AgentError, ParseActionError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from forbidden_games._rust import Action, Game, Match, State


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    seed: int = 0,
    *,
    position: str | Mapping[str, Any] | None = None,
    state: State | str | Mapping[str, Any] | None = None,
    on_play: Callable[[Match], object] | None = None,
    stop: Stop | None = None,
) -> Match:
    """Play a game to its end.

    Args:
        game: The game.
        agents: One for each seat: a specification (`"greedy"`, `"ismcts:simulations=500"`), an agent made by `agent`, or any
            object with `act(info)`.
        seed: Decides the luck of the match and of native agents; the same seed gives the same game.
        position: Begin from a position of the rule page instead of the ordinary start.
        state: Begin from a state.
        on_play: Called with the match after each action.
        stop: Ends the match early, with `KeyboardInterrupt`, when it is set from another thread.

    Returns:
        The finished match: `match.scores`, `match.ranking`, `match.record`.

    Raises:
        AgentError: If the number of agents is wrong, one is no agent, or one answers with what is no action of the game.
        IllegalActionError: If an agent answers with an action that is not legal.
    """
    if len(agents) != game.num_players:
        raise AgentError(f"{len(agents)} agents: expected {game.num_players}, one for each seat")
    seated: list[Agent] = [agent(one) if isinstance(one, str) else one for one in agents]
    for seat, one in enumerate(seated):
        if not isinstance(one, Agent):
            raise AgentError(f"agents[{seat}]: {type(one).__name__} has no method act(info)")
    names = [str(one) if isinstance(one, SearchAgent) else type(one).__name__ for one in seated]
    match = game.new_match(seed, position=position, state=state, seats=names)
    play_out(match, seated, on_play=on_play, stop=stop)
    return match


def play_out(
    match: Match, seated: Sequence[Agent], *, on_play: Callable[[Match], object] | None = None, stop: Stop | None = None
) -> None:
    """Play a match to its end; after an error it stands where the agent at fault was asked."""
    native = [one for one in seated if isinstance(one, SearchAgent)]
    if on_play is None and len(native) == len(seated):
        play_native_match(match, native, stop)
        return
    players: list[Agent] = [one.new_session() if isinstance(one, SearchAgent) else one for one in seated]
    while (player := match.current_player) is not None:
        if stop is not None and stop.is_set:
            raise KeyboardInterrupt
        match.play(choose(players[player], match, player))
        if on_play is not None:
            on_play(match)


def choose(one: Agent, match: Match, player: int) -> Action:
    """The action that an agent chooses for `player` now; native agents draw from (seed of the match, seat, ply).

    Raises:
        AgentError: If the answer is no action of the game at all.
        IllegalActionError: If it is an action that is not legal now.
    """
    info = match.information_state(player)
    if isinstance(one, SearchAgent | SearchSession):
        return one.act(info, seed=agent_seed(match.seed, player, match.ply))
    answer = one.act(info)
    try:
        match.check(answer)
    except (TypeError, ParseActionError) as error:
        raise AgentError(f"agent {type(one).__name__} at seat {player}: no action of the game: {error}") from error
    return answer
