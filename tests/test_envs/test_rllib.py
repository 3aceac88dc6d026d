"""RLlib; skipped where Ray is not installed (`make test-envs` installs it)."""

from __future__ import annotations

import forbidden_games as fg
import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="the extra rllib is not installed")

from forbidden_games.envs.rllib import TurnEnv

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", fg.games())
def test_a_game_turn_by_turn(name: str) -> None:
    env = TurnEnv({"game": name, "players": 3})
    seen, _ = env.reset(seed=4)
    match = fg.load(name, players=3).new_match(seed=4)
    over = False
    while not over:
        (agent,) = seen
        assert agent == f"player_{match.current_player}"
        assert env.observation_spaces[agent].contains(seen[agent])
        assert np.array_equal(seen[agent]["action_mask"], match.legal_actions_mask)
        action = int(np.flatnonzero(seen[agent]["action_mask"])[-1])
        match.play(action)
        seen, rewards, ends, _, _ = env.step({agent: action})
        over = ends["__all__"]
    assert list(rewards.values()) == list(match.returns)
    assert set(seen) == set(env.possible_agents)
    with pytest.raises(fg.StateError, match="reset"):
        env.step({"player_0": 0})


def test_what_is_refused() -> None:
    with pytest.raises(fg.OptionsError, match="env_config"):
        TurnEnv({"games": "qin"})
    env = TurnEnv({"game": "qin"})
    seen, _ = env.reset(seed=1)
    with pytest.raises(fg.OptionsError, match="player_0 alone"):
        env.step({"player_1": 0})
    illegal = int(np.flatnonzero(seen["player_0"]["action_mask"] == 0)[0])
    _, rewards, ends, _, _ = env.step({"player_0": illegal})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert ends["__all__"]


def test_one_iteration_of_ppo() -> None:
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    ray.init(num_cpus=2, include_dashboard=False, ignore_reinit_error=True, log_to_driver=False)
    try:
        config = (
            PPOConfig()
            .environment(TurnEnv, env_config={"game": "qin"}, disable_env_checking=True)
            .env_runners(num_env_runners=0)
            .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **given: "all")
            .rl_module(
                rl_module_spec=RLModuleSpec(
                    module_class=ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[32])
                )
            )
            .training(train_batch_size=200, minibatch_size=50, num_epochs=1)
        )
        algorithm = config.build_algo()
        assert algorithm.train()["training_iteration"] == 1
        algorithm.stop()
    finally:
        ray.shutdown()
