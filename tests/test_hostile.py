"""Damaged positions and pickled payloads: each is refused as the documented error, or sound."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import forbidden_games as fg
import numpy as np
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


MASK = 2**64 - 1


def _fold(value: int, word: int) -> int:
    turned = (word << 32 | word >> 32) & MASK
    product = (value ^ word) * ((0x9E3779B97F4A7C15 ^ turned) | 1)
    return (product ^ product >> 64 ^ (value << 23 | value >> 41)) & MASK


def checksum(data: bytes) -> int:
    """The 64-bit hash of keys and pickles, written anew."""
    value, whole = 0x243F6A8885A308D3, len(data) // 8 * 8
    for at in range(0, whole, 8):
        value = _fold(value, int.from_bytes(data[at : at + 8], "little"))
    value = _fold(_fold(value, int.from_bytes(data[whole:], "little")), len(data))
    value = (value ^ value >> 32) * 0xD6E8FEB86659FD93 & MASK
    return value ^ value >> 32


def _use(state: fg.State, rng: random.Random) -> None:
    """What a program does with a state: everything that is shown, and some steps."""
    for _ in range(10):
        player = rng.randrange(state.game.num_players)
        observation = state.observation(player)
        assert np.isfinite(observation.tensor).all()
        assert str(observation)
        assert state.to_json()
        assert len(state.scores) == state.game.num_players
        assert np.isfinite(state.evaluate(player))
        assert state.score_sheet
        if state.is_chance:
            state = state.child(rng.choice(state.chance_outcomes)[0])
        elif state.legal_actions:
            state = state.child(rng.choice(state.legal_actions))
        else:
            return


@pytest.mark.parametrize("count", COUNTS)
def test_damaged_payloads_of_pickles(game: fg.Game, count: int) -> None:
    """A damaged pickle is refused; with its checksum put right it is refused or a state that can be used."""
    states = [play_some(game, seed, 4 + 9 * seed).state for seed in range(8)]
    payloads = [state.__reduce__()[1] for state in states]
    rebuild = states[0].__reduce__()[0]
    rng, accepted = random.Random(5), 0
    for number in range(count):
        identity, whole = rng.choice(payloads)
        fields = bytearray(whole[:-8])
        assert checksum(bytes(fields)) == int.from_bytes(whole[-8:], "little")
        for _ in range(rng.randrange(1, 4)):
            fields[rng.randrange(19, len(fields))] = rng.randrange(256)
        if rng.random() < 0.1:
            del fields[rng.randrange(len(fields)) :]
        with pytest.raises(fg.StateError, match="pickle"):
            rebuild(identity, bytes([*fields, 0]) + whole[-8:])
        try:
            state = rebuild(identity, bytes(fields) + checksum(bytes(fields)).to_bytes(8, "little"))
        except fg.StateError as error:
            reason = str(error)
        else:
            accepted += 1
            reason = "accepted"
            if number % 4 == 0:
                _use(state, rng)
        assert reason
        assert "\n" not in reason
    print(f"{game.name}: {count} payloads, {accepted} accepted")


def test_a_pickle_of_another_version_is_refused_by_name(game: fg.Game) -> None:
    state = play_some(game, 3, 6).state
    rebuild, (identity, whole) = state.__reduce__()
    for at, name in ((0, "format"), (2, "kind"), (3, "version of the rules"), (7, "version of the layout"), (11, "fingerprint")):
        fields = bytearray(whole[:-8])
        fields[at] ^= 1
        with pytest.raises(fg.StateError, match=f"pickle: {name}"):
            rebuild(identity, bytes(fields) + checksum(bytes(fields)).to_bytes(8, "little"))
    with pytest.raises(fg.StateError, match="pickle: found 3 bytes"):
        rebuild(identity, b"abc")
    for wrong in ("", "qin", "[]", '["qin",2,{},"bird"]', '["qin",2,[],"bird",null]', '["qin",-1,{},"bird",null]'):
        with pytest.raises(fg.StateError):
            rebuild(wrong, whole)
    with pytest.raises(fg.OptionsError, match="one of forbidden_city"):
        rebuild('["chess",2,{},"bird",null]', whole)


def test_pickles_of_what_a_seat_knows(game: fg.Game) -> None:
    match = play_some(game, 2, 9)
    for player in range(game.num_players):
        info = match.information_state(player)
        for value in (info, info.observation):
            rebuild, (identity, whole) = value.__reduce__()
            assert rebuild(identity, whole) == value
            for length in range(0, len(whole), 7):
                with pytest.raises(fg.StateError):
                    rebuild(identity, whole[:length])


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
