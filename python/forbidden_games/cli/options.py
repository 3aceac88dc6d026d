"""Options that several commands share, and the functions that make a game, a state or a match from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import forbidden_games as fg
from forbidden_games.files import unique_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forbidden_games import Game, Match, Record, State

SEEDS = 2**64
"""Seeds are the numbers below it."""
MAX_FILE = 64 * 1024 * 1024

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="Which game; 'forbidden-games games' lists them.")]
OptionalGameArgument = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Which game; may be left out where --from FILE tells it.")
]
PlayersOption = Annotated[int | None, typer.Option("--players", "-p", metavar="N", help="Number of seats.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="OPTION=VALUE", help="An option of the game; repeatable, lists with commas."),
]
ComponentsOption = Annotated[
    str | None,
    typer.Option("--components", metavar="FILE", help="A component file (TOML or JSON), or the name of a built-in set."),
]
FromOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FILE[@PLY]", help="Begin from a record (before decision PLY), a state or a position."),
]
MovesOption = Annotated[
    str | None,
    typer.Option("--moves", metavar="FILE", help="Play these steps first: one notation a line, draws too."),
]


def _check_seed(seed: int | None) -> int | None:
    if seed is not None and not 0 <= seed < SEEDS:
        raise fg.OptionsError("seed", clean_name(str(seed)), f"an integer from 0 to {SEEDS - 1}")
    return seed


SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", callback=_check_seed, help="Seed of the luck; else a new one.")
]
FixedSeedOption = Annotated[int, typer.Option("--seed", metavar="S", callback=_check_seed, help="Seed of the luck.")]
ThreadsOption = Annotated[int, typer.Option("--threads", "-t", metavar="T", min=1, max=256, help="Threads to use.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]


class CommandError(Exception):
    """An error in a command's input that is not about the rules; one line for people."""


class UsageError(Exception):
    """A combination of arguments that makes no sense; one line for people, exit code 2."""


def load_game(
    name: str, players: int | None = None, settings: Sequence[str] | None = None, components: str | None = None
) -> Game:
    """The game that the command line names."""
    info = fg.game_info(name)
    schema = {spec.name: spec for spec in info.option_schema}
    options: dict[str, Any] = {}
    for setting in settings or ():
        option, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: expected OPTION=VALUE, with OPTION one of {', '.join(schema) or 'none'}")
        option = option.strip()
        options[option] = schema[option].parse(text) if option in schema else text
    return make_game(name, players, options, _components(components, info.builtin_components))


def make_game(name: str, players: int | None, options: dict[str, Any], components: Any) -> Game:
    """`load` with options from outside, which may have any name; `components` may be an option as well as an argument."""
    others = {option: value for option, value in options.items() if option != "components"}
    if components is None:
        components = options.get("components")
    for reserved in ("name", "players", "window"):
        if reserved in others:
            raise fg.OptionsError(reserved, str(others[reserved]), "an option of the game; 'forbidden-games games' lists them")
    info = fg.game_info(name)
    names = [spec.name for spec in info.option_schema]
    if "components" in options and "components" not in names:
        found = clean_name(str(options["components"]))
        raise fg.OptionsError("components", found, f"only the options {', '.join(names)}; --components names a set")
    if players is not None and not info.min_players <= players <= info.max_players:
        raise fg.OptionsError("players", str(players), f"an integer from {info.min_players} to {info.max_players}")
    game = fg.load(name, players=players, components=components, **others)
    if "components" in options and game.options.get("components") != options["components"]:
        found = clean_name(str(options["components"]))
        raise fg.OptionsError("components", found, f"{game.options.get('components')}, the name of the set in use")
    return game


def _components(text: str | None, builtin: dict[str, str]) -> str | dict[str, Any] | None:
    """A built-in name stays a name, anything else is a file."""
    if text is None or (text in builtin and not Path(text).is_file()):
        return text
    if not Path(text).exists():
        raise CommandError(f"--components {clean_name(text)}: no such file; built-in sets: {', '.join(builtin) or 'none'}")
    content = read_text(text)
    return fg.parse_components(content, json=text.lower().endswith(".json") or content.lstrip().startswith("{"))


