"""Prints the build id of this tree: a hash of the files that git tracks, as they are on disk.

Two trees with the same id build the same package, whatever their history; a change of a tracked file changes it, committed or
not. `make wheel` writes it into the wheel, `forbidden-games --version` shows it, and `make demo` takes a wheel only if the two
agree.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def tracked_files(root: Path = ROOT) -> list[Path]:
    """The tracked files that are on disk, relative to `root`, in order of their names.

    Raises:
        OSError: if git is not there, or tracks nothing below `root`.
        subprocess.CalledProcessError: if `root` is no git work tree.
    """
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout
    names = sorted(name for name in listed.decode().split("\0") if name)
    if not names:
        raise OSError(f"git tracks no file in {root}")
    return [Path(name) for name in names if (root / name).is_file()]


def build_id(root: Path = ROOT) -> str:
    """Twelve hexadecimal digits; raises as `tracked_files`."""
    digest = hashlib.sha256()
    for name in tracked_files(root):
        content = (root / name).read_bytes()
        digest.update(f"{name.as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


if __name__ == "__main__":
    try:
        print(build_id())
    except (OSError, subprocess.CalledProcessError):
        sys.exit(f"error: {ROOT} is no git work tree, so it has no build id")
