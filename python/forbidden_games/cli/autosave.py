"""Saves games automatically in the platform's state folder, and finds them by name."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError
from forbidden_games.files import Lock, clear_leftovers, write_text

SUFFIX = ".jsonl"
PRIVATE = 0o600
"""Kept games tell what somebody holds: for the player's eyes only."""


def folder() -> Path:
    """The folder of saved games."""
    from platformdirs import user_state_path

    return user_state_path("forbidden-games", appauthor=False) / "games"


def kept() -> Iterator[Path]:
    """The saved games, the last played first. Files that are not ordinary, or have just been removed, are left out."""
    found = []
    for path in folder().glob(f"*{SUFFIX}"):
        with suppress(OSError):
            if path.is_file():
                found.append((path.stat().st_mtime, path))
    for _, path in sorted(found, reverse=True):
        yield path


def find(name: str) -> Path:
    """The file that `--resume NAME` means: a kept game, or any record file.

    Raises:
        CommandError: If there is neither.
    """
    if name == Path(name).name:
        for candidate in (folder() / f"{name}{SUFFIX}", folder() / name):
            if candidate.is_file():
                return candidate
    path = Path(name)
    if path.is_file():
        return path
    raise CommandError(f"no kept game and no file {terminal.clean(name)}: 'forbidden-games play --resume' lists kept games")


class Autosave:
    """Keeps the file of one game up to date. If writing fails, play goes on and every move tries again.

    A kept game is locked while it is played, so that two terminals never write the same file.
    """

    def __init__(self, stem: str, path: Path | None = None) -> None:
        """Nothing is written yet.

        Args:
            stem: What the name of a new file begins with.
            path: The file in which the game goes on; a new one if left out.
        """
        self.path = path
        self.before = ""
        """What stands in the file before the record: the earlier games of a series."""
        self.problem: str | None = None
        """Why the last writing failed; `None` while everything is kept."""
        self._stem = stem
        self._lock: Lock | None = None
        self._written: str | None = None
        self._ply = 0
        self._seen: tuple[int, int, int] | None = None
        clear_leftovers(folder(), once=True, locks=True)
        with suppress(OSError):  # where nothing can be written, the first move says so
            self._lock_kept()
        if self.path is not None:
            self._seen = _signature(self.path)

    def close(self) -> None:
        """Unlocks the file, so that other programs can resume the game."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def leave(self) -> None:
        """Leaves the file unchanged; from now on the game is saved in a new one."""
        self.close()
        self.path = self._written = None

    @property
    def is_kept(self) -> bool:
        """Whether the file holds the whole game."""
        return self.problem is None and self.path is not None

    @property
    def name(self) -> str:
        """The name that `play --resume` accepts."""
        assert self.path is not None
        if self.path.parent == folder():
            return self.path.name.removesuffix(SUFFIX)
        return str(self.path)

    def save(self, text: str, ply: int = 0) -> None:
        """Writes the record up to decision `ply`. A failure gives one warning and is tried again at the next call.

        A file that some other program has changed meanwhile stays as it is: this game gets its own.
        """
        text = self.before + text
        if self._written is None and self.path is not None and _has(self.path, text):
            self._written, self._ply = text, ply  # only opened: the file stays as it is
        if text == self._written:
            self.problem = None
            return
        try:
            self._lock_kept()
            if self.path is not None and _signature(self.path) not in (None, self._seen):
                self._say_own_file("has been changed by another program")
            if self.path is None:
                self._write_new(text)
            else:
                try:
                    write_text(self.path, text, mode=PRIVATE)
                finally:  # also where the last step has failed, the file is ours
                    self._seen = _signature(self.path)
        except OSError as error:
            where = folder() if self.path is None else self.path
            reason = f"{(error.strerror or str(error)).lower()}: {shown(str(where))}"
            if self.problem is None:
                terminal.warn(f"warning: the game is not kept: {reason}; every move tries again")
            after = "" if self._written is None else f" after ply {self._ply}"
            self.problem = f"the game is not kept{after}: {reason}"
        else:
            self._written, self._ply = text, ply
            if self.problem is not None:
                self.problem = None
                terminal.warn("warning: the game is kept again")

    def how_to_go_on(self) -> Iterator[str]:
        """The command that resumes the saved game; empty if there is no file."""
        if self.path is not None and (self.problem is None or self._written is not None):
            kept_part = "the game is kept" if self.problem is None else f"the game is kept up to ply {self._ply}"
            yield f"{kept_part}; go on with: forbidden-games play --resume {shown(shlex.quote(self.name))}"

    def _write_new(self, text: str) -> None:
        """Writes a new file named after game and time. The name is unique, even within one second."""
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for number in count(1):
            path = place / f"{self._stem}-{stamp}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            if path.exists():
                continue
            lock = self._take(path)
            if lock is None:
                continue
            try:
                write_text(path, text, overwrite=False, mode=PRIVATE)
            except FileExistsError:
                lock.release()
                continue
            except BaseException:
                lock.release()
                raise
            self.path, self._lock, self._seen = path, lock, _signature(path)
            return

    def _lock_kept(self) -> None:
        """Locks the saved game that is resumed; if another program has locked it, this game gets a new file."""
        if self.path is not None and self._lock is None and self.path.parent == folder():
            self._lock = self._take(self.path)
            if self._lock is None:
                self._say_own_file("is open in another terminal")

    def _take(self, path: Path) -> Lock | None:
        """The lock of a kept game; `None` if another program has it."""
        with suppress(BlockingIOError):
            return Lock(path.with_name(f".{path.name.removesuffix(SUFFIX)}.lock"))
        return None

    def _say_own_file(self, why: str) -> None:
        """From now on this game has a file of its own."""
        terminal.warn(f"warning: {shown(self.name)} {why}: this game goes on in a file of its own")
        self.leave()


def shown(name: str) -> str:
    """A file name fit to be shown."""
    return terminal.clean(name, 4096)


def _has(path: Path, text: str) -> bool:
    """Whether a file has this text already."""
    try:
        return path.read_bytes() == text.encode()
    except OSError:
        return False


def _signature(path: Path) -> tuple[int, int, int] | None:
    """A value that changes whenever the file is written; `None` if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
