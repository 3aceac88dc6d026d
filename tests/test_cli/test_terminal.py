"""At a pseudo-terminal: colour, Ctrl-C, resuming, and hands that nobody else sees."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import forbidden_games as fg
import pytest

from .helper import Terminal, good, plain

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

GAMES = fg.games()
PROMPT = r"(?<=[a-z0-9])(?<!q)> (?:\x1b\[\S+)?$"
CLEAR = "\x1b[H\x1b[2J"


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return str(request.param)


def kept(home: Path) -> list[Path]:
    """The kept games."""
    return sorted((home / "forbidden-games" / "games").glob("*.jsonl"))


def test_a_game_by_hand_with_everything_that_can_go_wrong(game: str, state_home: Path, tmp_path: Path) -> None:
    """Wrong input, help, lists, take-back, saving, Ctrl-C in the middle, resuming, and on to the end."""
    first = Terminal("play", game, "-p", "2", "--seed", "3", "--seat", "human", "--seat", "random", "--hint", "greedy")
    first.expect(PROMPT)
    assert "\x1b[" in first.text
    for line, answer in (
        ("xyzzy", "cannot parse"),
        ("?", ":undo"),
        ("#1", "seat 0 .you.: "),
        (":undo", "taken back|nothing of yours"),
        (f":save {tmp_path / 'by-hand.jsonl'}", "record: "),
        (":hint", "greedy"),
        ("#1", "seat 0 .you.: "),
        (":nonsense", "is no command"),
    ):
        first.type(line)
        first.expect(answer)
        first.expect(PROMPT)
    found = re.search(r"forbidden-games play --resume (\S+)", first.interrupt(r"--resume \S+\r?\n"))
    assert first.end() == 130
    assert found
    assert "Traceback" not in first.text
    assert fg.load_record(tmp_path / "by-hand.jsonl").plies == 0
    before = fg.load_record(kept(state_home)[0])
    assert before.plies >= 1

    second = Terminal("play", "--resume", found.group(1))
    while True:
        shown = second.expect(PROMPT, "has won", "share the first place")
        if not re.search(PROMPT, shown):
            break
        second.type("#1")
    assert second.end() == 0
    assert "Traceback" not in second.text
    after = fg.load_record(kept(state_home)[0])
    assert after.result is not None
    assert after.steps[: len(before.steps)] == before.steps


def test_ctrl_d_keeps_the_game(game: str) -> None:
    terminal = Terminal("play", game, "--seat", "human", "--seat", "random")
    terminal.expect(PROMPT)
    terminal.type("#1")
    terminal.expect(PROMPT)
    terminal.press(b"\x04")
    assert terminal.end() == 0
    assert "\nthe game is kept; go on with: forbidden-games play --resume" in plain(terminal.text)


def test_no_color_and_ascii(game: str) -> None:
    terminal = Terminal("play", game, "--seat", "human", "--ascii", environment={"NO_COLOR": "1"})
    terminal.expect(PROMPT)
    terminal.type(":quit")
    assert terminal.end() == 0
    assert plain(terminal.text).isascii()
    assert not re.search(r"\x1b\[[0-9;]*m", terminal.text)


def test_pictures_stay_within_80_columns(game: str) -> None:
    terminal = Terminal("watch", game, "--agent", "random", "--seed", "5", "--delay", "0")
    assert terminal.end() == 0
    assert max(len(line) for line in plain(terminal.text).split("\n") if not line.startswith(("    ", "seat "))) <= 80


def test_paging_a_long_list_can_be_stopped() -> None:
    terminal = Terminal("play", GAMES[0], "-p", "2", "--seat", "human")
    terminal.expect(PROMPT)
    terminal.type(":rules e")
    terminal.expect("q to stop -- ")
    terminal.type("q")
    terminal.expect(PROMPT)
    terminal.type(":quit")
    assert terminal.end() == 0


def test_browsing_a_record(game: str, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    fg.play_match(fg.load(game, 2), ["random", "random"], seed=3).record.save(path)
    terminal = Terminal("replay", f"{path}@2")
    terminal.expect("ply 2 of")
    terminal.expect("q> ")
    for line, answer in (
        ("", "ply 3 of"),
        ("p", "ply 2 of"),
        ("0", "ply 0 of"),
        ("xyzzy", "expected Enter"),
        ("p", "ply 0 of"),
    ):
        terminal.type(line)
        terminal.expect(answer)
        terminal.expect("q> ")
    terminal.type("q")
    assert terminal.end() == 0


def test_replay_goes_to_the_pager_of_nobody(game: str) -> None:
    assert good("rules", game, "1")


@pytest.mark.parametrize("game", [name for name in GAMES if fg.game_info(name).hidden_information])
def test_hot_seat_shows_nobody_anothers_hand(game: str, state_home: Path) -> None:
    """In the bytes between two clearings only one person's hand occurs; afterwards nobody's."""
    players = 3
    seats = [argument for name in ("Ann", "Bob", "Cas") for argument in ("--seat", f"human:{name}")]
    terminal = Terminal("play", game, "--players", str(players), "--seed", "11", *seats)
    handed: list[int] = []
    for _ in range(400):
        shown = plain(terminal.expect(PROMPT, r"you see the screen\. ", r"clears the screen ", timeout=60))
        if "press Enter when only you see the screen" in shown.split("\n")[-1]:
            found = re.findall(r"seat (\d) \((?:Ann|Bob|Cas)\), press Enter", shown)
            handed.append(int(found[-1]))
            terminal.type("")
        elif shown.endswith("clears the screen "):
            terminal.press(b"\t\t")
            terminal.type("")
        elif len(handed) >= 7:
            terminal.type(":quit")
            break
        else:
            terminal.type(":moves" if len(handed) == 4 and ":moves" not in terminal.text else "#2")
    assert terminal.end() == 0
    assert handed[:4] == [0, 1, 2, 0]
    assert "\x1b[?1049h" in terminal.text
    assert "\x1b[?1049l" in terminal.text
    match = fg.load_record(kept(state_home)[0]).new_match()
    states = [fg.load_record(kept(state_home)[0]).new_match(ply) for ply in range(match.ply + 1)]
    screens = [plain(part) for part in terminal.text.split(CLEAR)]
    for viewer, screen in _by_viewer(screens):
        lines = set(screen.split("\n"))
        allowed = {line for state in states if viewer is not None for line in _picture(state, viewer)}
        for state in states:
            for other in range(players):
                if other != viewer:
                    secret = {line for line in set(_picture(state, other)) - allowed if _tells(state, other, line, players)}
                    assert not secret & lines, (viewer, other, secret & lines)


@pytest.mark.parametrize("game", [name for name in GAMES if fg.game_info(name).hidden_information])
def test_hot_seat_forgets_what_the_one_before_typed(game: str) -> None:
    terminal = Terminal("play", game, "-p", "2", "--seed", "11", "--seat", "human:Ann", "--seat", "human:Bob")
    terminal.expect(r"you see the screen\. ")
    terminal.type("")
    for line in ("what Ann tried", "#1"):
        terminal.expect(PROMPT)
        terminal.type(line)
    for _ in range(2):
        terminal.expect(r"clears the screen |you see the screen\. ")
        terminal.type("")
    terminal.expect(PROMPT)
    terminal.press(b"\x1b[A\x1b[A\x1b[A\n")
    assert "Ann tried" not in terminal.expect("type an action")
    terminal.interrupt(r"--resume \S+\r?\n")
    assert terminal.end() == 130


def _by_viewer(screens: list[str]) -> list[tuple[int | None, str]]:
    """Whose screen each part is: the one who pressed Enter just before it was cleared."""
    found: list[tuple[int | None, str]] = []
    viewer: int | None = None
    for screen in screens:
        found.append((viewer, screen))
        announced = re.findall(r"seat (\d) \(\w+\), press Enter", screen)
        viewer = int(announced[-1]) if announced else None
    return found


def _picture(match: fg.Match, player: int) -> list[str]:
    return match.observation(player).draw(last=match.last_action).split("\n")


def _tells(match: fg.Match, player: int, line: str, players: int) -> bool:
    """Whether only this seat's picture has the line, so that it tells what the seat holds."""
    return bool(line.strip()) and all(line not in _picture(match, other) for other in range(players) if other != player)


def test_watch_asks_before_it_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("mine")
    for answer, code in (("n", 1), ("y", 0)):
        watching = Terminal("watch", "qin", "--agent", "random", "--delay", "0", "--save", str(path))
        watching.expect(r"diary\.txt exists: overwrite it\? \[y/n\] ")
        watching.type(answer)
        assert watching.end() == code
        assert (path.read_text() == "mine") == (answer == "n")
    assert "stays as it is: name another file" not in watching.text
    assert fg.load_record(path).result is not None
