"""Agents choose actions. Native agents are made from a specification; your own follow the `Agent` protocol."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

from forbidden_games._rust import SearchAgent
from forbidden_games.errors import AgentError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from forbidden_games._rust import Action, InformationState


@runtime_checkable
class Agent(Protocol):
    """The protocol of an agent: it answers with a legal action, and sees only what its seat may know."""

    def act(self, info: InformationState, /) -> Action:
        """Choose one of `info.legal_actions`."""
        ...


class Evaluator(Protocol):
    """The protocol of an evaluator: it judges batches of `B` positions for a native search, in place of rollouts and priors."""

    def __call__(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], players: npt.NDArray[np.int64], /
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Judge each row independently of the others.

        Args:
            observations: `[B, observation_size]`, what the seat to move perceives.
            masks: `[B, num_actions]`, which actions are legal.
            players: `[B]`, the seat to move.

        Returns:
            Priors `[B, num_actions]`, not negative, those of illegal actions are ignored; and values `[B, num_players]`, the
            expected return of every seat in seat order. Both float32.
        """
        ...


def agent(spec: str) -> SearchAgent:
    """Make an agent from a specification.

    For a class of yours (`py:module:Class`) the answer is the object of that class, of which only `act` can be relied on; the
    annotation is that of every other specification, since a type cannot depend on how a text begins.

    Args:
        spec: `name:key=value,key=value` for a native agent (`"ismcts:simulations=2000,threads=2"`), a level (`"expert"`), or
            `py:module:Class` for a class of yours that is called without arguments.

    Raises:
        AgentError: If the specification cannot be read, or the class does not follow the `Agent` protocol.
        TypeError: If it is no text.
    """
    if not isinstance(spec, str):
        raise TypeError(f"spec: found {type(spec).__name__}, expected a text")
    if not spec.startswith("py:"):
        return SearchAgent(spec)
    _, _, path = spec.partition(":")
    module_name, _, class_name = path.partition(":")
    if not module_name or not class_name:
        raise AgentError(f'agent "{spec}": expected py:module:Class')
    try:
        made = getattr(importlib.import_module(module_name), class_name)()
    except (Exception, SystemExit) as error:  # somebody else's code: whatever it raises, the agent is what failed
        reason = " ".join(str(error).split()) or "no reason given"
        if not isinstance(error, (ImportError, AttributeError)):
            reason = f"{type(error).__name__}: {reason}"
        raise AgentError(f'agent "{spec}": {reason}') from error
    if not isinstance(made, Agent):
        raise AgentError(f'agent "{spec}": {class_name} has no method act(info)')
    return cast("SearchAgent", made)
