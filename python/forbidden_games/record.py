"""Records in files: reading them, and writing so that a crash never leaves half a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from forbidden_games._rust import Record, parse_record, parse_record_prefix

if TYPE_CHECKING:
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
    return Path(path).read_bytes().decode("utf-8", errors="replace")


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file in one step: a reader sees the old text or the new one, never a part."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
