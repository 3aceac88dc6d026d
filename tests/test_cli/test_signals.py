"""Signals, stopping and odd terminals: echo, line mode and the ordinary screen come back, and the game is kept."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from typing import TYPE_CHECKING

import forbidden_games as fg
import pytest
from forbidden_games.cli import signals

from .helper import Terminal, good, other_process, plain

if TYPE_CHECKING:
    from pathlib import Path

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import termios

GAMES = fg.games()
HIDDEN = next(name for name in GAMES if fg.game_info(name).hidden_information)
PROMPT = r"(?<=[a-z0-9])(?<!q)> (?:\x1b\[\S+)?$"
SECOND, ORDINARY, CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[H\x1b[2J"
TWO = ("-p", "2", "--seat", "human:Ann", "--seat", "human:Bob")
ENDING = [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]


# A shell with job control, as small as it gets: it says when its child has stopped, and goes on with it
# after Enter. The end of a first process would put the modes of the terminal back by itself.
_SHELL = r"""
import os, signal, sys, termios
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.executable, [sys.executable, "-m", "forbidden_games", *sys.argv[1:]])
print("CHILD", child, flush=True)
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    os.tcsetpgrp(0, os.getpgrp())
    if not os.WIFSTOPPED(status):
        flags = termios.tcgetattr(0)[3]
        print("ENDED", os.waitstatus_to_exitcode(status), bool(flags & termios.ECHO), bool(flags & termios.ICANON), flush=True)
        sys.exit()
    print("STOPPED", flush=True)
    sys.stdin.readline()
    os.tcsetpgrp(0, child)
    os.kill(child, signal.SIGCONT)
"""


def start(*arguments: str) -> tuple[Terminal, int]:
    """The command line under that shell, and its process."""
    terminal = Terminal(*arguments, program=["-c", _SHELL])
    found = re.search(r"CHILD (\d+)", terminal.expect(r"CHILD \d+\r?\n"))
    assert found
    return terminal, int(found.group(1))


def kept(home: Path) -> list[Path]:
    """The kept games."""
    return sorted((home / "forbidden-games" / "games").glob("*.jsonl"))


def modes(terminal: Terminal) -> tuple[bool, bool]:
    """Whether the terminal shows what is typed, and reads it line by line."""
    flags = termios.tcgetattr(terminal.other)[3]
    return bool(flags & termios.ECHO), bool(flags & termios.ICANON)


def wait_for(terminal: Terminal, wanted: tuple[bool, bool]) -> None:
    """Waits until the terminal is in these modes."""
    limit = time.monotonic() + 20
    while modes(terminal) != wanted:
        assert time.monotonic() < limit, (modes(terminal), plain(terminal.text)[-500:])
        time.sleep(0.01)


def end_by(terminal: Terminal, child: int, number: signal.Signals) -> None:
    """Sends a signal, once more if it came just before the program began to wait; code and modes must be right afterwards."""
    for _ in range(20):
        os.kill(child, number)
        try:
            assert "ENDED" in terminal.expect(rf"ENDED {128 + number} True True\r?\n", timeout=1)
        except AssertionError:
            if "ENDED" in terminal.text:
                raise
        else:
            break
    assert terminal.end() == 0
    assert "Traceback" not in terminal.text
    assert "error" not in terminal.text


@pytest.mark.parametrize("number", ENDING[1:])
def test_a_signal_at_the_prompt_leaves_the_terminal_as_it_was(number: signal.Signals, state_home: Path) -> None:
    terminal, child = start("play", GAMES[0], "-p", "2", "--seat", "human", "--seat", "random")
    terminal.expect(PROMPT)
    terminal.type("#1")
    terminal.expect(PROMPT)
    wait_for(terminal, (False, False))  # readline has taken over: the test tests something
    end_by(terminal, child, number)
    assert "play --resume" in plain(terminal.text)
    assert fg.load_record(kept(state_home)[0]).plies >= 1


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_that_python_drops_ends_the_next_question(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finalizer:
        def __del__(self) -> None:
            os.kill(os.getpid(), number)

    dropped: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda given: dropped.append(given.exc_type))
    before = signal.signal(number, signal.SIG_DFL)  # a test in the background ignores some
    try:
        with signals.handled() as received:
            Finalizer()
            assert dropped == [KeyboardInterrupt]
            os.kill(os.getpid(), number)  # nothing is open: it does not disturb the clearing up
            with pytest.raises(KeyboardInterrupt), signals.asking():
                pytest.fail("a question was put")
            assert received.code(0) == 128 + number
        with signals.handled() as received, signals.asking():
            assert received.code(0) == 0
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", ENDING[:2])
def test_a_signal_between_two_people_hides_the_hand(number: signal.Signals, state_home: Path) -> None:
    terminal, child = start("play", HIDDEN, *TWO)
    terminal.expect(r"you see the screen\. ")
    terminal.type("")
    terminal.expect(PROMPT)
    terminal.type("#1")
    terminal.expect(r"clears the screen ")
    wait_for(terminal, (False, False))
    end_by(terminal, child, number)
    left = terminal.text.rindex(ORDINARY)
    assert terminal.text.rindex(CLEAR) < left, "cleared, then left"
    assert terminal.text.rindex(CLEAR) + len(CLEAR) == left
    assert SECOND not in terminal.text[left:]
    assert fg.load_record(kept(state_home)[0]).plies == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("watch", GAMES[0], "--agent", "random", "--delay", "5"),
        ("replay", "RECORD"),
        ("rules", GAMES[0]),
        ("analyze", GAMES[0], "--agent", "ismcts:simulations=100000000,memory_mib=64"),
        ("tournament", GAMES[0], "--agent", "expert", "--agent", "expert", "--games", "1000"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_every_command_ends_by_a_signal_with_its_code(arguments: tuple[str, ...], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    fg.play_match(fg.load(GAMES[0], 2), ["random", "random"], seed=3).record.save(record)
    terminal, child = start(*(str(record) if word == "RECORD" else word for word in arguments))
    terminal.expect(r"[\s\S]{200}" if arguments[0] != "tournament" else r"\S")
    end_by(terminal, child, signal.SIGTERM)
    if "\x1b[?25l" in terminal.text:
        assert terminal.text.rindex("\x1b[?25h") > terminal.text.rindex("\x1b[?25l"), "the cursor is shown"
    assert terminal.text.count(SECOND) == terminal.text.count(ORDINARY)


def test_a_terminal_that_has_gone_away_costs_no_game(state_home: Path) -> None:
    terminal = Terminal("play", GAMES[0], "-p", "2", "--seat", "human", "--seat", "random")
    terminal.expect(PROMPT)
    terminal.type("#1")
    terminal.expect(PROMPT)
    os.close(terminal.other)
    os.close(terminal.master)  # the kernel sends SIGHUP
    assert terminal.process.wait(30) == 128 + signal.SIGHUP
    assert fg.load_record(kept(state_home)[0]).plies >= 1


def test_ignored_signals_stay_ignored() -> None:
    """As `nohup` wants it."""
    import subprocess

    code = (
        "import signal, os, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        "os.execv(sys.executable, [sys.executable, '-m', 'forbidden_games', *sys.argv[1:]])"
    )
    arguments = ["watch", GAMES[0], "--agent", "random", "--delay", "0", "--seed", "1"]
    with subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(50)
        process.send_signal(signal.SIGHUP)
        process.stdout.read()
    assert process.returncode == 0


def stop(terminal: Terminal) -> str:
    """Presses Ctrl-Z until the program has stopped; what was shown up to there."""
    for _ in range(10):
        terminal.press(b"\x1a")
        try:
            return terminal.expect("STOPPED\r?\n", timeout=2)
        except AssertionError:
            continue
    raise AssertionError(plain(terminal.text)[-500:])


def test_ctrl_z_gives_the_terminal_back_and_the_question_is_put_again() -> None:
    terminal = start("play", GAMES[0], "-p", "2", "--seat", "human", "--seat", "random")[0]
    terminal.expect(PROMPT)
    for _ in range(2):
        wait_for(terminal, (False, False))
        stop(terminal)
        assert modes(terminal) == (True, True)
        terminal.type("")
        assert "seat 0" in terminal.expect(PROMPT)
    wait_for(terminal, (False, False))
    terminal.type("#1")
    terminal.expect("seat 0 .you.: ")
    terminal.expect(PROMPT)
    terminal.type(":quit")
    assert terminal.end() == 0


def test_ctrl_z_between_two_people_hides_the_hand_until_somebody_says_who_looks() -> None:
    terminal = start("play", HIDDEN, *TWO)[0]
    terminal.expect(r"you see the screen\. ")
    terminal.type("")
    terminal.expect(PROMPT)
    wait_for(terminal, (False, False))
    shown = stop(terminal)
    assert shown.endswith(("STOPPED\r\n", "STOPPED\n"))
    assert shown.rindex(CLEAR) < shown.rindex(ORDINARY), "cleared, then left"
    terminal.type("")
    shown = terminal.expect(r"you see the screen\. ")
    assert SECOND in shown
    assert "legend" not in shown, "no picture before somebody is alone"
    terminal.type("")
    terminal.expect(PROMPT)
    terminal.type("quit")
    assert terminal.end() == 0


@pytest.mark.parametrize("environment", [{"TERM": ""}, {"NO_COLOR": "1"}], ids=str)
def test_plain_text_where_the_terminal_does_not_say_that_it_can_more(environment: dict[str, str]) -> None:
    for arguments in (
        ("play", GAMES[0], "--seat", "human"),
        ("tournament", GAMES[0], "--agent", "random", "--agent", "random", "--games", "2"),
    ):
        terminal = Terminal(*arguments, environment=environment)
        if arguments[0] == "play":
            terminal.expect(PROMPT)
            terminal.type("#1")
            terminal.expect(PROMPT)
            terminal.type(":quit")
        assert terminal.end() == 0
        if "NO_COLOR" in environment:
            assert not re.search(r"\x1b\[[0-9;]*[34]8;5|\x1b\[(?:[0-9;]*;)?[349][0-7]m", terminal.text), arguments
        else:
            assert "\x1b" not in terminal.text, arguments
        assert terminal.text.count("#1\r\n") == (arguments[0] == "play"), "what is typed is shown once"


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    for encoding in ("utf-8", "ascii"):
        arguments = ("play", "qin", "-p", "2", "--seat", "human", "--seat", "random")
        result = other_process(*arguments, typed=mark + b"#1\n", environment={"PYTHONIOENCODING": encoding})
        assert b"--resume" in result.stdout, encoding
        assert b"cannot parse" not in result.stdout, encoding
    match = fg.load("qin", 2).new_match(1)
    first = str(match.legal_actions[0])
    match.play(first)
    files = {"moves.txt": first, "record.jsonl": match.record.to_text(), "state.json": match.state.to_json()}
    for name, text in files.items():
        (tmp_path / name).write_bytes(mark + text.encode())
    assert good("analyze", "qin", "-p", "2", "--seed", "1", "--moves", str(tmp_path / "moves.txt"), "--agent", "greedy")
    assert good("analyze", "--from", str(tmp_path / "state.json"), "--agent", "greedy")
    assert good("replay", str(tmp_path / "record.jsonl"))
    assert fg.load_record(tmp_path / "record.jsonl").plies == 1
    for name, text in fg.game_info("qin").builtin_components.items():
        path = tmp_path / f"{name}.toml"
        path.write_bytes(mark + text.encode())
        assert fg.load("qin", components=path)
        assert good("components", "qin", "--check", str(path))
