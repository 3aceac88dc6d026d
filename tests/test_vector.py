"""Many games side by side: the batch is what a loop of matches is, array by array."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import signal
import threading
import time
from typing import Any

import forbidden_games as fg
import numpy as np
import pytest

GAMES = fg.games()
SEATS = [(name, seats) for name in GAMES for seats in range(fg.game_info(name).min_players, fg.game_info(name).max_players + 1)]


class Loop:
    """Rows as plain matches, slow and obvious."""

    def __init__(self, game: fg.Game, env: fg.BatchEnv, autoreset: str, max_plies: int | None) -> None:
        self.game, self.autoreset, self.max_plies = game, autoreset, max_plies
        self.matches = [game.new_match(seed=int(seed)) for seed in env.seeds]
        self.taken = [0] * len(self.matches)
        self.is_finished = [False] * len(self.matches)

    def step(self, env: fg.BatchEnv, actions: np.ndarray) -> dict[str, Any]:
        """Play the actions; what every array has to hold, but for seeds, which are the batch's."""
        rows, seats = len(self.matches), self.game.num_players
        told: dict[str, Any] = {
            "rewards": np.zeros((rows, seats), np.float32),
            "scores": np.zeros((rows, seats), np.int32),
            "terminated": np.zeros(rows, bool),
            "truncated": np.zeros(rows, bool),
            "final_players": np.full(rows, -1, np.int8),
            "final_observations": np.zeros((rows, self.game.observation_size), np.float32),
        }
        for row, match in enumerate(self.matches):
            if self.is_finished[row]:
                self.begin(env, row)
            else:
                last = match.current_player
                assert last is not None
                match.play(int(actions[row]))
                self.taken[row] += 1
                cut = not match.is_terminal and self.taken[row] == self.max_plies
                if match.is_terminal or cut:
                    told["terminated" if match.is_terminal else "truncated"][row] = True
                    told["final_players"][row] = last
                    told["final_observations"][row] = match.observation(last).tensor
                    told["rewards"][row] = match.returns if match.is_terminal else 0
                    told["scores"][row] = match.scores
                    self.is_finished[row] = True
                    if self.autoreset == "same_step":
                        self.begin(env, row)
                    continue
            told["scores"][row] = self.matches[row].scores
        return told

    def begin(self, env: fg.BatchEnv, row: int) -> None:
        self.matches[row] = self.game.new_match(seed=int(env.seeds[row]))
        self.taken[row], self.is_finished[row] = 0, False

    def check(self, env: fg.BatchEnv) -> None:
        """Compare what is shown now."""
        sparse = env.sparse
        offsets, ids = env.legal
        scales = np.concatenate([np.full(block.size, block.scale) for block in self.game.observation_spec])
        for row, match in enumerate(self.matches):
            legal = [] if self.is_finished[row] else [int(action) for action in match.legal_actions]
            assert ids[offsets[row] : offsets[row + 1]].tolist() == legal
            assert sparse.legal_ids[sparse.legal_offsets[row] : sparse.legal_offsets[row + 1]].tolist() == legal
            if env.action_mask is not None:
                assert np.flatnonzero(env.action_mask[row]).tolist() == legal
            assert env.players[row] == (-1 if self.is_finished[row] else match.current_player)
            assert env.ply[row] == match.ply
            raw = np.zeros(self.game.observation_size, np.uint16)
            if not self.is_finished[row]:
                player = match.current_player
                assert player is not None
                raw = (match.observation(player).tensor * scales).round().astype(np.uint16)
            where = slice(sparse.offsets[row], sparse.offsets[row + 1])
            assert np.all(np.diff(sparse.indices[where].astype(int)) > 0)
            listed = np.zeros_like(raw)
            listed[sparse.indices[where]] = sparse.values[where]
            assert np.array_equal(listed, raw)
            shown = env.observations
            if isinstance(shown, np.ndarray):
                expected = raw if shown.dtype == np.uint8 else (raw / scales).astype(np.float32)
                assert np.allclose(shown[row], expected, rtol=1e-6, atol=0), row


