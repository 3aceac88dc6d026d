"""Seats and terrains in the colours they are called after, told apart by everybody, and never by colour alone."""

from __future__ import annotations

import math
import re
from itertools import combinations

import forbidden_games as fg
import pytest

GAMES = fg.games()
_CHIP = re.compile(r"\x1b\[0;1;38;5;(\d+);48;5;(\d+)m([^\x1b]*)")
_INK = re.compile(r"\x1b\[0;38;5;(\d+)m")
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_LEAST = 12.0
"""Smallest difference (CIEDE2000) within a group."""

# Machado, Oliveira and Fernandes (2009), full severity, for linear red, green and blue.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
NAMED = {
    "red": (200, 0, 0),
    "orange": (255, 140, 0),
    "yellow": (240, 220, 0),
    "green": (0, 170, 0),
    "blue": (110, 160, 255),
    "purple": (130, 0, 190),
    "pink": (220, 100, 180),
    "white": (255, 255, 255),
}


def _linear(number: int) -> list[float]:
    """Linear red, green and blue of a number of the 256-colour palette."""
    if number >= 232:
        return [_from_srgb(8 + 10 * (number - 232))] * 3
    assert number >= 16, "the first sixteen colours are whatever the person has chosen"
    levels = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    return [_from_srgb(levels[part]) for part in (cube // 36, cube // 6 % 6, cube % 6)]


def _from_srgb(level: int) -> float:
    part = level / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _lab(linear: list[float], sight: str) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in SIGHTS[sight])
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _difference(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    middle = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(middle - 30))
        + 0.24 * math.cos(math.radians(2 * middle))
        + 0.32 * math.cos(math.radians(3 * middle + 6))
        - 0.20 * math.cos(math.radians(4 * middle - 63))
    )
    sl = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = -math.sin(math.radians(60 * math.exp(-(((middle - 275) / 25) ** 2))))
    rotation *= 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)


def _contrast(one: int, other: int) -> float:
    """The ratio of WCAG."""
    bright = sorted(sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), _linear(number), strict=True)) for number in (one, other))
    return (bright[1] + 0.05) / (bright[0] + 0.05)


def _called(number: int) -> str:
    """The name of the nearest colour that has one."""
    here = _lab(_linear(number), "normal")
    return min(NAMED, key=lambda name: _difference(here, _lab([_from_srgb(level) for level in NAMED[name]], "normal")))


def pictures(game: str, players: int) -> list[str]:
    """A game between random agents, drawn with colours after every fifth move."""
    chosen = fg.load(game, players)
    record = fg.play_match(chosen, ["random"] * players, seed=4).record
    matches = [record.new_match(ply) for ply in range(0, record.plies, 5)]
    return [
        match.observation(0).draw(color=True, legal=match.legal_actions, last=match.last_action)
        for match in matches
        if match.current_player is not None
    ]


def chips(text: str) -> set[tuple[int, int, int]]:
    """Seat, ink and ground of each digit drawn on the colour of a seat."""
    found = set()
    for ink, ground, shown in _CHIP.findall(text):
        digits = re.findall(r"\d", shown)
        assert digits, f"a seat by colour alone: {shown!r}"
        found.add((int(digits[0]), int(ink), int(ground)))
    return found


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """Each game's name."""
    return str(request.param)


def test_ciede2000_agrees_with_published_pairs() -> None:
    """Sharma, Wu and Dalal (2005), pairs 1, 7, 17 and 25."""
    for one, other, expected in (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert _difference(one, other) == pytest.approx(expected, abs=5e-5)


def test_seats_are_told_apart_by_everybody_and_from_terrain(game: str) -> None:
    drawn = pictures(game, 4)
    seats = set().union(*map(chips, drawn))
    assert sorted(seat for seat, _, _ in seats) == [0, 1, 2, 3], "one colour for each seat"
    for _, ink, ground in seats:
        assert _contrast(ink, ground) >= 4.5
    grounds = [ground for _, _, ground in seats]
    inks = {int(number) for text in drawn for number in _INK.findall(text)}
    for sight in SIGHTS:
        labs = {number: _lab(_linear(number), sight) for number in {*grounds, *inks}}
        for one, other in combinations(grounds, 2):
            assert _difference(labs[one], labs[other]) >= _LEAST, (sight, one, other)
        if sight != "tritanopia":  # rare; form and letter tell what colour does not
            for one, other in combinations(sorted(inks), 2):
                assert _difference(labs[one], labs[other]) >= _LEAST, (sight, one, other)
            for ground in grounds:
                least = 20.0 if sight == "normal" else 10.0
                assert all(_difference(labs[ground], labs[ink]) >= least for ink in inks), (sight, ground)


def test_colour_never_changes_the_picture(game: str) -> None:
    match = fg.play_match(fg.load(game, 2), ["random", "random"], seed=1).record.new_match(9)
    for ascii_only in (False, True):
        options = {"legal": match.legal_actions, "last": match.last_action, "ascii": ascii_only}
        colored = match.observation(0).draw(color=True, **options)  # type: ignore[arg-type]
        assert _STYLE.sub("", colored) == match.observation(0).draw(**options)  # type: ignore[arg-type]


def test_the_seats_of_forbidden_city_have_the_colours_they_are_called_after() -> None:
    texts = pictures("forbidden_city", 4)
    names = {int(seat): name for seat, name in re.findall(r"seat (\d) (\w+)", _STYLE.sub("", texts[-1]))}
    assert names == {0: "purple", 1: "yellow", 2: "red", 3: "blue"}
    for seat, _, ground in set().union(*map(chips, texts)):
        assert _called(ground) == names[seat]


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("forbidden_city", {"g": "green", "p": "pink"}),
        ("qin", {"r": "red", "y": "yellow", "b": "blue"}),
        ("tang_garden", {"g": "green", "w": "blue", "p": "yellow"}),
    ],
)
def test_terrain_has_the_colour_it_is_called_after(game: str, letters: dict[str, str]) -> None:
    text = "\n".join(pictures(game, 2))
    for letter, name in letters.items():
        inks = set(re.findall(rf"\x1b\[0;38;5;(\d+)m[{letter}{letter.upper()}][^a-z]", text))
        assert [_called(int(ink)) for ink in inks] == [name], (letter, inks)
