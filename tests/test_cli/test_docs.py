"""The code in README, docs and examples runs as it stands."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import forbidden_games as fg
import pytest

from .helper import Terminal, other_process
from .test_terminal import PROMPT

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{page.name}" for page in sorted((ROOT / "docs").glob("*.md")))])
def test_python_blocks_run_in_order(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    if not blocks:
        pytest.skip("no Python on this page")
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page}[{number}]", "exec"), names)
    assert capsys.readouterr().out


@pytest.mark.parametrize("example", ["own_agent.py", "network.py", "self_play.py"])
@pytest.mark.parametrize("game", fg.games())
def test_examples_run_with_every_game(example: str, game: str, tmp_path: Path) -> None:
    main = runpy.run_path(str(ROOT / "examples" / example))["main"]
    if example == "self_play.py":
        main(str(tmp_path / "data.npz"), game, "greedy")
        assert (tmp_path / "data.npz").stat().st_size > 0
        with pytest.raises(SystemExit, match="exists"):
            main(str(tmp_path / "data.npz"), game, "greedy")
    elif example == "network.py":
        main(game, "mcts:simulations=8,leaf_batch=8")
    else:
        main(game)


def test_readme_names_every_game_and_command() -> None:
    text = (ROOT / "README.md").read_text()
    assert all(f"`{name}`" in text for name in fg.games())
    commands = (ROOT / "docs" / "command_line.md").read_text()
    listed = subprocess.run(
        [sys.executable, "-m", "forbidden_games", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for command in (
        "agents",
        "analyze",
        "bench",
        "components",
        "games",
        "perft",
        "play",
        "playthrough",
        "replay",
        "rollouts",
        "rules",
        "tournament",
        "watch",
    ):
        assert command in listed
        assert f"| `{command}" in commands


def test_the_interface_page_names_every_public_name() -> None:
    text = (ROOT / "docs" / "python.md").read_text()
    assert [name for name in fg.__all__ if name not in text and name != "__version__"] == []


def test_the_lines_of_the_readme_run_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = (ROOT / "README.md").read_text().partition("## At the terminal")[2]
    found = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert found is not None
    first, *lines = (line.partition("#")[0].strip() for line in found[1].splitlines())
    # In a checkout `make demo` makes the environment that this test runs in; CI may have another place for it.
    assert first == ". .venv/bin/activate"
    assert Path(sys.executable).with_name("forbidden-games").exists()
    fg.play_match(fg.load("qin"), ["greedy", "random"], seed=1).record.save(tmp_path / "game.jsonl")
    monkeypatch.chdir(tmp_path)
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "forbidden-games"
        if arguments[0] == "play" and arguments[1] != "--resume":
            terminal = Terminal(*arguments)
            terminal.expect(PROMPT, "Enter")
            terminal.press(b"\x04")
            assert terminal.end() == 0, line
        else:
            done = other_process(*arguments)
            assert done.returncode == 0, (line, done.stderr)
            assert done.stdout, line
