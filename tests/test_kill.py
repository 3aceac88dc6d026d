"""`kill -9` of two programs at once: what was told is in a file, and nothing is left behind that warns."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import forbidden_games as fg
import pytest

from .test_cli.helper import PROGRAM, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KILLS = [pytest.param(3, id="few"), pytest.param(200, marks=pytest.mark.slow, id="many")]

TOURNAMENT = """
import sys, forbidden_games as fg
def tell(result, done, of):
    print(result.number, list(result.scores), flush=True)
fg.tournament(fg.load("qin"), ["random", "random"], games=400, seed=int(sys.argv[2]), path=sys.argv[1], on_result=tell)
"""

SAVE = """
import sys, forbidden_games as fg
shared, own, plies, seed = *sys.argv[1:3], *map(int, sys.argv[3:5])
whole = fg.play_match(fg.load("forbidden_city"), ["random"] * 2, seed=seed).record
records = [whole.new_match(ply).record for ply in range(20)]
while True:
    records[plies % 20].save(own)
    print(plies, flush=True)
    records[plies % 20].save(shared)
    plies += 1
"""


class Victims:
    """Two programs that write to files what they tell, killed together at a moment that luck decides."""

    def __init__(self, folder: Path, luck: random.Random) -> None:
        self.folder = folder
        self.luck = luck
        self.kills = 0
        self.told_lines = 0

    def kill(self, *commands: Sequence[str], typed: Sequence[str], most: int) -> list[str]:
        """Starts both, kills both once they have told a random number of bytes (or ended by themselves); what each told."""
        outputs = [self.folder / f"told-{number}" for number in range(len(commands))]
        processes = []
        for number, command in enumerate(commands):
            (self.folder / f"typed-{number}").write_text(typed[number])
            with (self.folder / f"typed-{number}").open() as keys, outputs[number].open("wb") as out:
                processes.append(subprocess.Popen(command, stdin=keys, stdout=out, stderr=subprocess.DEVNULL))
        wanted = self.luck.randrange(most) if self.kills == 0 or self.luck.random() < 0.9 else 0
        limit = time.monotonic() + 60
        while sum(path.stat().st_size for path in outputs) < wanted and time.monotonic() < limit:
            if all(process.poll() is not None for process in processes):
                break
            time.sleep(0.001)
        time.sleep(self.luck.random() * 0.02)
        self.luck.shuffle(processes)
        for process in processes:
            process.kill()
        for process in processes:
            self.kills += process.wait() == -9
        told = [path.read_text(errors="replace") for path in outputs]
        self.told_lines += sum(text.count("\n") for text in told)
        return told


def own_actions(text: str) -> list[str]:
    """What seat 0 has played, by the record in a kept file."""
    match = fg.parse_record(text).new_match()
    actions = []
    record = match.record
    for line in record.to_text().splitlines()[1:]:
        step = json.loads(line)
        if "action" in step and record.new_match(step["ply"]).current_player == 0:
            actions.append(step["action"])
    return actions


def holds(kept: list[str], before: list[str], moves: list[str]) -> bool:
    """Whether a game has these moves in a row, after those that it had before.

    Whoever comes second goes on from where the first one is by then.
    """
    places = range(len(before), len(kept) - len(moves) + 1)
    return kept[: len(before)] == before and any(kept[place : place + len(moves)] == moves for place in places)


def hidden(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".*")]


@pytest.mark.parametrize("kills", KILLS)
def test_killed_games_lose_no_move_that_was_told(kills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "forbidden-games" / "games"
    victims = Victims(tmp_path, random.Random(1))
    left = 0
    number = -1
    while victims.kills < kills:
        number += 1
        new = [*PROGRAM, "play", "forbidden_city", "--seed", str(number), "--seat", "human", "--seat", "random"]
        unfinished = [path for path in sorted(folder.glob("*.jsonl")) if fg.load_record(path).result is None]
        if number % 2 and unfinished:  # both go on with the same game
            path = victims.luck.choice(unfinished)
            before = own_actions(path.read_text())
            command = [*PROGRAM, "play", path.stem, "--resume"]
        else:
            before = []
            command = new
        typed = ["#1\n" * 400, "#2\n#1\n" * 400]
        told = victims.kill(command, command, typed=typed, most=60_000)
        left += len([name for name in hidden(folder) if name.endswith(".partial")])
        kept = [own_actions(path.read_text()) for path in folder.glob("*.jsonl")]
        for text in told:
            # The last line may be cut short: it was not told.
            moves = [line.removeprefix("= ") for line in text.split("\n")[:-1] if line.startswith("= ")]
            assert not moves or any(holds(one, before, moves) for one in kept), (number, before, moves, kept)
        listed = run("play", "--resume")
        assert (listed.code, listed.err) == (0, ""), number
        assert not hidden(folder), number
        if len(kept) > 12:
            for path in folder.glob("*.jsonl"):
                path.unlink()
    print(f"play: {victims.kills} killed, {victims.told_lines} lines told, {left} temporary files left and cleared")


@pytest.mark.parametrize("kills", KILLS)
def test_killed_tournaments_lose_no_result_that_was_told(kills: int, tmp_path: Path) -> None:
    victims = Victims(tmp_path, random.Random(5))
    told: dict[int, list[int]] = {}
    path, seed = tmp_path / "results-0.jsonl", 0
    number = -1
    while victims.kills < kills:
        number += 1
        command = [sys.executable, "-c", TOURNAMENT, str(path), str(seed)]
        for text in victims.kill(command, command, typed=["", ""], most=600):
            for line in text.split("\n")[:-1]:
                game, scores = line.split(" ", 1)
                assert int(game) not in told, "a game that was told is played again"
                told[int(game)] = json.loads(scores)
        if path.exists():
            lines = [json.loads(line) for line in path.read_bytes().split(b"\n")[1:-1]]
            written = {line["number"]: line["scores"] for line in lines}
            assert len(written) == len(lines), number
            assert {game: written.get(game) for game in told} == told, number
        assert not hidden(tmp_path)
        if len(told) > 200:
            seed += 1
            told, path = {}, tmp_path / f"results-{seed}.jsonl"
    print(f"tournament: {victims.kills} killed, {victims.told_lines} results told")
    result = fg.tournament(fg.load("qin"), ["random", "random"], games=400, seed=seed, path=path)
    assert len(result.results) == 400


@pytest.mark.parametrize("kills", KILLS)
def test_killed_saves_leave_whole_records(kills: int, tmp_path: Path) -> None:
    victims = Victims(tmp_path, random.Random(3))
    folder = tmp_path / "records"
    folder.mkdir()
    shared = folder / "shared.jsonl"
    saved = [0, 0]
    left = 0
    number = -1
    while victims.kills < kills:
        number += 1
        commands = [
            [sys.executable, "-c", SAVE, str(shared), str(folder / f"own-{one}.jsonl"), str(saved[one]), str(one)]
            for one in range(2)
        ]
        told = victims.kill(*commands, typed=["", ""], most=600)
        left += len(hidden(folder))
        for one, text in enumerate(told):
            numbers = [int(line) for line in text.split("\n")[:-1]]
            if numbers:
                found = fg.load_record(folder / f"own-{one}.jsonl").plies
                assert found in (numbers[-1] % 20, (numbers[-1] + 1) % 20), number
                saved[one] = numbers[-1] + 1
        if shared.exists():
            assert fg.load_record(shared).plies < 20
    program = f"import forbidden_games as fg; fg.load('qin').new_match(1).record.save({str(shared)!r})"
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ)
    assert not hidden(folder)
    print(f"record.save: {victims.kills} killed, {victims.told_lines} saves told, {left} temporary files left and cleared")
