"""What installing rests on: the look at the processor, build ids, the choice of a wheel, stages, one version."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import forbidden_games as fg
import pytest
from forbidden_games import _build, _cpu, _rust

from tools import build_id, install, stage, wheel

ROOT = Path(__file__).parents[1]
NEHALEM = "fpu tsc msr cx8 sse sse2 ht syscall nx lm constant_tsc pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"
CORE_2 = "fpu tsc msr cx8 sse sse2 ht syscall nx lm constant_tsc pni ssse3 cx16 sse4_1 lahf_lm"
ATHLON_64 = "fpu tsc msr cx8 sse sse2 syscall nx lm 3dnowext"


def _cpuinfo(folder: Path, flags: str, *, before: str = "model name\t: a processor\n") -> str:
    file = folder / "cpuinfo"
    paragraph = f"processor\t: 0\n{before}flags\t\t: {flags}\nbugs\t\t:\n\n"
    file.write_text(paragraph + paragraph.replace(": 0", ": 1"), encoding="ascii")
    return str(file)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/cpuinfo is of Linux")
@pytest.mark.parametrize("before", ["", "padding\t: " + "x" * 9000 + "\n"])
@pytest.mark.parametrize(
    ("flags", "absent"),
    [
        (NEHALEM, []),
        (NEHALEM + " avx avx2", []),
        (CORE_2, ["popcnt", "sse4_2"]),
        (ATHLON_64, ["cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3"]),
    ],
)
def test_what_a_processor_lacks(tmp_path: Path, flags: str, absent: list[str], before: str) -> None:
    assert _cpu.missing("x86-64-v2", _cpuinfo(tmp_path, flags, before=before)) == absent
    assert _cpu.missing("", _cpuinfo(tmp_path, flags, before=before)) == []


def test_a_system_that_tells_nothing_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "arm").write_text("processor\t: 0\nFeatures\t: fp asimd\n", encoding="ascii")
    for file in (tmp_path / "none", tmp_path / "arm"):
        assert _cpu.missing("x86-64-v2", str(file)) == []
    with pytest.raises(ValueError, match="'x86-64-v9'"):
        _cpu.missing("x86-64-v9")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/cpuinfo is of Linux")
def test_an_old_processor_is_refused_before_the_module_is_loaded(tmp_path: Path) -> None:
    package = tmp_path / "forbidden_games"
    package.mkdir()
    for file in Path(fg.__file__).parent.glob("*.py"):  # without the compiled module: to look for it would be another error
        shutil.copy(file, package)
    text = (package / "_build.py").read_text(encoding="utf-8")
    (package / "_build.py").write_text(re.sub('CPU_LEVEL = ".*"', 'CPU_LEVEL = "x86-64-v2"', text), encoding="utf-8")
    program = f"""
import os
real = os.open
os.open = lambda path, *rest: real({_cpuinfo(tmp_path, CORE_2)!r} if path == "/proc/cpuinfo" else path, *rest)
import forbidden_games
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(
        "ImportError: this wheel of forbidden-games needs an x86-64-v2 processor, and this one lacks popcnt, sse4_2"
    )
    assert "PIP_NO_BINARY=forbidden-games" in last


def test_a_build_knows_what_it_was_built_for() -> None:
    assert _build.CPU_LEVEL in ("", _rust.build_cpu_level)
    assert re.fullmatch("([0-9a-f]{12})?", _build.BUILD_ID)
    assert _rust.build_profile in ("release", "dist", "debug", "bench")


def test_versions_come_from_one_place() -> None:
    version = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    assert fg.__version__ == version == importlib.metadata.version("forbidden-games")


def test_pages_are_in_the_module_once() -> None:
    module = Path(_rust.__file__).read_bytes()
    for name in fg.games():
        info = fg.game_info(name)
        for page in (info.rules, info.readme):
            assert module.count(page.encode()) == 1, name


def _repository(folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    package = folder / "python" / "forbidden_games"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "python" / "forbidden_games" / "_build.py", package)
    (folder / "tracked").write_text("one\n", encoding="utf-8")
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    (folder / "stray").write_text("not tracked\n", encoding="utf-8")
    return folder


