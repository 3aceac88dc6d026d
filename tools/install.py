"""Puts the package into the environment of the Python that runs this: `python -m tools.install [--extras dev] [--wheel]`.

From source by `maturin develop`, so that the package's Python files are those of the tree; it says first what is compiled and how
long that takes here. With `--wheel` a wheel in `dist/` is taken instead, but only one that was made of these very files
(`tools/build_id.py`) and that can be imported here.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from tools import stage
from tools.build_id import ROOT, build_id

DIST = ROOT / "dist"
# What a build from nothing took in a fresh clone.
COMPILATION_CPU_SECONDS = 130.0
BUILD_ID = re.compile(r'^BUILD_ID = "([0-9a-f]*)"$', re.MULTILINE)


def build_id_of(wheel: Path) -> str:
    """The build id in a wheel, or nothing where it has none."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            found = BUILD_ID.search(archive.read("forbidden_games/_build.py").decode())
    except (OSError, KeyError, zipfile.BadZipFile, UnicodeDecodeError):
        return ""
    return found[1] if found else ""


def is_for_this_system(wheel: Path, platform: str | None = None) -> bool:
    """Whether the platform in a wheel's name is this one; pip checks the version of the C library."""
    system, _, machine = (platform or sysconfig.get_platform()).partition("-")
    tag = wheel.stem.rpartition("-")[2]
    names = {"linux": ("manylinux", "musllinux", "linux"), "macosx": ("macosx",)}.get(system, (system,))
    return tag.startswith(names) and tag.endswith(machine.rpartition("-")[2].replace("-", "_"))


def choose_wheel(folder: Path, tree: str, platform: str | None = None) -> tuple[Path | None, str]:
    """The wheel of this tree for this system, and a line for people: which it is, or why there is none."""
    wheels = [wheel for wheel in sorted(folder.glob("forbidden_games-*.whl")) if is_for_this_system(wheel, platform)]
    if not wheels:
        return None, ""
    if not tree:
        return None, f"{wheels[0].name} is not used: without git nobody knows whether it is of these files"
    for wheel in wheels:
        if build_id_of(wheel) == tree:
            return wheel, f"{wheel.name} is of these files (build id {tree})"
    others = ", ".join(f"{wheel.name} has build id {build_id_of(wheel) or 'none'}" for wheel in wheels)
    return None, f"not used: {others}, these files have {tree}"


def _tree() -> str:
    try:
        return build_id()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _pip(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]


def install_wheel(wheel: Path) -> bool:
    """Installs a wheel with what it needs; whether it can then be imported."""
    # Apart, since `--force-reinstall` would fetch every dependency again.
    alone = _pip("install", "--quiet", "--force-reinstall", "--no-deps", str(wheel))
    if stage.run("install the wheel", alone) or stage.run("install what it needs", _pip("install", "--quiet", str(wheel))):
        return False
    tried = subprocess.run(
        [sys.executable, "-c", "import forbidden_games"], cwd=DIST, capture_output=True, text=True, check=False
    )
    if tried.returncode:
        print(f"{wheel.name} cannot be used here: {tried.stderr.strip().rpartition(chr(10))[2]}", file=sys.stderr)
    return tried.returncode == 0


def compile_and_install(extras: str) -> int:
    """Compiles what has changed and installs the package, editable; the exit code."""
    program = Path(sys.executable).with_name("maturin")
    if not program.exists() and (code := stage.run("install maturin", _pip("install", "--quiet", "maturin>=1.9.4,<2"))):
        return code
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    is_first = not any((target / "release").glob("lib_rust.*"))
    name = "compile the rules and the search (Rust, release)" if is_first else "compile what has changed"
    takes = f" ({stage.expected(COMPILATION_CPU_SECONDS, stage.cores())}, once)" if is_first else ""
    print(f"== {name} and install the package{takes}", file=sys.stderr, flush=True)
    command = [str(program), "develop", "--release", "--locked", *(["--extras", extras] if extras else [])]
    return stage.run("compile and install", command, tick=True, environment={"VIRTUAL_ENV": sys.prefix})


def main(arguments: list[str]) -> int:
    """Installs by wheel or from source."""
    parser = argparse.ArgumentParser(prog="python -m tools.install", description=__doc__)
    parser.add_argument("--extras", default="", help="extras to install too, separated by commas")
    parser.add_argument("--wheel", action="store_true", help="take a wheel in dist/ if it was made of these files")
    options = parser.parse_args(arguments)
    if sys.prefix == sys.base_prefix:
        print("error: run this with the Python of a virtual environment", file=sys.stderr)
        return 2
    if options.wheel:
        wheel, line = choose_wheel(DIST, _tree())
        if line:
            print(f"== {line}", file=sys.stderr, flush=True)
        if wheel is not None and install_wheel(wheel):
            return 0
    return compile_and_install(options.extras)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
