"""Plays whole games of one agent in all seats and prints statistics of them.

    python -m tools.self_play qin --players 2 --agent greedy --games 50 --seed 1
    python -m tools.self_play qin --bounds
    python -m tools.self_play qin --bounds --agent greedy --suggest

The second prints what is measured beside the bounds of `tests/golden/GAME/self_play.toml`, the third new bounds around what is
measured, to be looked at. No game is known here. How a game ends is the rule of its last event; what is done is the first word of
the notation (or `a square`, where the notation has no verb) and the kinds of events. With the interpreter of another build it
measures that build.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import math
import re
import statistics
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import forbidden_games as fg

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
VERB = re.compile(r"[a-z][a-z_-]*(?= |$)")
# Rows of the printed table name what comes most often; --json has everything.
MOST = 12


@dataclasses.dataclass
class Play:
    """The statistics of one game."""

    end: str
    plies: int
    verbs: collections.Counter[str]
    turns: int
    turns_with: collections.Counter[str]
    events: collections.Counter[str]
    scores: tuple[int, ...]


@dataclasses.dataclass
class Summary:
    """What happened in several games of one agent: shares from 0 to 1, means and medians a game."""

    game: str
    players: int
    agent: str
    games: int
    seed: int
    plays: list[Play]

    @property
    def ends(self) -> dict[str, float]:
        """Share of the games for each way to end."""
        return shares(collections.Counter(play.end for play in self.plays))

    @property
    def decisions(self) -> dict[str, float]:
        """Share of all decisions for each verb."""
        return shares(total(play.verbs for play in self.plays))

    @property
    def turns_with(self) -> dict[str, float]:
        """Share of the turns in which a verb is used. With one seat there are no turns to tell apart."""
        if self.players == 1:
            return {}
        turns = sum(play.turns for play in self.plays)
        return {verb: count / turns for verb, count in total(play.turns_with for play in self.plays).most_common()}

    def per_game(self, kind: str) -> list[int]:
        """Events of a kind in each game."""
        return [play.events[kind] for play in self.plays]

    @property
    def events(self) -> dict[str, float]:
        """Mean number a game of the events of each kind."""
        return {
            kind: statistics.fmean(self.per_game(kind)) for kind, _ in total(play.events for play in self.plays).most_common()
        }

    @property
    def medians(self) -> dict[str, float]:
        """Median number a game of the events of each kind."""
        return {kind: statistics.median(self.per_game(kind)) for kind in self.events}

    @property
    def game_means(self) -> dict[str, float]:
        """Mean over the games of plies, turns and the scores of all seats."""
        return {
            "plies": statistics.fmean(play.plies for play in self.plays),
            "turns": statistics.fmean(play.turns for play in self.plays),
            "scores": statistics.fmean(score for play in self.plays for score in play.scores),
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        scores = [score for play in self.plays for score in play.scores]
        return {
            **{key: getattr(self, key) for key in ("game", "players", "agent", "games", "seed")},
            **{key: getattr(self, key) for key in ("ends", "decisions", "turns_with", "events", "medians", "game_means")},
            "least_score": min(scores),
            "greatest_score": max(scores),
        }


def total(counters: Iterable[collections.Counter[str]]) -> collections.Counter[str]:
    """The sum of several counts."""
    return sum(counters, collections.Counter())


def shares(counts: collections.Counter[str]) -> dict[str, float]:
    """Shares of the total, the largest first."""
    whole = sum(counts.values())
    return {name: count / whole for name, count in counts.most_common()}


def describe(match: fg.Match) -> Play:
    """The statistics of a finished match."""
    verbs: collections.Counter[str] = collections.Counter()
    turns: list[set[str]] = []
    mover = None
    replay = match.game.new_match(match.seed)
    for step in match.history:
        if not isinstance(step, fg.Action):
            continue
        verb = VERB.match(str(step))
        name = verb[0] if verb else "a square"
        verbs[name] += 1
        if replay.current_player != mover:
            mover = replay.current_player
            turns.append(set())
        replay.play(step)
        turns[-1].add(name)
    events = match.events_since(0)
    last = events[-1]
    # Where one rule ends games in several ways, the event's data say which.
    ways = [f"{key}={value}" for key, value in last.data.items() if isinstance(value, str | bool)]
    return Play(
        end=" ".join([last.rule, *ways]),
        plies=match.ply,
        verbs=verbs,
        turns=len(turns),
        turns_with=collections.Counter(verb for turn in turns for verb in turn),
        events=collections.Counter(event.kind for event in events),
        scores=tuple(match.scores),
    )


def measure(name: str, players: int, agent: str, games: int, seed: int) -> Summary:
    """Plays `games` games with the seeds from `seed` on."""
    game = fg.load(name, players)
    plays = [describe(fg.play_match(game, [agent] * players, seed + number)) for number in range(games)]
    return Summary(name, players, agent, games, seed, plays)


def in_words(numbers: Mapping[str, float], form: str) -> str:
    """`name number` for the first of them."""
    return ", ".join(f"{name} {number:{form}}" for name, number in list(numbers.items())[:MOST])


def row(summary: Summary) -> str:
    """One row of a table."""
    means = summary.game_means
    least, greatest = summary.to_dict()["least_score"], summary.to_dict()["greatest_score"]
    cells = [
        summary.game,
        str(summary.players),
        summary.agent,
        str(summary.games),
        in_words(summary.ends, ".0%"),
        f"{means['plies']:.1f}",
        f"{means['turns']:.1f}",
        in_words(summary.decisions, ".1%"),
        in_words(summary.turns_with, ".1%") or "-",
        in_words(summary.events, ".1f"),
        f"{means['scores']:.1f} ({least} to {greatest})",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = """\
