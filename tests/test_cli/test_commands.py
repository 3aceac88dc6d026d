"""Every command on every game: what it prints for people and for programs, and how it refuses."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
from pathlib import Path

import forbidden_games as fg
import numpy as np
import pytest
from forbidden_games import _rust
from forbidden_games.cli import app, rules

from .helper import PROGRAM, good, other_process, refused, run

GAMES = fg.games()


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return str(request.param)


def record_file(folder: Path, name: str, plies: int | None = None) -> Path:
    """The record of a random game, or of its first plies."""
    match = fg.play_match(fg.load(name), ["random"] * fg.load(name).num_players, seed=3)
    record = match.record if plies is None else match.record.new_match(plies).record
    path = folder / f"{name}.jsonl"
    record.save(path)
    return path


def test_games_lists_every_game_and_option() -> None:
    text = good("games")
    for name in GAMES:
        assert name in text
        assert all(f"--set {spec.name}=" in text for spec in fg.game_info(name).option_schema)
    assert [one["name"] for one in json.loads(good("games", "--json"))] == GAMES


def test_version_and_help() -> None:
    first, build, *games = good("--version").splitlines()
    assert first == f"forbidden-games {fg.__version__}"
    assert build.startswith(f"build: {_rust.build_profile}, {_rust.build_cpu_level}, ")
    infos = [fg.game_info(name) for name in fg.games()]
    assert games == [f"{info.name}: rules {info.rules_version}, layout {info.layout_version}" for info in infos]
    text = good("--help")
    for command in ("play", "watch", "replay", "rules", "analyze", "tournament", "rollouts", "perft", "bench", "playthrough"):
        assert command in text
        assert "Usage" in good(command, "--help")


def test_rules_by_number_section_and_word(game: str) -> None:
    page = fg.game_info(game).rules
    assert good("rules", game) == page.rstrip("\n") + "\n"
    number = next(word.strip("*") for word in page.split() if word.startswith("**") and "-5." in word)
    part = good("rules", game, number.lower())
    assert number in part
    assert len(part) < len(page) / 4
    assert len(good("rules", game, "5")) > len(part)
    assert "chance" in good("rules", game, "chance").lower()
    assert "xyzzy" in refused("rules", game, "xyzzy", code=1)


def test_components_export_check_and_show(game: str, tmp_path: Path) -> None:
    name = next(iter(fg.game_info(game).builtin_components))
    assert name in good("components", game)
    template = good("components", game, "--export", name)
    mine = tmp_path / "mine.toml"
    mine.write_text(template.replace(f'name = "{name}"', 'name = "mine"', 1))
    assert '"mine"' in good("components", game, "--check", str(mine))
    assert len(good("components", game, "--show").splitlines()) > 5
    assert good("components", game, "--show", "--components", str(mine))
    assert good("playthrough", game, "--components", str(mine)).splitlines()[0].count('"mine"') >= 1
    mine.write_text(mine.read_text() + "\nsurprise = 1\n")
    assert refused("components", game, "--check", str(mine), code=1).count("\n") == 0
    refused("components", game, "--export", "nonsense", code=1)
    refused("components", game, "--export", name, "--show", code=2)


def test_playthrough_prints_the_json_lines_and_nothing_else(game: str) -> None:
    info = fg.game_info(game)
    for players in range(info.min_players, info.max_players + 1):
        result = run("playthrough", game, "--players", str(players), "--seed", "1")
        assert (result.code, result.err) == (0, "")
        lines = result.out.splitlines()
        assert lines == fg.playthrough(fg.load(game, players), 1)
        header, *nodes, last = (json.loads(line) for line in lines)
        assert (header["playthrough"], header["game"], header["players"]) == (1, game, players)
        assert all({"state", "action"} < set(node) for node in nodes)
        assert len(last["ranking"]) == players


def test_playthrough_is_the_same_in_another_process(game: str) -> None:
    assert other_process("playthrough", game, "--seed", "5").stdout.decode() == good("playthrough", game, "--seed", "5")


def test_perft_prints_the_number_alone_on_its_last_line(game: str) -> None:
    state = fg.load(game, 2).new_state()
    for depth in (0, 1, 2, 3):
        assert good("perft", game, "--players", "2", "--depth", str(depth)) == f"{fg.perft(state, depth)}\n"
    parts = [f"{action}: {count}" for action, count in fg.perft_divide(state, 2)]
    assert good("perft", game, "--players", "2", "--depth", "2", "--divide").splitlines()[:-1] == parts
    lines = good("perft", game, "--players", "2", "--depth", "2", "--divide").splitlines()
    assert sum(int(line.rpartition(": ")[2]) for line in lines[:-1]) == int(lines[-1])
    assert json.loads(good("perft", game, "--players", "2", "--json"))["count"] == fg.perft(state, 1)


def test_moves_with_and_without_draws(game: str, tmp_path: Path) -> None:
    chosen = fg.load(game, 2)
    match = chosen.new_match(4)
    for _ in range(3):
        match.play(match.legal_actions[-1])
    moves = tmp_path / "moves.txt"
    moves.write_text("# all steps\n\n" + "".join(f"{step}\n" for step in match.history))
    assert good("perft", game, "--players", "2", "--moves", str(moves)) == f"{fg.perft(match.state, 1)}\n"
    actions = [str(step) for step in match.history if isinstance(step, fg.Action)]
    moves.write_text("\n".join(actions))
    text = good("watch", game, "-p", "2", "--seed", "4", "--moves", str(moves), "--agent", "random", "--json")
    record = fg.parse_record(text)
    assert record.new_match(3).state == match.state
    moves.write_text("nonsense\n")
    refused("perft", game, "--moves", str(moves), code=1)


def test_from_record_state_and_observation(game: str, tmp_path: Path) -> None:
    record = record_file(tmp_path, game)
    match = fg.load_record(record).new_match(6)
    state = tmp_path / "state.json"
    state.write_text(match.state.to_json())
    expected = f"{fg.perft(match.state, 1)}\n"
    assert good("perft", "--from", f"{record}@6") == expected
    assert good("perft", game, "--from", str(state)) == expected
    player = match.current_player
    assert player is not None
    seen = tmp_path / "seen.json"
    seen.write_text(match.observation(player).to_json())
    report = json.loads(good("analyze", game, "--observation", str(seen), "--player", str(player), "--agent", "greedy", "--json"))
    assert report["action"] in match.legal_actions
    other = next(name for name in [*GAMES, "nothing"] if name != game)
    refused("perft", other, "--from", str(record), code=2)
    refused("perft", "--from", str(record), "--players", "2", code=2)


def test_a_position_of_the_rule_page(tmp_path: Path) -> None:
    """FC-11.14: the last placement of a game; the header of a playthrough tells the position."""
    position = {
        "game": "forbidden_city",
        "players": 2,
        "options": {"components": "test-1"},
        "placements": [],
        "discarded": [[0, kind] for kind in ["gate", "hall", "wild", "twin", "nook", "tri", "box", "cap", "cap", "cap", "cap"]]
        + [[1, kind] for kind in ["gate", "hall", "wild", "pass", "twin", "nook", "tri", "box", "box", "cap", "cap", "cap"]],
        "hands": ["box", None],
        "turn": 0,
        "coins": [3, 8],
    }
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position))
    assert good("perft", "--from", str(path)) == "12\n"
    assert good("perft", "--from", str(path), "--depth", "2") == "0\n"
    header, *_, last = (json.loads(line) for line in good("playthrough", "--from", str(path), "--seed", "1").splitlines())
    assert header["position"] == position
    assert last["state"]["ply"] == 24
    moves = tmp_path / "moves.txt"
    moves.write_text("2,1 R0\n")
    last = json.loads(good("playthrough", "--from", str(path), "--moves", str(moves)).splitlines()[-1])
    assert (last["scores"], last["ranking"]) == ([14, 12], [1, 2])
    assert good("play", "--from", str(path), "--seed", "1", typed="2,1\n2,1 r0\n").count("seat 0 (you) has won") == 1
    refused("perft", "--from", f"{path}@3", code=2)


def test_rollouts_are_those_of_the_api(game: str) -> None:
    state = fg.load(game).new_state()
    for threads in ("1", "2"):
        data = json.loads(good("rollouts", game, "-n", "500", "--seed", "9", "--threads", threads, "--json"))
        expected = fg.rollouts(state, 500, seed=9).astype(np.float64).mean(axis=0)
        assert np.allclose(data["mean_returns"], expected)
    assert "games/s" in good("rollouts", game, "-n", "50")


def test_watch_and_replay(game: str, tmp_path: Path) -> None:
    path = tmp_path / "watched.jsonl"
    shown = good("watch", game, "--agent", "random", "--seed", "2", "--save", str(path))
    assert "\x1b" not in shown
    assert "has won" in shown or "share the first place" in shown
    record = fg.load_record(path)
    assert record.result is not None
    told = good("replay", str(path))
    assert "\x1b" not in told
    for action in (step for step in record.new_match().history if isinstance(step, fg.Action)):
        assert f": {action}\n" in told
    lines = [json.loads(line) for line in good("replay", str(path), "--json").splitlines()]
    assert len(lines) == record.plies + 1
    assert lines[-1]["scores"] == list(record.new_match().scores)
    assert good("replay", f"{path}@3").strip()
    assert len(good("replay", str(path), "--boards")) > len(told)
    refused("replay", f"{path}@99999", code=2)


def test_watch_draws_with_ascii(game: str) -> None:
    assert good("watch", game, "--agent", "random", "--seed", "2", "--ascii").isascii()


def test_replay_of_a_damaged_record_shows_what_is_sound(game: str, tmp_path: Path) -> None:
    path = record_file(tmp_path, game)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-4], lines[-4][:5]]))
    result = run("replay", str(path))
    assert result.code == 1
    assert result.out.count("\n") > 5
    assert f"line {len(lines) - 3}" in result.err


def test_tournament_and_going_on_with_it(game: str, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    common = ("tournament", game, "-p", "2", "--agent", "random", "--agent", "greedy", "--output", str(results), "--json")
    first = json.loads(good(*common, "--games", "2"))
    assert len(first["results"]) == 2
    more = json.loads(good(*common, "--games", "4", "--threads", "2"))
    assert more["results"][:2] == first["results"]
    assert "Elo" in good("tournament", game, "-p", "2", "--agent", "random", "--agent", "random", "--games", "2")
    refused("tournament", game, "--agent", "random", code=2)
    refused("tournament", game, "--agent", "random", "--agent", "random", "--sprt", "5", code=2)


def test_analyze_shows_a_table(game: str) -> None:
    text = good("analyze", game, "--seed", "1", "--agent", "greedy", "--top", "3")
    assert "best line:" in text
    assert "\x1b" not in text


def test_bench_prints_figures() -> None:
    figures = json.loads(good("bench", GAMES[0], "--seconds", "0.01", "--json"))
    assert figures["random_plies_per_second"] > 0
    assert "python loop" in good("bench", GAMES[0], "--seconds", "0.01")


def test_agents_are_listed() -> None:
    text = good("agents")
    assert all(name in text for name in fg.agent_names())
    assert good("agents", "greedy").startswith("greedy: ")
    assert f"qin -p 3: {fg.load('qin', players=3).search_defaults}\n" in good("agents", "mcts")
    refused("agents", "nobody", code=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ("play",),
        ("perft",),
        ("nonsense",),
        ("perft", GAMES[0], "--depth", "x"),
        ("perft", GAMES[0], "--nonsense"),
        ("perft", GAMES[0], "--set", "x"),
        ("perft", GAMES[0], "--set", "\x1b[2J\x07\n\u202e"),
        ("\x1b[2J",),
        ("play", GAMES[0], "--seat", "random", "--seat", "random"),
        ("play", GAMES[0], "--seat", "human:"),
        ("play", GAMES[0], *("--seat", "human") * 9),
        ("play", "--resume", "--seed", "1"),
        ("watch", GAMES[0], "--agent", "human"),
        ("watch", GAMES[0], "--view", "7"),
        ("playthrough", GAMES[0], *("--agent", "random") * 9),
        ("rollouts", GAMES[0], "-n", "0"),
        ("analyze", GAMES[0], "--observation", "x"),
    ],
)
def test_wrong_usage_is_one_line_and_code_2(arguments: tuple[str, ...]) -> None:
    assert refused(*arguments, code=2).isprintable()


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "chess"),
        ("rules", "chess"),
        ("rules", "\x1b[2J"),
        ("replay", "\x1b[2J"),
        ("perft", "--from", "\x1b[2J"),
        ("perft", GAMES[0], "--components", "\x1b[2J"),
        ("perft", GAMES[0], "--set", "\x1b[2J=\x07"),
        ("perft", GAMES[0], "--players", "99"),
        ("perft", GAMES[0], "--players", "-3"),
        ("playthrough", GAMES[0], "--seed", "9" * 30),
        ("components", GAMES[0], "--check", "/dev/zero"),
        ("perft", "--from", "/dev/zero"),
        ("perft", GAMES[0], "--set", "nonsense=1"),
        ("perft", GAMES[0], "--components", "nowhere.toml"),
        ("perft", "--from", "nowhere.jsonl"),
        ("perft", GAMES[0], "--moves", "nowhere.txt"),
        ("replay", "nowhere.jsonl"),
        ("play", "nothing-kept", "--resume"),
        ("play", GAMES[0], "--seat", "human", "--seat", "wizard"),
        ("watch", GAMES[0], "--agent", "greedy:x=1"),
        ("watch", GAMES[0], "--agent", "py:no_such_module:Agent"),
        ("playthrough", GAMES[0], "--agent", "wizard"),
    ],
)
def test_errors_are_one_line_and_code_1(arguments: tuple[str, ...]) -> None:
    assert refused(*arguments, code=1).isprintable()


@pytest.mark.parametrize("name", GAMES)
def test_components_as_an_option_only_where_a_game_has_it(name: str) -> None:
    error = refused("perft", name, "--set", "components=nonsense", code=1)
    has_it = any(spec.name == "components" for spec in fg.game_info(name).option_schema)
    assert "nonsense" in error
    assert "None" not in error
    assert ("only the options" in error) != has_it


HOSTILE = [
    b"",
    b"\n",
    b"\xff\xfe\x00binary\x80",
    b"{",
    b"[]",
    b"null",
    b"{}",
    b"[" * 200_000,
    b'{"a":' * 100_000,
    b'{"node": 1}',
    b'{"game": "qin", "players": 2, "node": "decision"}',
    b'{"game": "qin", "players": 2, "options": {"components": 1, "name": 2, "window": 3}}',
    b'{"game": "nothing", "players": 99999999999999999999, "options": {}}',
    b'{"record": 1}',
    b'{"record": 1, "game": "qin", "rules": 1, "players": 2, "options": {}, "components": "bird", "seats": [7], "seed": 1}',
    b"name = 'x'\n" * 1000,
    "\u202e\u0000\U0001f600 7\n".encode(),
    b"x" * 1_000_000,
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_give_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "hostile"
    path.write_bytes(content)
    for arguments in (
        ("perft", "--from", str(path)),
        ("perft", GAMES[0], "--components", str(path)),
        ("components", GAMES[0], "--check", str(path)),
        ("replay", str(path)),
        ("play", str(path), "--resume"),
        ("analyze", GAMES[0], "--observation", str(path), "--player", "0"),
    ):
        result = run(*arguments)
        assert result.code in (1, 2), (arguments, result)
        assert result.err.startswith("error: "), (arguments, result.err)
        assert result.err.count("\n") == 1, (arguments, result.err)
        assert "unexpected" not in result.err, (arguments, result.err)
    if content.strip():
        refused("perft", GAMES[0], "--moves", str(path), code=1)


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    for arguments in (("perft", "--from", str(tmp_path)), ("components", GAMES[0], "--check", str(tmp_path))):
        refused(*arguments, code=1)


def test_a_broken_pipe_is_quiet() -> None:
    with subprocess.Popen(
        [*PROGRAM, "playthrough", GAMES[0], "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) in (0, 141)


def test_starting_is_fast() -> None:
    """Two short runs of the program and the interpreter alone, best of three: far below what a person notices."""
    import sys
    import time

    def best(command: list[str]) -> float:
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - begin)
        return min(times)

    assert best([*PROGRAM, "perft", GAMES[0], "--depth", "1"]) - best([sys.executable, "-c", "pass"]) < 3.0


def test_watch_looks_where_it_will_save_before_it_plays(tmp_path: Path) -> None:
    for wrong in ("", "/", str(tmp_path), str(tmp_path / "no" / "file"), "x" * 300):
        result = run("watch", "qin", "--agent", "random", "--save", wrong)
        assert (result.code, result.out) == (1, "")
        assert result.err.startswith("error: ")
        assert result.err.rstrip("\n").endswith(wrong)
    assert not list(tmp_path.iterdir())


def test_watch_overwrites_nothing_unasked(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("mine")
    common = ("watch", "qin", "--agent", "random", "--seed", "2", "--save", str(path))
    assert refused(*common, code=1) == f"error: {path} exists: --force overwrites it"
    assert path.read_text() == "mine"
    link = tmp_path / "link"
    link.symlink_to(path)
    refused(*common[:-1], str(link), code=1)
    assert path.read_text() == "mine"
    good(*common, "--force")
    assert fg.load_record(path).result is not None
    assert sorted(tmp_path.iterdir()) == [path, link]
    good(*common[:-1], "/dev/null")  # no file that could be lost


@pytest.mark.parametrize("arguments", [("playthrough", "qin"), ("games",)])
def test_a_full_disk_behind_the_output_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (1, b"error: no space left on device: standard output\n")


READERS = {"games", "rules", "agents", "replay"}
"""The commands that load no game by its name: they list what there is, or show what a record holds."""


def test_every_command_that_loads_a_game_takes_its_options(tmp_path: Path) -> None:
    import typer.main

    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert len(commands) > len(READERS)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("surprise = 1\n")
    more = {"tournament": ("--agent", "random", "--agent", "random"), "components": ("--show",)}
    for name, command in commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        takes = {"--players", "--set", "--components"} <= options
        assert takes == (name not in READERS), name
        if takes:
            common = (name, "qin", *more.get(name, ()))
            assert "components" in refused(*common, "--components", str(wrong), code=1), name
            assert "players" in refused(*common, "--players", "9", code=1), name
            assert "option wings" in refused(*common, "--set", "wings=2", code=1), name
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    (sentence,) = re.findall(r"every command that loads a game takes `--components mine.toml` \(([^)]*)\)", text)
    assert set(re.findall(r"`(\w+)`", sentence)) == set(commands) - READERS


def test_a_record_brings_its_own_components(tmp_path: Path) -> None:
    path = record_file(tmp_path, "qin")
    for name in ("play", "watch", "analyze", "rollouts", "perft", "playthrough"):
        assert "own components" in refused(name, "--from", str(path), "--components", "bird", code=2), name


def test_a_full_disk_is_named_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    line = "error: no space left on device: "
    assert refused("watch", "qin", "--agent", "random", "--save", "/dev/full", code=1) == line + "/dev/full"
    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "new.jsonl"
    assert refused("watch", "qin", "--agent", "random", "--save", str(path), code=1) == f"{line}{path}"
    assert not list(tmp_path.glob("*.jsonl"))
    assert not list(tmp_path.glob(".*"))
    agents = ("--agent", "random", "--agent", "random")
    assert refused("tournament", "qin", *agents, "--output", str(path), code=1) == f"{line}{path}"
    assert path.read_bytes() == b""


@pytest.mark.parametrize(("closed", "arguments"), [(0, ("play", "qin")), (0, ("perft", "qin", "--moves", "-")), (1, ("games",))])
def test_a_closed_stream_is_one_line(closed: int, arguments: tuple[str, ...]) -> None:
    program = f"import os, sys; os.close({closed}); os.execv(sys.argv[1], sys.argv[1:])"
    result = subprocess.run([PROGRAM[0], "-c", program, *PROGRAM, *arguments], capture_output=True, check=False)
    assert result.returncode == 1
    assert result.stderr == f"error: standard {('input', 'output')[closed]} is closed\n".encode()


def test_seeds_are_checked_where_they_are_taken() -> None:
    last = str(2**64 - 1)
    for command in ("play", "watch", "playthrough", "rollouts", "bench", "analyze"):
        for seed in ("-1", str(2**64)):
            assert "seed" in refused(command, "qin", "--seed", seed, code=1)
    good("watch", "qin", "--agent", "random", "--seed", last)
    good("bench", "qin", "--seed", last, "--seconds", "0.01")
    assert "--moves" in refused("perft", "qin", "--seed", "1", code=2)


def test_refusals_show_no_control_characters() -> None:
    text = good("play", "qin", typed=":save \u202eabc\x00\n\u202exy\x9b\n#\u2066\n:\u200f\n:rules \u202e\n:moves \x07\n")
    assert not set("\u202e\x00\x9b\u2066\u200f\x07") & set(text)
    assert max(len(line) for line in good("play", "qin", typed="?\n").split("?\n")[1].splitlines()) <= 80


@pytest.mark.parametrize("letters", ["X", "FC", "ABC", "G2"])
def test_rules_are_found_by_number_whatever_their_letters_are(letters: str) -> None:
    page = f"# Game\n\n- **{letters}-1.1** First, see UTF-8.\n  More of it.\n- {letters}-1.2 Second.\n\nAs {letters}-1.2b says.\n"
    assert rules.find(page, f"{letters.lower()}-1.1") == [f"- **{letters}-1.1** First, see UTF-8.", "  More of it."]
    assert rules.find(page, f"{letters}-1.2b") == [f"- {letters}-1.2 Second.", "", f"As {letters}-1.2b says."]
    assert rules.find(page, "utf-8") == rules.find(page, f"{letters}-1.1")
    assert rules.find(page, f"{letters}-7.7") == []
