"""The command line `forbidden-games`: thin, and without a line about any single game.

Everything is done by the public Python API. This file registers the commands and is the one place where errors become a
line on standard error and an exit code: 1 for an error, 2 for wrong usage, 130 after Ctrl-C, 128 + n after signal n.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from forbidden_games.cli import signals, terminal
from forbidden_games.cli.options import CommandError, UsageError
from forbidden_games.errors import ForbiddenGamesError

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
"""What the system says when a disk takes no more."""

# typer's own errors: a wrong value is a usage error, and that one is an error of the command line in general.
_TyperUsageError: type[Exception] = typer.BadParameter.__mro__[1]
_TyperError: type[Exception] = typer.BadParameter.__mro__[2]


class _ClosedOutputError(Exception):
    """The other end of the output is closed."""


class _Commands(TyperGroup):
    """The group of all commands. Errors become one line and an exit code instead of a traceback."""

    def main(self, *arguments: Any, **keywords: Any) -> Any:
        terminal.prepare_streams()
        if "" not in sys.path:
            sys.path.append("")  # `py:module:Class` means a file in the folder where the program is called, last of all
        standalone = keywords.pop("standalone_mode", True)
        keywords["standalone_mode"] = False
        with signals.handled() as received:
            try:
                if sys.stdout is None:
                    raise CommandError("standard output is closed")
                result = super().main(*arguments, **keywords)
                code = result if isinstance(result, int) and not isinstance(result, bool) else 0
            except BaseException as error:
                code = _report(error) if received.number is None else EXIT_INTERRUPTED
        code = received.code(code)
        if received.number is not None or code == EXIT_INTERRUPTED:
            signals.show_cursor()
            _flush()
        if not standalone:
            return code
        sys.exit(code)

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except OSError as error:  # typer would end the program itself
            if error.errno == errno.EPIPE:
                raise _ClosedOutputError from None
            if error.errno in _FULL and error.filename is None:  # every file is written with its name
                _drop_output()
                raise OSError(error.errno, error.strerror, "standard output") from error
            raise
        return result


def _report(error: BaseException) -> int:
    """Prints the message of an error and returns the exit code."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else EXIT_ERROR
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return EXIT_INTERRUPTED
    if isinstance(error, (_ClosedOutputError, BrokenPipeError)):
        _drop_output()
        return EXIT_BROKEN_PIPE
    if isinstance(error, (UsageError, _TyperUsageError)):
        return _print_usage_error(error)
    _print_error(_one_line(error))
    if os.environ.get("FORBIDDEN_GAMES_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    return EXIT_ERROR


def _one_line(error: BaseException) -> str:
    """The message of an error, in one line."""
    if isinstance(error, (ForbiddenGamesError, CommandError)):
        return str(error)
    if isinstance(error, _TyperError):
        return str(getattr(error, "format_message", lambda: error)())
    if isinstance(error, OSError) and error.strerror:
        where = f": {error.filename}" if error.filename is not None else ""
        return f"{error.strerror.lower()}{where}"
    return f"unexpected {type(error).__name__}: {error}"


def _print_usage_error(error: BaseException) -> int:
    context = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "forbidden-games")
    message = getattr(error, "format_message", lambda: str(error))()
    if type(error).__name__ == "NoArgsIsHelpError":  # the message is the help text, printed as it is
        print(message, file=sys.stderr)
        return EXIT_USAGE
    _print_error(f"{message} (see '{command} --help')")
    return EXIT_USAGE


def _print_error(message: str) -> None:
    line = terminal.clean(" ".join(message.split()), 2000)
    try:
        print(f"error: {line}", file=sys.stderr, flush=True)
    except OSError:
        _drop_output()


def _flush() -> None:
    """Flushes the output, unless the terminal is gone already."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        _drop_output()


def _drop_output() -> None:
    """Redirects standard output to nowhere after its reader has closed it, so that flushing at exit raises nothing."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass


app = typer.Typer(
    cls=_Commands,
    name="forbidden-games",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from forbidden_games.cli.version import lines

        print("\n".join(lines()))
        raise typer.Exit


@app.callback()
def _forbidden_games(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the versions of package, build, rules and layouts.",
        ),
    ] = False,
) -> None:
    """Four exact tile-laying games: play them, watch and measure agents, check the rules."""


def _register() -> None:
    """Registers each module as one command."""
    from forbidden_games.cli import (
        agents,
        analyze,
        bench,
        components,
        games,
        perft,
        play,
        playthrough,
        replay,
        rollouts,
        rules,
        tournament,
        watch,
    )

    modules = (play, watch, replay, games, rules, components, agents, analyze, tournament, rollouts, bench, perft, playthrough)
    for module in modules:
        name = module.__name__.rpartition(".")[2]
        app.command(name)(getattr(module, name))


_register()


def main() -> None:
    """Runs the command line; the entry point of the package's script."""
    app()
