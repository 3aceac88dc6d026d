"""Running the command line in the tests: in this process, in another, and at a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass

from forbidden_games.cli import app
from typer.testing import CliRunner

PROGRAM = [sys.executable, "-m", "forbidden_games"]
_ANSI = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])")


@dataclass(frozen=True)
class Result:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def run(*arguments: str, typed: str | None = None) -> Result:
    """Runs a command in this process, with standard input from a pipe."""
    result = CliRunner().invoke(app, list(arguments), input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Result(result.exit_code, result.stdout, result.stderr)


def good(*arguments: str, typed: str | None = None) -> str:
    """The output of a command that must succeed."""
    result = run(*arguments, typed=typed)
    assert result.code == 0, (arguments, result)
    return result.out


def refused(*arguments: str, code: int, typed: str | None = None) -> str:
    """The one line on standard error of a command that must fail."""
    result = run(*arguments, typed=typed)
    assert result.code == code, (arguments, result)
    lines = [line for line in result.err.splitlines() if not line.startswith("warning: ")]
    assert len(lines) == 1 and lines[0].startswith("error: "), (arguments, result)
    assert "Traceback" not in result.err + result.out
    return lines[0]


def other_process(
    *arguments: str, typed: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs a command in another process."""
    return subprocess.run(
        [*PROGRAM, *arguments],
        input=typed,
        capture_output=True,
        timeout=120,
        env={**os.environ, **(environment or {})},
        check=False,
    )


def plain(text: str) -> str:
    """Text without colour and cursor movements."""
    return _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


class Terminal:
    """The command line at a pseudo-terminal of 80 by 50, with a person who types."""

    def __init__(self, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """Starts the program."""
        import fcntl
        import pty
        import termios

        variables = {**os.environ, "TERM": "xterm-256color", "INPUTRC": os.devnull, **(environment or {})}
        variables.pop("COLUMNS", None)
        variables.pop("LINES", None)
        self.process, self.master = pty.fork()
        if self.process == 0:
            os.execve(PROGRAM[0], [*PROGRAM, *arguments], variables)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
        self.raw = b""
        self.read_to = 0
        self.code: int | None = None

    @property
    def text(self) -> str:
        """Everything shown so far, escape sequences included."""
        return self.raw.decode("utf-8", errors="replace")

    def expect(self, *patterns: str, timeout: float = 60) -> str:
        """Waits until one of the patterns is shown (after what was waited for before); what was shown up to there."""
        wanted = re.compile("|".join(f"(?:{pattern})" for pattern in patterns).encode())
        limit = time.monotonic() + timeout
        while True:
            found = wanted.search(self.raw, self.read_to)
            if found:
                shown = self.raw[self.read_to : found.end()]
                self.read_to = found.end()
                return shown.decode("utf-8", errors="replace")
            if time.monotonic() > limit or not self._read(limit):
                raise AssertionError(f"{patterns} was never shown; last: {plain(self.text)[-2000:]}")

    def _read(self, limit: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0.0, limit - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.raw += data
        return bool(data)

    def type(self, line: str) -> None:
        """Types a line and Enter."""
        os.write(self.master, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Presses a key: `b"\\x03"` is Ctrl-C, `b"\\x04"` Ctrl-D."""
        os.write(self.master, key)

    def end(self, timeout: float = 60) -> int:
        """Reads to the end; the exit code."""
        limit = time.monotonic() + timeout
        while self._read(limit):
            pass
        while self.code is None:
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > limit:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
                raise AssertionError(f"the program did not end; last: {plain(self.text)[-2000:]}")
            else:
                time.sleep(0.01)
        os.close(self.master)
        return self.code
