"""Damaged positions and pickled payloads: each is refused as the documented error, or sound."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import forbidden_games as fg
import pytest

from .conftest import play_some
from .games.test_forbidden_city import position

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNTS = [2_000, pytest.param(100_000, marks=pytest.mark.slow)]
VALUES: list[Any] = [None, True, -1, 0, 1, 2, 127, -128, 2**31, 2**63, 10**30, 1.5, "", "x", "\u202e", [], {}, [[]], [1] * 50]


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every list or object in the value with each of its indices or keys."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        found.append((value, key))
        _places(entry, found)
    return found


def damage(text: str, rng: random.Random) -> str:
    """The text with a few bytes changed, or its JSON with one value changed, taken out or added."""
    if rng.random() < 0.5:
        found = bytearray(text.encode())
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(found) or 1)
            part = (bytes([rng.randrange(256)]), b"", bytes([rng.choice(b'0123456789-[]{}",:einul\x00')]), found[at : at + 20])
            found[at : at + rng.randrange(2)] = rng.choice(part)
        return found.decode("utf-8", "replace")
    value = json.loads(text)
    where, key = rng.choice(_places(value, []))
    if isinstance(where, dict) and rng.random() < 0.3:
        where[rng.choice(["zz", "players", "coins"])] = where.pop(key)
    else:
        where[key] = rng.choice([*VALUES, where[rng.choice(list(where) if isinstance(where, dict) else range(len(where)))]])
    return json.dumps(value)


def offer(texts: list[str], read: Callable[[str], fg.State], count: int, seed: int) -> int:
    """Offers damaged texts; how many were accepted. An accepted state is one that is read again as itself."""
    rng = random.Random(seed)
    accepted = 0
    for _ in range(count):
        text = damage(rng.choice(texts), rng)
        try:
            state = read(text)
        except fg.StateError as error:
            reason = str(error)
        else:
            accepted += 1
            assert state.game.state_from_json(state.to_json()) == state
            continue
        assert reason
        assert "\n" not in reason
    return accepted


@pytest.mark.parametrize("count", COUNTS)
def test_damaged_payloads_of_pickles(game: fg.Game, count: int) -> None:
    """What a pickle keeps of a state is its JSON; a pickle somebody has changed must not do more harm than JSON."""
    states = [play_some(game, seed, 4 + 9 * seed).state for seed in range(8)]
    payloads = [state.__reduce__()[1][0] for state in states]
    rebuild = game.state_from_json
    assert states[0].__reduce__()[0] == rebuild
    accepted = offer(payloads, rebuild, count, 5)
    print(f"{game.name}: {count} payloads, {accepted} accepted")
    assert accepted < count / 2


def test_a_key_that_stands_twice_is_refused(game: fg.Game, tmp_path: Path) -> None:
    """Whatever reads JSON text: parsers differ in which of the two counts, so neither does."""

    def twice(text: str, key: str) -> str:
        assert f'"{key}":' in text
        return text.replace(f'"{key}":', f'"{key}":0,"{key}":', 1)

    match = play_some(game, 1, 5)
    state = match.state
    with pytest.raises(fg.StateError, match="ply: found this key twice"):
        game.state_from_json(twice(state.to_json(), "ply"))
    record = match.record.to_text()
    with pytest.raises(fg.RecordError, match="line 1: rules: found this key twice"):
        fg.parse_record(twice(record, "rules"))
    lines = record.splitlines(keepends=True)
    with pytest.raises(fg.RecordError, match="line 3: ply: found this key twice"):
        fg.parse_record("".join([*lines[:2], twice(lines[2], "ply"), *lines[3:]]))
    path = tmp_path / "set.json"
    path.write_text('{"name":"mine","name":"mine"}')
    with pytest.raises(fg.ComponentsError, match="name: found this key twice"):
        fg.load(game.name, components=path)


@pytest.mark.parametrize("count", COUNTS)
def test_damaged_positions(game: fg.Game, count: int) -> None:
    """Of the two games that begin from positions, and of those that do not."""
    if game.name == "forbidden_city":
        game = fg.load("forbidden_city", players=4)
        good = [json.dumps(position(number)) for number in (0, 3, 17)]
    else:
        states = [play_some(game, seed, 30).state for seed in range(12)]
        good = [state.to_json() for state in states if game.name != "dragon_castle" or state.phase == "turn"]
    if game.name in ("forbidden_city", "dragon_castle"):
        assert all(game.state_from_position(text) for text in good)
    accepted = offer(good, game.state_from_position, count, 6)
    print(f"{game.name}: {count} positions, {accepted} accepted")
    assert accepted < count / 2
