"""Learners on the environments: the example in NumPy, and masked PPO of sb3-contrib where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import forbidden_games as fg
import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "reinforce.py"


def example() -> Any:
    spec = importlib.util.spec_from_file_location("reinforce", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_learns_something() -> None:
    module, game = example(), fg.load("qin")
    before = module.Network(game, 1)
    after = module.train(game, 0.5)
    assert not np.array_equal(before.first, after.first)
    assert 0 <= module.wins(game, after, games=20) <= 1


@pytest.mark.slow
def test_the_example_beats_random(capsys: pytest.CaptureFixture[str]) -> None:
    module = example()
    module.main()
    share, error = (float(part) for part in capsys.readouterr().out.split("of")[0].replace("%", "").split("+-"))
    assert share >= 65
    assert share - error > 60


@pytest.mark.filterwarnings("ignore")
def test_masked_ppo() -> None:
    pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
    contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    from forbidden_games.envs.gymnasium import SeatEnv

    env = SeatEnv("qin", opponents="random")
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=1)
    model.learn(128)
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=info["action_mask"].astype(bool))
    assert info["action_mask"][int(action)]
