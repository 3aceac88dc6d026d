"""Tests a wheel in an empty environment: `python -m tools.check_wheel [WHEEL] [--python PYTHON]...`.

Without a name the wheel in `dist/` that was made of these files is taken. With the Python that runs this (an environment with
auditwheel, abi3audit and twine) the wheel's tags and metadata are audited. Then, for each Python, it is installed into an empty
environment whose PATH has neither cargo nor a C compiler; the import is timed, README's Python block is run, a search is made,
and a game of Qin is played to its end through a pseudo-terminal. Everything measured is printed; the first thing that is not as
it should be ends the check with exit code 1.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tools.build_id import ROOT, build_id
from tools.install import DIST, build_id_of, choose_wheel

# Over the start of the interpreter: the compiled module and the package's own files, without NumPy.
IMPORT_MILLISECONDS = 20.0
STARTS = 15
SEARCH = """
import time
import forbidden_games as fg
info = fg.load("qin").new_match(seed=1).information_state(0)
began = time.perf_counter()
report = fg.agent("ismcts:simulations=2000").search(info, seed=1)
print(f"search: {report.simulations} simulations in {time.perf_counter() - began:.2f} s, plays {report.action}")
"""


def cpu_level_of(wheel: Path) -> str:
    """The processor level that a wheel was built for, or nothing."""
    with zipfile.ZipFile(wheel) as archive:
        found = re.search('^CPU_LEVEL = "(.*)"$', archive.read("forbidden_games/_build.py").decode(), re.MULTILINE)
    return found[1] if found else ""


class WrongError(Exception):
    """The wheel fails a check."""


def _run(command: list[str], environment: dict[str, str] | None = None, folder: Path | None = None) -> str:
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise WrongError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return (done.stdout + done.stderr).strip()


def audit(wheel: Path) -> None:
    """Runs the auditors, and checks sizes, that pages are stored once, and that no path of the building machine is inside."""
    tools = Path(sys.executable).parent
    if "linux" in wheel.name:
        print(_run([str(tools / "auditwheel"), "show", str(wheel)]))
    print(_run([str(tools / "abi3audit"), "--strict", "--summary", str(wheel)]))
    print(_run([str(tools / "twine"), "check", "--strict", str(wheel)]))
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if re.search(r"/_rust\..*(so|pyd)$", name))
        module = archive.read(name)
        licences = [name for name in archive.namelist() if "/licenses/" in name]
    if len(licences) < 2:
        raise WrongError(f"{wheel.name} has the licences {licences}, expected two files")
    for page in sorted((ROOT / "docs" / "rules").glob("*.md")):
        count = module.count(page.read_bytes()[:400])
        if count > 1:
            raise WrongError(f"{page.name} is in the module {count} times, expected once")
    for path in (str(ROOT), str(Path.home() / ".cargo")):
        if path.encode() in module:
            raise WrongError(f"{path} of this machine is in the module")
    print(f"size: wheel {wheel.stat().st_size:,} bytes, module {len(module):,}; build id {build_id_of(wheel) or 'none'}")


def milliseconds_of_import(python: Path, environment: dict[str, str]) -> float:
    """CPU time: the least of some starts with the import, less the least of as many without."""

    def clock() -> float:
        if sys.platform == "win32":  # it does not tell what processes that have ended used
            return time.perf_counter()
        import resource

        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def least(program: str) -> float:
        times = []
        for _ in range(STARTS):
            began = clock()
            _run([str(python), "-c", program], environment)
            times.append(clock() - began)
        return min(times)

    return (least("import forbidden_games, sys; assert 'numpy' not in sys.modules") - least("pass")) * 1000


def play(program: Path, environment: dict[str, str]) -> str:
    """Plays Qin at a pseudo-terminal, always the first action of the list; the last line that the program prints."""
    import pty  # not on Windows

    child, terminal = pty.fork()
    if child == 0:
        os.execve(program, [str(program), "play", "qin", "--seed", "7"], environment)
    text, seen, typed, deadline = "", 0, 0, time.monotonic() + 120
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.5)[0]:
            if len(text) > seen:  # it has printed something and waits
                seen = len(text)
                typed += 1
                os.write(terminal, b"#1\n")
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the program has ended
            break
        text += part.decode("utf-8", "replace")
    else:
        os.kill(child, 9)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    plain = re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])", "", text).replace("\r", "")
    last = next((line.strip() for line in reversed(plain.splitlines()) if line.strip()), "")
    if code or "Traceback" in plain or typed < 5:
        raise WrongError(f"play ended with code {code} after {typed} lines were typed\n{plain[-2000:]}")
    return f"{typed} lines typed, the last line printed: {last}"


def try_on_an_old_processor(python: Path, environment: dict[str, str], folder: Path) -> str:
    """The import under qemu-user with a processor of 2006, which must be refused, and what loading the module does there."""
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        return "not tried, as qemu-x86_64 (Debian: qemu-user) is not installed"
    # qemu-user shows the host's /proc/cpuinfo; a file below the folder of `-L` goes before it.
    (folder / "proc").mkdir(parents=True)
    flags = "fpu tsc msr cx8 cmov mmx fxsr sse sse2 syscall nx lm pni ssse3 cx16 lahf_lm"
    (folder / "proc" / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\n\n", encoding="ascii")
    run = [emulator, "-cpu", "Conroe", "-L", str(folder), str(python), "-c"]
    refused = subprocess.run([*run, "import forbidden_games"], env=environment, capture_output=True, text=True, check=False)
    last = refused.stderr.strip().rpartition("\n")[2]
    if refused.returncode != 1 or not last.startswith("ImportError: this wheel of forbidden-games needs an x86-64-v2"):
        raise WrongError(f"on an old processor the import ended with code {refused.returncode}: {refused.stderr}")
    # The same without the look at the processor: a search, since not every call meets an instruction that is not there.
    unasked = f"import sys; sys.modules['forbidden_games._cpu'] = sys\n{SEARCH}"
    died = subprocess.run([*run, unasked], env=environment, capture_output=True, text=True, check=False)
    return f"{last}\n  (without that look the module ends the process: code {died.returncode})"


def try_with(wheel: Path, base: str) -> None:
    """Installs the wheel into an empty environment of that Python and uses it."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _run([base, "-m", "venv", str(place / "env")])
        binaries = place / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name == "SYSTEMROOT"}
        environment = {**kept, "PATH": str(binaries), "HOME": folder, "TERM": "xterm", "LANG": "C.UTF-8"}
        for compiler in ("cargo", "rustc", "cc", "gcc", "clang"):
            if shutil.which(compiler, path=environment["PATH"]):
                raise WrongError(f"{compiler} is on the path of the empty environment")
        python = binaries / "python"
        began = time.perf_counter()
        _run([str(python), "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel)], environment)
        print(f"{_run([str(python), '--version'])}: installed in {time.perf_counter() - began:.1f} s, dependencies included")
        version = _run([str(binaries / "forbidden-games"), "--version"], environment)
        print(version)
        if build_id_of(wheel) and f"build id {build_id_of(wheel)}" not in version:
            raise WrongError("--version does not show the wheel's build id")
        took = milliseconds_of_import(python, environment)
        print(f"import: {took:.1f} ms of CPU time over bare Python")
        if took > IMPORT_MILLISECONDS:
            raise WrongError(f"the import takes {took:.1f} ms, expected at most {IMPORT_MILLISECONDS:.0f}")
        block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
        assert block is not None
        printed = _run([str(python), "-c", block[1]], environment, place)
        print(f"README: {len(printed.splitlines())} lines printed, the last: {printed.splitlines()[-1]}")
        print(_run([str(python), "-c", SEARCH], environment, place))
        if sys.platform == "win32":
            print("play qin: not tried, as this system has no pseudo-terminals")
        else:
            print(f"play qin: {play(binaries / 'forbidden-games', environment)}")
        if "manylinux" in wheel.name and wheel.stem.endswith("x86_64") and cpu_level_of(wheel):
            print(f"old processor: {try_on_an_old_processor(python, environment, place / 'old')}")


def main(arguments: list[str]) -> int:
    """Audits and tries one wheel."""
    parser = argparse.ArgumentParser(prog="python -m tools.check_wheel", description=__doc__)
    parser.add_argument("wheel", type=Path, nargs="?")
    parser.add_argument("--python", action="append", default=[], help="a Python to try it with; this one if nothing is said")
    parser.add_argument("--no-audit", action="store_true", help="try it only, without the auditors")
    options = parser.parse_args(arguments)
    wheel = options.wheel
    try:
        if wheel is None:
            wheel, why = choose_wheel(DIST, build_id())
            if wheel is None:
                raise WrongError(f"no wheel to check: {why or 'there is none for this system in dist/'}")
        if not options.no_audit:
            audit(wheel)
        for base in options.python or [sys.executable]:
            try_with(wheel.resolve(), base)
    except WrongError as wrong:
        print(f"error: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
