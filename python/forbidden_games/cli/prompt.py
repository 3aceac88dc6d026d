"""Reads a typed line as an action, a part of one, or a command; also makes lists of actions for people.

Nothing here knows a game: notations are compared as text, and the game itself says what a non-canonical form means.
"""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import forbidden_games as fg
from forbidden_games.cli.terminal import clean

if TYPE_CHECKING:
    from forbidden_games import Action, Game, InformationState, State

COMMANDS = {
    ":moves": ":moves [FILTER]   list the legal actions, or those that contain FILTER",
    ":hint": ":hint [AGENT]     ask an agent what it would do",
    ":undo": ":undo             take back to your own last decision, over the bots",
    ":save": ":save [FILE]      write the record (--force FILE overwrites); the game is kept anyway",
    ":view": ":view [SQUARE]    draw again, around a square where the picture shows a part",
    ":rules": ":rules [WHAT]     the rules in short, or about a number or a word",
    ":help": ":help             this page, as ? does",
    ":quit": ":quit             leave; the game is kept and can be resumed",
}
ALIASES = {"?": ":help", ":?": ":help", ":h": ":help", ":q": ":quit", ":exit": ":quit", "exit": ":quit"}
"""Other words that people type."""
ALONE = (":undo", ":help", ":quit")
"""Commands that take nothing more."""


SEARCHED_IDS = 100_000
"""Largest part of an action space that is looked through to explain a refusal; a fraction of a second."""


@dataclass(frozen=True)
class Play:
    """The line means this action; `echo` if it was typed in another form."""

    action: Action
    echo: bool


@dataclass(frozen=True)
class Part:
    """The line is a part of these legal actions, in their order."""

    actions: list[Action]


@dataclass(frozen=True)
class Refusal:
    """The line means nothing that can be done; one line says why."""

    reason: str


@dataclass(frozen=True)
class Command:
    """The line is a command, by its full name, with what stands behind it."""

    name: str
    rest: str


def command(line: str) -> Command | Refusal | None:
    """The command that a line is, also without its colon; a line with a colon that is none is refused. `None`: neither."""
    word, _, rest = line.strip().partition(" ")
    word = word.lower()
    name = ALIASES.get(word, word if word in COMMANDS else f":{word}")
    if name in COMMANDS:
        rest = rest.strip()
        if rest and name in ALONE:
            return Refusal(f"{name} takes nothing more: found {clean(rest, 40)}")
        return Command(name, rest)
    if not word.startswith(":"):
        return None
    meant = _near_command(word) or f"expected one of {', '.join(COMMANDS)}"
    return Refusal(f"{clean(word, 20)} is no command: {meant}")


def _near_command(word: str) -> str:
    """Which command somebody may have meant; empty if none is near."""
    found = difflib.get_close_matches(":" + word.lower().lstrip(":")[:20], [*COMMANDS, ":exit"], n=1, cutoff=0.7)
    return f"did you mean {ALIASES.get(found[0], found[0])}?" if found else ""


def read(text: str, info: InformationState, state: State, *, explain: bool = True) -> Play | Part | Refusal:
    """What one typed action means for the seat that is to move; without `explain` a refusal gives no reason."""
    legal = info.legal_actions
    if text.startswith("#"):
        digits = text[1:].strip()
        if digits.isascii() and digits.isdigit() and len(digits) < 9 and 1 <= int(digits) <= len(legal):
            return Play(legal[int(digits) - 1], echo=True)
        return Refusal(f"{clean(text, 20)}: expected #1 to #{len(legal)}")
    action = info.interpret(text)
    if action is not None:
        return Play(action, echo=str(action) != text)
    if not explain:
        return Refusal("")
    try:
        state.check(info.game.parse_action(text), player=info.player)
    except fg.IllegalActionError as error:
        return Refusal(str(error))
    except fg.ParseActionError as error:
        is_square = info.game.is_square(text)
        found = completions(text, legal) or (containing(text, legal) if is_square else [])
        if found:
            return Part(found)
        near = _near_command(text.split(" ")[0]) if " " not in text else ""
        near = near and f"; {near}"
        reason = _why_no_part(text, info.game, state, anywhere=is_square)
        return Refusal(reason or f"{error}{near or _near(text, legal)}")
    return Refusal(f"{clean(text)} means more than one action")


