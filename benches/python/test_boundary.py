"""What crossing the boundary costs: `make bench`. One iteration of a loop of plies is a whole game."""

from __future__ import annotations

import pickle
import random
from typing import TYPE_CHECKING

import forbidden_games as fg
import numpy as np
import pytest

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = fg.games()
DRAWN = [random.Random(1).randrange(1 << 30) for _ in range(4096)]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> fg.Game:
    """Every game with its usual options."""
    return fg.load(request.param)


def middle(game: fg.Game) -> fg.Match:
    """A match about half-way."""
    whole = fg.play_match(game, ["random"] * game.num_players, seed=1)
    return whole.record.new_match(whole.ply // 2)


def test_loop_of_plies(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    """The Python loop of the design: plies a second are `extra_info.plies / median`."""
    benchmark.group = "loop"
    plies = fg.play_match(game, ["random"] * game.num_players, seed=1).ply

    def loop() -> int:
        match = game.new_match(seed=1)
        ply = 0
        while not match.is_terminal:
            actions = match.legal_actions
            match.play(actions[DRAWN[ply] % len(actions)])
            ply += 1
        return ply

    plies = benchmark(loop)
    benchmark.extra_info["plies"] = plies
    if benchmark.stats is not None:
        print(f"\n{game.name}: {plies / benchmark.stats.stats.min / 1e6:.2f} M plies/s")


def test_legal_actions(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "legal_actions"
    match = middle(game)
    benchmark(lambda: match.legal_actions)


def test_child(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "child"
    state = middle(game).state
    action = state.legal_actions[0]
    benchmark(state.child, action)


def test_encode_into_an_array(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    """To be compared with `zero the same array`: at most 1 us plus twice that."""
    benchmark.group = "encode"
    observation = middle(game).observation(0)
    out = np.zeros(game.observation_size, dtype=np.float32)
    benchmark(observation.encode, out)


def test_zero_the_same_array(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "encode"
    out = np.zeros(game.observation_size, dtype=np.float32)
    benchmark(out.fill, 0)


def test_mask_into_an_array(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "mask"
    state = middle(game).state
    out = np.zeros(game.num_actions, dtype=np.bool_)
    benchmark(state.write_legal_actions_mask, out)


def test_sample_world(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "sample_world"
    info = middle(game).information_state(0)
    benchmark(info.sample_world, 1)


def test_json_and_back(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "json"
    state = middle(game).state
    benchmark(lambda: game.state_from_json(state.to_json()))


def test_pickle_and_back(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "pickle"
    state = middle(game).state
    benchmark(lambda: pickle.loads(pickle.dumps(state)))


def test_rollouts_in_one_call(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    benchmark.group = "rollouts"
    state = game.new_state()
    benchmark(fg.rollouts, state, 200)


def test_search_with_an_evaluator(game: fg.Game, benchmark: BenchmarkFixture) -> None:
    """256 leaves a batch; the callable does next to nothing."""
    benchmark.group = "evaluator"
    info = middle(game).information_state(0)
    if not info.legal_actions:
        info = game.new_match(seed=1).information_state(0)
    priors = np.ones((256, game.num_actions), dtype=np.float32)
    values = np.zeros((256, game.num_players), dtype=np.float32)
    agent = fg.SearchAgent("ismcts:simulations=1024,leaf_batch=256")
    benchmark(lambda: agent.search(info, evaluator=lambda o, m, p: (priors[: len(p)], values[: len(p)])))
