"""Prints the run-time dependencies of `pyproject.toml` at the lowest versions it declares: `python -m tools.lowest`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

FILE = Path(__file__).parent.parent / "pyproject.toml"


def lowest(dependencies: list[str]) -> list[str]:
    """`name==version` for every `name>=version`; anything else is a mistake here."""
    pins = []
    for dependency in dependencies:
        found = re.fullmatch(r"([\w-]+)>=([\w.]+)(,.*)?", dependency.replace(" ", ""))
        if found is None:
            raise ValueError(f"{dependency}: expected name>=version")
        pins.append(f"{found[1]}=={found[2]}")
    return pins


def main() -> None:
    """Print them on one line."""
    print(*lowest(tomllib.loads(FILE.read_text(encoding="utf-8"))["project"]["dependencies"]))


if __name__ == "__main__":
    main()