@pytest.mark.skipif(shutil.which("git") is None, reason="build ids are made by git")
def test_a_build_id_is_of_the_tracked_files_as_they_are(tmp_path: Path) -> None:
    tree = _repository(tmp_path / "tree")
    first = build_id.build_id(tree)
    assert re.fullmatch("[0-9a-f]{12}", first)
    (tree / "stray").write_text("changed\n", encoding="utf-8")
    assert build_id.build_id(tree) == first
    (tree / "tracked").write_text("two\n", encoding="utf-8")
    assert build_id.build_id(tree) != first
    (tree / "tracked").write_text("one\n", encoding="utf-8")
    assert build_id.build_id(tree) == first
    (tree / "inside").mkdir()
    with pytest.raises(OSError, match="tracks no file"):
        build_id.build_id(tree / "inside")


@pytest.mark.skipif(shutil.which("git") is None, reason="build ids are made by git")
def test_a_wheel_is_made_of_tracked_files_with_what_is_known_of_it(tmp_path: Path) -> None:
    tree, place = _repository(tmp_path / "tree"), tmp_path / "place"
    wheel.stage_files("0123456789ab", "x86-64-v2", tree, place)
    assert sorted(path.name for path in place.rglob("*") if path.is_file()) == ["_build.py", "tracked"]
    names: dict[str, str] = {}
    exec((place / "python" / "forbidden_games" / "_build.py").read_text(encoding="utf-8"), names)
    assert (names["BUILD_ID"], names["CPU_LEVEL"]) == ("0123456789ab", "x86-64-v2")
    assert 'BUILD_ID = ""' in (tree / "python" / "forbidden_games" / "_build.py").read_text(encoding="utf-8")


def _wheel(folder: Path, platform: str, identity: str) -> Path:
    file = folder / f"forbidden_games-0.1.0-cp311-abi3-{platform}.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("forbidden_games/_build.py", f'"""Facts."""\n\nBUILD_ID = "{identity}"\n')
    return file


def test_only_a_wheel_of_these_files_for_this_system_is_taken(tmp_path: Path) -> None:
    linux = "linux-x86_64"
    assert install.choose_wheel(tmp_path, "aaaaaaaaaaaa", linux) == (None, "")
    _wheel(tmp_path, "manylinux_2_17_aarch64.manylinux2014_aarch64", "aaaaaaaaaaaa")
    _wheel(tmp_path, "macosx_11_0_arm64", "aaaaaaaaaaaa")
    assert install.choose_wheel(tmp_path, "aaaaaaaaaaaa", linux) == (None, "")
    ours = _wheel(tmp_path, "manylinux_2_17_x86_64.manylinux2014_x86_64", "aaaaaaaaaaaa")
    assert install.choose_wheel(tmp_path, "aaaaaaaaaaaa", linux)[0] == ours
    found, why = install.choose_wheel(tmp_path, "bbbbbbbbbbbb", linux)
    assert found is None
    assert "has build id aaaaaaaaaaaa, these files have bbbbbbbbbbbb" in why
    assert install.choose_wheel(tmp_path, "", linux)[0] is None
    assert install.choose_wheel(tmp_path, "aaaaaaaaaaaa", "macosx-11.0-arm64")[0] is not None
    ours.write_bytes(b"no archive")
    assert install.choose_wheel(tmp_path, "aaaaaaaaaaaa", linux)[0] is None


def test_a_stage_says_its_name_and_time_and_passes_the_exit_code_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stage, "TICK", 0.05)
    assert stage.run("waiting", [sys.executable, "-c", "import time; time.sleep(0.3)"], tick=True) == 0
    told = capfd.readouterr().err
    assert "waiting: 0 s so far" in told
    assert re.search(r"== waiting: done after \d+ s, \d+\.\d CPU seconds", told)
    assert stage.main(["failing", "--", sys.executable, "-c", "raise SystemExit(3)"]) == 3
    assert re.search("== failing\n== failing: FAILED with exit code 3", capfd.readouterr().err)
    assert stage.run("absent", ["no-such-program-anywhere"]) == 127
    shows_arguments = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "--", "-D"]
    assert stage.main(["arguments", "--", *shows_arguments]) == 0
    assert "['--', '-D']" in capfd.readouterr().out
    with pytest.raises(SystemExit):
        stage.main(["nothing"])


def test_times_in_words() -> None:
    assert [stage.duration(seconds) for seconds in (0.4, 59.4, 60, 185)] == ["0 s", "59 s", "1 min 0 s", "3 min 5 s"]
    assert stage.expected(145, 2) == "about 90 seconds on 2 idle cores"
    assert stage.expected(145, 1) == "about 3 minutes on 1 idle core"
