"""What a refusal tells whoever asks: a seat that is not to move learns only that, the mover nothing that it does not know."""

from __future__ import annotations

import random

import forbidden_games as fg
import pytest

GAMES = fg.games()
CASES = [(name, players) for name in GAMES for players in (2, 4)]


def refusal(check: object, action: fg.Action | str | int, player: int) -> str:
    """Rule and reason; empty if it may be played."""
    try:
        check(action, player=player)  # type: ignore[operator]
    except fg.IllegalActionError as error:
        return f"{error.rule}: {error.reason}"
    return ""


@pytest.mark.parametrize(("name", "players"), CASES)
def test_another_seat_learns_that_it_is_not_its_turn_and_nothing_else(name: str, players: int) -> None:
    game = fg.load(name, players)
    match = game.new_match(5)
    luck = random.Random(5)
    for _ in range(6):
        mover = match.current_player
        assert mover is not None
        before = match.state
        legal = match.legal_actions
        asked: list[fg.Action | str | int] = [
            legal[0],
            str(legal[-1]),
            *(luck.randrange(game.num_actions) for _ in range(20)),
            "xyzzy",
            "\u202e" * 300,
        ]
        for other in set(range(players)) - {mover}:
            for check in (match.play, match.check, match.state.check):
                answers = {refusal(check, action, other) for action in asked}
                assert answers == {f"CONVENTIONS 2: it is seat {mover}'s turn, not seat {other}'s"}
        assert match.state == before
        match.check(legal[0], player=mover)
        match.state.check(str(legal[0]), player=mover)
        assert match.state == before
        match.play(luck.choice(legal), player=mover)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_a_refusal_tells_the_mover_nothing_it_does_not_know(name: str, players: int) -> None:
    """The same reason in every world that fits what the seat knows."""
    game = fg.load(name, players)
    record = fg.play_match(game, ["random"] * players, seed=8).record
    luck = random.Random(8)
    compared = 0
    for ply in range(0, record.plies, max(1, record.plies // 8)):
        match = record.new_match(ply)
        mover = match.current_player
        assert mover is not None
        info = match.information_state(mover)
        legal = set(match.legal_actions.ids)
        asked = [number for number in (luck.randrange(game.num_actions) for _ in range(60)) if number not in legal]
        answers = [refusal(match.check, number, mover) for number in asked]
        assert all(answers)
        for world in info.sample_worlds(4, seed=ply):
            assert [refusal(world.check, number, mover) for number in asked] == answers
        compared += len(asked)
    assert compared > 100


@pytest.mark.parametrize("name", GAMES)
def test_nobody_may_ask_at_a_draw_or_after_the_end(name: str) -> None:
    game = fg.load(name, 2)
    state = game.new_state()
    while not state.is_chance:
        state = state.child(state.legal_actions[0])
    outcome = state.chance_outcomes[0][0]
    for player in range(2):
        for step in (outcome, str(outcome), 0):
            with pytest.raises(fg.IllegalActionError, match="nobody's turn"):
                state.check(step, player=player)
    state.check(outcome)
    over = fg.play_match(game, ["random", "random"], seed=1)
    with pytest.raises(fg.IllegalActionError, match="the game is over"):
        over.play(0, player=0)
    for seat in (2, -1):
        with pytest.raises(ValueError, match="player"):
            over.play(0, player=seat)


@pytest.mark.parametrize("name", [name for name in GAMES if fg.game_info(name).hidden_information])
def test_without_a_seat_the_reason_is_the_mover_s_own(name: str) -> None:
    """Why a server has to name the seat: the reasons that anybody gets differ with what the mover holds."""
    game = fg.load(name, 2)
    reasons = set()
    for seed in range(30):
        match = game.new_match(seed)
        legal = set(match.legal_actions.ids)
        for number in {other for one in legal for other in (one - 1, one + 1)}.union(range(0, 3000, 97)) - legal:
            if 0 <= number < game.num_actions:
                with pytest.raises(fg.IllegalActionError) as caught:
                    match.check(number)
                reasons.add((number, caught.value.reason))
    assert len(reasons) > len({number for number, _ in reasons})
