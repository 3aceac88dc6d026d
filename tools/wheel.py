"""Builds the wheel for other machines into `dist/`: `python -m tools.wheel [--target TRIPLE] [--cpu LEVEL]`.

- One `cp311-abi3` wheel runs on CPython 3.11 and every later version.
- On Linux it is linked by zig against glibc 2.17 (manylinux_2_17), so that it runs on distributions since 2014; a plain build
  needs the glibc of the machine that made it.
- Profile `dist` of Cargo.toml. On x86-64 the module is compiled for x86-64-v2 (2009) unless `--cpu x86-64` asks for less;
  `forbidden_games/_cpu.py` refuses older processors by that fact, which stands in the wheel's `_build.py` with the build id.
- It is built from a copy of the tracked files, so that nothing else gets in.

Run by the Python of an environment of its own, which `make wheel` makes; needs git and a Rust toolchain.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import stage
from tools.build_id import ROOT, build_id, tracked_files

DIST = ROOT / "dist"
STAGING = ROOT / "target" / "wheel" / "source"
GLIBC = "manylinux_2_17"
MUSL = "musllinux_1_2"


def _rustc(*arguments: str) -> str:
    return subprocess.run(["rustc", *arguments], capture_output=True, text=True, check=True).stdout.strip()


def host() -> str:
    """The triple of this machine."""
    return next(line.partition(": ")[2] for line in _rustc("--version", "--verbose").splitlines() if line.startswith("host: "))


def has_standard_library(target: str) -> bool:
    """Whether this Rust toolchain can compile for `target`."""
    folder = Path(_rustc("--print", "target-libdir", "--target", target))
    return any(folder.glob("libstd-*.rlib"))


def default_cpu(target: str) -> str:
    """The processor level that wheels for `target` are built for: x86-64-v2, elsewhere nothing."""
    return "x86-64-v2" if target.startswith("x86_64-") else ""


def stage_files(identity: str, level: str, source: Path = ROOT, place: Path = STAGING) -> None:
    """Copies the tracked files to `place` and writes what is known of the build into the copy's `_build.py`."""
    shutil.rmtree(place, ignore_errors=True)
    for file in tracked_files(source):
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / file, place / file)
    facts = place / "python" / "forbidden_games" / "_build.py"
    text = facts.read_text(encoding="utf-8")
    for name, value in (("BUILD_ID", identity), ("CPU_LEVEL", level)):
        line = f'{name} = ""\n'
        if text.count(line) != 1:
            raise ValueError(f"{facts}: found {text.count(line)} lines {line.strip()!r}, expected one")
        text = text.replace(line, f'{name} = "{value}"\n')
    facts.write_text(text, encoding="utf-8")


def flags(level: str) -> list[str]:
    """Flags of rustc: the processor, and no path of this machine in the messages of panics."""
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    paths = [f"--remap-path-prefix={cargo_home}=cargo", f"--remap-path-prefix={STAGING}=."]
    return [*(["-C", f"target-cpu={level}"] if level else []), *paths]


def build(target: str, level: str) -> int:
    """Builds the wheel for one target; the exit code."""
    identity = build_id()
    stage_files(identity, level if level != "x86-64" else "")
    command = [str(Path(sys.executable).with_name("maturin")), "build", "--profile", "dist", "--locked"]
    command += ["--target", target, "--out", str(DIST)]
    if "-linux-" in target:
        command += ["--zig", "--compatibility", MUSL if target.endswith("musl") else GLIBC]
    environment = {
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags(level)),
        "CARGO_TARGET_DIR": str(ROOT / "target"),
        "PYO3_PYTHON": sys.executable,
        # Where maturin looks for zig: the package `ziglang` has no program, only a module of this Python.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    print(f"== wheel for {target}, {level or 'any processor'}, build id {identity}", file=sys.stderr, flush=True)
    return stage.run("wheel", command, tick=True, environment=environment, folder=STAGING)


def main(arguments: list[str]) -> int:
    """Builds for the target that is asked for, or for this machine and, on Linux x86-64, for aarch64 where that can be had."""
    parser = argparse.ArgumentParser(prog="python -m tools.wheel", description=__doc__)
    parser.add_argument("--target", help="a triple of rustc; all that can be built here if nothing is said")
    parser.add_argument(
        "--cpu", choices=("x86-64", "x86-64-v2"), help="the oldest x86-64 processor; x86-64-v2 if nothing is said"
    )
    options = parser.parse_args(arguments)
    own = host()
    targets = [options.target] if options.target else [own]
    if not options.target and own == "x86_64-unknown-linux-gnu":
        targets.append("aarch64-unknown-linux-gnu")
    for target in targets:
        if not has_standard_library(target):
            print(
                f"{target}: no wheel, as its Rust standard library is not installed: rustup target add {target}", file=sys.stderr
            )
            if target == options.target:
                return 1
            continue
        level = default_cpu(target)
        code = build(target, options.cpu if level and options.cpu else level)
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
