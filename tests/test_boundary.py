"""Where Python and Rust meet: exceptions of other people's code, copies, threads, the end of the interpreter, odd text."""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import forbidden_games as fg
import numpy as np
import numpy.typing as npt
import pytest
from forbidden_games import _rust, errors

from .conftest import play_some


class Interrupted(KeyboardInterrupt):
    """Ctrl-C at a chosen place."""


class _Raising(Mapping[str, Any]):
    """A mapping whose n-th call into Python code is where Ctrl-C comes."""

    def __init__(self, data: dict[str, Any], after: int) -> None:
        self.data, self.left = data, after

    def _step(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Interrupted

    def __getitem__(self, key: str) -> Any:
        self._step()
        return self.data[key]

    def __iter__(self) -> Iterator[str]:
        for key in self.data:
            self._step()
            yield key

    def __len__(self) -> int:
        self._step()
        return len(self.data)


class _Index:
    def __index__(self) -> int:
        raise Interrupted


class _Hidden:
    """No mapping, but asking whether it is one runs Python code (`isinstance` looks for `__class__`)."""

    @property
    def __class__(self) -> Any:
        raise Interrupted

    @__class__.setter
    def __class__(self, value: Any) -> None: ...


class _Flags:
    @property
    def flags(self) -> object:
        raise Interrupted


def _raise() -> Iterator[Any]:
    raise Interrupted
    yield


def test_exceptions_of_other_code_come_out(game: fg.Game) -> None:
    match = game.new_match(seed=1)
    state = match.state.to_dict()
    for after in range(400):
        try:
            assert game.state_from_json(_Raising(state, after)) == match.state
        except Interrupted:
            continue
        break
    assert 3 < after < 399
    info = match.information_state(0)
    calls: list[Callable[[Any], object]] = [
        lambda bad: game.state_from_json({"game": bad}),
        lambda bad: fg.load(game.name, components=bad),
        lambda bad: _rust.load_game(game.name, None, bad),
        lambda bad: game.new_match(state=bad),
        lambda bad: game.information_state_from_json({"a": [bad]}, 0),
    ]
    for call, bad in itertools.product(calls, [_Hidden(), _Raising({"a": 1}, 0)]):
        with pytest.raises(Interrupted):
            call(bad)
    numbers: list[Callable[[Any], object]] = [
        lambda bad: game.state_from_json({"game": bad}),
        lambda bad: game.new_match(bad),
        lambda bad: game.action(bad),
        lambda bad: bad in match.legal_actions,
        lambda bad: match.legal_actions.index(bad),
        lambda bad: match.legal_actions.count(bad),
        lambda bad: match.play(bad),
        lambda bad: match.information_state(bad),
        lambda bad: fg.rollouts(match.state, bad),
        lambda bad: fg.search_batch(fg.agent("random"), [info], seed=bad),
    ]
    for call in numbers:
        with pytest.raises(Interrupted):
            call(_Index())
    iterables: list[Callable[[Any], object]] = [
        lambda bad: game.new_match(seats=bad),
        lambda bad: fg.search_batch(fg.agent("random"), bad),
        lambda bad: fg.search_batch(fg.agent("random"), [info], seed=bad),
        lambda bad: fg.playthrough(game, agents=bad),
        lambda bad: info.observation.draw(legal=bad),
        lambda bad: _rust.check_game(game, bad),
    ]
    for call in iterables:
        with pytest.raises(Interrupted):
            call(_raise())
    with pytest.raises(Interrupted):
        fg.agent("mcts:simulations=4").search(info, evaluator=lambda *_: (_Flags(), _Flags()))  # type: ignore[arg-type]


def test_no_ctrl_c_is_lost_while_a_dict_is_read() -> None:
    game = fg.load("qin")
    state = game.new_match(seed=1).state.to_dict()
    heard = [0]

    def handler(*_: object) -> None:
        heard[0] += 1
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    caught = 0
    try:
        for turn in range(40):
            signal.setitimer(signal.ITIMER_REAL, 0.0005 + turn * 0.00005)
            try:
                while heard[0] == turn:
                    game.state_from_json(state)
            except Interrupted:
                caught += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert caught == heard[0] == 40


def test_a_long_key_costs_nothing_and_a_long_read_hears_signals() -> None:
    game = fg.load("qin")
    deep = {"k" * 1_000_000: [0] * 60_000}
    start = time.process_time()
    with pytest.raises(fg.StateError) as error:
        game.state_from_json(deep)
    assert len(str(error.value)) < 400
    with pytest.raises(fg.StateError):
        game.state_from_json({**deep, "x": object()})
    with pytest.raises(fg.ComponentsError, match=r"found nan|found 1\.5"):
        _rust.parse_components("k" * 1_000_000 + " = [" + "0," * 60_000 + "1.5]")
    assert time.process_time() - start < 1.5

    def handler(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    large = {"a": [[0] * 1000] * 190}
    try:
        # No Python code runs between the values of a list: only the binding itself can hear this one.
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        with pytest.raises(Interrupted):
            game.state_from_json({str(place): large for place in range(10)})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ---- Copies and pickles --------------------------------------------------------------------------------------------------


def _samples() -> list[Any]:
    game = fg.load("qin")
    match = play_some(game, 3, 9)
    state = match.state
    info = match.information_state(0)
    agent = fg.agent("ismcts:simulations=20")
    begun = fg.load("tang_garden").new_match(resolve=False)
    series = fg.Series(game)
    finished = fg.play_match(game, ["random"] * game.num_players, seed=1)
    series.add(finished)
    result = fg.tournament(fg.load("qin", 2), ["random", "random"], games=2)
    outcome = begun.state.chance_outcomes[0][0]
    return [
        game,
        game.info,
        *game.option_schema,
        *game.observation_spec,
        match,
        begun,
        finished,
        state,
        info,
        info.observation,
        *match.events,
        *finished.events_since(0)[:40],
        *state.score_sheet,
        state.legal_actions,
        state.legal_actions[0],
        outcome,
        match.record,
        agent,
        agent.new_session(),
        agent.search(info, seed=1) if info.legal_actions else agent.search(match.information_state(1), seed=1),
        *fg.agent_settings("ismcts"),
        series,
        result,
        *result.standings,
        fg.encode_positions(game, [match]),
        fg.encode_positions(game, [match], observation="sparse").observations,
    ]


def _said(value: Any) -> object:
    """What can be compared of an object that has no `==` of its own."""
    if isinstance(value, fg.Report):
        return json.dumps(value.to_dict()), value.legal_actions
    if isinstance(value, fg.Match):
        return value.record.to_text(), value.state, value.is_chance, value.game, value.seats, [str(one) for one in value.history]
    if isinstance(value, fg.Series):
        return value.games, value.name
    if isinstance(value, fg.SearchSession):
        return value.agent
    if isinstance(value, fg.SparseBatch):
        arrays = (value.offsets, value.indices, value.values, value.legal_offsets, value.legal_ids)
        return [array.tolist() for array in arrays]
    if isinstance(value, fg.EncodedPositions):
        return [array.tolist() for array in (value.observations, value.action_mask, value.players, value.ply, *value.legal)]
    return value


def test_every_public_class_can_be_copied_and_pickled() -> None:
    samples = _samples()
    classes = {type(sample) for sample in samples}
    public = {value for name in fg.__all__ if inspect.isclass(value := getattr(fg, name))}
    protocols = {fg.Agent, fg.Evaluator}
    failures = {one for one in public if issubclass(one, BaseException)}
    assert public - classes - protocols - failures == {fg.Stop, fg.BatchEnv}
    for sample in samples:
        copies = [copy.copy(sample), copy.deepcopy(sample)]
        copies += [pickle.loads(pickle.dumps(sample, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)]
        for other in copies:
            assert type(other) is type(sample)
            assert _said(other) == _said(sample)
            assert repr(other) == repr(sample) or isinstance(sample, fg.Series)
    for failure in failures:
        code = getattr(failure.__init__, "__code__", None)
        made = failure(*"abcdef"[: code.co_argcount - 1 if code else 1])
        assert str(pickle.loads(pickle.dumps(made))) == str(made) == str(copy.deepcopy(made))
    stop = fg.Stop()
    copy.copy(stop).set()
    assert stop.is_set
    with pytest.raises(TypeError, match="one process"):
        pickle.dumps(stop)


def test_a_copied_match_goes_on_alike(game: fg.Game) -> None:
    match = play_some(game, 5, 12)
    other = pickle.loads(pickle.dumps(match))
    match.undo()
    other.undo()
    while not match.is_terminal:
        action = match.legal_actions[-1]
        match.play(action)
        other.play(action)
        assert [str(event) for event in other.events] == [str(event) for event in match.events]
    assert other.record == match.record


def _search(info: fg.InformationState) -> fg.Report:
    return fg.agent("ismcts:simulations=30").search(info, seed=1)


def test_a_report_comes_back_from_another_process() -> None:
    info = fg.load("forbidden_city").new_match(seed=1).information_state(0)
    with ProcessPoolExecutor(1) as pool:
        report = pool.submit(_search, info).result()
    here = {**_search(info).to_dict(), "seconds": 0}
    assert {**report.to_dict(), "seconds": 0} == here


def test_damaged_pickles_are_refused() -> None:
    game = fg.load("qin")
    report = _search(game.new_match(seed=1).information_state(0))
    _, (_, agent, player, chosen, actions, measures) = report.__reduce__()
    for damaged in [
        (agent, 9, chosen, actions),
        (agent, player, 10**6, actions),
        (agent, player, chosen, [(10**7, 1, 0.0, 0.0)]),
    ]:
        with pytest.raises(fg.ForbiddenGamesError):
            _rust.restore_report(game, *damaged, measures)
    with pytest.raises(fg.StateError, match="ascend"):
        _rust.restore_legal_actions(game, [5, 4])
    with pytest.raises(fg.ForbiddenGamesError):
        _rust.restore_legal_actions(game, [10**8])
    with pytest.raises(fg.StateError, match="word"):
        _rust.restore_score_line("x" * 1000, "QN-1", [1])
    with pytest.raises(fg.StateError):
        _rust.restore_score_line("x", "QN-1", [1] * 100)
    with pytest.raises(fg.OptionsError):
        _rust.restore_option_spec("qin", "bord")
    with pytest.raises(fg.AgentError):
        _rust.restore_agent_setting("no")


# ---- Threads and the end of the process ----------------------------------------------------------------------------------


def test_a_match_says_what_it_is_while_another_thread_plays() -> None:
    match = fg.load("qin", 2).new_match(seed=1)
    stop = fg.Stop()
    agents = [fg.SearchAgent("ismcts:simulations=none,time_ms=60000")] * 2
    raised: list[BaseException] = []

    def play() -> None:
        try:
            _rust.play_native_match(match, agents, stop)
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        while "another thread" not in (said := repr(match)):
            time.sleep(0.005)
        assert said == "<Match qin: in use by another thread>"
        with pytest.raises(fg.ConcurrentUseError):
            str(match)
    finally:
        stop.set()
        thread.join()
    assert isinstance(raised[0], KeyboardInterrupt)
    assert "seed 1" in repr(match)


def test_a_match_broken_by_an_internal_error_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    match = fg.load("qin").new_match(seed=1)
    fine = match.copy()
    with pytest.raises(BaseException, match="on purpose"):
        _rust.break_match(match)
    capfd.readouterr()
    assert repr(match) == "<Match qin: broken by an internal error>"
    for use in (lambda: match.state, lambda: match.play(0), lambda: match.undo(), match.copy, lambda: pickle.dumps(match)):
        with pytest.raises(fg.InternalError, match="internal error broke this match"):
            use()
    fine.play(fine.legal_actions[0])


def test_a_session_in_two_threads_is_refused_and_keeps_its_tree() -> None:
    game = fg.load("dragon_castle")
    match = game.new_match(seed=1)
    session = fg.agent("mcts:simulations=300,reuse=true").new_session()
    inside, leave = threading.Event(), threading.Event()

    def evaluator(
        observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], players: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        inside.set()
        leave.wait()
        return masks.astype(np.float32), np.zeros((len(players), 2), np.float32)

    info = match.information_state(0)
    reports: list[fg.Report] = []
    thread = threading.Thread(target=lambda: reports.append(session.search(info, seed=1, evaluator=evaluator)))
    thread.start()
    inside.wait()
    with pytest.raises(fg.ConcurrentUseError, match="session"):
        session.search(info, seed=1)
    leave.set()
    thread.join()
    match.play(reports[0].action)
    player = match.current_player
    while player != 0 and not match.is_terminal:
        match.play(match.legal_actions[0])
        player = match.current_player
    again = session.search(match.information_state(0), seed=1, evaluator=evaluator)
    alone = (
        fg.agent("mcts:simulations=300,reuse=true").new_session().search(match.information_state(0), seed=1, evaluator=evaluator)
    )
    assert again.visit_counts.sum() >= alone.visit_counts.sum()


LEAVING = """
import sys, threading, time
import numpy as np
import forbidden_games as fg
game = fg.load("qin", 2)
info = game.new_match(seed=1).information_state(0)
def evaluator(observations, masks, players):
    begun.set()
    return masks.astype(np.float32), np.zeros((len(players), 2), np.float32)
begun = threading.Event()
def search():
    while True:
        fg.agent("ismcts:simulations=100000,leaf_batch=2").search(info, seed=1, evaluator=evaluator)
def sample():
    while True:
        info.sample_worlds(5000, seed=1)
def roll():
    while True:
        fg.rollouts(game.new_match(seed=2).state, 2000)
for work in (search, search, sample, roll):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("runs", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_daemon_threads_do_not_abort_the_process_at_its_end(runs: int) -> None:
    for run in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", LEAVING, str(run % 7 / 70)], capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), run


def test_what_begins_while_the_interpreter_ends_is_refused() -> None:
    program = """
import atexit
def late():
    import forbidden_games as fg
    try:
        fg.rollouts(fg.load("qin").new_match(seed=1).state, 10)
    except RuntimeError as error:
        print(error)
atexit.register(late)
import forbidden_games
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "the interpreter is shutting down: nothing that runs long can begin\n"


def test_check_game_hears_ctrl_c_within_a_seed() -> None:
    game = fg.load("qin", 4)
    whole = time.perf_counter()
    fg.testing.check_game(game, [1])
    whole = time.perf_counter() - whole

    def handler(*_: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    start = time.perf_counter()
    try:
        with pytest.raises(Interrupted):
            _rust.check_game(game, [1])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.perf_counter() - start < max(whole * 0.7, 0.15)


# ---- Odd text ------------------------------------------------------------------------------------------------------------

ODD = ["\ud800", "a\udc80b", "a\u2028b", "a\u2029b", "a\x85b", "a\nb", "a\rb", "a\x0bb", "a\x0cb", "a\x1bb", "a\u202eb", "a\x00b"]


def _takes_text(tmp_path: Path) -> dict[str, Callable[[str], object]]:
    game = fg.load("qin")
    match = game.new_match(seed=1)
    info = match.information_state(0)
    state = match.state
    finished = fg.play_match(game, ["random"] * game.num_players, seed=1)
    header, *lines = finished.record.to_text().splitlines()
    return {
        "agent": fg.agent,
        "agent py": lambda text: fg.agent(f"py:{text}:A"),
        "agent setting": lambda text: fg.agent(f"mcts:{text}=1"),
        "agent value": lambda text: fg.agent(f"mcts:simulations={text}"),
        "agent_settings": fg.agent_settings,
        "SearchAgent": fg.SearchAgent,
        "SearchAgent.replace": lambda text: fg.agent("mcts").replace(simulations=text),
        "SearchAgent.replace name": lambda text: fg.agent("mcts").replace(**{text: 1}),
        "game_info": fg.game_info,
        "load": lambda text: fg.load(text),
        "load option": lambda text: _rust.load_game("qin", None, {text: "x"}),
        "load value": lambda text: fg.load("qin", board=text),
        "load components": lambda text: fg.load("qin", components=text),
        "load components file": lambda text: fg.load("qin", components=f"/nowhere/{text}.toml"),
        "load components key": lambda text: fg.load("qin", components={text: 1}),
        "load components value": lambda text: fg.load("qin", components={"name": text}),
        "read_components": lambda text: fg.read_components(f"/nowhere/{text}"),
        "parse_components": _rust.parse_components,
        "parse_components string": lambda text: fg.load("qin", components=_rust.parse_components(f'name = "{text}"')),
        "parse_components json": lambda text: _rust.parse_components(f'["{text}"', json=True),
        "parse_record": fg.parse_record,
        "parse_record step": lambda text: fg.parse_record("\n".join([header, lines[0].replace('"', f'"{text}', 1), *lines[1:]])),
        "parse_record game": lambda text: fg.parse_record("\n".join([header.replace("qin", text), *lines])),
        "parse_record_prefix": fg.parse_record_prefix,
        "load_record": lambda text: fg.load_record(f"/nowhere/{text}"),
        "load_record_prefix": lambda text: fg.load_record_prefix(f"/nowhere/{text}"),
        "record.save": lambda text: finished.record.save(f"/nowhere/{text}"),
        "parse_action": game.parse_action,
        "parse_outcome": game.parse_outcome,
        "new_match seats": lambda text: game.new_match(seats=[text] * game.num_players),
        "new_match position": lambda text: game.new_match(position=text),
        "new_match state": lambda text: game.new_match(state=text),
        "state_from_json": game.state_from_json,
        "state_from_json key": lambda text: game.state_from_json({text: 1}),
        "state_from_json value": lambda text: game.state_from_json({**state.to_dict(), "phase": text}),
        "state_from_position": game.state_from_position,
        "information_state_from_json": lambda text: game.information_state_from_json(text, 0),
        "OptionSpec.parse": lambda text: [option.parse(text) for option in game.option_schema if option.kind != "text"],
        "OptionSpec.parse all": lambda text: [option.parse(text) for option in fg.load("dragon_castle").option_schema],
        "OptionSpec.format": lambda text: [option.format(text) for option in game.option_schema if option.kind != "text"],
        "BatchEnv observation": lambda text: fg.BatchEnv(game, 1, observation=text),  # type: ignore[arg-type]
        "BatchEnv autoreset": lambda text: fg.BatchEnv(game, 1, autoreset=text),  # type: ignore[arg-type]
        "BatchEnv illegal": lambda text: fg.BatchEnv(game, 1, illegal=text),  # type: ignore[arg-type]
        "BatchEnv agents": lambda text: fg.BatchEnv(game, 1, agents=[None, text]),
        "encode_positions": lambda text: fg.encode_positions(game, [match], observation=text),  # type: ignore[arg-type]
        "draw focus": lambda text: fg.load("forbidden_city").new_match(1).observation(0).draw(focus=text),
        "play": match.play,
        "play_step": match.play_step,
        "child": state.child,
        "child_with_events": state.child_with_events,
        "check": state.check,
        "is_square": game.is_square,
        "playthrough agents": lambda text: fg.playthrough(game, agents=[text]),
        "playthrough position": lambda text: fg.playthrough(game, position=text),
        "playthrough state": lambda text: fg.playthrough(game, state=text),
        "play_match": lambda text: fg.play_match(game, [text] * game.num_players),
        "tournament": lambda text: fg.tournament(game, [text, text], games=1),
        "tournament path": lambda text: fg.tournament(game, ["random"] * 2, games=1, path=f"/nowhere/{text}"),
        "interpret": info.interpret,
        "legal_actions in": lambda text: text in info.legal_actions,
        "legal_actions count": info.legal_actions.count,
        "legal_actions index": info.legal_actions.index,
    }


def test_odd_text_is_refused_on_one_line(tmp_path: Path) -> None:
    answers = {"interpret": None, "legal_actions in": False, "legal_actions count": 0, "is_square": False}
    # A text option whose values nobody knows before the game is made; a picture that has room for the whole table.
    kept = {"OptionSpec.parse all", "draw focus"}
    for name, call in _takes_text(tmp_path).items():
        for text in ODD:
            if name in answers:
                assert call(text) == answers[name], (name, text)
                continue
            if text in ("a\nb", "a\rb") and name == "parse_record step":
                continue
            surrogate = not text.isascii() and "\ud800" <= max(text) <= "\udfff"
            try:
                call(text)
            except fg.ForbiddenGamesError as error:
                said = str(error)
            except OSError as error:
                said = str(error)
                assert "/nowhere/" in said, (name, text)
            except ValueError as error:
                said = str(error) if name == "legal_actions index" else f"\n{error!r}"
            else:
                assert name in kept, (name, text)
                assert not surrogate, (name, text)
                continue
            assert said.isprintable(), (name, text, said)


def test_every_argument_that_is_a_text_is_tried(tmp_path: Path) -> None:
    """The list above has every public function and method of which the stub says that it takes a text."""
    import ast

    tried = set(" ".join(_takes_text(tmp_path)).replace(".", " ").split())
    root = Path(fg.__file__).parent
    for file in ("_rust.pyi", "agents.py", "loading.py", "match.py", "record.py", "tournaments/run.py"):
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        holders: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
        for holder in holders:
            if isinstance(holder, ast.ClassDef) and holder.name not in fg.__all__:
                continue
            for node in holder.body:
                if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                    continue
                if holder is tree and node.name not in fg.__all__:
                    continue
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                texts = [one for one in arguments if one.annotation and "str" in ast.unparse(one.annotation)]
                if texts:
                    assert node.name in tried or node.name in {"index", "focus"} or (node.name == "draw"), node.name


@pytest.mark.parametrize("value", [1.5, -1.0001, np.float32(1e30), np.float32("nan")])
def test_values_that_are_no_returns_are_refused_by_name(value: float) -> None:
    info = fg.load("qin", 2).new_match(seed=1).information_state(0)

    def evaluator(
        observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], players: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        values = np.ones((len(players), 2), np.float32)
        values[-1, 1] = value
        return masks.astype(np.float32), values

    with pytest.raises(fg.EvaluatorError, match=r"values\[\d+, 1\] is .*, expected a"):
        fg.agent("ismcts:simulations=20").search(info, evaluator=evaluator)


def test_an_exact_search_in_qin_ends_in_seconds() -> None:
    info = fg.load("qin").new_match(seed=1).information_state(0)
    start = time.process_time()
    with pytest.raises(fg.AgentError, match=r"more than positions=5000 to look at, raise it or set a lower depth"):
        fg.agent("expectimax:depth=3,positions=5000").search(info)
    assert fg.agent("expectimax:depth=1,worlds=1").search(info).nodes == len(info.legal_actions)
    assert time.process_time() - start < 5
    assert {setting.name: setting.default for setting in fg.agent_settings("expectimax")}["positions"] == "50000"


def test_every_error_is_one_line() -> None:
    public = [value for value in vars(errors).values() if inspect.isclass(value) and issubclass(value, fg.ForbiddenGamesError)]
    for failure in public:
        assert "__str__" not in vars(failure) or failure is fg.ForbiddenGamesError
    said = str(fg.AgentError("a\nb\u2028c\x85d\ud800e\u202ef"))
    assert said == "a\\nb\\u2028c\\x85d\\ud800e\\u202ef"
    assert os.linesep not in said
