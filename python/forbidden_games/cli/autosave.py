"""Games kept on their own in the platform's state folder, and found again by name."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError
from forbidden_games.record import write_text

SUFFIX = ".jsonl"


def folder() -> Path:
    """Where games are kept."""
    from platformdirs import user_state_path

    return user_state_path("forbidden-games", appauthor=False) / "games"


def kept() -> Iterator[Path]:
    """The kept games, the last played first; what is no ordinary file, or just went away, is none."""
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
    """Keeps one game's record up to date; a folder that cannot be written is reported once and play goes on."""

    def __init__(self, stem: str, path: Path | None = None) -> None:
        """Nothing is written yet.

        Args:
            stem: What the name of a new file begins with.
            path: The file in which the game goes on; a new one if left out.
        """
        self.path = path
        self.before = ""
        """What stands in the file before the record: the earlier games of a series."""
        self.works = True
        self._stem = stem
        self._seen = None if path is None else _signature(path)
        self._is_as_found = path is not None

    @property
    def is_kept(self) -> bool:
        """Whether there is a file to go on with."""
        return self.works and self.path is not None

    @property
    def name(self) -> str:
        """What `play --resume` takes."""
        assert self.path is not None
        if self.path.parent == folder():
            return self.path.name.removesuffix(SUFFIX)
        return str(self.path)

    def save(self, text: str) -> None:
        """Writes the record as it is now.

        A file that somebody else has written since, the same game in another terminal, stays as it is: this one gets its own.
        """
        if not self.works:
            return
        try:
            if self._is_as_found:
                self._is_as_found = False
                with suppress(OSError):
                    if self.path is not None and self.path.read_bytes() == (self.before + text).encode():
                        return  # only opened: whoever plays there already is not disturbed
            changed = self.path is not None and _signature(self.path) not in (None, self._seen)
            if changed:
                terminal.warn(f"warning: {shown(self.name)} is played elsewhere too: this game is kept in a file of its own")
            if self.path is None or changed:
                self.path = _claim(self._stem)
                self._seen = _signature(self.path)
            write_text(self.path, self.before + text)
            self._seen = _signature(self.path)
        except OSError as error:
            self.works = False
            where = folder() if self.path is None else self.path
            if self.path is not None and self._seen is not None and self._seen[2] == 0:
                with suppress(OSError):  # claimed, but nothing could be written
                    self.path.unlink()
            terminal.warn(f"warning: the game is not kept: {error.strerror or error}: {shown(str(where))}")


def shown(name: str) -> str:
    """A file name fit to be shown."""
    return terminal.clean(name, 4096)


def _claim(stem: str) -> Path:
    """A new file whose name tells game and time; nobody else gets the same one, even in the same second."""
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in count(1):
        path = place / f"{stem}-{stamp}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            return path
    raise AssertionError


def _signature(path: Path) -> tuple[int, int, int] | None:
    """What tells one writing of a file from the next; `None` if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
