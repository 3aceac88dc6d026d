"""Files: read whole, written in one step, locked against a second program.

A file appears with its whole content or not at all: the text goes into a temporary file beside it, which takes its name when the
disk has it. Locks belong to the kernel, which frees them however a program ends; what a killed program leaves behind is therefore
known by a lock that nobody holds, and the next program removes it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

_PARTIAL = re.compile(r"\.forbidden-games-[0-9a-f]{16}\.partial")
_TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
_cleared: set[Path] = set()
"""Folders in which this program has looked for what killed ones left."""


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The `object_pairs_hook` for all JSON that is read here: a duplicate key is refused.

    Raises:
        ValueError: If a key stands twice.
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key}: found this key twice, expected each key once")
        found[key] = value
    return found


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file, without a byte order mark.

    Bytes that are no UTF-8 become replacement characters, which every parser here refuses by name.
    """
    with as_given(path):
        return Path(path).read_bytes().decode("utf-8-sig", errors="replace")


def write_text(path: str | PathLike[str], text: str, *, overwrite: bool = True, mode: int = 0o666) -> None:
    """Write a file in one step: a reader sees the old text or the new one, never a part, also after a crash.

    A link stays a link: what it points to is written. A pipe or a device is written as it is, without that promise.
    `mode` is who may read a new file; one that is there keeps its own.

    Raises:
        FileExistsError: If there is such a file and `overwrite` is false.
        OSError: If it cannot be written; it has the path as it was given.
    """
    with as_given(path):
        target = _target(path)
        if target is None:
            with Path(path).open("w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            return
        if not overwrite and target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        clear_leftovers(target.parent, once=True)
        descriptor, partial = _new_partial(target.parent, mode)
        try:
            try:
                if target.exists():
                    partial.chmod(stat.S_IMODE(target.stat().st_mode))
                write_all(descriptor, text.encode())
                os.fsync(descriptor)
                if os.name != "nt":  # where an open file can be renamed, its lock protects it until then
                    _rename(partial, target, overwrite)
            finally:
                os.close(descriptor)
            if os.name == "nt":
                _rename(partial, target, overwrite)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def check_target(path: str | PathLike[str]) -> None:
    """Check that the path is writable; call it before starting long work.

    Raises:
        OSError: If it could not; it has the path as it was given.
    """
    with as_given(path):
        target = _target(path)
        if target is not None:
            descriptor, partial = _new_partial(target.parent)
            os.close(descriptor)
            partial.unlink(missing_ok=True)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes; a write to a nearly full disk may take only a part at once."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, so that a renamed file survives a power cut."""
    if os.name == "nt":  # folders cannot be opened there
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder one may write but not read
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # not every file system can
            raise
    finally:
        os.close(descriptor)


class Lock:
    """A lock between programs: a file beside the protected one, locked by the kernel."""

    def __init__(self, path: Path) -> None:
        """Take it.

        Raises:
            BlockingIOError: If another program holds it.
            OSError: If the file cannot be made or locked.
        """
        self._path = path
        while True:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            try:
                lock_file(self._descriptor)
                if is_same_file(self._descriptor, path):
                    return
            except BaseException:
                os.close(self._descriptor)
                raise
            os.close(self._descriptor)  # whoever had it before removed it in this moment: make it anew

    def release(self) -> None:
        """Give it back; nothing stays behind."""
        if self._descriptor < 0:
            return
        if os.name == "nt":  # an open file cannot be removed there
            os.close(self._descriptor)
            with suppress(OSError):
                self._path.unlink()
        else:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._descriptor)
        self._descriptor = -1


def lock_file(descriptor: int) -> None:
    """Lock an open file against other programs; closing it, or the end of the program, unlocks it.

    Raises:
        BlockingIOError: If another program holds the lock.
        OSError: If the file system knows no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, 2**30, os.SEEK_SET)  # beyond the content: what is locked cannot be read there
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            raise BlockingIOError(error.errno, error.strerror) from error
        raise


def is_same_file(descriptor: int, path: str | PathLike[str]) -> bool:
    """Whether a path still leads to the file that is open."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))  # noqa: PTH116 - an empty path stays one
    except FileNotFoundError:
        return False


def clear_leftovers(folder: Path, *, once: bool = False, locks: bool = False) -> None:
    """Remove the temporary files of killed programs from a folder: those without a lock.

    Args:
        folder: Where to look.
        once: Not if this program has looked there already.
        locks: Also the files of `Lock`, in a folder where all of them are ours.
    """
    if once and folder in _cleared:
        return
    _cleared.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not (_PARTIAL.fullmatch(entry.name) or (locks and re.fullmatch(r"\..+\.lock", entry.name))):
                continue
            with suppress(OSError):
                if not entry.is_file(follow_symlinks=False):
                    continue
                path = Path(entry.path)
                descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
                try:
                    lock_file(descriptor)
                    if os.name != "nt" and is_same_file(descriptor, path):
                        path.unlink()
                finally:
                    os.close(descriptor)
                if os.name == "nt":
                    path.unlink()


@contextmanager
def as_given(path: str | PathLike[str]) -> Iterator[None]:
    """Context manager: an OSError names the path that the caller gave, not its target or a file beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    except ValueError as error:  # a zero byte, or a lone surrogate
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


def _new_partial(folder: Path, mode: int = 0o666) -> tuple[int, Path]:
    """A new temporary file, open and locked, with a name short enough wherever the target's is."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        partial = folder / f".forbidden-games-{os.urandom(8).hex()}.partial"
        descriptor = os.open(partial, flags, mode)
        try:
            lock_file(descriptor)
        except BlockingIOError:  # somebody clears up and has just met it
            os.close(descriptor)
            continue
        except OSError:  # no locks on this file system: then nobody clears up there either
            return descriptor, partial
        if is_same_file(descriptor, partial):
            return descriptor, partial
        os.close(descriptor)


def _rename(partial: Path, target: Path, overwrite: bool) -> None:
    """Give the temporary file its name."""
    if overwrite:
        partial.replace(target)
        return
    if os.name == "nt":
        partial.rename(target)  # refuses there what exists
        return
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        if target.exists():  # no hard links there: what nobody has made in this moment may be made
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        partial.replace(target)
    else:
        partial.unlink()
