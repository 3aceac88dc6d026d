"""Files that a person names for writing: an existing file is overwritten only with consent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError
from forbidden_games.files import as_given, check_target

if TYPE_CHECKING:
    from forbidden_games.cli.terminal import Screen

ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that is there without asking.")]


def may_write(name: str, path: str | Path, screen: Screen, *, force: bool, way_out: str) -> bool:
    """Whether the file may be written: it is new, or may be overwritten. Call it before starting long work.

    Args:
        name: The file as the person has named it.
        path: The file.
        screen: Where to ask.
        force: Whether consent is given already.
        way_out: What gives consent where nobody can be asked.

    Raises:
        CommandError: If it is there, and there is no terminal to ask at.
        OSError: If it could not be written anyhow.
    """
    check_target(path)
    with as_given(path):
        there = Path(path).is_file()
    if force or not there:
        return True
    if not screen.interactive:
        raise CommandError(f"{terminal.clean(name, 4096)} exists: {way_out} overwrites it")
    return terminal.confirm(f"{terminal.clean(name)} exists: overwrite it?", screen)
