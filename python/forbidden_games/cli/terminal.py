"""What the terminal can show, and how text gets in and out of it.

Everything people read on standard output goes through here, so that colour, ASCII and the alternate screen are decided once.
Output for programs (`--json`, `playthrough`, `perft`) is printed plainly by the commands themselves.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

PIPE_WIDTH = 80
MIN_WIDTH = 60
MAX_WIDTH = 200
MAX_LINE = 65_536

_ALTERNATE_SCREEN = "\x1b[?1049h"
_ORDINARY_SCREEN = "\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[2J"


@dataclass(frozen=True)
class Screen:
    """What pictures may use, and whether a person sits in front."""

    color: bool
    ascii: bool
    width: int
    interactive: bool

    def plain(self) -> Screen:
        """The same without colour."""
        return replace(self, color=False)


def detect(*, ascii_only: bool = False) -> Screen:
    """Looks at standard input and output and at the environment (`NO_COLOR`, `TERM`)."""
    out_is_terminal = _is_terminal(sys.stdout)
    dumb = os.environ.get("TERM") == "dumb"
    return Screen(
        color=out_is_terminal and not dumb and not os.environ.get("NO_COLOR"),
        ascii=ascii_only or not _can_encode("─·●"),
        width=max(MIN_WIDTH, min(MAX_WIDTH, shutil.get_terminal_size().columns)) if out_is_terminal else PIPE_WIDTH,
        interactive=out_is_terminal and not dumb and _is_terminal(sys.stdin),
    )


def prepare_streams() -> None:
    """Makes odd bytes harmless: unreadable input and unprintable output are replaced instead of raising."""
    if sys.stderr is None:  # `print` would take standard output instead
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it stays open
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def say(text: str = "") -> None:
    """Prints one piece of text for people at once."""
    print(text, flush=True)


def warn(text: str) -> None:
    """Prints one line beside the output."""
    print(text, file=sys.stderr, flush=True)


def bold(text: str, screen: Screen) -> str:
    """The text as a heading, if there is colour."""
    return f"\x1b[1m{text}\x1b[0m" if screen.color else text


def dim(text: str, screen: Screen) -> str:
    """The text as what matters least, if there is colour."""
    return f"\x1b[2m{text}\x1b[0m" if screen.color else text


def clean(text: str, limit: int = 80) -> str:
    """Outside text fit to be shown: no control characters, not longer than `limit`."""
    shown = "".join(character if character.isprintable() else "\ufffd" for character in text[: limit + 1])
    return shown if len(shown) <= limit else shown[:limit] + "..."


def read_line(prompt: str, screen: Screen) -> str:
    """Reads one line, without its end.

    Raises:
        EOFError: If there is no further line.
        OSError: If there is no standard input at all.
    """
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    if screen.interactive:
        try:
            return input(prompt)
        except EOFError:
            say()  # Ctrl-D leaves the cursor behind the question
            raise
    print(prompt, end="", flush=True)
    line = sys.stdin.readline(MAX_LINE)
    if not line:
        say()
        raise EOFError
    while not line.endswith("\n"):  # a line beyond all reason: its rest is dropped
        rest = sys.stdin.readline(MAX_LINE)
        if not rest:
            break
        line = line[:MAX_LINE] if not rest.endswith("\n") else line[:MAX_LINE] + "\n"
    line = line.rstrip("\r\n")
    say(clean(line, 200))  # so that a transcript reads like a terminal
    return line


def confirm(question: str, screen: Screen) -> bool:
    """Asks until it is answered with yes or no; an end of input is no."""
    while True:
        try:
            answer = read_line(f"{question} [y/n] ", screen).strip().lower()
        except EOFError:
            return False
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
        say("please answer y or n")


def page(lines: Iterable[str], screen: Screen) -> None:
    """Prints lines; on a terminal it stops when the screen is full."""
    room = max(5, shutil.get_terminal_size().lines - 2)
    for number, line in enumerate(lines):
        if screen.interactive and number and number % room == 0:
            try:
                answer = read_line("-- Enter for more, q to stop -- ", screen)
            except EOFError:
                return
            if answer.strip().lower() in ("q", ":q", "quit", ":quit"):
                return
        say(line)


@contextmanager
def alternate_screen() -> Iterator[None]:
    """The second screen of a terminal: what is shown on it is gone afterwards and never in the scrollback."""
    print(_ALTERNATE_SCREEN + _CLEAR, end="", flush=True)
    try:
        yield
    finally:
        print(_CLEAR + _ORDINARY_SCREEN, end="", flush=True)


def clear() -> None:
    """Empties the screen."""
    print(_CLEAR, end="", flush=True)


def forget_typed() -> None:
    """Empties the list of lines that the arrow keys bring back: what somebody tried tells what he holds."""
    try:
        import readline
    except ImportError:
        return
    readline.clear_history()


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):  # no stream, or a closed one
        return False


def _can_encode(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
