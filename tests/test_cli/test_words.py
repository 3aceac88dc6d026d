"""What a person may type at the prompt beside notation: words, near misses, squares of a turn in either order, hints."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import forbidden_games as fg
import pytest
from forbidden_games.cli import order, prompt

from .helper import Terminal, good, run

if TYPE_CHECKING:
    from pathlib import Path

GAMES = fg.games()
HIDDEN = next(name for name in GAMES if fg.game_info(name).hidden_information)
PROMPT = r"(?<=[a-z0-9])(?<!q)> (?:\x1b\[\S+)?$"


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return str(request.param)


def play(game: str, *lines: str, more: tuple[str, ...] = ("--seat", "human", "--seat", "random")) -> str:
    """What is shown when these lines are typed."""
    return good("play", game, "-p", "2", "--seed", "1", *more, typed="".join(f"{line}\n" for line in lines))


def kept(home: Path) -> list[Path]:
    """The kept games."""
    return sorted((home / "forbidden-games" / "games").glob("*.jsonl"))


def played(home: Path) -> list[str]:
    """The actions of the one kept game."""
    (path,) = kept(home)
    return [str(step) for step in fg.load_record(path).new_match().history if isinstance(step, fg.Action)]


# ---- Words --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["quit", "Exit", ":exit", ":q"])
def test_the_way_out_is_understood(word: str) -> None:
    text = play("qin", "#1", word, "#1")
    assert text.endswith("\n")
    assert "the game is kept" in text.splitlines()[-1]
    assert word in text.splitlines()[-2], "nothing was read after it"


def test_commands_are_understood_without_their_colon(game: str) -> None:
    text = play(game, "help", "moves", "hint random", "view", "rules 5", "undo", "#1", "undo", more=("--seat", "human"))
    assert "Commands:" in text
    assert "\nrandom: " in text
    assert "there is nothing of yours to take back" in text
    assert "taken back, to ply 0" in text
    assert "cannot parse" not in text
    assert "no command" not in text


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(":hnt", ":hint"), (":hints", ":hint"), (":qiut", ":quit"), (":udno", ":undo"), ("hnt", ":hint"), ("qiut", ":quit")],
)
def test_a_near_miss_is_asked_about_and_not_carried_out(typed: str, meant: str) -> None:
    text = play("qin", typed)
    assert f"did you mean {meant}?" in text
    assert "recommended" not in text


def test_what_stands_behind_a_command_is_never_ignored(game: str) -> None:
    text = play(game, ":undo 3", "quit now", ":view TYPO", ":view z99", ":hint WORD", ":rules xyzzy", ":moves xyzzy", "? x")
    for answer in (
        ":undo takes nothing more: found 3",
        ":quit takes nothing more: found now",
        "no square is called TYPO",
        "no square is called z99",
        'no agent "WORD"',
        "the rules say nothing about xyzzy",
        "no legal action has xyzzy in it",
        ":help takes nothing more: found x",
    ):
        assert answer in text, answer


def test_every_square_of_the_board_can_be_viewed(game: str) -> None:
    chosen = fg.load(game, 2)
    match = chosen.new_match(1)
    for name in ("-3,2", "0,0") if game == "forbidden_city" else ("a1", "D4"):
        assert chosen.is_square(name) or game == "tang_garden", name
    places = {text for action in match.legal_actions for text in re.findall(r"-?\d+,-?\d+|(?<![a-z])[a-q]\d+", str(action))}
    named = [place for place in places if not re.fullmatch(r"r\d", place)]
    assert all(chosen.is_square(place) for place in named)
    for wrong in ("", "xyzzy", "z99", "a0", "4d", "1,", "99999999999,1", "\u0130", "a" * 9999):
        assert not chosen.is_square(wrong)


def test_a_square_is_answered_with_what_can_be_done_there_or_why_not(game: str) -> None:
    match = fg.load(game, 2).new_match(1)
    for square in ("e4", "5,5"):
        answer = play(game, square).split(f"> {square}\n", 1)[1]
        if match.game.is_square(square):
            assert re.search(r"#\d+ |[A-Z]{2}-\d+|did you mean", answer), (square, answer[-300:])
        else:
            assert "cannot parse" in answer
    legal = str(match.legal_actions[0])
    for square in re.findall(r"-?\d+,-?\d+|[a-z]\d+", legal.split(" r")[0])[:1]:
        shown = play(game, square)
        assert "cannot parse" not in shown, (square, shown[-300:])


# ---- Either order -------------------------------------------------------------------------------------------------------


def _two_equal_tiles(record_to: Path) -> tuple[str, str]:
    """A Dragon Castle game of which the next decision is to place two equal tiles; an earlier and a later square."""
    for seed in range(50):
        match = fg.load("dragon_castle", 2).new_match(seed, seats=["human", "random"])
        match.play(match.legal_actions[0])
        pairs = [action for action in match.legal_actions if str(action).startswith("pair ")]
        if pairs:
            match.play(pairs[0])
            match.record.save(record_to)
            squares = [str(action).split(" ")[1] for action in match.legal_actions]
            return squares[3], squares[9]
    raise AssertionError


@pytest.mark.parametrize("form", ["place {0}; place {1}", "{0}; {1}", "place {0}\nplace {1}", "{0}\n{1}"])
def test_the_squares_of_a_turn_in_either_order(form: str, tmp_path: Path, state_home: Path) -> None:
    path = tmp_path / "game.jsonl"
    earlier, later = _two_equal_tiles(path)
    before = fg.load_record(path).plies
    ends = []
    for typed in (form.format(earlier, later), form.format(later, earlier)):
        text = good("play", "--from", str(path), "--seat", "human", "--seat", "random", typed=f"{typed}\n")
        assert played(state_home)[before : before + 2] == [f"place {earlier}", f"place {later}"]
        assert "not legal" not in text
        ends.append(played(state_home))
        assert (f"= place {earlier}; place {later}\n" in text) == typed.startswith(form.format(later, earlier)[:9])
        kept(state_home)[0].unlink()
    assert ends[0] == ends[1]


def test_an_order_is_changed_only_where_one_thing_can_be_meant(tmp_path: Path, state_home: Path) -> None:
    path = tmp_path / "game.jsonl"
    earlier, later = _two_equal_tiles(path)
    before = fg.load_record(path).plies
    for typed in (f"place {later}; take a1", f"place {later}; place {later}", f"place {later}; xyzzy"):
        text = good("play", "--from", str(path), "--seat", "human", "--seat", "random", typed=f"{typed}\n")
        assert played(state_home)[before:] == [f"place {later}"]
        assert re.search("is not legal|cannot parse|nothing legal", text)
        kept(state_home)[0].unlink()
    match = fg.load_record(path).new_match()
    assert order.find([f"place {earlier}", f"place {later}"], match) is None
    found = order.find([f"place {later}", f"place {earlier}", "take a1"], match)
    assert found == order.Order(0, [f"place {earlier}", f"place {later}", "take a1"], 2)


def test_no_game_has_its_lines_changed_that_can_be_played(game: str) -> None:
    """The whole turns of random games are played as they are typed."""
    match = fg.play_match(fg.load(game, 2), ["random", "random"], seed=6)
    for ply in range(0, match.ply, 7):
        now = match.record.new_match(ply)
        turn: list[str] = []
        later = now.copy()
        while later.current_player == now.current_player and len(turn) < 6:
            turn.append(str(later.legal_actions[-1]))
            later.play(turn[-1])
        assert order.find(turn, now) is None


# ---- Hints --------------------------------------------------------------------------------------------------------------

AGENTS = {
    "greedy": "points",
    "random": None,
    "flat:simulations=200": "return",
    "mcts:simulations=100": "return",
    "ismcts:simulations=100": "return",
}


@pytest.mark.parametrize(
    ("game", "agent"), [*((game, "greedy") for game in GAMES), *(("qin", agent) for agent in list(AGENTS)[1:])]
)
def test_what_an_agent_recommends_stands_first_with_the_unit_of_its_values(game: str, agent: str) -> None:
    lines = good("analyze", game, "-p", "2", "--seed", "3", "--agent", agent, "--top", "4").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("recommended: "))
    data = json.loads(good("analyze", game, "-p", "2", "--seed", "3", "--agent", agent, "--json"))
    unit = AGENTS[agent]
    assert data["value_unit"] == unit
    assert lines[at].startswith(f"recommended: {data['action']} (")
    assert {"points": "points of the game", "return": "return in [-1, 1]", None: "judges no action"}[unit] in lines[at]
    assert re.split(r" {2,}", lines[at + 1].strip())[:2] == ["action", "value"]
    assert lines[at + 2].startswith(f"> {data['action']} ")
    assert [line[:2] for line in lines[at + 3 : at + 6]] == ["  "] * len(lines[at + 3 : at + 6])
    rows = [re.split(r" {2,}", line[2:].strip()) for line in lines[at + 2 : at + 6]]
    if unit == "points":
        shown = [float(row[1]) for row in rows]
        assert shown == sorted(shown, reverse=True)
    hint = play(game, f":hint {agent}")
    assert re.search(rf"recommended: .*\n.*\n> {re.escape(re.findall('recommended: (.*) [(]', hint)[0])} ", hint)


def test_a_report_says_what_its_values_count() -> None:
    info = fg.load("qin", 2).new_match(1).information_state(0)
    for spec, unit in AGENTS.items():
        report = fg.SearchAgent(spec).search(info, seed=1)
        assert report.value_unit == unit
        assert report.to_dict()["value_unit"] == unit


# ---- Questions ----------------------------------------------------------------------------------------------------------

OPEN = ("--seat", "human:Ann", "--seat", "human:Bob", "--open-hands")


def test_taking_back_nothing_asks_nobody(game: str) -> None:
    text = play(game, ":undo", more=OPEN)
    assert "there is nothing of yours to take back" in text
    assert "may seat" not in text


@pytest.mark.parametrize("answer", ["", "NO", "maybe\nn"])
def test_a_question_can_be_left(answer: str, state_home: Path) -> None:
    text = play("qin", "#1", "#1", ":undo", answer, ":moves", more=OPEN)
    assert "may seat 1 (Bob) take back?" in text or "may seat 0 (Ann) take back?" in text
    assert "does not agree" in text
    assert text.count("please answer y or n") == answer.count("maybe")
    assert len(played(state_home)) == 2


@pytest.mark.parametrize("answer", [":quit", "quit", "exit"])
def test_leaving_at_a_question_leaves_the_game(answer: str, state_home: Path) -> None:
    text = play("qin", "#1", "#1", ":undo", answer, "#1", more=OPEN)
    assert "the game is kept" in text.splitlines()[-1]
    assert len(played(state_home)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_command_typed_where_a_list_stops_is_carried_out() -> None:
    terminal = Terminal("play", GAMES[0], "-p", "2", "--seat", "human", "--seat", "random")
    terminal.expect(PROMPT)
    for typed, answer in (
        (":undo", "nothing of yours"),
        ("#1", r"seat 0 \(you\): "),
        ("q", "> $"),
        ("", "-- Enter for more, q to stop -- "),
        (":hnt", "did you mean :hint"),
    ):
        if "Enter for more" not in terminal.text[-200:]:
            terminal.type(":rules e")
            terminal.expect("q to stop -- ")
        terminal.type(typed)
        terminal.expect(answer)
        if typed:
            terminal.expect(PROMPT) if answer != "> $" else None
            terminal.raw += b" " * 300
            terminal.read_to = len(terminal.raw)
    terminal.type(":rules e")
    terminal.expect("q to stop -- ")
    terminal.type(":quit")
    assert terminal.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_leaving_where_the_screen_is_handed_over() -> None:
    terminal = Terminal("play", HIDDEN, "-p", "2", "--seat", "human:Ann", "--seat", "human:Bob")
    terminal.expect(r"you see the screen\. ")
    terminal.type("what now")
    terminal.expect("first Enter alone; :quit leaves")
    terminal.expect(r"you see the screen\. ")
    terminal.type("quit")
    assert terminal.end() == 0


def test_an_unknown_word_is_no_command(game: str) -> None:
    assert prompt.command("xyzzy") is None
    result = run("play", game, "-p", "2", "--seat", "human", typed="xyzzy\n:xyzzy\n")
    assert "cannot parse" in result.out
    assert ":xyzzy is no command: expected one of :moves" in result.out
