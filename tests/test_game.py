"""`load`, games, options, components."""

from __future__ import annotations

import contextlib
import json
import pickle
from typing import TYPE_CHECKING, Any

import forbidden_games as fg
import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path


def test_names_and_pages(game: fg.Game) -> None:
    info = fg.game_info(game.name)
    assert game.info.name == info.name == game.name
    assert info.min_players <= info.default_players == game.num_players <= info.max_players
    assert game.title == info.title
    assert game.rules == info.rules
    assert game.readme == info.readme
    for heading in (
        "In short",
        "Options",
        "Components",
        "Specs",
        "Action ids",
        "Observation blocks",
        "Results",
        "Printed and house",
    ):
        assert f"{heading}\n" in game.readme


def test_every_option_is_typed_and_has_a_default(game: fg.Game) -> None:
    assert list(game.options) == [spec.name for spec in game.option_schema]
    for spec in game.option_schema:
        assert spec.expected
        assert spec.meaning
        if spec.choices is not None:
            assert game.options[spec.name] in spec.choices
            for choice in spec.choices:
                assert spec.parse(choice) == choice
        if spec.kind == "integer":
            assert spec.min is not None
            assert spec.max is not None
            assert spec.parse(str(spec.default)) == spec.default
            with pytest.raises(fg.OptionsError, match=spec.name):
                spec.parse(str(spec.max + 2))


def test_games_are_values(game: fg.Game) -> None:
    again = fg.load(game.name)
    assert again == game
    assert hash(again) == hash(game)
    assert again is game  # made once
    other = fg.load(game.name, game.info.max_players)
    assert (other == game) == (game.num_players == game.info.max_players)
    assert pickle.loads(pickle.dumps(game)) is game
    assert game != "game"
    assert game.name in repr(game)


def test_numbers_of_players(game: fg.Game) -> None:
    for players in range(game.info.min_players, game.info.max_players + 1):
        assert fg.load(game.name, players).num_players == players
    for players in (0, game.info.max_players + 1, 10**6):
        with pytest.raises(fg.OptionsError, match="players"):
            fg.load(game.name, players)
    with pytest.raises(fg.OptionsError, match="players: found -1"):
        fg.load(game.name, -1)
    with pytest.raises(TypeError):
        fg.load(game.name, "two")  # type: ignore[call-overload]


def test_unknown_names_are_named() -> None:
    with pytest.raises(fg.OptionsError, match="option game: found chess, expected one of forbidden_city"):
        fg.load("chess")
    with pytest.raises(fg.OptionsError, match="bored"):
        fg.load("qin", bored="lion")  # type: ignore[call-overload]
    with pytest.raises(fg.OptionsError) as caught:
        fg.load("forbidden_city", table=16)
    assert caught.value.key == "table"
    assert caught.value.found == "16"
    assert "odd" in caught.value.expected
    assert isinstance(caught.value, ValueError)


def test_builtin_sets_by_name_file_and_data(game: fg.Game, tmp_path: Path) -> None:
    for name, text in game.info.builtin_components.items():
        assert fg.load(game.name, components=name).components == name
        data = {**fg.read_components(_written(tmp_path / f"{name}.toml", text)), "name": "my-own"}
        as_json = _written(tmp_path / f"{name}.json", json.dumps(data))
        as_toml = _written(tmp_path / "own.toml", text.replace(f'name = "{name}"', 'name = "my-own"', 1))
        made = fg.load(game.name, components=data)
        for components in (as_json, str(as_json), as_toml):
            assert fg.load(game.name, components=components) == made


def test_own_sets_are_embedded_and_pickled(game: fg.Game, tmp_path: Path) -> None:
    name, text = next(iter(game.info.builtin_components.items()))
    data = fg.read_components(_written(tmp_path / "set.toml", text))
    own = fg.load(game.name, components={**data, "name": "my-own"})
    assert own.components != name
    assert own.components["name"] == "my-own"  # type: ignore[index]
    assert own != game
    assert pickle.loads(pickle.dumps(own)) == own
    match = own.new_match(seed=1)
    match.play(match.legal_actions[0])
    assert fg.parse_record(match.record.to_text()).new_match().state == match.state


