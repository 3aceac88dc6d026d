"""`load`: a game by name, with options as keywords and component sets by name, path or data.

The overloads between the two marks are written by `python -m tools.overloads`, from the option schemas of the games.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, overload

from forbidden_games._rust import Game, game_info, load_game, parse_components
from forbidden_games.files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import Literal, TypeAlias

    Components: TypeAlias = str | PathLike[str] | Mapping[str, Any]


# ---- Generated: begin
@overload
def load(
    name: Literal["forbidden_city"],
    players: Literal[2, 3, 4] | None = None,
    *,
    components: Components | None = None,
    window: int | None = None,
    side: Literal["beginner", "advanced"] = ...,
    table: int = ...,
) -> Game: ...


@overload
def load(
    name: Literal["qin"],
    players: Literal[2, 3, 4] | None = None,
    *,
    components: Components | None = None,
    window: int | None = None,
    board: str = ...,
    absorb_major: Literal["never", "outnumbered"] = ...,
    villages: Literal["square", "group"] = ...,
) -> Game: ...


@overload
def load(
    name: Literal["dragon_castle"],
    players: Literal[2, 3, 4] | None = None,
    *,
    components: Components | None = None,
    window: int | None = None,
    layout: str = ...,
    spirits: str | Sequence[str] = ...,
    dragons: str | Sequence[str] = ...,
    realm: str = ...,
) -> Game: ...


@overload
def load(
    name: Literal["tang_garden"],
    players: Literal[1, 2, 3, 4] | None = None,
    *,
    components: Components | None = None,
    window: int | None = None,
    start_side: Literal["A", "B"] = ...,
    start_rotation: int = ...,
    influence: Literal["after", "any"] = ...,
) -> Game: ...


# ---- Generated: end


# Without options on purpose: a wrong one in a call with a literal name is a type error, and `**options` of a dict still fits.
@overload
def load(
    name: str,
    players: int | None = None,
    *,
    components: Components | None = None,
    window: int | None = None,
) -> Game: ...


def load(
    name: str,
    players: int | None = None,
    *,
    components: Components | None = None,
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
    if isinstance(components, str):
        if components not in game_info(name).builtin_components and _looks_like_path(components):
            components = read_components(components)
    elif isinstance(components, os.PathLike):
        components = read_components(components)
    return load_game(name, players, options, components, window)


def read_components(path: str | PathLike[str]) -> dict[str, Any]:
    """Read a component file as data. `load` checks it against the game.

    Raises:
        ComponentsError: If it is neither TOML nor JSON.
        OSError: If the file cannot be read.
    """
    return parse_components(read_text(path), json=os.fspath(path).lower().endswith(".json"))


def _looks_like_path(text: str) -> bool:
    return text.lower().endswith((".toml", ".json")) or os.sep in text or "/" in text
