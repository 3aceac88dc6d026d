"""`load`: a game by name, with options as keywords and component sets by name, path or data."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from forbidden_games._rust import Game, game_info, load_game, parse_components
from forbidden_games.record import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike


def load(
    name: str,
    players: int | None = None,
    *,
    components: str | PathLike[str] | Mapping[str, Any] | None = None,
    window: int | None = None,
    **options: Any,
) -> Game:
    """Make a game.

    Args:
        name: One of `games()`.
        players: Number of seats; the game's usual number if left out.
        components: The name of a built-in set, the path of a component file (TOML, or JSON if it ends in `.json`), or the set
            itself as a dict. The default set of the game if left out.
        window: Size of the observation window, for games whose board has no fixed size.
        **options: Options of the game, `game_info(name).option_schema`.

    Raises:
        OptionsError: An unknown game or option, or a value out of range.
        ComponentsError: A set that does not fit the schema of the game's rule page.
        OSError: A component file that cannot be read.
    """
    if components is not None and not hasattr(components, "keys"):
        text = os.fspath(components)  # type: ignore[arg-type]
        if not isinstance(components, str) or (text not in game_info(name).builtin_components and _looks_like_path(text)):
            components = read_components(text)
    return load_game(name, players, options, components, window)  # type: ignore[arg-type]


def read_components(path: str | PathLike[str]) -> dict[str, Any]:
    """Read a component file as data. `load` checks it against the game.

    Raises:
        ComponentsError: If it is neither TOML nor JSON.
        OSError: If the file cannot be read.
    """
    return parse_components(read_text(path), json=os.fspath(path).lower().endswith(".json"))


def _looks_like_path(text: str) -> bool:
    return text.lower().endswith((".toml", ".json")) or os.sep in text or "/" in text
