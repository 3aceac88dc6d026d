"""What the adapters share."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

import forbidden_games as fg
from forbidden_games.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

    import numpy.typing as npt


def need(package: str, extra: str) -> ModuleType:
    """Import a package that an extra brings.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        message = f"forbidden_games.envs needs {package}: install forbidden-games[{extra}]"
        raise MissingExtraError(message) from error


def load(game: str | fg.Game, players: int | None, components: Any, options: dict[str, Any]) -> fg.Game:
    """A game as it is, or one by name with players, components and options."""
    if isinstance(game, fg.Game):
        if players is not None or components is not None or options:
            raise fg.OptionsError("game", "a game with players, components or options", "one of both: a name takes them")
        return game
    return fg.load(game, players, components=components, **options)


def bounds(game: fg.Game) -> npt.NDArray[np.float32]:
    """The greatest value of every feature as float32: `[observation_size]`."""
    return np.concatenate([np.full(block.size, block.bound / block.scale, np.float32) for block in game.observation_spec])


def encode(match: fg.Match, player: int) -> npt.NDArray[np.float32]:
    """What a seat perceives, in a fresh array."""
    return match.encode(player, np.zeros(match.game.observation_size, np.float32))


def is_refused(match: fg.Match, action: Any) -> bool:
    """Play an action id; whether it was refused."""
    try:
        match.play(int(action))
    except (fg.IllegalActionError, fg.ParseActionError, OverflowError):
        return True
    return False


class Seats:
    """Agents on some seats of one match after another; `None` is a seat left to somebody else."""

    def __init__(self, agents: Any, num_players: int, own: int) -> None:
        """Take one agent for all seats but `own`, or one for each of these in seat order."""
        others = [seat for seat in range(num_players) if seat != own]
        given = [agents] * len(others) if isinstance(agents, str) or not isinstance(agents, (list, tuple)) else list(agents)
        if len(given) != len(others):
            raise fg.OptionsError("opponents", f"{len(given)} agents", f"one, or {len(others)}: one for each other seat")
        self.agents: dict[int, Any] = dict(
            zip(others, (fg.agent(one) if isinstance(one, str) else one for one in given), strict=True)
        )

    def play_on(self, match: fg.Match) -> None:
        """Let the agents play until a seat without one is to move, or the game is over."""
        while (player := match.current_player) is not None and player in self.agents:
            agent, info = self.agents[player], match.information_state(player)
            if isinstance(agent, fg.SearchAgent):
                match.play(agent.act(info, seed=fg.agent_seed(match.seed, player, match.ply)))
            else:
                match.play(agent.act(info))
