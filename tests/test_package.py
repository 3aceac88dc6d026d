"""The package as a whole: import, stub, threads and processes, conformance, perft, playthroughs."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import forbidden_games as fg
import pytest
from forbidden_games import errors

from tools import overloads

GOLDEN = Path(__file__).parent / "golden"


def _run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_import_is_quick_and_light() -> None:
    program = """
import sys, time
before = set(sys.modules)
start = time.process_time()
import forbidden_games
took = time.process_time() - start
heavy = {"numpy", "rich", "typer", "click", "platformdirs", "json", "concurrent.futures"}
print(took, sorted(heavy & set(sys.modules) - before))
"""
    times = []
    for _ in range(5):
        took, _, heavy = _run(program).partition(" ")
        assert heavy.strip() == "[]"
        times.append(float(took))
    assert min(times) < 0.05


def test_playing_needs_no_numpy() -> None:
    program = """
import sys
import forbidden_games as fg
match = fg.load("qin").new_match(seed=1)
while not match.is_terminal:
    match.play(match.legal_actions[0])
print("numpy" in sys.modules)
"""
    assert _run(program).strip() == "False"


def test_everything_public_is_there_and_documented() -> None:
    for name in fg.__all__:
        value = getattr(fg, name)
        if name != "__version__":
            assert inspect.getdoc(value), name
        if inspect.isclass(value) and value.__module__ == "forbidden_games":
            for member, thing in vars(value).items():
                if not member.startswith("_"):
                    assert inspect.getdoc(thing), f"{name}.{member}"
    with pytest.raises(AttributeError, match="no_such_name"):
        fg.no_such_name  # noqa: B018


def test_errors_have_one_base() -> None:
    for name, value in vars(errors).items():
        if inspect.isclass(value) and not name.startswith("_"):
            assert issubclass(value, fg.ForbiddenGamesError)
            assert getattr(fg, name) is value
    for value in (fg.IllegalActionError, fg.ParseActionError, fg.OptionsError, fg.ComponentsError, fg.StateError, fg.RecordError):
        assert issubclass(value, ValueError)
    assert issubclass(fg.MissingExtraError, ImportError)
    assert issubclass(fg.ConcurrentUseError, RuntimeError)


def test_overloads_follow_the_option_schemas() -> None:
    text = overloads.FILE.read_text(encoding="utf-8")
    assert overloads.generated(text) == text, "run: python -m tools.overloads"


ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/python.md",
    "docs/search.md",
    "docs/batches.md",
    "docs/command_line.md",
    "python/forbidden_games/__init__.py",
]


def test_options_and_the_code_of_the_pages_are_typed(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text('import forbidden_games as fg\nfg.load("qin", 3, borad="lion")\n')
    (tmp_path / "native.py").write_text('import forbidden_games as fg\nfg.agent("mcts").replace(simulations=5).new_session()\n')
    blocks = 0
    for page in PAGES:
        # The blocks of a page go on with each other's names.
        found = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
        blocks += len(found)
        (tmp_path / (re.sub(r"\W", "_", page) + ".py")).write_text("\n".join(found), encoding="utf-8")
    for example in (ROOT / "examples").glob("*.py"):
        (tmp_path / example.name).write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    assert blocks >= 10
    mypy = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *map(str, tmp_path.glob("*.py"))],
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in mypy.stdout.splitlines() if ": error:" in line]
    assert [line for line in errors if "use.py" not in line] == []
    assert any("borad" in line for line in errors)


def test_the_page_lists_every_member() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    written = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", page))))
    missing = [name for name in fg.__all__ if name not in written]
    for name in fg.__all__:
        value = getattr(fg, name)
        if inspect.isclass(value):
            own = {member for one in value.__mro__ if one.__module__.startswith("forbidden_games") for member in vars(one)}
            own |= set(getattr(value, "__dataclass_fields__", ()))
            missing += [f"{name}.{member}" for member in sorted(own) if not member.startswith("_") and member not in written]
    assert missing == []
    attributes = re.findall(r"self\.([a-z]\w*) = ", Path(errors.__file__).read_text(encoding="utf-8"))
    assert set(attributes) <= written


def test_dir_shows_what_there_is() -> None:
    assert {name for name in dir(fg) if not name.startswith("__")} == set(fg.__all__) - {"__version__"}
    assert "__version__" in dir(fg)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_give_the_same_game(game: fg.Game, method: str) -> None:
    fg.rollouts(game.new_state(), 200, threads=2)
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.apply(_work, (game,))
    assert there == _work(game)


def _work(game: fg.Game) -> tuple[str, int, list[float], str]:
    match = fg.play_match(game, ["greedy", "random", "random", "random"][: game.num_players], seed=3)
    rolled = fg.rollouts(game.new_state(), 50, seed=2, threads=2)
    info = game.new_match(seed=1).information_state(0)
    report = fg.SearchAgent("ismcts:simulations=50,trees=2,threads=2").search(info, seed=1)
    return match.record.to_text(), match.state.key, rolled.ravel().tolist(), str(report.action)


def test_conformance_across_the_boundary(game: fg.Game) -> None:
    fg.testing.check_game(game, range(2))
    fg.testing.check_game(fg.load(game.name, game.info.max_players), [7])


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_conformance_at_length(game: fg.Game, players: int) -> None:
    if not game.info.min_players <= players <= game.info.max_players:
        pytest.skip("not for so many")
    fg.testing.check_game(fg.load(game.name, players), range(40))


def test_perft_of_the_golden_files(game: fg.Game) -> None:
    rows: list[dict[str, Any]] = tomllib.loads((GOLDEN / game.name / "perft.toml").read_text(encoding="utf-8"))["position"]
    checked = 0
    for row in rows:
        if "position" in row or "state" in row or str(row.get("components", "")).endswith(".toml"):
            continue
        components = {"components": row["components"]} if "components" in row else {}
        made = fg.load(game.name, row["players"], **{**row.get("options", {}), **components})
        match = made.new_match(resolve=False)
        for move in row.get("moves", []):
            match.play_step(move)
        for depth, count in enumerate(row["counts"], start=1):
            if count > 20_000:
                break
            assert fg.perft(match.state, depth) == count, (row["id"], depth)
            assert sum(part for _, part in fg.perft_divide(match.state, depth)) == count
            checked += 1
    assert checked


def test_playthroughs(game: fg.Game) -> None:
    lines = [json.loads(line) for line in fg.playthrough(game, 4)]
    assert lines[0]["playthrough"] == 1
    assert lines[0]["game"] == game.name
    assert lines[0]["options"] == game.options
    state = game.new_state()
    for line in lines[1:-1]:
        assert line["state"] == state.to_dict()
        if state.is_chance:
            assert [text for text, _ in line["outcomes"]] == [str(outcome) for outcome, _ in state.chance_outcomes]
        else:
            assert line["legal"] == [str(action) for action in state.legal_actions]
        state = state.child(line["action"])
    assert lines[-1]["state"] == state.to_dict()
    assert lines[-1]["scores"] == list(state.scores)
    assert lines[-1]["ranking"] == list(state.ranking)
    assert len(lines[-1]["returns"]) == game.num_players


def test_a_thousand_states_are_made_in_no_time(game: fg.Game) -> None:
    start = time.perf_counter()
    state = game.new_state().resolve_chance(1)
    for _ in range(1000):
        state.child(state.legal_actions[0])
    assert time.perf_counter() - start < 5