def test_wrong_components_name_the_key(game: fg.Game, tmp_path: Path) -> None:
    _, text = next(iter(game.info.builtin_components.items()))
    data = fg.read_components(_written(tmp_path / "set.toml", text))
    with pytest.raises(fg.ComponentsError) as caught:
        fg.load(game.name, components={**data, "name": "my-own", "no_such_key": 1})
    assert "no_such_key" in caught.value.key
    with pytest.raises(fg.ForbiddenGamesError, match="no-such-set"):
        fg.load(game.name, components="no-such-set")
    with pytest.raises(FileNotFoundError):
        fg.load(game.name, components="no/such/file.toml")
    with pytest.raises(fg.ComponentsError):
        fg.load(game.name, components=_written(tmp_path / "broken.toml", "a = = 1"))
    with pytest.raises(fg.ComponentsError):
        fg.load(game.name, components=_written(tmp_path / "broken.json", "[1]"))


def test_windows() -> None:
    small, usual = fg.load("forbidden_city", window=15), fg.load("forbidden_city")
    assert small.observation_size < usual.observation_size
    assert small.action_space == usual.action_space
    assert small != usual
    assert pickle.loads(pickle.dumps(small)).observation_size == small.observation_size
    with pytest.raises(fg.OptionsError, match="window"):
        fg.load("qin", window=15)


def test_observation_spec_is_gapless(game: fg.Game) -> None:
    offset = 0
    for block in game.observation_spec:
        assert block.offset == offset
        assert block.meaning
        size = 1
        for length in block.shape:
            size *= length
        assert block.size == size
        offset += size
    assert offset == game.observation_size
    assert offset * 4 <= 64 * 1024


def test_ids_and_notation(game: fg.Game) -> None:
    assert str(game.action(0))
    assert int(game.action(game.num_actions - 1)) == game.num_actions - 1
    for make, count in ((game.action, game.num_actions), (game.outcome, game.num_outcomes)):
        with pytest.raises(fg.ParseActionError, match=f"0 to {count - 1}"):
            make(count)
        for wrong in (-1, 2**32, -(10**30)):
            with pytest.raises(fg.ParseActionError):
                make(wrong)
        with pytest.raises(TypeError):
            make("0")  # type: ignore[arg-type]
    for parse in (game.parse_action, game.parse_outcome):
        with pytest.raises(fg.ParseActionError) as caught:
            parse("no notation at all")
        assert caught.value.text == "no notation at all"
        assert caught.value.expected


def test_components_are_drawn(game: fg.Game) -> None:
    text = game.draw_components()
    assert text
    assert "\x1b" not in text
    assert game.draw_components(ascii=True).isascii()


@given(data=st.data())
def test_hostile_options_and_components(data: st.DataObject) -> None:
    json_values: st.SearchStrategy[Any] = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
        max_leaves=12,
    )
    name = data.draw(st.sampled_from(fg.games()))
    spec = data.draw(st.sampled_from(fg.game_info(name).option_schema))
    with contextlib.suppress(fg.ForbiddenGamesError, OSError, TypeError):
        fg.load(name, **{spec.name: data.draw(json_values)})
    with contextlib.suppress(fg.ForbiddenGamesError):
        fg.load(name, components=data.draw(st.dictionaries(st.text(max_size=8), json_values, max_size=4)))


def test_endless_data_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    wide: list[Any] = []
    for _ in range(64):
        wide = [wide, wide]
    for hostile in (loop, wide, object(), {1: 2}, 2**70, float("nan")):
        with pytest.raises(fg.ComponentsError):
            fg.load("qin", components={"name": hostile})
        with pytest.raises(fg.StateError):
            fg.load("qin").state_from_json({"game": hostile})


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