def completions(text: str, legal: Sequence[Action]) -> list[Action]:
    """The legal actions that begin with the text, or whose group (square or verb) it is."""
    part = squeeze(text)
    if not part:
        return []
    notations = [(action, squeeze(str(action))) for action in legal]
    whole_words = [action for action, notation in notations if notation.startswith(part + " ") or notation == part]
    if whole_words:
        return whole_words
    begun = [action for action, notation in notations if notation.startswith(part)]
    return begun or [action for action in legal if squeeze(action.group) == part]


def containing(text: str, legal: Sequence[Action]) -> list[Action]:
    """The legal actions of a group, and those with the text in them; a number in it is a whole number."""
    part = squeeze(text)
    has_part = _has_part(part)
    return [action for action in legal if squeeze(action.group) == part or has_part(squeeze(str(action)))]


def _has_part(part: str) -> Callable[[str], object]:
    """Whether a notation has the part in it."""
    before = r"(?<![\d-])" if part[:1].isdigit() else r"(?<!\d)" if part.startswith("-") else ""
    return re.compile(before + re.escape(part) + (r"(?!\d)" if part[-1:].isdigit() else "")).search


def squeeze(text: str) -> str:
    """Text in the form in which notations are compared: small letters, single blanks, none around commas and colons."""
    return re.sub(r" ?([,:]) ?", r"\1", " ".join(text.lower().split()))


def _why_no_part(text: str, game: Game, state: State, *, anywhere: bool) -> str | None:
    """Why a part of a notation leads to nothing legal now: what is said of one action that begins with it, or has it in it."""
    part = squeeze(text)
    if not part:
        return None
    has_part = _has_part(part)
    for number in range(min(game.num_actions, SEARCHED_IDS)):
        action = game.action(number)
        notation = squeeze(str(action))
        if notation.startswith(part + " ") or squeeze(action.group) == part or (anywhere and has_part(notation)):
            try:
                state.check(action, player=state.current_player)
            except fg.IllegalActionError as error:
                return f"nothing legal {'has' if anywhere else 'begins with'} {clean(text, 40)}: {error}"
    return None


def _near(text: str, legal: Sequence[Action]) -> str:
    notations = [str(action) for action in legal]
    near = difflib.get_close_matches(squeeze(text)[:40], notations, n=3, cutoff=0.6)
    return f"; near: {', '.join(near)}" if near else ""


def numbered(actions: Sequence[Action], legal: Sequence[Action], width: int) -> Iterator[str]:
    """Lines of a list, grouped by square or verb, each action with the number that `#` takes."""
    numbers = {int(action): number for number, action in enumerate(legal, start=1)}
    groups: dict[str, list[str]] = {}
    for action in actions:
        groups.setdefault(action.group, []).append(f"#{numbers[int(action)]} {action}".replace(" ", "\u00a0"))
    margin = min(10, max((len(name) for name in groups), default=0) + 2)
    for name, entries in groups.items():
        wrapped = textwrap.wrap(
            "  ".join(entries),
            max(width - margin, 20),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for number, line in enumerate(wrapped):
            label = f"{name:<{margin}}" if number == 0 else " " * margin
            yield (label + line).replace("\u00a0", " ").rstrip()


def _examples(notations: list[str], most: int = 6) -> list[str]:
    """One for each verb where there are several, else some from the whole list."""
    verbs = {notation.split(" ")[0]: notation for notation in reversed(notations)}
    chosen = list(reversed(verbs.values())) if 2 <= len(verbs) <= most else notations
    return chosen if len(chosen) <= most else [chosen[place * len(chosen) // most] for place in range(most)]


def help_lines(info: InformationState) -> Iterator[str]:
    """What can be typed, with examples from the position itself."""
    legal = info.legal_actions
    yield f"Type an action, for example: {', '.join(_examples([str(action) for action in legal]))}"
    yield "  several with ; between them        a whole turn in one line"
    yield "  a part of an action                what can follow, marked in the picture"
    yield "  #12                                the action with this number in :moves"
    if len(legal) == 1:
        yield "  Enter alone                        the only legal action"
    yield "Commands:"
    for line in COMMANDS.values():
        yield f"  {line}"