def run(
    game: fg.Game, *, steps: int, rows: int = 5, autoreset: str = "same_step", max_plies: int | None = None, **given: Any
) -> None:
    given |= {"autoreset": autoreset, "max_plies": max_plies}
    with fg.BatchEnv(game, rows, seed=3, **given) as env:
        loop = Loop(game, env, autoreset, max_plies)
        names = ["players", "ply", "rewards", "scores", "terminated", "truncated", "final_players", "seeds", "episodes"]
        arrays = {name: getattr(env, name) for name in names}
        for number in range(steps):
            if number % 7 == 0:
                loop.check(env)
            actions = env.sample(number)
            env.step(np.where(env.players < 0, 10**9, actions))
            told = loop.step(env, actions)
            for name in ("rewards", "scores", "terminated", "truncated", "final_players"):
                assert np.array_equal(getattr(env, name), told[name]), (name, number)
            if autoreset == "same_step" and given.get("observation", "float32") == "float32":
                assert np.array_equal(env.final_observations, told["final_observations"])
        loop.check(env)
        assert all(getattr(env, name) is array for name, array in arrays.items()), "the same objects for ever"
        assert env.episodes.sum() > 0, "no game ended"


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_the_batch_is_a_loop_of_matches(name: str, seats: int) -> None:
    run(fg.load(name, players=seats), steps=90, max_plies=40, threads=2)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("observation", ["float32", "uint8", "sparse", None])
@pytest.mark.parametrize("name", GAMES)
def test_every_form(name: str, autoreset: str, observation: str | None) -> None:
    run(fg.load(name), steps=40, max_plies=13, autoreset=autoreset, observation=observation, action_mask=observation != "sparse")


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("observation", ["float32", "uint8", "sparse", None])
@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_every_form_to_the_end(name: str, seats: int, autoreset: str, observation: str | None, threads: int) -> None:
    game = fg.load(name, players=seats)
    run(game, steps=game.max_plies + 20, rows=40, autoreset=autoreset, observation=observation, threads=threads)


@pytest.mark.parametrize("name", GAMES)
def test_disabled_rows_wait(name: str) -> None:
    game = fg.load(name)
    env = fg.BatchEnv(game, 3, autoreset="disabled", max_plies=4)
    for _ in range(4):
        env.step(env.sample())
    assert env.truncated.all()
    assert (env.players == -1).all()
    assert not env.action_mask.any()
    assert not env.observations.any()
    assert env.sample().tolist() == [-1, -1, -1]
    with pytest.raises(fg.ParseActionError, match=r"row 0: .*expected -1, as the game is over"):
        env.step([0, -1, -1])
    env.step([-1, -1, -1])
    assert env.truncated.all()
    env.reset(mask=np.array([True, False, False]))
    assert env.truncated.tolist() == [False, True, True]
    assert env.players[0] >= 0
    assert env.episodes.tolist() == [1, 0, 0]


@pytest.mark.parametrize("name", GAMES)
def test_an_illegal_action_changes_no_row(name: str) -> None:
    game = fg.load(name)
    env = fg.BatchEnv(game, 6, seed=5)
    env.step(env.sample())
    names = ["observations", "action_mask", "players", "ply", "rewards", "scores", "seeds", "episodes"]
    before = [getattr(env, name).copy() for name in names]
    states = [env.state(row) for row in range(6)]
    illegal = int(np.flatnonzero(~env.action_mask[4])[0])
    for bad, error in ((illegal, fg.IllegalActionError), (-3, fg.ParseActionError), (game.num_actions, fg.ParseActionError)):
        actions = env.sample()
        actions[4] = bad
        with pytest.raises(error, match=r"^row 4: ") as caught:
            env.step(actions)
        assert caught.value.row == 4  # type: ignore[attr-defined]
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        assert all(np.array_equal(getattr(env, name), kept) for name, kept in zip(names, before, strict=True))
        assert [env.state(row) for row in range(6)] == states


