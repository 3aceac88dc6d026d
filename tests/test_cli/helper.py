"""Running the command line in the tests: in this process, in another, and at a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forbidden_games.cli import app
from typer.testing import CliRunner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    assert [line[:7] for line in lines] == ["error: "], (arguments, result)
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

    def __init__(
        self, *arguments: str, environment: Mapping[str, str] | None = None, program: Sequence[str] = ("-m", "forbidden_games")
    ) -> None:
        """Starts the program; `program` is what Python runs."""
        import fcntl
        import pty
        import termios

        variables = {**os.environ, "TERM": "xterm-256color", "INPUTRC": os.devnull, **(environment or {})}
        variables.pop("COLUMNS", None)
        variables.pop("LINES", None)
        self.master, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
        # A session leader that opens a terminal gets it as its own, so that Ctrl-C reaches the program. Whoever runs the
        # tests in the background ignores Ctrl-C and Ctrl-\, `nohup` the end of a terminal, and what is ignored is handed on.
        attach = (
            "import os, signal, sys; "
            "[signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP)]; "
            "terminal = os.open(sys.argv[1], os.O_RDWR); "
            "[os.dup2(terminal, number) for number in range(3)]; os.execv(sys.argv[2], sys.argv[2:])"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", attach, os.ttyname(other), sys.executable, *program, *arguments],
            env=variables,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        self.other = other  # kept open: a terminal without anybody at its other end cannot be read
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
        """Reads what there is; false at the end of the program or of the time."""
        while True:
            has_ended = self.process.poll() is not None
            ready, _, _ = select.select([self.master], [], [], 0 if has_ended else 0.05)
            if ready:
                self.raw += os.read(self.master, 65536)
                return True
            if has_ended or time.monotonic() > limit:
                return False

    def type(self, line: str) -> None:
        """Types a line and Enter."""
        os.write(self.master, line.encode() + b"\n")

    def press(self, key: bytes) -> None:
        """Presses a key: `b"\\x03"` is Ctrl-C, `b"\\x04"` Ctrl-D."""
        os.write(self.master, key)

    def interrupt(self, pattern: str) -> str:
        """Presses Ctrl-C and waits for the pattern; what was shown up to there.

        Once more if nothing happens: Python forgets a Ctrl-C that comes in the moment between showing a question and
        waiting for the answer, and a test is quick enough to hit it.
        """
        for _ in range(5):
            self.press(b"\x03")
            try:
                return self.expect(pattern, timeout=5)
            except AssertionError:
                if self.process.poll() is not None:
                    raise
        raise AssertionError(f"Ctrl-C is not heeded; last: {plain(self.text)[-2000:]}")

    def end(self, timeout: float = 60) -> int:
        """Reads to the end; the exit code."""
        limit = time.monotonic() + timeout
        while self._read(limit):
            pass
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.other)
        assert time.monotonic() <= limit, f"the program did not end; last: {plain(self.text)[-2000:]}"
        self.code = self.process.returncode
        return self.code
