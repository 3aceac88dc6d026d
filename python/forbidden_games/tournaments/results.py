"""Results of games, and the file that keeps them: one line for each finished game, locked while a tournament runs."""

from __future__ import annotations

import codecs
import errno
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forbidden_games.errors import ConcurrentUseError, RecordError
from forbidden_games.files import as_given, is_same_file, lock_file, sync_folder, unique_keys, write_all
from forbidden_games.tournaments.schedule import SEEDS

if TYPE_CHECKING:
    from os import PathLike
    from typing import Self

    from forbidden_games._rust import Game
    from forbidden_games.tournaments.schedule import ScheduledGame


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game."""

    number: int
    seats: tuple[int, ...]
    seed: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    plies: int


def header(game: Game, names: tuple[str, ...], seed: int) -> dict[str, Any]:
    """The first line of a results file: what makes two tournaments the same."""
    return {
        "tournament": 1,
        "game": game.name,
        "rules": game.info.rules_version,
        "players": game.num_players,
        "options": game.options,
        "components": game.components,
        "agents": list(names),
        "seed": seed,
    }


class ResultsFile:
    """The results file: one line for each finished game, appended and flushed. An unfinished last line is cut off.

    It is open and locked from the first look to the end, so that two tournaments never write one file.
    """

    def __init__(self, path: str | PathLike[str] | None, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        """Opens, locks and reads the file at `path`; without a path the results are kept in memory.

        Raises:
            ConcurrentUseError: If another tournament is writing the file.
            RecordError: If it is not a results file of this tournament, or is damaged before its last line.
            OSError: If it cannot be read or written.
        """
        self.results: dict[int, GameResult] = {}
        self._path = path
        self._file = -1
        self._sound = 0
        if path is None:
            return
        with as_given(path):
            self._open(path)
        try:
            self._load(header, plan)
        except BaseException:
            os.close(self._file)
            raise

    def _open(self, path: str | PathLike[str]) -> None:
        if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():  # reading a pipe would wait for ever
            raise OSError(errno.EINVAL, "not an ordinary file")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        self._file = os.open(path, flags, 0o666)
        try:
            lock_file(self._file)
        except BlockingIOError:
            os.close(self._file)
            raise ConcurrentUseError(f"{os.fspath(path)}: another tournament is writing this results file") from None
        except BaseException:
            os.close(self._file)
            raise

    def _load(self, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        assert self._path is not None
        with as_given(self._path), os.fdopen(os.dup(self._file), "rb") as file:
            content = file.read()
        *lines, unfinished = content.split(b"\n")
        while lines and not lines[-1].strip() and len(lines) > 1:  # blank last lines, by an editor
            lines.pop()
            unfinished = b""
        # Without a whole line only the beginning of our own header is surely ours, and may be overwritten.
        if not lines and not _line(header).startswith(unfinished):
            raise RecordError(1, None, f"no results file of a tournament: expected {json.dumps(header)}")
        for number, line in enumerate(lines, start=1):
            self._read(number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line, header, plan)
            self._sound += len(line) + 1
        with as_given(self._path):
            # What follows the last newline was being written when the run was killed.
            if self._sound < len(content):
                os.truncate(self._file, self._sound)
            if self._sound == 0:
                self._write(header)
                sync_folder(Path(os.path.realpath(self._path)).parent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self._file >= 0:
            os.close(self._file)

    def _read(self, number: int, line: bytes, header: dict[str, Any], plan: list[ScheduledGame]) -> None:
        try:
            data = json.loads(line, object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            raise RecordError(number, None, f"no JSON: {error}") from error
        if number == 1:
            if data != header:
                raise RecordError(1, None, f"the file belongs to another tournament: expected {json.dumps(header)}")
            return
        try:
            result = _result(data, plan)
        except ValueError as error:
            raise RecordError(number, None, str(error)) from None
        if self.results.setdefault(result.number, result) != result:
            raise RecordError(number, None, f"game {result.number} is there twice, with another result")

    def append(self, result: GameResult) -> None:
        """Writes the line of a finished game to the disk.

        Raises:
            OSError: If it cannot be written, or the file was removed or replaced.
        """
        if self._path is not None:
            with as_given(self._path):
                if not is_same_file(self._file, self._path):
                    raise FileNotFoundError(errno.ENOENT, "removed or replaced while the tournament was running")
                self._write(asdict(result))
        self.results[result.number] = result

    def _write(self, data: dict[str, Any]) -> None:
        line = _line(data)
        try:
            write_all(self._file, line)
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):  # a full disk takes a part
                os.truncate(self._file, self._sound)
            raise
        self._sound += len(line)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


_LARGEST = 2**31 - 1
"""No score and no number of plies is larger; beyond it, floats would overflow."""


def _result(data: Any, plan: list[ScheduledGame]) -> GameResult:
    """The result that a line of the file tells; a `ValueError` says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("no result of a game: expected an object")
    number = _whole(data, "number", 0, _LARGEST)
    if number >= len(plan):
        raise ValueError(f"game {number} is not among the {len(plan)} scheduled games: expected as many as before, or more")
    scheduled = plan[number]
    players = len(scheduled.seats)
    seats = _wholes(data, "seats", players, 0, _LARGEST)
    if (scheduled.seats, scheduled.seed) != (seats, _whole(data, "seed", 0, SEEDS - 1)):
        raise ValueError(f"game {number} does not follow the schedule")
    scores = _wholes(data, "scores", players, -_LARGEST, _LARGEST)
    ranking = _wholes(data, "ranking", players, 1, players)
    if 1 not in ranking:
        raise ValueError("ranking: expected a first place")
    return GameResult(number, seats, scheduled.seed, scores, ranking, _whole(data, "plies", 0, _LARGEST))


def _whole(data: dict[str, Any], key: str, low: int, high: int) -> int:
    value = data.get(key)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{key}: expected an integer from {low} to {high}")
    return value


def _wholes(data: dict[str, Any], key: str, count: int, low: int, high: int) -> tuple[int, ...]:
    values = data.get(key)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{key}: expected a list of {count} integers")
    return tuple(_whole({key: value}, key, low, high) for value in values)