def test_illegal_actions_can_lose() -> None:
    env = fg.BatchEnv(fg.load("qin", players=3), 2, illegal="lose")
    actions = env.sample()
    actions[1] = -7
    env.step(actions)
    assert env.rewards.tolist() == [[0, 0, 0], [-1, 0, 0]]
    assert env.terminated.tolist() == [False, True]
    assert env.final_players.tolist() == [-1, 0]


def test_actions_of_other_kinds() -> None:
    env = fg.BatchEnv(fg.load("qin"), 3)
    env.step([int(action) for action in env.sample()])
    env.step(env.sample().astype(np.int32))
    env.step(tuple(env.sample()))
    for wrong, error in ((np.zeros(3), TypeError), ("abc", TypeError), (np.zeros(3, bool), TypeError), ([0, 0], ValueError)):
        with pytest.raises(error, match="actions"):
            env.step(wrong)
    with pytest.raises(ValueError, match=r"actions: .*shape \(3,\)"):
        env.step(np.zeros((3, 1), np.int64))


def test_arrays_of_the_caller() -> None:
    game = fg.load("qin")
    shape = (4, game.observation_size)
    mine = np.full(shape, 9, np.float32)
    mask = np.ones((4, game.num_actions), bool)
    env = fg.BatchEnv(game, 4, out={"observations": mine, "action_mask": mask})
    assert env.observations is mine
    assert env.action_mask is mask
    assert np.array_equal(mine[0], game.new_match(seed=int(env.seeds[0])).observation(0).tensor)
    env.step(env.sample())
    assert np.array_equal(mine[1], env.match(1).observation(int(env.players[1])).tensor)
    read_only = np.zeros(shape, np.float32)
    read_only.flags.writeable = False
    wrong: dict[str, Any] = {
        "dtype": np.zeros(shape, np.float64),
        "shape": np.zeros((3, game.observation_size), np.float32),
        "strides": np.zeros((4, 2 * game.observation_size), np.float32)[:, ::2],
        "order": np.zeros(shape[::-1], np.float32).T,
        "read-only": read_only,
    }
    for array in wrong.values():
        with pytest.raises(ValueError, match=r"^observations: found"):
            fg.BatchEnv(game, 4, out={"observations": array})
    with pytest.raises(TypeError, match=r"^observations: found"):
        fg.BatchEnv(game, 4, out={"observations": None})  # type: ignore[dict-item]
    with pytest.raises(fg.OptionsError, match="out: found nonsense"):
        fg.BatchEnv(game, 4, out={"nonsense": mine})


def test_what_does_not_fit_is_refused() -> None:
    game = fg.load("qin")
    for given, word in (
        ({"observation": "float16"}, "observation"),
        ({"autoreset": "never"}, "autoreset"),
        ({"illegal": "ignore"}, "illegal"),
        ({"max_plies": 0}, "max_plies"),
        ({"agents": ["random"]}, "agents"),
        ({"agents": ["random", "random"]}, "agents"),
        ({"num_envs": 1 << 60}, "num_envs"),
    ):
        arguments: dict[str, Any] = {"num_envs": 2} | given
        with pytest.raises(fg.OptionsError, match=word):
            fg.BatchEnv(game, **arguments)
    with pytest.raises(fg.AgentError):
        fg.BatchEnv(game, 2, agents=["nobody", None])
    env = fg.BatchEnv(game, 2)
    with pytest.raises(IndexError):
        env.match(2)
    with pytest.raises(fg.StateError, match="row 1"):
        env.reset(states=[None, "{}"])
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(env)
    empty = fg.BatchEnv(game, 0)
    empty.step([])
    assert len(empty.sparse) == 0


