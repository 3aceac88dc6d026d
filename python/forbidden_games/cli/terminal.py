"""Input and output of text, by the abilities of the terminal.

Everything people read on standard output goes through here, so that colour, ASCII and the alternate screen are decided once.
Output for programs (`--json`, `playthrough`, `perft`) is printed plainly by the commands themselves.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from forbidden_games.cli import signals

PIPE_WIDTH = 80
MIN_WIDTH = 60
MAX_WIDTH = 200
MAX_LINE = 65_536

_ALTERNATE_SCREEN = "\x1b[?1049h"
_ORDINARY_SCREEN = "\x1b[?1049l"
_CLEAR = "\x1b[H\x1b[2J"


LEAVING = (":quit", ":q", ":exit", "quit", "exit")
"""What leaves a game, at every question."""
_MARK = "\ufeff"
_after_stop: list[Callable[[], None]] = []


class QuitError(Exception):
    """A person leaves the game; it is saved."""


@dataclass(frozen=True)
class Screen:
    """The abilities of the terminal: width, colour, characters, and whether a person can answer."""

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
    dumb = os.environ.get("TERM") in ("dumb", "unknown")
    return Screen(
        color=out_is_terminal and not dumb and not os.environ.get("NO_COLOR"),
        ascii=ascii_only or not _can_encode("─·●"),
        width=max(MIN_WIDTH, min(MAX_WIDTH, shutil.get_terminal_size().columns)) if out_is_terminal else PIPE_WIDTH,
        interactive=out_is_terminal and not dumb and _is_terminal(sys.stdin),
    )


def prepare_streams() -> None:
    """Replaces undecodable input and unencodable output instead of raising.

    A terminal that does not say what it is gets plain text, from the libraries that look at `TERM` too.
    """
    if os.name != "nt" and not os.environ.get("TERM"):
        os.environ["TERM"] = "dumb"
    if sys.stderr is None:  # `print` would take standard output instead
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it stays open
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def say(text: str = "") -> None:
    """Prints one piece of text for people at once."""
    print(text, flush=True)


def say_lines(lines: Iterable[str]) -> None:
    """Prints lines at once; nothing if there are none."""
    text = "\n".join(lines)
    if text:
        say(text)


def warn(text: str) -> None:
    """Prints one line beside the output."""
    print(text, file=sys.stderr, flush=True)


def bold(text: str, screen: Screen) -> str:
    """The text as a heading, if there is colour."""
    return f"\x1b[1m{text}\x1b[0m" if screen.color else text


def dim(text: str, screen: Screen) -> str:
    """The text as less important, if there is colour."""
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
            return _without_mark(signals.again(lambda: input(prompt), _redraw))
        except EOFError:
            say()  # Ctrl-D leaves the cursor behind the question
            raise
    print(prompt, end="", flush=True)
    line = signals.again(lambda: sys.stdin.readline(MAX_LINE), lambda: print(prompt, end="", flush=True))
    if not line:
        say()
        raise EOFError
    while not line.endswith("\n"):  # a line beyond all reason: its rest is dropped
        rest = sys.stdin.readline(MAX_LINE)
        if not rest:
            break
        line = line[:MAX_LINE] if not rest.endswith("\n") else line[:MAX_LINE] + "\n"
    line = _without_mark(line.rstrip("\r\n"))
    if not _is_terminal(sys.stdin):  # which shows what is typed by itself
        say(clean(line, 200))  # so that a transcript reads like a terminal
    return line


@contextmanager
def redrawing(redraw: Callable[[], None]) -> Iterator[None]:
    """Inside, `redraw` shows what belongs above a question that is put again after Ctrl-Z."""
    _after_stop.append(redraw)
    try:
        yield
    finally:
        _after_stop.pop()


def _redraw() -> None:
    if _after_stop:
        _after_stop[-1]()


def _without_mark(line: str) -> str:
    """A line without the byte order mark that some programs write first, in whatever encoding it was read."""
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"
    for mark in (_MARK, _MARK.encode().decode(encoding, errors="replace")):
        line = line.removeprefix(mark)
    return line


def confirm(question: str, screen: Screen) -> bool:
    """Asks until there is an answer; Enter alone and the end of input mean no.

    Raises:
        QuitError: If the answer is to leave.
    """
    while True:
        try:
            answer = read_line(f"{question} [y/n] ", screen).strip().lower()
        except EOFError:
            return False
        if answer in ("y", "yes"):
            return True
        if answer in ("", "n", "no"):
            return False
        if answer in LEAVING:
            raise QuitError
        say("please answer y or n; Enter alone is no, :quit leaves")


def page(lines: Iterable[str], screen: Screen) -> str:
    """Prints lines; on a terminal it stops when the screen is full.

    Returns:
        What is typed there instead of Enter, for the caller to carry out.
    """
    room = max(5, shutil.get_terminal_size().lines - 2)
    for number, line in enumerate(lines):
        if screen.interactive and number and number % room == 0:
            try:
                answer = read_line("-- Enter for more, q to stop -- ", screen)
            except EOFError:
                return ""
            if answer.strip():
                return "" if answer.strip().lower() == "q" else answer.strip()
        say(line)
    return ""


def show_in_pager(text: str) -> None:
    """Shows a long text in the person's pager (`PAGER`, else `less` or `more`), which a signal ends together with the program."""
    import shlex
    import subprocess

    known = (name for name in ("less", "more") if shutil.which(name))
    try:
        pager = subprocess.Popen(
            shlex.split(os.environ.get("PAGER") or next(known, "")), stdin=subprocess.PIPE, text=True, errors="replace"
        )
    except (OSError, ValueError, IndexError):
        say(text.rstrip("\n"))
        return
    try:
        with suppress(BrokenPipeError):  # left before the end
            pager.communicate(text)
    finally:
        if pager.poll() is None:
            pager.terminate()
            with suppress(subprocess.TimeoutExpired):
                pager.wait(2)


@contextmanager
def alternate_screen() -> Iterator[None]:
    """The second screen of a terminal: what is shown on it is gone afterwards and never in the scrollback."""
    with signals.second_screen(_ALTERNATE_SCREEN + _CLEAR, _CLEAR + _ORDINARY_SCREEN):
        yield


def clear() -> None:
    """Empties the screen."""
    print(_CLEAR, end="", flush=True)


def forget_typed() -> None:
    """Clears the line history, which may reveal the hand of the person before."""
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
