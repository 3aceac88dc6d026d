"""Writes the overloads of `forbidden_games.load` from the option schemas of the games: `python -m tools.overloads`.

With `--check` it writes nothing and fails if they are out of date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import forbidden_games as fg

if TYPE_CHECKING:
    from forbidden_games import OptionSpec

FILE = Path(__file__).parent.parent / "python" / "forbidden_games" / "loading.py"
BEGIN = "# ---- Generated: begin\n"
END = "# ---- Generated: end\n"


def annotation(spec: OptionSpec) -> str:
    """The type of an option's values."""
    if spec.choices is not None:
        return f"Literal[{', '.join(repr(choice) for choice in spec.choices)}]".replace("'", '"')
    return {"integer": "int", "text": "str", "names": "str | Sequence[str]"}[spec.kind]


def overload(name: str) -> str:
    """One overload."""
    info = fg.game_info(name)
    seats = ", ".join(str(seats) for seats in range(info.min_players, info.max_players + 1))
    # The component set is an argument of its own; an option of that name would be given twice.
    options = [spec for spec in info.option_schema if spec.name != "components"]
    return "".join(
        [
            "@overload\ndef load(\n",
            f'    name: Literal["{name}"],\n',
            f"    players: Literal[{seats}] | None = None,\n",
            "    *,\n    components: Components | None = None,\n    window: int | None = None,\n",
            *(f"    {spec.name}: {annotation(spec)} = ...,\n" for spec in options),
            ") -> Game: ...\n",
        ]
    )


def generated(text: str) -> str:
    """The file with the overloads of today."""
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + BEGIN + "".join(f"{overload(name)}\n\n" for name in fg.games()) + END + tail


def main() -> int:
    """Write or check the file."""
    old = FILE.read_text(encoding="utf-8")
    new = generated(old)
    if "--check" in sys.argv[1:]:
        return int(old != new)
    FILE.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