def read_text(name: str) -> str:
    """The text of a file; `-` is standard input.

    Raises:
        CommandError: If it is no UTF-8 text or too long.
        OSError: If it cannot be read.
    """
    if name == "-":
        if sys.stdin is None:
            raise CommandError("standard input is closed")
        data = sys.stdin.buffer.read(MAX_FILE + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                data = file.read(MAX_FILE + 1)
        except ValueError:
            raise CommandError(f"{clean_name(name)}: expected the name of a file, without a zero byte") from None
    if len(data) > MAX_FILE:
        raise CommandError(f"{name}: longer than {MAX_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{name}: no UTF-8 text (byte {error.start})") from None


def split_ply(text: str) -> tuple[str, int | None]:
    """`FILE@12` as file and ply; a file whose whole name looks like that wins."""
    name, at, ply = text.rpartition("@")
    if at and name and ply.isascii() and ply.isdigit() and len(ply) <= 9 and not Path(text).exists():
        return name, int(ply)
    return text, None


def _single_object(text: str) -> dict[str, Any] | None:
    """The text as one JSON object, if it is one."""
    try:
        value = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _game_of(value: dict[str, Any], name: str, components: str | None) -> Game:
    """The game that a state or position object says it belongs to."""
    game_name, players, options = value.get("game"), value.get("players"), value.get("options", {})
    if not isinstance(game_name, str) or not isinstance(players, int) or not isinstance(options, dict):
        raise CommandError(f"{name}: neither a record, a state nor a position: game, players or options is missing")
    own: Any = value.get("components")
    if components is not None:
        own = _components(components, fg.game_info(game_name).builtin_components)
    elif not isinstance(own, (str, dict)):
        own = None
    return make_game(game_name, players, options, own)


class Source:
    """Where a match begins: an ordinary start, a record up to a ply, a state or a position; then some moves."""

    def __init__(
        self,
        game_name: str | None,
        players: int | None,
        settings: Sequence[str] | None,
        components: str | None,
        from_file: str | None = None,
        moves_file: str | None = None,
    ) -> None:
        """Reads the files; nothing is played yet."""
        self.record: Record | None = None
        self.ply: int | None = None
        self._state: State | None = None
        self.position: dict[str, Any] | None = None
        if from_file is None:
            if game_name is None:
                raise UsageError(f"which game? One of {', '.join(fg.games())}")
            self.game = load_game(game_name, players, settings, components)
        else:
            if players is not None or settings:
                raise UsageError("--from tells players and options: leave --players and --set out")
            self._read_from(from_file, components)
            if game_name is not None and game_name != self.game.name:
                raise UsageError(f"--from {from_file} is a game of {self.game.name}, not of {clean_name(game_name)}")
        self.moves = [] if moves_file is None else _read_moves(moves_file)

    def _read_from(self, from_file: str, components: str | None) -> None:
        name, self.ply = split_ply(from_file)
        text = read_text(name)
        value = _single_object(text)
        if value is not None and "node" in value:
            if self.ply is not None:
                raise UsageError(f"--from {from_file}: a state has no plies to choose from")
            self.game = _game_of(value, name, components)
            self._state = self.game.state_from_json(text)
        elif value is not None and "record" not in value:
            if self.ply is not None:
                raise UsageError(f"--from {from_file}: a position has no plies to choose from")
            self.game = _game_of(value, name, components)
            self.position = value
        else:
            if components is not None:
                raise UsageError(f"--from {clean_name(from_file)}: a record has its own components: leave --components out")
            self.record = fg.parse_record(text)
            self.game = self.record.game

    def match(self, seed: int | None, seats: Sequence[str] | None = None) -> Match:
        """The match at its starting point, its luck under `seed`; without one a record keeps its own, others get a new one."""
        if self.record is not None:
            match = self._from_record(self.record)
            if seats is not None or seed is not None:
                match = reseat(match, match.seats if seats is None else seats, seed)
        else:
            seed = fresh_seed() if seed is None else seed
            match = self.game.new_match(seed, position=self.position, state=self._state, seats=seats, resolve=False)
        for move in self.moves:
            if match.is_chance and _is_action(self.game, move):
                match.resolve_chance()
            match.play_step(move)
        match.resolve_chance()
        return match

    def _from_record(self, record: Record) -> Match:
        try:
            return record.new_match(self.ply)
        except ValueError as error:
            raise UsageError(f"--from: {error}") from error

    def _start(self) -> State:
        """The state at the starting point, before any draw."""
        if self.position is not None:
            return self.game.state_from_position(self.position)
        return self.game.new_state() if self._state is None else self._state

    def state(self, seed: int = 0) -> State:
        """The state at the starting point; a draw that `--moves` leaves out is made under `seed`."""
        state = self._start() if self.record is None else self._from_record(self.record).state
        for number, move in enumerate(self.moves):
            if state.is_chance and _is_action(self.game, move):
                state = state.resolve_chance((seed + number) % SEEDS)
            state = state.child(move)
        return state


def reseat(match: Match, seats: Sequence[str], seed: int | None = None) -> Match:
    """The same match with other seat names; with a seed its later draws are other ones."""
    header, *steps = match.record.to_text().splitlines()
    changed = {**json.loads(header), "seats": list(seats), "seed": match.seed if seed is None else seed}
    return fg.parse_record("\n".join([json.dumps(changed), *steps])).new_match()


def clean_name(text: str) -> str:
    """A name from outside, fit for a message."""
    from forbidden_games.cli.terminal import clean

    return clean(text, 40)


def _read_moves(name: str) -> list[str]:
    """The steps of a moves file: blank lines and lines that begin with `#` do not count."""
    lines = (line.strip() for line in read_text(name).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _is_action(game: Game, text: str) -> bool:
    try:
        game.parse_action(text)
    except fg.ParseActionError:
        return False
    return True


def fresh_seed() -> int:
    """A new random seed, short enough to type."""
    import secrets

    return secrets.randbelow(1_000_000_000)
