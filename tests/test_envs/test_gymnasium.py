"""Gymnasium's checker, and what the environments promise beyond it."""

from __future__ import annotations

import pickle
from typing import Any

import forbidden_games as fg
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")

from forbidden_games.envs.gymnasium import SeatEnv, VectorEnv  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
SEATS = [
    (name, seats) for name in fg.games() for seats in range(fg.game_info(name).min_players, fg.game_info(name).max_players + 1)
]
IDS = {name: "ForbiddenGames/" + "".join(word.capitalize() for word in name.split("_")) + "-v0" for name in fg.games()}


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_checker(name: str, seats: int) -> None:
    check_env(SeatEnv(name, players=seats, seat=seats - 1))


@pytest.mark.parametrize("name", fg.games())
def test_checker_of_stable_baselines(name: str) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="stable-baselines3 is not installed")
    checker.check_env(SeatEnv(name))


@pytest.mark.parametrize("name", fg.games())
def test_made_by_id(name: str) -> None:
    env = gymnasium.make(IDS[name], opponents="greedy:nodes=1", render_mode="ansi")
    _, info = env.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(1000):
        assert np.array_equal(env.unwrapped.action_masks(), info["action_mask"])
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        if terminated or truncated:
            break
    assert terminated
    assert not info["action_mask"].any()
    assert -1 <= reward <= 1
    assert reward == env.unwrapped.match.returns[0]
    assert isinstance(env.render(), str)
    with pytest.raises(fg.StateError, match="over"):
        env.unwrapped.step(0)


def test_opponents_of_every_kind() -> None:
    class First:
        def act(self, info: fg.InformationState) -> fg.Action:
            return info.legal_actions[0]

    env = SeatEnv("qin", players=3, seat=1, opponents=["random", First()])
    env.reset(seed=1)
    match = env.match
    assert match is not None
    assert (match.current_player, match.ply) == (1, 1)
    for wrong in (["random"], ["random"] * 3):
        with pytest.raises(fg.OptionsError, match="opponents"):
            SeatEnv("qin", players=3, opponents=wrong)
    with pytest.raises(fg.OptionsError, match="seat"):
        SeatEnv("qin", seat=2)
    with pytest.raises(fg.OptionsError, match="native agents"):
        VectorEnv("qin", 2, opponents=First())  # type: ignore[arg-type]


def test_an_illegal_action_ends_the_game() -> None:
    env = SeatEnv("dragon_castle")
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated) == (-1.0, True)
    assert not info["action_mask"].any()


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("name", fg.games())
def test_many_are_single_ones_side_by_side(name: str, autoreset: str) -> None:
    """Row by row the rewards, ends and observations of `SeatEnv` under the seeds of the rows."""
    rows, game = 3, fg.load(name)
    given: dict[str, Any] = {"opponents": "random", "autoreset": autoreset}
    env = gymnasium.make_vec(IDS[name], num_envs=rows, vectorization_mode="vector_entry_point", **given)
    observations, info = env.reset(seed=5)
    assert observations.shape == env.observation_space.shape
    single = [SeatEnv(game, opponents="random") for _ in range(rows)]
    for row, one in enumerate(single):
        first, _ = one.reset(seed=int(env.batch.seeds[row]))
        assert np.array_equal(first, observations[row])
    over = np.zeros(rows, bool)
    ended = 0
    for step in range(150):
        actions = np.maximum(env.batch.sample(step), 0)
        observations, rewards, terminated, truncated, info = env.step(actions)
        assert observations.dtype == np.float32
        assert not truncated.any()
        for row, one in enumerate(single):
            if over[row]:
                assert rewards[row] == 0
                if autoreset == "next_step":
                    over[row] = False
                    first, _ = one.reset(seed=int(env.batch.seeds[row]))
                    assert np.array_equal(first, observations[row])
                continue
            seen, reward, end, _, single_info = one.step(int(actions[row]))
            assert (reward, end) == (rewards[row], bool(terminated[row]))
            if not end:
                assert np.array_equal(seen, observations[row])
                assert np.array_equal(single_info["action_mask"], info["action_mask"][row])
                continue
            ended += 1
            if autoreset == "same_step":
                assert info["_final_obs"][row]
                assert np.array_equal(info["final_obs"][row], seen)
                one.reset(seed=int(env.batch.seeds[row]))
            else:
                over[row] = True
        if autoreset == "disabled" and over.any():
            env.reset(options={"reset_mask": over})
            for row in np.flatnonzero(over).tolist():
                single[row].reset(seed=int(env.batch.seeds[row]))
            over[:] = False
    assert ended or name == "dragon_castle"
    env.close()


def test_what_vector_environments_refuse() -> None:
    with pytest.raises(fg.OptionsError, match="autoreset"):
        VectorEnv("qin", 2, autoreset="never")
    env = VectorEnv("qin", 2)
    with pytest.raises(fg.OptionsError, match="seed"):
        env.reset(seed=[1, 2])  # type: ignore[arg-type]


def test_pickles() -> None:
    env = pickle.loads(pickle.dumps(SeatEnv("qin")))
    env.reset(seed=1)
    assert env.match.seed == 1
