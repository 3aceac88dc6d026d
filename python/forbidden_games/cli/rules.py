"""`forbidden-games rules`: the rule page, whole or the part that a number or a word means."""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated

import typer

import forbidden_games as fg
from forbidden_games.cli import terminal
from forbidden_games.cli.options import CommandError, GameArgument, clean_name

_HEADING = re.compile(r"^(#{1,6}) ")
_CITED = re.compile(r"\b([A-Z][A-Z0-9]*)-\d+\.\d")


def rules(
    game: GameArgument,
    what: Annotated[
        str | None, typer.Argument(metavar="NUMBER|WORD", help="A rule number (FC-5.11), a section (5), or any word.")
    ] = None,
) -> None:
    """Print the rules of a game, or the part about a number or a word."""
    text = fg.game_info(game).rules
    screen = terminal.detect()
    if what is None:
        lines = text.splitlines()
    else:
        lines = find(text, what)
        if not lines:
            raise CommandError(f"rules {game}: nothing about {clean_name(what)}")
    if screen.interactive and len(lines) > 40:
        terminal.show_in_pager("\n".join(lines) + "\n")
        return
    terminal.say("\n".join(lines))


def in_short(page: str) -> list[str]:
    """The page's section for newcomers."""
    return find(page, "in short") or page.splitlines()[:40]


def find(page: str, what: str) -> list[str]:
    """The lines of a rule page that a number, a section or a word means."""
    wanted = " ".join(what.split())
    lines = page.splitlines()
    if not wanted:
        return []
    section = _section(lines, wanted)
    if section:
        return section
    letters = _letters(page)
    begins = re.compile(rf"^(?:[-*] |\| )?(?:\*\*)?({letters}-\d+(?:\.\d+)*)\b")
    if re.match(rf"^{letters}-\d+(\.\d+)*[a-z]?$", wanted, re.IGNORECASE):
        return _numbered(lines, wanted, begins)
    return _with_word(_blocks(lines, begins), wanted.lower())


def _letters(page: str) -> str:
    """The letters that the rule numbers of a page begin with (`FC` of `FC-5.11`): those that it cites most often."""
    cited = Counter(_CITED.findall(page))
    return max(cited, key=lambda letters: cited[letters]) if cited else "[A-Z][A-Z0-9]*"


def _section(lines: list[str], wanted: str) -> list[str]:
    """The section whose heading has this number or these words, down to the next heading of its level."""
    number = re.compile(rf"^#+ {re.escape(wanted)}[. ]", re.IGNORECASE)
    words = re.compile(rf"^#+ (?:[\d.]+ )?{re.escape(wanted)}$", re.IGNORECASE)
    for start, line in enumerate(lines):
        if number.match(line) or words.match(line):
            level = len(_level(line))
            for end in range(start + 1, len(lines)):
                if _HEADING.match(lines[end]) and len(_level(lines[end])) <= level:
                    return _trim(lines[start:end])
            return _trim(lines[start:])
    return []


def _level(line: str) -> str:
    match = _HEADING.match(line)
    return match.group(1) if match else ""


def _numbered(lines: list[str], wanted: str, begins: re.Pattern[str]) -> list[str]:
    """The block that begins with the number; else every block that cites it. `QN-5.7b` is found in QN-5.7."""
    letters, dash, rest = wanted.partition("-")
    upper = letters.upper() + dash + rest.lower()
    for number in (upper, upper.rstrip("abcdefghijklmnopqrstuvwxyz")):
        for start, line in enumerate(lines):
            match = begins.match(line)
            if match and match.group(1) == number:
                return _trim(_rule_from(lines, start, begins))
    return _with_word(_blocks(lines, begins), wanted.lower())


def _rule_from(lines: list[str], start: int, begins: re.Pattern[str]) -> list[str]:
    """A rule and what belongs to it: until the next numbered rule or heading; a table row is its row."""
    if lines[start].startswith("|"):
        return [lines[start]]
    for end in range(start + 1, len(lines)):
        if _HEADING.match(lines[end]) or begins.match(lines[end]):
            return lines[start:end]
    return lines[start:]


def _blocks(lines: list[str], begins: re.Pattern[str]) -> list[list[str]]:
    """Paragraphs, list items and table rows, each by itself."""
    blocks: list[list[str]] = []
    current: list[str] = []
    for line in lines:
        is_first = not line.strip() or line.startswith(("|", "- ", "* ", "#")) or begins.match(line)
        if is_first and current:
            blocks.append(current)
            current = []
        if line.strip():
            current.append(line)
    if current:
        blocks.append(current)
    return blocks


def _with_word(blocks: list[list[str]], wanted: str) -> list[str]:
    found: list[str] = []
    for block in blocks:
        if wanted in " ".join(block).lower():
            found.extend([*block, ""])
    return _trim(found)


def _trim(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines
