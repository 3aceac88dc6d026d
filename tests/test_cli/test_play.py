"""Playing through a pipe: what the prompt understands, taking back, keeping and resuming."""

from __future__ import annotations

import errno
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import forbidden_games as fg
import pytest
from forbidden_games.cli import autosave, prompt
from forbidden_games.cli.series import split_records
from forbidden_games.files import write_text

from .helper import good, other_process, refused, run

GAMES = fg.games()


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return str(request.param)


def start(game: str, seed: int = 1) -> fg.Match:
    """The match that the command line begins with that seed."""
    return fg.load(game, 2).new_match(seed)


def kept(home: Path) -> list[Path]:
    """The kept games."""
    return sorted((home / "forbidden-games" / "games").glob("*.jsonl"))


def play(game: str, *lines: str, more: tuple[str, ...] = ()) -> str:
    """What is shown when these lines are typed at seat 0, against `random`."""
    arguments = ("play", game, "-p", "2", "--seed", "1", "--seat", "human", "--seat", "random", *more)
    return good(*arguments, typed="".join(f"{line}\n" for line in lines))


def test_an_end_of_input_keeps_the_game_and_says_how_to_resume(game: str, state_home: Path) -> None:
    text = play(game, "#1")
    found = re.search(r"forbidden-games play --resume (\S+)", text)
    assert found
    assert kept(state_home)[0].stem == found.group(1)
    listed = good("play", "--resume")
    assert f"forbidden-games play --resume {found.group(1)}" in listed
    again = good("play", found.group(1), "--resume", typed="#1\n:quit\n")
    assert "seat 1 (random): " in again or fg.load_record(kept(state_home)[0]).plies > 1
    assert len(kept(state_home)) == 1


def test_actions_in_any_form_are_echoed_in_their_proper_form(game: str, state_home: Path) -> None:
    match = start(game)
    action = match.legal_actions[-1]
    text = play(game, f"  {str(action).upper().replace(' ', '   ')} ")
    assert f"seat 0 (you): {action}\n" in text
    assert str(action) in fg.load_record(kept(state_home)[0]).steps
    number = len(match.legal_actions)
    assert f"= {action}\n" in play(game, f"#{number}")


def test_a_part_shows_what_can_follow(game: str, state_home: Path) -> None:
    match = start(game)
    action = str(match.legal_actions[0])
    part = action.split(" ")[0] if " " in action else action[:3]
    text = play(game, part)
    following = [str(one) for one in match.legal_actions if str(one) == part or str(one).startswith(part + " ")]
    following = following or [str(one) for one in match.legal_actions if str(one).startswith(part)]
    notations = {str(one) for one in match.legal_actions}
    shown = [one.strip() for one in re.findall(r"#\d+ (.+?)(?=  |\n|$)", text)]
    assert sorted(one for one in shown if one in notations) == sorted(following)
    assert not kept(state_home)  # nobody has acted


def test_an_illegal_action_is_refused_with_its_rule_and_changes_nothing(game: str, state_home: Path) -> None:
    match = start(game)
    chosen = match.game
    illegal = next(
        str(chosen.action(number)) for number in range(chosen.num_actions) if number not in set(match.legal_actions.ids)
    )
    info = match.information_state(0)
    for number in range(chosen.num_actions):
        text = str(chosen.action(number))
        if number not in match.legal_actions.ids and info.interpret(text) is None:
            illegal = text
            break
    shown = play(game, illegal)
    assert re.search(r"is not legal: ([A-Z]{2}-\d|CONVENTIONS)", shown)
    assert not kept(state_home)  # nobody has acted


def test_nonsense_is_answered_and_nothing_breaks(game: str, state_home: Path) -> None:
    lines = [
        "",
        "xyzzy",
        "#0",
        "#999999",
        "#x",
        ";;;",
        ":",
        ":nonsense",
        ":undo",
        ":rules xyzzy",
        ":moves xyzzy",
        "\u202e\U0001f600",
        "a" * 5000,
    ]
    text = play(game, *lines, "\x1b[2J\x00\x07")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "cannot parse" in text
    assert "there is nothing of yours to take back" in text
    assert not kept(state_home)  # nobody has acted


def test_a_filter_of_moves_takes_whole_numbers() -> None:
    class Spoken:
        def __init__(self, text: str) -> None:
            self.text = text
            self.group = text.split(" ")[0]

        def __str__(self) -> str:
            return self.text

    legal: Any = [Spoken(text) for text in ("3,-2 r0", "13,-2 r0", "-3,-2 r1", "3,-21 r0", "ry:d4e4", "bb:c4d4", "bb:d41e41")]
    for text, expected in (
        ("3,-2", ["3,-2 r0"]),
        ("3,", ["3,-2 r0", "3,-21 r0"]),
        (" R0", ["3,-2 r0", "13,-2 r0", "3,-21 r0"]),
        ("d4", ["ry:d4e4", "bb:c4d4"]),
        ("RY", ["ry:d4e4"]),
        ("-2", ["3,-2 r0", "13,-2 r0", "-3,-2 r1"]),
    ):
        assert [str(action) for action in prompt.containing(text, legal)] == expected


def test_random_lines_break_nothing(game: str) -> None:
    luck = random.Random(game)
    match = start(game)
    pieces = [str(action) for action in match.legal_actions] + [
        *prompt.COMMANDS,
        *(
            "?",
            ";",
            "#",
            "#1",
            "#2",
            " ",
            "-",
            ",",
            ":",
            "r0",
            "0",
            "9" * 30,
            "\t",
            "\u0130",
            "\u00df",
            "x",
            "y",
            "n",
            "\\",
            "%s",
            "{}",
            "[red]",
        ),
    ]
    for _ in range(2):
        lines = ["".join(luck.choices(pieces, k=luck.randint(1, 4))) for _ in range(40)]
        kept_out = [line.replace(":save", "").replace(":hint", "").replace(":quit", "") for line in lines]
        text = play(game, *kept_out, ":quit")
        assert "Traceback" not in text


def test_help_moves_rules_view_and_hint(game: str) -> None:
    match = start(game)
    asked = (":hint", ":hint novice:simulations=9", ":hint nobody", ":hint novice:depth=1")
    text = play(game, "?", ":moves", ":rules", ":rules 5", ":view", *asked, more=("--hint", "greedy"))
    assert ":undo" in text
    assert f"#{len(match.legal_actions)} {match.legal_actions[-1]}" in text
    assert "greedy: " in text
    assert "novice:simulations=9: " in text
    assert 'no agent "nobody": expected one of random, greedy' in text
    assert 'no setting "depth"' in text


def test_a_whole_turn_in_one_line_and_what_is_left_of_it(game: str, state_home: Path) -> None:
    match = start(game)
    turn: list[str] = []
    while match.current_player == 0 and len(turn) < 20:
        turn.append(str(match.legal_actions[0]))
        match.play(match.legal_actions[0])
    text = play(game, "; ".join([*turn, "nonsense"]))
    assert "not played" in text
    record = fg.load_record(kept(state_home)[0])
    played = [str(step) for step in record.new_match().history if isinstance(step, fg.Action)]
    assert played[: len(turn)] == turn
    text = play(game, f"{turn[0]}; xyzzy; {turn[0]}")
    assert f"not played: xyzzy; {turn[0]}" in text or "the turn has gone on: xyzzy" in text


def test_undo_goes_over_the_bots_to_ones_own_decision(game: str, state_home: Path) -> None:
    match = start(game)
    first = str(match.legal_actions[0])
    last = str(match.legal_actions[-1])
    text = play(game, first, ":undo", last)
    assert "taken back, to ply 0" in text
    assert str(fg.load_record(kept(state_home)[0]).new_match(1).last_action) == last
    again = play(game, first, ":undo", first)
    told = re.findall(r"seat 1 \(random\): .*", again)
    assert len(told) % 2 == 0
    assert told[: len(told) // 2] == told[len(told) // 2 :]


def test_save_writes_a_record(game: str, tmp_path: Path, state_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "saved.jsonl"
    save = f":save {path}"
    text = play(game, "#1", save, ":save", "#1", save, ":save --force", ":save /nowhere/at/all")
    first = fg.load_record(path).plies
    assert first >= 1
    assert str(kept(state_home)[0]) in text
    assert f"not saved: {path} exists: :save --force {path} overwrites it" in text
    assert text.count("not saved") == 2
    Path("--force").unlink()
    play(game, "#1", "#1", f":save --force {path}")
    assert fg.load_record(path).plies > first


def test_a_whole_game_and_its_replay(game: str, state_home: Path) -> None:
    text = play(game, *["#1"] * 2000)
    assert "has won" in text or "share the first place" in text
    path = kept(state_home)[0]
    assert fg.load_record(path).result is not None
    assert f"forbidden-games replay {path.stem}" in text
    assert good("replay", path.stem)
    assert "1 finished" in good("play", "--resume")
    refused("play", path.stem, "--resume", code=1)


def test_from_goes_on_with_the_given_seats(game: str, tmp_path: Path, state_home: Path) -> None:
    source = tmp_path / "source.jsonl"
    fg.play_match(fg.load(game, 2), ["random", "random"], seed=3).record.save(source)
    good("play", "--from", f"{source}@2", "--seed", "77", "--seat", "human:Ann", "--seat", "greedy", typed=":quit\n")
    record = fg.load_record(kept(state_home)[0])
    assert (record.seats, record.seed) == (["human:Ann", "greedy"], 77)
    assert record.plies >= 2
    refused("play", "--from", str(source), code=1)


def test_resuming_a_damaged_record_goes_on_up_to_the_damage(game: str, state_home: Path) -> None:
    play(game, "#1", "#1")
    path = kept(state_home)[0]
    text = path.read_text()
    path.write_text(text + '{"ply": 0, "act')
    result = run("play", path.stem, "--resume", typed=":quit\n")
    assert result.code == 0
    assert "warning: record line" in result.err
    assert len(kept(state_home)) == 2
    assert path.read_text() == text + '{"ply": 0, "act'
    assert "damaged at its end" in good("play", "--resume")


def test_a_folder_that_cannot_be_written_is_no_obstacle(game: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    result = run("play", game, "--seed", "1", "--seat", "human", typed="#1\n:save\n:quit\n")
    assert result.code == 1
    place = blocked / "forbidden-games" / "games"
    assert result.err.splitlines() == [
        f"warning: the game is not kept: not a directory: {place}; every move tries again",
        f"error: the game is not kept: not a directory: {place}",
    ]
    assert "seat 0 (you): " in result.out
    assert "--resume" not in result.out
    assert good("play", "--resume").startswith("no unfinished game")


FULL = [
    pytest.param({2}, 6, "the game is kept; go on with", ["warning: the game is kept again"], id="once"),
    pytest.param(
        set(range(3, 99)), 2, "the game is kept up to ply 2; go on with", ["error: the game is not kept after ply 2"], id="later"
    ),
    pytest.param(set(range(1, 99)), None, "", ["error: the game is not kept"], id="always"),
]


@pytest.mark.parametrize(("full", "plies", "told", "at_the_end"), FULL)
def test_after_a_failed_writing_every_move_tries_again(
    full: set[int], plies: int | None, told: str, at_the_end: list[str], state_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the calls in `full`; each ply of these six is one call."""
    calls = 0

    def sometimes_full(path: Path, text: str, **others: Any) -> None:
        nonlocal calls
        calls += 1
        if calls in full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write_text(path, text, **others)

    monkeypatch.setattr(autosave, "write_text", sometimes_full)
    typed = "#1\n#1\n#1\n:quit\n"
    result = run("play", "qin", "-p", "2", "--seed", "1", "--seat", "human", "--seat", "random", typed=typed)
    assert result.code == at_the_end[0].startswith("error")
    assert ("--resume" in result.out) == bool(told)
    assert told in result.out
    warning, *others = result.err.splitlines()
    assert warning.startswith("warning: the game is not kept: no space left on device: ")
    assert warning.endswith("; every move tries again")
    assert [line.partition(": no space")[0] for line in others] == at_the_end
    assert [fg.load_record(path).plies for path in kept(state_home)] == ([] if plies is None else [plies])
    assert not list((state_home / "forbidden-games" / "games").glob(".*"))


@pytest.mark.parametrize("game", [name for name in GAMES if fg.game_info(name).hidden_information])
def test_hidden_hands_need_a_terminal_or_open_hands(game: str) -> None:
    arguments = ("play", game, "--players", "2", "--seat", "human:Ann", "--seat", "human:Bob")
    refused(*arguments, code=2)
    text = good(*arguments, "--open-hands", typed="#1\n#1\n:undo\nn\n:undo\ny\n")
    assert "seat 1 (Bob): may seat 0 (Ann) take back?" in text
    assert "does not agree" in text
    assert "taken back, to ply 0" in text


@pytest.mark.parametrize("game", [name for name in GAMES if fg.load(name).new_state().series_total is not None])
def test_a_series_goes_round_and_adds_up(game: str) -> None:
    names = list(fg.game_info(game).builtin_components)[:2]
    text = good(
        "play",
        game,
        "-p",
        "2",
        "--seed",
        "1",
        "--series",
        ",".join(names),
        "--seat",
        "human:Ann",
        "--seat",
        "random",
        typed="#1\n" * 2000,
    )
    assert "Game 2 of 2" in text
    assert "Series after 2 of 2 games" in text
    refused("play", game, "--series", "nonsense", code=2)


@pytest.mark.parametrize("game", [name for name in GAMES if fg.load(name).new_state().series_total is not None])
def test_a_series_that_was_left_is_resumed_where_it_was(game: str, state_home: Path) -> None:
    names = ",".join(list(fg.game_info(game).builtin_components)[:2])
    arguments = ("play", game, "-p", "2", "--seed", "1", "--series", names, "--seat", "human:Ann", "--seat", "random")
    whole = good(*arguments, typed="#1\n" * 2000)
    first = split_records(kept(state_home)[0].read_text())[0]
    plies = fg.parse_record(first).plies
    kept(state_home)[0].unlink()
    good(*arguments, typed="#1\n" * (plies // 2 + 2) + ":quit\n")
    path = kept(state_home)[0]
    assert "game 2 of 2" in good("play", "--resume")
    rest = good("play", path.stem, "--resume", typed="#1\n" * 2000)
    assert rest.split("Series after 2")[1] == whole.split("Series after 2")[1]
    assert "1 finished" in good("play", "--resume")
    assert "Game 2 of 2" in good("replay", path.stem)
    refused("play", path.stem, "--resume", code=1)
    path.write_text(path.read_text().replace('"series":1', '"series":{', 1))
    refused("play", path.stem, "--resume", code=1)


def test_a_game_without_series_says_so() -> None:
    game = next(name for name in GAMES if fg.load(name).new_state().series_total is None)
    option = fg.game_info(game).option_schema[0]
    value = option.default if isinstance(option.default, str) else str(option.default)
    assert "series" in refused("play", game, "--series", f"{option.name}={value}", code=1)


def test_an_agent_that_fails_loses_nothing(game: str, tmp_path: Path, state_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_agent.py").write_text(
        "class Agent:\n    def act(self, info):\n        raise RuntimeError('no idea\\nat all')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("play", game, "-p", "2", "--seat", "human", "--seat", "py:failing_agent:Agent", typed="#1\n" * 30)
    assert result.code == 1
    assert result.err == "error: unexpected RuntimeError: no idea at all\n"
    assert "play --resume" in result.out
    assert fg.load_record(kept(state_home)[0]).plies >= 1


def test_odd_bytes_on_standard_input(game: str) -> None:
    result = other_process("play", game, "--seat", "human", typed=b"\xff\xfe\x00\n\x80\x81\n" + b"y" * 300_000 + b"\n#1\n")
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr + result.stdout


def test_another_encoding_draws_with_ascii(game: str) -> None:
    result = other_process("play", game, "--seat", "human", typed=b":moves\n", environment={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert result.stdout.isascii()


def test_a_file_cannot_ask_for_code(tmp_path: Path, state_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wicked_agent.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    name = next(name for name in GAMES if fg.load(name).new_state().series_total is not None)
    sets = ",".join(list(fg.game_info(name).builtin_components)[:2])
    for more in ((), ("--series", sets)):
        good("play", name, "-p", "2", "--seat", "human", "--seat", "random", *more, typed="#1\n")
        path = kept(state_home)[-1]
        path.write_text(path.read_text().replace('"random"', '"py:wicked_agent:Agent"'))
        assert "--seat" in refused("play", path.stem, "--resume", code=1)
        good("play", "--resume")
        good("replay", path.stem)
        good("play", path.stem, "--resume", "--seat", "human", "--seat", "random", typed="#1\n")
        path.unlink()
    assert not (tmp_path / "ran").exists()


def test_a_file_that_cannot_be_saved_ends_no_game(state_home: Path, tmp_path: Path) -> None:
    names = ["~nosuch/x", "a" * 300, "/", str(tmp_path), f"{tmp_path}/no/such", "zero\0byte", "/dev/null/x"]
    text = play("qin", *(f":save {name}" for name in names), "#1")
    assert text.count("not saved: ") == len(names)
    assert "overwrite" not in text
    assert fg.load_record(kept(state_home)[0]).plies > 0


def test_a_game_in_which_nobody_has_acted_is_not_kept(game: str, state_home: Path) -> None:
    assert "--resume" not in play(game, ":quit")
    assert not kept(state_home)
    assert "--resume" in play(game, ":save", ":quit")  # asked for
    assert fg.load_record(kept(state_home)[0]).plies == 0
    assert good("play", "--resume").startswith("no unfinished game")


def test_files_of_games_are_never_shared(
    state_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(time, "strftime", lambda _form, *_when: "now")
    first, second = autosave.Autosave("qin"), autosave.Autosave("qin")
    for keep in (first, second, first):
        keep.save(keep.name if keep.path else "")
    assert {path.stem for path in kept(state_home)} == {"qin-now", "qin-now-2"}
    assert first.path
    first.close()
    third, fourth = autosave.Autosave("qin", first.path), autosave.Autosave("qin", first.path)
    assert "qin-now is open in another terminal: this game goes on in a file of its own" in capsys.readouterr().err
    third.save("third")
    third.save("third again")
    fourth.save("fourth")
    assert first.path.read_text() == "third again"
    assert fourth.path
    assert (fourth.name, fourth.path.read_text()) == ("qin-now-3", "fourth")
    first.path.write_text("an editor's")
    third.save("third goes on")
    assert "qin-now has been changed by another program" in capsys.readouterr().err
    assert first.path.read_text() == "an editor's"
    assert third.path
    assert (third.name, third.path.read_text()) == ("qin-now-4", "third goes on")
    before = first.path.stat()
    fifth = autosave.Autosave("qin", first.path)
    fifth.save("an editor's")  # only opened
    assert first.path.stat() == before
    for keep in (second, third, fourth, fifth):
        keep.close()
    assert not [path for path in first.path.parent.iterdir() if path.name.startswith(".")]
    assert not capsys.readouterr().err


def test_a_second_terminal_goes_on_in_its_own_file(state_home: Path) -> None:
    play("qin", "#1")
    (path,) = kept(state_home)
    before = path.read_bytes()
    assert not list(path.parent.glob(".*"))
    elsewhere = autosave.Autosave("qin", path)
    result = run("play", path.stem, "--resume", typed="#1\n:quit\n")
    assert (result.code, path.read_bytes()) == (0, before)
    assert result.err == f"warning: {path.stem} is open in another terminal: this game goes on in a file of its own\n"
    assert len(kept(state_home)) == 2
    elsewhere.close()
    assert run("play", path.stem, "--resume", typed=":quit\n").err == ""
    assert not list(path.parent.glob(".*"))


def test_records_as_editors_leave_them(tmp_path: Path, state_home: Path) -> None:
    play("qin", "#1", "#1")
    (path,) = kept(state_home)
    text = path.read_text()
    plain = good("replay", path.stem)
    for around in (text + "\n", text + "\r\n \n\n", "\ufeff" + text, "\ufeff" + text.replace("\n", "\r\n") + "\n"):
        path.write_bytes(around.encode())
        assert good("replay", path.stem) == plain
        assert "damaged" not in good("play", "--resume")
        assert fg.load_record(path) == fg.parse_record(text) == fg.parse_record(around)
        assert good("perft", "--from", str(path), "--depth", "0") == "1\n"
    path.write_text(text[:-5] + "\n\n")
    assert f"line {text.count(chr(10))}: " in run("replay", path.stem).err


def test_one_bad_file_hides_no_kept_game(state_home: Path) -> None:
    play("qin", "#1")
    (good_one,) = kept(state_home)
    folder = good_one.parent
    (folder / "dangling.jsonl").symlink_to(folder / "nowhere")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    contents = [
        '{"series":1,"games":5}',
        '{"series":1,"games":[]}',
        '{"series":1,"games":[1],"players":3}',
        "",
        "\x1b[2J",
        "[" * 9999,
    ]
    for number, content in enumerate(contents):
        (folder / f"bad\u202e{number}.jsonl").write_text(content)
    result = run("play", "--resume")
    assert result.code == 0
    assert f"play --resume {good_one.stem}\n" in result.out
    assert result.err.count("\n") == len(contents)
    assert not set("\x1b\u202e") & set(result.err + result.out)
    for number in range(len(contents)):
        refused("play", f"bad\u202e{number}", "--resume", code=1)


def test_a_record_from_elsewhere_stays_as_it_is(state_home: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    match = fg.load("qin").new_match(seed=2, seats=["human", "random"])
    match.play(match.legal_actions[0])
    match.record.save(path)
    before = path.read_bytes()
    text = good("play", str(path), "--resume", typed="#1\n:quit\n")
    assert f"{path} stays as it is" in text
    assert path.read_bytes() == before
    assert "Qin" in good("play", "--resume")


def test_a_ply_beyond_the_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    match = fg.load("qin").new_match(seed=2)
    match.play(match.legal_actions[0])
    match.record.save(path)
    assert "expected at most 1" in refused("analyze", "--from", f"{path}@2", code=2)
    assert match.record.new_match(ply=1).ply == 1
    with pytest.raises(ValueError, match="found 2, expected at most 1"):
        match.record.new_match(ply=2)


def test_an_agent_of_ones_own_lies_in_the_current_folder(tmp_path: Path) -> None:
    """The installed program, unlike `python -m`, does not look there by itself."""
    (tmp_path / "mine.py").write_text("class Last:\n    def act(self, info, *, seed=0):\n        return info.legal_actions[-1]\n")
    program = Path(sys.executable).with_name("forbidden-games")
    ran = subprocess.run(
        [program, "watch", "qin", "--agent", "py:mine:Last", "--agent", "random", "--json", "--seed", "1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert '"result"' in ran.stdout or '"ranking"' in ran.stdout


def test_a_failed_take_back_leaves_no_problem_where_the_file_is_right(
    state_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = autosave.Autosave("qin")
    keep.save("one", 1)

    def full(path: Path, _text: str, **_others: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(autosave, "write_text", full)
    keep.save("two", 2)
    assert not keep.is_kept
    keep.save("one", 1)  # taken back to what the file has
    assert keep.is_kept
    assert keep.path
    # The text is there, only the folder could not be synced: the file is still its own.

    def half(path: Path, text: str, **others: Any) -> None:
        write_text(path, text, **others)
        raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))

    monkeypatch.setattr(autosave, "write_text", half)
    keep.save("three", 3)
    monkeypatch.undo()
    keep.save("four", 4)
    keep.close()
    assert keep.path.read_text() == "four"
    assert "of its own" not in capsys.readouterr().err
    assert not list(keep.path.parent.glob(".*"))
