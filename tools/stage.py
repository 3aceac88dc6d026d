"""Runs one command of the Makefile as a named stage: `python -m tools.stage NAME [--tick] -- COMMAND...`.

It prints the name before, the seconds after, and with `--tick` a line every ten seconds, so that a long compilation is not taken
for a dead one. The command's exit code is passed on. Nothing but the standard library is needed, and any Python 3.11 or later.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TICK = 10.0


def duration(seconds: float) -> str:
    """`42 s`, `3 min 5 s`."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def expected(cpu_seconds: float, count: int) -> str:
    """The expected time of a compilation on this number of cores, in words."""
    # It keeps about 1.6 of 2 cores busy, and its last crates leave further cores idle.
    wall = cpu_seconds / min(0.8 * count, 4.0)
    about = f"{round(wall, -1):.0f} seconds" if wall < 100 else f"{wall / 60:.0f} minutes"
    return f"about {about} on {count} idle core{'s' if count > 1 else ''}"


def _say(text: str, *, over: bool = False) -> None:
    # cargo draws its progress bar into the last line of a terminal; what is printed there has to clear the line first.
    print(f"\r\x1b[K{text}" if over and sys.stderr.isatty() else text, file=sys.stderr, flush=True)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(
    name: str,
    command: list[str],
    *,
    tick: bool = False,
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
) -> int:
    """Runs the command, with further variables and in a folder; its exit code, or 127 where there is no such program."""
    began, before = time.monotonic(), os.times()
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(TICK):
            _say(f"   {name}: {duration(time.monotonic() - began)} so far", over=True)

    ticker = threading.Thread(target=tell, daemon=True)
    if tick:
        ticker.start()
    try:
        code = subprocess.run(command, env={**os.environ, **(environment or {})}, cwd=folder, check=False).returncode
    except OSError as error:
        _say(f"error: {command[0]}: {error.strerror}")
        return 127
    except KeyboardInterrupt:
        return 130
    finally:
        ended.set()
    after = os.times()
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    end = "done" if code == 0 else f"FAILED with exit code {code}"
    _say(f"== {name}: {end} after {duration(time.monotonic() - began)}, {cpu:.1f} CPU seconds")
    return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    """Reads the options before `--` and runs what is behind it."""
    parser = argparse.ArgumentParser(prog="python -m tools.stage", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--tick", action="store_true", help="say every ten seconds how long it has run")
    # The command may have a `--` of its own, which argparse would take away.
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    command = arguments[split + 1 :]
    if not command:
        parser.error("there is no command after --")
    _say(f"== {options.name}")
    return run(options.name, command, tick=options.tick)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
