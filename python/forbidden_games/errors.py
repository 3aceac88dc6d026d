"""Every error class of the package; the Rust side raises them too.

All are `ForbiddenGamesError`. Messages are one line, name the offender and say what would have been right.
"""

from __future__ import annotations


def one_line(text: str) -> str:
    """The text with characters escaped that could break its line or cannot be printed.

    Those are control characters, separators of lines and paragraphs (U+2028, U+2029), changes of direction, lone surrogates.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one == "\u00a0" else one.encode("unicode_escape").decode() for one in text)


class ForbiddenGamesError(Exception):
    """Base of every error that this package raises on purpose."""

    def __str__(self) -> str:
        return one_line(self._message())

    def _message(self) -> str:
        return super().__str__()


def _given(row: int | None) -> tuple[int, ...]:
    return () if row is None else (row,)


def _of_row(row: int | None) -> str:
    return "" if row is None else f"row {row}: "


class IllegalActionError(ForbiddenGamesError, ValueError):
    """A well-formed action or outcome that is not legal now; nothing has changed."""

    def __init__(self, action: str, rule: str, reason: str, row: int | None = None) -> None:
        """Keep what was refused and why, and in which row of a batch."""
        super().__init__(action, rule, reason, *_given(row))
        self.action = action
        """Its notation."""
        self.rule = rule
        """The number of the rule that forbids it, `FC-4.2`."""
        self.reason = reason
        """The reason, one line."""
        self.row = row
        """The row of a batch, if it was one."""

    def _message(self) -> str:
        return f"{_of_row(self.row)}{self.action} is not legal: {self.rule}: {self.reason}"


class ParseActionError(ForbiddenGamesError, ValueError):
    """Text (or a number) that cannot be read as an action or outcome of the game."""

    def __init__(self, text: str, expected: str, row: int | None = None) -> None:
        """Keep the text and the form that would have been right, and the row of a batch."""
        super().__init__(text, expected, *_given(row))
        self.text = text
        self.expected = expected
        self.row = row
        """The row of a batch, if it was one."""

    def _message(self) -> str:
        return f'{_of_row(self.row)}cannot parse "{self.text}": expected {self.expected}'


class _FoundExpectedError(ForbiddenGamesError, ValueError):
    """A wrong value in an option, a component set or a state."""

    _what = ""

    def __init__(self, key: str, found: str, expected: str) -> None:
        """Keep where it stands, what stands there, and what would have been right."""
        super().__init__(key, found, expected)
        self.key = key
        self.found = found
        self.expected = expected

    def _message(self) -> str:
        return f"{self._what}{self.key}: found {self.found}, expected {self.expected}"


class OptionsError(_FoundExpectedError):
    """An unknown game or option, or a value out of range; `.key` is the option."""

    _what = "option "


class ComponentsError(_FoundExpectedError):
    """A component set that does not fit its schema or fails a check; `.key` is the key with its index."""

    _what = "components: "


class StateError(_FoundExpectedError):
    """A state, position or observation object that is damaged or impossible; `.key` is the key with its index."""

    _what = "state: "


class RecordError(ForbiddenGamesError, ValueError):
    """A record that is damaged, does not follow the rules, or was made under other rules."""

    def __init__(self, line: int, ply: int | None, reason: str) -> None:
        """Keep where and why."""
        super().__init__(line, ply, reason)
        self.line = line
        """Line number from 1."""
        self.ply = ply
        """Decisions before the step at fault; `None` if the line itself cannot be read."""
        self.reason = reason

    def _message(self) -> str:
        where = f"line {self.line}" if self.ply is None else f"ply {self.ply}, line {self.line}"
        return f"record {where}: {self.reason}"


class NotOverError(ForbiddenGamesError, ValueError):
    """Ranking or returns were asked for before the end of the game."""


class AgentError(ForbiddenGamesError, ValueError):
    """An agent specification that cannot be read, or an agent that did not answer with a legal action."""


class AgentFailureError(AgentError):
    """An agent failed in a game of a tournament: it raised an exception, or did not answer with a legal action.

    `__cause__` is what it raised.
    """

    def __init__(self, agent: str, seat: int, game: int, seed: int, ply: int, reason: str) -> None:
        """Keep who failed, where and why."""
        super().__init__(agent, seat, game, seed, ply, reason)
        self.agent = agent
        """Its specification."""
        self.seat = seat
        self.game = game
        """Number of the game in the schedule, from 0."""
        self.seed = seed
        """Seed of the game."""
        self.ply = ply
        """Decisions before the one at fault."""
        self.reason = reason
        """What it did, one line."""

    def _message(self) -> str:
        return f"game {self.game}, seed {self.seed}, ply {self.ply}: agent {self.agent} at seat {self.seat}: {self.reason}"


class EvaluatorError(ForbiddenGamesError, ValueError):
    """A Python evaluator answered with a wrong shape or type, a number that is not finite, or a value outside [-1, 1]."""


class ConcurrentUseError(ForbiddenGamesError, RuntimeError):
    """An object or file was used from two places at once; nothing has changed.

    A second thread used a `Match` or a `SearchSession` while another was inside it (give each thread its own: `match.copy()`), or
    a second tournament began to write a results file.
    """


class InternalError(ForbiddenGamesError, RuntimeError):
    """An internal error broke a `Match`; its state is unknown, so every further call raises this error."""


class MissingExtraError(ForbiddenGamesError, ImportError):
    """A feature needs a package that is not installed; the message says which extra brings it."""
