"""Games kept on their own in the platform's state folder, and found again by name."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError

SUFFIX = ".jsonl"


def folder() -> Path:
    """Where games are kept."""
    from platformdirs import user_state_path

    return user_state_path("forbidden-games", appauthor=False) / "games"


def new_path(game_name: str) -> Path:
    """A free file name that tells game and time."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = folder() / f"{game_name}-{stamp}{SUFFIX}"
    number = 2
    while path.exists():
        path = folder() / f"{game_name}-{stamp}-{number}{SUFFIX}"
        number += 1
    return path


def kept() -> Iterator[Path]:
    """The kept games, the last played first."""
    try:
        paths = [(path.stat().st_mtime, path) for path in folder().glob(f"*{SUFFIX}")]
    except OSError:
        return
    for _, path in sorted(paths, reverse=True):
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


def write(path: Path, text: str) -> None:
    """Writes the whole file or leaves the old one: a new file takes its place at once.

    Raises:
        OSError: If the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class Autosave:
    """Keeps one game's record up to date; a folder that cannot be written is reported once and play goes on."""

    def __init__(self, path: Path, before: str = "") -> None:
        """Nothing is written yet; `before` stands in the file before the record (the earlier games of a series)."""
        self.path = path
        self.before = before
        self.works = True

    @property
    def name(self) -> str:
        """What `play --resume` takes."""
        if self.path.parent == folder():
            return self.path.name.removesuffix(SUFFIX)
        return str(self.path)

    def save(self, text: str) -> None:
        """Writes the record as it is now."""
        if not self.works:
            return
        try:
            write(self.path, self.before + text)
        except OSError as error:
            self.works = False
            terminal.warn(f"warning: the game is not kept: {error.strerror or error}: {self.path}")