@pytest.mark.parametrize("name", GAMES)
def test_rows_can_be_looked_at_and_replayed(name: str) -> None:
    game = fg.load(name)
    env = fg.BatchEnv(game, 3, seed=8)
    for _ in range(11):
        env.step(env.sample())
    for row in range(3):
        match = env.match(row)
        again = match.record.new_match()
        assert again.state == env.state(row) == match.state
        assert list(env.actions(row)) == list(match.legal_actions)
        assert match.seed == int(env.seeds[row])
    # A copy goes its own way, and takes over what was told of the last step.
    twin = copy.deepcopy(env)
    assert np.array_equal(twin.observations, env.observations)
    twin.step(twin.sample(1))
    assert env.state(0) != twin.state(0)
    env.step(env.sample(1))
    assert [env.state(row) for row in range(3)] == [twin.state(row) for row in range(3)]
    env.reset(seed=8)
    assert env.episodes.tolist() == [0, 0, 0]
    other = fg.BatchEnv(game, 3, seed=8)
    assert np.array_equal(env.seeds, other.seeds)
    states = [twin.state(row) for row in range(3)]
    env.reset(states=[states[0], None, states[2]])
    assert env.state(0) == states[0]
    assert env.ply.tolist() == [states[0].ply, 0, states[2].ply]


@pytest.mark.parametrize("name", GAMES)
def test_agents_inside_a_step(name: str) -> None:
    game = fg.load(name, players=2)
    env = fg.BatchEnv(game, 2, seed=4, agents=[None, "greedy:nodes=1"], max_plies=12, autoreset="disabled")
    while (env.players >= 0).any():
        assert set(env.players.tolist()) <= {0, -1}
        env.step(env.sample(3))
        assert set(env.final_players.tolist()) <= {0, -1}, "no array shows what an agent holds"
    for row in range(2):
        match = env.match(row)
        assert match.ply == 12 or match.is_terminal
        again = game.new_match(seed=match.seed)
        greedy = fg.agent("greedy:nodes=1")
        for action in (step for step in match.history if isinstance(step, fg.Action)):
            player = again.current_player
            assert player is not None
            if player == 1:
                seed = fg.agent_seed(match.seed, player, again.ply)
                assert greedy.act(again.information_state(player), seed=seed) == action
            again.play(action)


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_hidden_parts_are_in_no_byte(name: str, seats: int) -> None:
    """Worlds that the seat to move cannot tell apart give the same rows."""
    game = fg.load(name, players=seats)
    env = fg.BatchEnv(game, 1, seed=2)
    for _ in range(6):
        env.step(env.sample())
    match = env.match(0)
    player = match.current_player
    assert player is not None
    info = match.information_state(player)
    worlds = [match.state, *(info.sample_world(seed) for seed in range(5))]
    rows = fg.BatchEnv(game, len(worlds))
    rows.reset(states=worlds)
    for array in (rows.observations, rows.action_mask, rows.players, rows.ply, rows.scores):
        assert all(np.array_equal(array[0], row) for row in array)


