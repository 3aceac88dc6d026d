"""Files: written whole or not at all, locked, and cleared of what killed programs leave."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from forbidden_games import files
from forbidden_games.files import Lock, clear_leftovers, read_text, write_text

HOLD = "import sys; from forbidden_games import files; from pathlib import Path; {}; print('held', flush=True); sys.stdin.read()"


def hold(statement: str) -> subprocess.Popen[str]:
    """Another program that has done this and waits."""
    command = [sys.executable, "-c", HOLD.format(statement)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    return other


def test_what_a_dead_program_held_is_cleared_and_what_a_living_one_holds_is_not(tmp_path: Path) -> None:
    path = tmp_path / ".game.lock"
    other = hold(f"p = Path({str(tmp_path)!r}); lock = files.Lock(p / '.game.lock'); partial = files._new_partial(p)")
    (tmp_path / ".mine").write_text("")
    (tmp_path / ".forbidden-games-0123456789abcdef.partial").mkdir()
    clear_leftovers(tmp_path, locks=True)
    assert len(list(tmp_path.glob("*.partial"))) == 2
    with pytest.raises(BlockingIOError):
        Lock(path)
    other.kill()
    other.communicate()
    assert path.exists()
    lock = Lock(path)
    with pytest.raises(BlockingIOError):
        Lock(path)  # one program cannot hold it twice either
    clear_leftovers(tmp_path, locks=True)
    assert path.exists()
    lock.release()
    lock.release()
    assert sorted(one.name for one in tmp_path.iterdir()) == [".forbidden-games-0123456789abcdef.partial", ".mine"]


def test_one_at_a_time_holds_a_lock_that_is_given_back(tmp_path: Path) -> None:
    """Giving back removes the file: whoever opened it just before must not hold the lock of a name that is gone."""
    inside = 0
    most = 0
    guard = threading.Lock()

    def take_often() -> None:
        nonlocal inside, most
        for _ in range(200):
            try:
                lock = Lock(tmp_path / ".x.lock")
            except BlockingIOError:
                continue
            with guard:
                inside += 1
                most = max(most, inside)
            with guard:
                inside -= 1
            lock.release()

    threads = [threading.Thread(target=take_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert not list(tmp_path.iterdir())


def test_writing_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_text(path, "\ufeffone\n", overwrite=False, mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_text(path) == "one\n"
    with pytest.raises(FileExistsError) as caught:
        write_text(path, "two", overwrite=False)
    assert caught.value.filename == str(path)

    # Somebody makes the file between the look and the writing.
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda self: self != path and exists(self))
    with pytest.raises(FileExistsError):
        write_text(path, "two", overwrite=False)
    monkeypatch.setattr(os, "link", refuse(errno.EPERM))  # a file system without hard links
    write_text(tmp_path / "new", "new", overwrite=False)
    monkeypatch.undo()

    for function, number in (("write", errno.ENOSPC), ("fsync", errno.EIO)):
        monkeypatch.setattr(os, function, refuse(number))
        with pytest.raises(OSError) as failed:
            write_text(path, "two")
        assert (failed.value.errno, failed.value.filename) == (number, str(path))
        monkeypatch.undo()
    assert read_text(path) == "one\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["file", "new"]


def refuse(number: int) -> object:
    """A call of the system that fails."""

    def call(*_arguments: object, **_others: object) -> None:
        raise OSError(number, os.strerror(number))

    return call


def test_the_folder_is_on_the_disk_before_writing_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[bool, bool]] = []
    path = tmp_path / "file"
    real = os.fsync

    def note(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.exists()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    write_text(path, "text")
    assert synced == [(False, False), (True, True)]
    monkeypatch.setattr(files, "lock_file", refuse(errno.ENOLCK))  # where nothing can be locked, nothing is cleared
    write_text(path, "more")
    assert read_text(path) == "more"
