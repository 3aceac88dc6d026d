"""An agent of your own: anything with `act(info)` that answers with a legal action.

It gets an information state, so it can only know what its seat may know. This one looks one action ahead in a few sampled
worlds and takes what the game's heuristic likes best.

    python examples/own_agent.py
    forbidden-games play qin --seat human --seat py:own_agent:Lookahead     # from the folder examples/
"""

from __future__ import annotations

import sys

import forbidden_games as fg


class Lookahead:
    """One action ahead, averaged over worlds that fit what the seat knows."""

    def __init__(self, worlds: int = 4) -> None:
        """More worlds, steadier judgement."""
        self.worlds = worlds

    def act(self, info: fg.InformationState) -> fg.Action:
        """The legal action with the best mean heuristic after it."""
        worlds = info.sample_worlds(self.worlds, seed=info.key)

        def value(action: fg.Action) -> float:
            return sum(world.child(action).evaluate(info.player) for world in worlds)

        return max(info.legal_actions, key=value)


def main(name: str = "qin") -> None:
    """Plays against `random`, seats changing."""
    game = fg.load(name, players=2)
    agents: list[fg.Agent | str] = [Lookahead(), "random"]
    games, wins = 4, 0.0
    for number in range(games):
        seats = agents if number % 2 == 0 else agents[::-1]
        match = fg.play_match(game, seats, seed=number // 2)
        mine = number % 2
        wins += (match.ranking[mine] == 1) / match.ranking.count(1)
        print(f"game {number}: scores {match.scores}, Lookahead sat at {mine}")
    print(f"Lookahead won {wins:g} of {games}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