| game | seats | agent | games | ends | plies | turns | share of decisions | share of turns with | events a game | scores |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"""


# ---- Bounds -----------------------------------------------------------------------------------------------------------


def read_bounds(name: str) -> list[dict[str, Any]]:
    """The rows of the game's file of bounds."""
    rows: list[dict[str, Any]] = tomllib.loads((GOLDEN / name / "self_play.toml").read_text(encoding="utf-8"))["play"]
    return rows


def compare(summary: Summary, bounds: Mapping[str, Any]) -> list[tuple[str, float, float, float]]:
    """What is bounded, what was measured, the least and the greatest that is allowed. An end that is not listed may not come."""
    compared = []
    for group in ("ends", "decisions", "turns_with", "events", "medians", "game_means"):
        measured: dict[str, float] = getattr(summary, group)
        listed: dict[str, list[float]] = bounds.get(group, {})
        for key, (least, greatest) in listed.items():
            compared.append((f"{group}.{key}", measured.get(key, 0.0), least, greatest))
        if group == "ends":
            compared.extend((f"{group}.{key}", share, 0.0, 0.0) for key, share in measured.items() if key not in listed)
    return compared


def interval(values: Sequence[float], games: int, most: float = math.inf) -> str:
    """A wide interval around the mean: four standard errors for the smaller number of games, and at least a tenth of the mean.

    Of fewer than five games the spread is not known; half of the mean it is then at least.
    """
    mean = statistics.fmean(values)
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    margin = max(4 * spread / math.sqrt(games), mean / (10 if games >= 5 else 2))
    # Two digits are enough for a bound, rounded outwards.
    digits = 2 - math.floor(math.log10(margin)) - 1 if margin > 0 else 2
    unit = 10.0**-digits
    least = max(0.0, math.floor((mean - margin) / unit) * unit)
    return f"[{least:.4g}, {min(most, math.ceil((mean + margin) / unit) * unit):.4g}]"


def suggest(summary: Summary, bounds: Mapping[str, Any], games: int) -> str:
    """The row of the file with bounds around what was measured, for the same keys; where it has none, for the most frequent."""
    plays = summary.plays
    lines = [f"players = {summary.players}", f'agent = "{summary.agent}"']
    lines += [f"{key} = {bounds[key]}" for key in ("games", "soak", "seed") if key in bounds]
    ends = {key: interval([float(play.end == key) for play in plays], games, 1.0) for key in summary.ends}
    # What comes exactly once in every game says nothing.
    events = list(bounds.get("events", {})) or [
        kind for kind, mean in summary.events.items() if mean >= 0.5 and set(summary.per_game(kind)) != {1}
    ]
    verbs = list(bounds.get("turns_with", {})) or [verb for verb, share in summary.turns_with.items() if 0.02 <= share < 0.98]
    means = {
        "plies": interval([float(play.plies) for play in plays], games),
        "scores": interval([statistics.fmean(play.scores) for play in plays], games),
    }
    kinds = {kind: interval([float(count) for count in summary.per_game(kind)], games) for kind in events}
    with_verb = {verb: interval([play.turns_with[verb] / play.turns for play in plays], games, 1.0) for verb in verbs}
    for group, found in (("ends", ends), ("game_means", means), ("events", kinds), ("turns_with", with_verb)):
        if found:
            lines.append(f"{group} = {{ {', '.join(f'{quoted(key)} = {value}' for key, value in found.items())} }}")
    if medians := bounds.get("medians"):
        lines.append(f"medians = {{ {', '.join(f'{quoted(key)} = {value}' for key, value in medians.items())} }}")
    return "\n".join(["[[play]]", *lines])


def quoted(key: str) -> str:
    """A TOML key."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'


def against_bounds(name: str, players: int | None, agent: str | None, in_test: bool, as_toml: bool) -> bool:
    """Prints what was measured beside the bounds, or new bounds; returns whether all of it is within."""
    good = True
    for bounds in read_bounds(name):
        if players not in (None, bounds["players"]) or agent not in (None, bounds["agent"]):
            continue
        games = bounds["games"] if in_test else bounds["soak"]
        if games == 0:
            continue
        summary = measure(name, bounds["players"], bounds["agent"], games, bounds["seed"])
        if as_toml:
            print(f"# {row(summary)}")
            print(suggest(summary, bounds, min(filter(None, (bounds["games"], bounds["soak"])))), end="\n\n", flush=True)
            continue
        print(f"{name}, {summary.players} seats, {summary.agent}, {games} games from seed {summary.seed}")
        for what, measured, least, greatest in compare(summary, bounds):
            within = least <= measured <= greatest
            good &= within
            print(f"  {what:32} {measured:10.4g}   {least:g} to {greatest:g}{'' if within else '   OUTSIDE'}", flush=True)
    return good


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tools.self_play", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", choices=fg.games())
    parser.add_argument("--players", type=int, help="number of seats")
    parser.add_argument("--agent", help="specification of the agent in all seats (default: greedy)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; the next ones follow")
    parser.add_argument("--json", action="store_true", help="everything that was counted, as one line of JSON")
    parser.add_argument("--bounds", action="store_true", help="measure the rows of the file of bounds, as many games as soak")
    parser.add_argument("--in-test", action="store_true", help="with --bounds: as many games as `make test`")
    parser.add_argument("--suggest", action="store_true", help="with --bounds: print rows with bounds around what is measured")
    given = parser.parse_args()
    if given.bounds:
        return int(not against_bounds(given.game, given.players, given.agent, given.in_test, given.suggest))
    players = given.players or fg.game_info(given.game).default_players
    summary = measure(given.game, players, given.agent or "greedy", given.games, given.seed)
    print(json.dumps(summary.to_dict()) if given.json else f"{HEAD}\n{row(summary)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
