"""Finds the one playable order of actions that were typed in another order of the same turn.

Nothing here knows a game: other orders of actions of one verb in one phase are tried on copies of the state, and one is taken if
all that can be played lead to the same state. What luck will bring is not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import TYPE_CHECKING

import forbidden_games as fg
from forbidden_games.cli import prompt

if TYPE_CHECKING:
    from forbidden_games import Action, Match, State

MOST = 5
"""So many actions are tried in every order."""


@dataclass(frozen=True)
class Order:
    """The order in which the typed actions are played."""

    back: int
    """Own actions that are taken back first; they are played again among the others."""
    lines: list[str]
    """All that is left to play, the part that changes places first."""
    moved: int
    """How many of the lines that part has."""


def find(parts: Sequence[str], match: Match) -> Order | None:
    """Another order for what was typed and cannot be played as it stands; `None` if it can, or if nothing else can be meant."""
    seat = match.current_player
    assert seat is not None
    played, states = _played_before(match, seat)
    failed = _first_that_fails(parts, states, seat)
    if failed is None:
        return None
    texts = [*played, *parts]
    last = len(played) + failed
    for first in range(last - 1, max(-1, last - MOST), -1):
        if first >= len(states):
            continue
        window = texts[first : last + 1]
        found = _only_order(window, states[first], seat)
        if found is not None:
            back = max(0, len(played) - first)
            before = [] if back else texts[len(played) : first]
            return Order(back, [*before, *found, *texts[last + 1 :]], len(before) + len(found))
    return None


def _played_before(match: Match, seat: int) -> tuple[list[str], list[State]]:
    """The seat's own last actions in this phase with no draw after them, and the states before each of them and now."""
    now = match.state
    played: list[str] = []
    states = [now]
    earlier = match.copy()
    while len(played) < MOST - 1:
        history = earlier.history
        if not history or not isinstance(history[-1], fg.Action) or not earlier.undo():
            break
        state = earlier.state
        if state.current_player != seat or state.phase != now.phase:
            break
        played.insert(0, str(history[-1]))
        states.insert(0, state)
    return played, states


def _first_that_fails(parts: Sequence[str], states: list[State], seat: int) -> int | None:
    """Which part cannot be played as typed; `states` gets the states before each part. `None` also where luck comes first."""
    state = states[-1]
    for number, part in enumerate(parts):
        action = _action(part, state, seat)
        if action is None:
            return None if state.is_chance else number
        state = state.child(action)
        states.append(state)
    return None


def _action(text: str, state: State, seat: int) -> Action | None:
    """What was typed, if the seat may play it there; a number of a list means something else in another order."""
    if state.current_player != seat or text.startswith("#"):
        return None
    reading = prompt.read(text, state.information_state(seat), state, explain=False)
    return reading.action if isinstance(reading, prompt.Play) else None


def _only_order(window: Sequence[str], start: State, seat: int) -> list[str] | None:
    """The texts in the order in which they can be played, all in one phase and with one verb, if that has one result only."""
    found: dict[State, list[str]] = {}
    for texts in permutations(window):
        states = [start]
        notations: list[str] = []
        for text in texts:
            action = _action(text, states[-1], seat) if states[-1].phase == start.phase else None
            if action is None:
                break
            notations.append(str(action))
            states.append(states[-1].child(action))
        else:
            if all(one.split(" ")[0] == other.split(" ")[0] for one, other in pairwise(notations)):
                found.setdefault(states[-1], notations)
    return next(iter(found.values())) if len(found) == 1 else None
