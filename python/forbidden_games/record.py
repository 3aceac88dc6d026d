"""Records in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forbidden_games._rust import Record, parse_record, parse_record_prefix
from forbidden_games.files import read_text, write_text

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["load_record", "load_record_prefix", "read_text", "write_text"]  # the compiled module calls `write_text`


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
