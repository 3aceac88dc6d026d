"""OpenSpiel's own tests, and bots across the border; skipped where it is not installed (`make test-envs` installs it)."""

from __future__ import annotations

import pickle
import random

import forbidden_games as fg
import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")

from forbidden_games.envs import openspiel as ours  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
GAMES = [f"fg_{name}" for name in fg.games()]


@pytest.mark.parametrize("serialize", [False, True])
@pytest.mark.parametrize(
    "name", [*GAMES, "fg_qin(players=4,board=lion)", "fg_tang_garden(players=1)", "fg_dragon_castle(spirits=wind)"]
)
def test_random_sim(name: str, serialize: bool) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=serialize, verbose=False)


def middle(game: object, steps: int = 12) -> ours.State:
    state = game.new_initial_state()  # type: ignore[attr-defined]
    rng = np.random.default_rng(1)
    while steps or state.is_chance_node():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(int(rng.choice([o for o, _ in outcomes], p=[p for _, p in outcomes])))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
            steps -= 1
    return state  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", GAMES)
def test_round_trips(name: str) -> None:
    game = pyspiel.load_game(name)
    state = middle(game)
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    assert str(state.clone()) == str(state)


@pytest.mark.parametrize("name", GAMES)
def test_resampled_states_look_the_same(name: str) -> None:
    state = middle(pyspiel.load_game(name))
    player = state.current_player()
    for _ in range(3):
        other = state.resample_from_infostate(player, random.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        action = state.legal_actions()[0]
        before = other.information_state_string(player)
        other.apply_action(action)
        assert other.information_state_string(player).startswith(before)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if "castle" in name or "city" in name else ()) for name in GAMES]
)
def test_playthrough(name: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    assert "fg_" in generate_playthrough.playthrough(name, action_sequence=None, seed=1)


@pytest.mark.parametrize("name", GAMES)
def test_their_bots_play_whole_games(name: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    seats = "(players=2)" if name == "fg_tang_garden" else ""
    game = pyspiel.load_game(name + seats)
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 1.4, 2, evaluator, random_state=rng), ours.AgentBot("greedy:nodes=1", 1)]
    if name in ("fg_forbidden_city", "fg_qin"):  # games that hide something
        bots[0] = ismcts.ISMCTSBot(game, evaluator, 1.4, 2, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(int(rng.choice([o for o, _ in outcomes], p=[p for _, p in outcomes])))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0


def test_their_bot_sits_in_our_match() -> None:
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("fg_qin")
    bot = mcts.MCTSBot(game, 1.4, 2, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    match = fg.play_match(fg.load("qin"), [ours.BotAgent(bot), fg.agent("random")], seed=1)
    assert match.is_terminal
    with pytest.raises(fg.OptionsError, match="for which the bot is"):
        fg.play_match(fg.load("qin", board="lion"), [ours.BotAgent(bot, "fg_qin"), fg.agent("random")], seed=1)


def test_shimmy() -> None:
    shimmy = pytest.importorskip("shimmy", reason="shimmy is not installed")
    env = shimmy.OpenSpielCompatibilityV0(pyspiel.load_game("fg_qin"))
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, _, termination, truncation, info = env.last()
        env.step(None if termination or truncation else int(np.flatnonzero(info["action_mask"])[0]))
        assert agent
        assert observation is not None


def test_torchrl() -> None:
    openspiel = pytest.importorskip("torchrl.envs.libs.openspiel", reason="torchrl is not installed")
    env = openspiel.OpenSpielWrapper(pyspiel.load_game("fg_dragon_castle").new_initial_state())
    assert env.rollout(max_steps=20).batch_size[0] == 20
