"""PettingZoo's own suites, for every game and number of seats, wrapped and raw."""

from __future__ import annotations

import copy
import importlib
import pickle
import warnings
from typing import Any

import forbidden_games as fg
import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")

from pettingzoo.test import api_test, render_test, seed_test

pytestmark = pytest.mark.filterwarnings("ignore")
SEATS = [
    (name, seats) for name in fg.games() for seats in range(fg.game_info(name).min_players, fg.game_info(name).max_players + 1)
]


def module(name: str) -> Any:
    importlib.import_module("forbidden_games.envs.pettingzoo")
    return importlib.import_module(f"forbidden_games.envs.pettingzoo.{name}_v0")


@pytest.mark.parametrize("kind", ["env", "raw_env"])
@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_api(name: str, seats: int, kind: str) -> None:
    api_test(getattr(module(name), kind)(players=seats), num_cycles=60)


@pytest.mark.parametrize("name", fg.games())
def test_seeds(name: str) -> None:
    seed_test(module(name).env, num_cycles=40)


@pytest.mark.parametrize("name", fg.games())
def test_render(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(module(name).env)
    assert capsys.readouterr().out
    env = module(name).env(render_mode="ansi")
    env.reset(seed=1)
    assert isinstance(env.render(), str)
    with pytest.raises(fg.OptionsError, match="render_mode"):
        module(name).env(render_mode="rgb")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_performance_benchmark(name: str, seats: int) -> None:
    from pettingzoo.test import performance_benchmark

    performance_benchmark(module(name).env(players=seats))


def test_a_game_is_the_match_of_its_seed() -> None:
    env = module("qin").env(players=3, board="lion")
    env.reset(seed=7)
    match = fg.load("qin", players=3, board="lion").new_match(seed=7)
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        if termination:
            assert reward == match.returns[int(agent[-1])]
            env.step(None)
            continue
        player = match.current_player
        assert player == int(agent[-1])
        assert np.array_equal(observation["observation"], match.observation(player).tensor)
        assert np.array_equal(observation["action_mask"], match.legal_actions_mask)
        others = [env.observe(other)["action_mask"] for other in env.agents if other != agent]
        assert not np.any(others)
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
        match.play(action)
    assert match.is_terminal


@pytest.mark.parametrize("name", fg.games())
def test_an_illegal_action_ends_the_game(name: str) -> None:
    env = module(name).raw_env()
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    culprit = env.agent_selection
    env.step(illegal)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards == {agent: -1.0 if agent == culprit else 0.0 for agent in env.agents}
    while env.agents:
        env.step(None)


def test_copies_and_pickles() -> None:
    env = module("tang_garden").env(players=2)
    again = pickle.loads(pickle.dumps(env))
    again.reset(seed=3)
    twin = copy.deepcopy(again)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one in (again, twin):
            one.step(int(np.flatnonzero(one.last()[0]["action_mask"])[0]))
    assert np.array_equal(again.last()[0]["observation"], twin.last()[0]["observation"])


def test_conversion_to_parallel() -> None:
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    env = turn_based_aec_to_parallel(module("qin").raw_env())
    observations, _ = env.reset(seed=1)
    assert set(observations) == {"player_0", "player_1"}


def test_reset_goes_on_with_its_own_generator() -> None:
    first, other = module("qin").raw_env(), module("qin").raw_env()
    seeds = []
    for env in (first, other):
        env.reset(seed=5)
        env.reset()
        seeds.append(env.match.seed)
    assert seeds[0] == seeds[1] != 5
