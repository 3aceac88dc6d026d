"""Records in files: reading them, and writing so that a crash never leaves half a file."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from forbidden_games._rust import Record, parse_record, parse_record_prefix

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


def load_record(path: str | PathLike[str]) -> Record:
    """Read and replay a record file.

    Raises:
        RecordError: If a line is damaged, a step illegal, or the result does not follow; it names line or ply.
        OSError: If the file cannot be read.
    """
    return parse_record(read_text(path))


def load_record_prefix(path: str | PathLike[str]) -> tuple[Record, str | None]:
    """Read a record file as far as it is sound, and say what ended it (`None`: nothing did).

    Raises:
        RecordError: If not even the header can be read.
        OSError: If the file cannot be read.
    """
    return parse_record_prefix(read_text(path))


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file; bytes that are no UTF-8 become replacement characters, which every parser here refuses by name."""
    return Path(path).read_bytes().decode("utf-8-sig", errors="replace")


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file in one step: a reader sees the old text or the new one, never a part.

    A link stays a link: what it points to is written. A pipe or a device is written as it is, without that promise.

    Raises:
        OSError: If it cannot be written; it has the path as it was given.
    """
    with _as_given(path):
        target = _target(path)
        if target is None:
            with Path(path).open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            return
        partial = _partial(target)
        try:
            with partial.open("x", encoding="utf-8", newline="\n") as file:
                if target.exists():
                    partial.chmod(stat.S_IMODE(target.stat().st_mode))
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def check_target(path: str | PathLike[str]) -> None:
    """Find out whether `write_text` could write there, before there is something to be lost.

    Raises:
        OSError: If it could not; it has the path as it was given.
    """
    with _as_given(path):
        target = _target(path)
        if target is not None:
            partial = _partial(target)
            partial.touch(exist_ok=False)
            partial.unlink()


@contextmanager
def _as_given(path: str | PathLike[str]) -> Iterator[None]:
    """Errors name the path that the caller knows, not what it stands for or a file beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    except ValueError as error:  # a zero byte
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), os.fspath(path)) from error


def _target(path: str | PathLike[str]) -> Path | None:
    """The ordinary file behind all links that is to be written, there or not; `None` for a pipe or a device."""
    try:
        found = os.stat(path)  # noqa: PTH116 - an empty path stays one, `Path` would make it the folder one is in
    except FileNotFoundError:
        if not os.fspath(path):
            raise
        return Path(os.path.realpath(path))
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return Path(os.path.realpath(path)) if stat.S_ISREG(found.st_mode) else None


def _partial(target: Path) -> Path:
    """A new name beside the target, short even where the target's is as long as names may be."""
    return target.with_name(f".{os.getpid()}-{os.urandom(4).hex()}.partial")