@pytest.mark.parametrize("name", GAMES)
def test_positions_are_derived_again(name: str) -> None:
    game = fg.load(name)
    matches = []
    for seed in (1, 2):
        match = game.new_match(seed=seed)
        for number in range(9):
            match.play(match.legal_actions[number % len(match.legal_actions)])
        matches.append(match)
    ids = [[int(step) for step in match.history if isinstance(step, fg.Action)] for match in matches]
    plies = [[0, 3, 3, 9], [5]]
    forms: list[Any] = [
        [(match.seed, actions) for match, actions in zip(matches, ids, strict=True)],
        matches,
        [match.record for match in matches],
    ]
    for games in forms:
        found = fg.encode_positions(game, games, plies=plies)
        sparse = fg.encode_positions(game, games, plies=plies, observation="sparse").observations
        wanted = [(match, ply) for match, some in zip(matches, plies, strict=True) for ply in some]
        assert len(found) == len(sparse) == 5
        for row, (match, ply) in enumerate(wanted):
            there = match.record.new_match(ply)
            assert there.current_player == found.players[row]
            assert found.ply[row] == ply
            assert np.array_equal(found.observations[row], there.observation(int(found.players[row])).tensor)
            assert np.array_equal(found.action_mask[row], there.legal_actions_mask)
            where = slice(sparse.offsets[row], sparse.offsets[row + 1])
            assert np.array_equal(sparse.indices[where], np.flatnonzero(found.observations[row]))
            offsets, legal = found.legal
            assert legal[offsets[row] : offsets[row + 1]].tolist() == [int(action) for action in there.legal_actions]
    assert np.array_equal(fg.encode_positions(game, matches).ply, [9, 9])
    # A match from a start of its own, and one at its end.
    own = game.new_match(seed=5, state=matches[0].state)
    own.play(own.legal_actions[0])
    whole = fg.play_match(game, ["random"] * game.num_players, seed=1)
    found = fg.encode_positions(game, [own, whole], plies=[[0, 1], [whole.ply]])
    assert found.ply.tolist() == [9, 10, whole.ply]
    assert found.players.tolist() == [matches[0].current_player, own.current_player, -1]
    assert np.array_equal(found.observations[1], own.observation(int(found.players[1])).tensor)
    with pytest.raises(fg.OptionsError, match="plies of game 0 that ascend, up to 9"):
        fg.encode_positions(game, matches, plies=[[4, 2], []])
    with pytest.raises(fg.OptionsError, match="plies"):
        fg.encode_positions(game, matches, plies=[[10], []])
    with pytest.raises((fg.IllegalActionError, fg.ParseActionError), match=r"^row 1: "):
        fg.encode_positions(game, [(1, ids[0]), (2, [game.num_actions])])


def test_closing() -> None:
    with fg.BatchEnv(fg.load("qin"), 40, threads=2) as env:
        before = threading.active_count()
        env.step(env.sample())
        assert threading.active_count() == before, "workers are no Python threads"
    with pytest.raises(ValueError, match="closed"):
        env.step([0] * 40)
    assert env.players.shape == (40,)
    env.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_process_goes_on_alone() -> None:
    env = fg.BatchEnv(fg.load("qin"), 64, threads=2)
    env.step(env.sample(1))
    expected = env.copy()
    expected.step(expected.sample(2))
    child = os.fork()
    if child == 0:
        env.step(env.sample(2))
        same = np.array_equal(env.observations, expected.observations)
        env.close()
        os._exit(0 if same else 1)
    limit = time.monotonic() + 30
    while (done := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < limit:
        time.sleep(0.01)
    if done == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child hangs")
    assert done[1] == 0
    env.step(env.sample(2))
    assert np.array_equal(env.observations, expected.observations)


def test_searches_inside_a_step_can_be_interrupted() -> None:
    game = fg.load("forbidden_city")
    env = fg.BatchEnv(game, 4, agents=[None, "mcts:simulations=100000"])
    # A program that was started in the background ignores the signal, and so would this test.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            env.step(env.sample())
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 10
    with pytest.raises(RuntimeError, match="reset every row"):
        env.step(env.sample())
    with pytest.raises(RuntimeError, match="reset every row"):
        env.reset(mask=np.array([True, False, False, False]))
    env.reset()
    assert (env.players == 0).all()


def test_two_threads_are_told() -> None:
    env = fg.BatchEnv(fg.load("dragon_castle"), 4, agents=[None, "mcts:simulations=3000"])
    raised = []

    def step() -> None:
        try:
            env.step(env.sample())
        except fg.ConcurrentUseError as error:
            raised.append(error)

    actions = env.sample()
    other = threading.Timer(0.05, step)
    other.start()
    env.step(actions)
    other.join()
    assert len(raised) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_memory_stays_flat(name: str) -> None:
    """Ten million steps over the four games."""
    resource = pytest.importorskip("resource")
    env = fg.BatchEnv(fg.load(name), 500, observation="float32")
    peaks = []
    for _ in range(5):
        for _ in range(1000):
            env.step(env.sample())
        gc.collect()
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[1] < 4096, peaks
