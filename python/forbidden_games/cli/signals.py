"""Handles signals that end or stop the program: restores the terminal, and sets the exit code.

SIGTERM, SIGHUP and SIGQUIT end it the way Ctrl-C does, so that everything on the way is put back and kept; the code is 128 and
the number of the signal. SIGTSTP (Ctrl-Z) first leaves the second screen, so that no hand stays in sight, and comes back to it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_ENDING = ("SIGTERM", "SIGHUP", "SIGQUIT")
_SHOW_CURSOR = "\x1b[?25h"


class StoppedError(BaseException):
    """Ctrl-Z came while a question was open; the caller calls `stop` and asks again."""


class Received:
    """The signal that has ended the program, if any."""

    def __init__(self) -> None:
        """None so far."""
        self.number: int | None = None

    def code(self, otherwise: int) -> int:
        """The exit code: 128 and the number of the signal, or that of an ordinary end."""
        return otherwise if self.number is None else 128 + self.number


class _Place:
    """What the program is doing with the terminal."""

    asking = False
    """Whether a question is open, with echo and line mode in the hands of readline."""
    is_ending = False
    """Whether a signal has ended the program. In some places, such as finalizers, Python drops what a handler raises: then the
    next question, or the next signal while one is open, ends it after all."""
    leave: str | None = None
    """What leaves the second screen; `None` on the ordinary one."""
    enter = ""


@contextmanager
def handled() -> Iterator[Received]:
    """Handles the signals inside, and puts the modes of the terminal back at the end."""
    received = Received()
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def end(number: int, _frame: FrameType | None) -> None:
        if received.number is not None and not _Place.asking:  # a second one does not disturb the clearing up
            return
        received.number = received.number or number
        _Place.is_ending = True
        raise KeyboardInterrupt

    def suspend(_number: int, _frame: FrameType | None) -> None:
        if _Place.asking:
            raise StoppedError
        stop()

    before: dict[int, Any] = {}
    for name, handler in (*((name, end) for name in _ENDING), ("SIGTSTP", suspend)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # ignored stays ignored: nohup
            before[number] = signal.signal(number, handler)
    modes = _modes()
    try:
        yield received
    finally:
        _Place.is_ending = False
        _restore(modes)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def asking() -> Iterator[None]:
    """While a question is open, Ctrl-Z raises `StoppedError`."""
    _Place.asking = True
    try:
        if _Place.is_ending:
            raise KeyboardInterrupt
        yield
    finally:
        _Place.asking = False


@contextmanager
def second_screen(enter: str, leave: str) -> Iterator[None]:
    """Context manager: switches to the second screen of the terminal, and back while the program is stopped."""
    _Place.enter, _Place.leave = enter, leave
    _write(enter)
    try:
        yield
    finally:
        _Place.leave = None
        _write(leave)


def stop() -> None:
    """Stops as Ctrl-Z asks, and returns when the program is continued."""
    if not hasattr(signal, "SIGTSTP"):
        return
    with suppress(OSError, ValueError):
        _write(_Place.leave or "")
        show_cursor()
    modes = _modes()
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)
    _restore(modes)
    if _Place.leave is not None:
        _write(_Place.enter)


def again(question: Callable[[], str], redraw: Callable[[], None]) -> str:
    """The answer to a question, which is put again after each stop, under what `redraw` shows."""
    while True:
        try:
            with asking():
                return question()
        except StoppedError:
            stop()
            redraw()


def show_cursor() -> None:
    """Shows the cursor again; a progress bar that is interrupted may have hidden it."""
    with suppress(OSError, ValueError):
        for stream in (sys.__stderr__, sys.__stdout__):  # not what a progress bar has put in their places
            if stream is not None and stream.isatty() and os.environ.get("TERM") not in (None, "dumb", "unknown"):
                stream.write(_SHOW_CURSOR)
                stream.flush()
                return


def _write(text: str) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write(text)
        sys.stdout.flush()


def _modes() -> list[Any] | None:
    """Echo, line mode and the like of the terminal at standard input, if there is one."""
    try:
        import termios

        return termios.tcgetattr(sys.stdin.fileno())
    except (ImportError, AttributeError, ValueError, OSError, _termios_error()):
        return None


def _restore(modes: list[Any] | None) -> None:
    """Puts the modes back where they differ; a program in the background may not, and need not."""
    if modes is None or modes == _modes():
        return
    with suppress(AttributeError, ValueError, OSError, _termios_error()):
        import termios

        if os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp():
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, modes)


def _termios_error() -> type[Exception]:
    try:
        import termios
    except ImportError:
        return OSError
    return termios.error
