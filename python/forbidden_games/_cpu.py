"""Checks that this processor can run the compiled module, before the module is loaded: loading it would kill the process.

Importing this module raises ImportError where the wheel was built for newer processors. It costs the reading of one file.
Where a system does not say what its processor can do, the module is loaded all the same.
"""

from __future__ import annotations

import os
import sys

from forbidden_games import _build

# What the psABI's level x86-64-v2 adds to the first x86-64 processors, as Linux names it and as macOS does. Wheels are built
# for this level or for none. macOS and Windows tell less; popcnt came with sse4_2.
_LINUX = ("cx16", "lahf_lm", "pni", "popcnt", "sse4_1", "sse4_2", "ssse3")
_MACOS = ("sse3", "sse4_1", "sse4_2", "supplementalsse3")
_WINDOWS = {"sse3": 13, "ssse3": 36, "sse4_1": 37, "sse4_2": 38}  # PF_..._INSTRUCTIONS_AVAILABLE of winnt.h


def missing(level: str, cpuinfo: str = "/proc/cpuinfo") -> list[str]:
    """The features that `level` needs and this processor lacks, by the system's names; empty if the system lists none.

    Raises:
        ValueError: if `level` is neither empty nor a level that wheels are built for.
    """
    if not level:
        return []
    if level != "x86-64-v2":
        raise ValueError(f"cpu level {level!r}: expected 'x86-64-v2'")
    if sys.platform == "win32":
        return _missing_on_windows()
    if sys.platform == "darwin":
        return _missing_on_macos()
    return _missing_on_linux(cpuinfo)


def _missing_on_linux(cpuinfo: str) -> list[str]:
    text = b""
    try:
        # The file has a paragraph for each core, and the kernel writes it while it is read: the first one is enough.
        file = os.open(cpuinfo, os.O_RDONLY)
        try:
            while b"\nflags" not in text or b"\n" not in text.partition(b"\nflags")[2]:
                part = os.read(file, 4096)
                if not part:
                    break
                text += part
        finally:
            os.close(file)
    except OSError:
        return []
    flags = text.partition(b"\nflags")[2].partition(b"\n")[0].decode("ascii", "replace").split()
    return [name for name in _LINUX if name not in flags] if flags else []


def _missing_on_macos() -> list[str]:
    import ctypes

    value, size = ctypes.c_int(), ctypes.c_size_t(ctypes.sizeof(ctypes.c_int))
    ask = ctypes.CDLL(None).sysctlbyname
    absent = []
    for name in _MACOS:
        failed = ask(f"hw.optional.{name}".encode(), ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0))
        if not failed and not value.value:
            absent.append(name)
    return absent


def _missing_on_windows() -> list[str]:
    import ctypes

    ask = getattr(ctypes, "windll").kernel32.IsProcessorFeaturePresent  # noqa: B009, absent from other systems' types
    return [name for name, number in _WINDOWS.items() if not ask(number)]


def require(level: str, cpuinfo: str = "/proc/cpuinfo") -> None:
    """Raises ImportError, with instructions, if this processor is older than `level`."""
    absent = missing(level, cpuinfo)
    if absent:
        raise ImportError(
            f"this wheel of forbidden-games needs an {level} processor, and this one lacks {', '.join(absent)}; install it from "
            "source with a Rust toolchain, which makes a module for every x86-64 processor: `pip install .` in a checkout, or "
            "PIP_NO_BINARY=forbidden-games pip install --force-reinstall --no-deps forbidden-games",
            name="forbidden_games._rust",
        )


require(_build.CPU_LEVEL)
