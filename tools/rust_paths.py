"""Reads the modules of one Rust crate and the references between its files.

It reads names, as rustc resolves them, but no types. A reference is a `use` or a path of any length, resolved to the file that
defines the item; `pub use` is followed and is no reference itself. Inherent methods called through a type are not seen. Left out
are `mod` lines and what `#[cfg(test)]` marks. Items and paths in the body of a macro belong to the file of the macro.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<text>b?c?r(?P<marks>\#+)".*?"(?P=marks)|b?c?r"[^"]*"|[bc]?"(?:[^"\\]|\\.)*"|b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|.)[^'\n]*)')
    |(?P<lifetime>'[A-Za-z_]\w*)
    |(?P<word>(?:r\#)?[A-Za-z_]\w*)
    |(?P<number>\d\w*)
    |(?P<sign>::|=>|->|\.\.|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_ITEMS = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "macro_rules"}
_WORD = re.compile(r"^[A-Za-z_]\w*$")
_KEYWORDS = {"crate", "self", "super"}


class Token(NamedTuple):
    """A word or a sign with its line; comments are left out, a literal is one empty text."""

    text: str
    line: int


class Import(NamedTuple):
    """One name that a `use` brings into a module."""

    path: tuple[str, ...]
    is_public: bool
    line: int


class Mention(NamedTuple):
    """A path in code, or a single name."""

    path: tuple[str, ...]
    is_macro: bool
    line: int


@dataclass
class Module:
    """What one module defines, brings in, and mentions."""

    name: tuple[str, ...]
    file: Path
    parent: Module | None
    items: set[str] = field(default_factory=set)
    macros: set[str] = field(default_factory=set)
    children: dict[str, Module] = field(default_factory=dict)
    imports: dict[str, Import] = field(default_factory=dict)
    local: dict[str, Import] = field(default_factory=dict)
    """Brought into the body of a function only."""
    globs: list[Import] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def walk(self) -> Iterator[Module]:
        """The module and all below it."""
        yield self
        for child in self.children.values():
            yield from child.walk()


class Reference(NamedTuple):
    """`source` takes `item` from `target`."""

    source: Path
    target: Path
    item: str
    line: int


def tokens(text: str) -> list[Token]:
    """The tokens of a file.

    Raises:
        ValueError: If a string literal has no end.
    """
    found: list[Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind in ("word", "sign", "number"):
            found.append(Token(match[0].removeprefix("r#"), line))
        elif kind == "text":
            found.append(Token("", line))
        if match[0] == '"':
            raise ValueError(f"line {line}: the text has no end")
        line += match[0].count("\n")
    return found


def read_crate(source: Path) -> Module:
    """The modules of the crate whose `lib.rs` is in the folder `source`.

    Raises:
        ValueError: If the file of a `mod` line is missing, or a file is in no module: it would be left out unnoticed.
        OSError: If a file cannot be read.
    """
    reader = _Reader()
    root = Module((), source / "lib.rs", None)
    reader.read_file(root, source)
    for file in sorted(source.rglob("*.rs")):
        if file not in reader.files and not any(file == one or one in file.parents for one in reader.tests):
            raise ValueError(f"{file}: no `mod` line leads to this file")
    return root


class _Reader:
    def __init__(self) -> None:
        self.files: set[Path] = set()
        self.tests: set[Path] = set()
        """Files and folders of test modules."""

    def read_file(self, module: Module, folder: Path) -> None:
        """Reads a module's file; `folder` is where the files of its child modules are."""
        self.files.add(module.file)
        try:
            found = tokens(module.file.read_text(encoding="utf-8"))
            _Body(self, module, folder, found).read()
        except ValueError as error:
            raise ValueError(f"{module.file}: {error}") from error

    def child_file(self, folder: Path, name: str) -> Path:
        for file in (folder / f"{name}.rs", folder / name / "mod.rs"):
            if file.is_file():
                return file
        raise ValueError(f"`mod {name};` has no file in {folder}")


class _Body:
    """Reads the tokens of one file or inline module."""

    def __init__(self, reader: _Reader, module: Module, folder: Path, found: list[Token]) -> None:
        self.reader = reader
        self.module = module
        self.folder = folder
        self.tokens = found
        self.braces: list[bool] = []
        """Open braces; whether each is that of an `impl` or a `trait`."""
        self.start = 0
        """Where the statement or item begins that is being read."""

    def text(self, index: int) -> str:
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def close(self, index: int) -> int:
        """The index after the bracket that closes the one at `index`."""
        depth = 0
        for place in range(index, len(self.tokens)):
            depth += (self.text(place) in _OPENING) - (self.text(place) in _CLOSING)
            if depth == 0:
                return place + 1
        raise ValueError(f"line {self.tokens[index].line}: `{self.text(index)}` is not closed")

    def end_of_item(self, index: int) -> int:
        """The index after the item that begins at `index`, attributes included."""
        while index < len(self.tokens):
            text = self.text(index)
            if text == ";":
                return index + 1
            if text in _OPENING:
                after = self.close(index)
                if text == "{" and self.text(after) != ";":
                    return after
                index = after
            else:
                index += 1
        return index

    def read(self) -> None:
        index = 0
        while index < len(self.tokens):
            index = self.step(index)

    def step(self, index: int) -> int:
        """Reads what begins at `index`; returns where the next thing begins."""
        text = self.text(index)
        if text == "#" and self.text(index + 1) == "[":
            return self.attribute(index)
        if text == "pub" and self.text(index + 1) == "(" and self.text(index + 2) in {"in", *_KEYWORDS}:
            return self.close(index + 1)
        if text == "mod" and _WORD.match(self.text(index + 1)) and self.text(index + 2) in ("{", ";"):
            return self.child(index)
        if text == "use" and self.text(index - 1) not in (".", "<") and self.text(index + 1) != "<":
            return self.use(index)
        if text in _ITEMS:
            return self.item(index)
        if text == "{":
            self.braces.append(any(token.text in ("impl", "trait") for token in self.tokens[self.start : index]))
        elif text == "}":
            if not self.braces:
                raise ValueError(f"line {self.tokens[index].line}: `}}` closes nothing")
            self.braces.pop()
        if text in ("{", "}", ";"):
            self.start = index + 1
        if _WORD.match(text):
            return self.mention(index)
        return index + 1

    def attribute(self, index: int) -> int:
        after = self.close(index + 1)
        if not _is_for_tests([token.text for token in self.tokens[index + 2 : after - 1]]):
            return after
        end = self.end_of_item(after)
        for place in range(after, end):
            if self.text(place) == "mod" and self.text(place + 2) == ";":
                name = self.text(place + 1)
                self.reader.tests |= {self.folder / f"{name}.rs", self.folder / name}
        return end

    def child(self, index: int) -> int:
        name = self.text(index + 1)
        if self.text(index + 2) == "{":
            end = self.close(index + 2)
            child = Module((*self.module.name, name), self.module.file, self.module)
            self.module.children[name] = child
            _Body(self.reader, child, self.folder / name, self.tokens[index + 3 : end - 1]).read()
            return end
        child = Module((*self.module.name, name), self.reader.child_file(self.folder, name), self.module)
        self.module.children[name] = child
        self.reader.read_file(child, self.folder / name)
        return index + 3

    def item(self, index: int) -> int:
        """Reads the keyword of an item and its name.

        In an `impl` or a `trait` it is associated: no path reaches it without the type. The body of a macro is read as if it
        stood in the module.
        """
        place = index + (2 if self.text(index) == "macro_rules" else 1)
        if self.text(place) == "mut":
            place += 1
        name = self.text(place)
        if not _WORD.match(name) or name in _ITEMS or self.text(index - 1) in ("*", "."):
            return index + 1
        if not (self.braces and self.braces[-1]):
            self.module.items.add(name)
        if self.text(index) == "macro_rules":
            self.module.macros.add(name)
        return place + 1

    def use(self, index: int) -> int:
        end = index
        while self.text(end) != ";":
            if end >= len(self.tokens):
                raise ValueError(f"line {self.tokens[index].line}: `use` has no end")
            end += 1
        before = self.text(index - 1)
        is_public = before in ("pub", ")") and index > 0
        line = self.tokens[index].line
        for path, name in _leaves([token.text for token in self.tokens[index + 1 : end]]):
            found = Import(path, is_public, line)
            if name == "*":
                self.module.globs.append(found)
            elif self.braces:
                self.module.local[name] = found
            else:
                self.module.imports[name] = found
        self.start = end + 1
        return end + 1

    def mention(self, index: int) -> int:
        path = [self.text(index)]
        after = index + 1
        while self.text(after) == "::" and _WORD.match(self.text(after + 1)):
            path.append(self.text(after + 1))
            after += 2
        before = self.text(index - 1)
        is_field = len(path) == 1 and self.text(after) == ":"
        if before not in (".", "::") and not is_field:
            self.module.mentions.append(Mention(tuple(path), self.text(after) == "!", self.tokens[index].line))
        return after


def _is_for_tests(words: list[str]) -> bool:
    """Whether an attribute holds in tests only: `test`, `cfg(test)`, `cfg(all(test, ...))`."""
    return words == ["test"] or words[:3] == ["cfg", "(", "test"] or words[:5] == ["cfg", "(", "all", "(", "test"]


def _leaves(words: list[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The full path of every name that a `use` brings in, with that name."""
    path: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        if word == "{":
            for part in _parts(words[index + 1 : -1]):
                for below, name in _leaves(part):
                    if below == ("self",):  # the module before the brace
                        yield tuple(path), path[-1] if name == "self" else name
                    else:
                        yield (*path, *below), name
            return
        if word == "*":
            yield tuple(path), "*"
            return
        if word == "as":
            yield tuple(path), words[index + 1]
            return
        if word != "::":
            path.append(word)
        index += 1
    if path:
        yield tuple(path), path[-1]


def _parts(words: list[str]) -> Iterator[list[str]]:
    """The parts of a group, separated by commas."""
    depth, start = 0, 0
    for index, word in enumerate([*words, ","]):
        depth += (word == "{") - (word == "}")
        if word == "," and depth == 0:
            if index > start:
                yield words[start:index]
            start = index + 1


# ---- Resolving -----------------------------------------------------------------------------------------------------------


def references(root: Module) -> list[Reference]:
    """Every reference from one file to another, once for each item, in the order of the files' names."""
    found: dict[tuple[Path, Path, str], Reference] = {}
    for module in root.walk():
        brought = [one for one in (*module.imports.values(), *module.local.values(), *module.globs) if not one.is_public]
        for path, line in [*((one.path, one.line) for one in brought), *((one.path, one.line) for one in module.mentions)]:
            target = _resolve(root, module, path, frozenset(), is_own=True)
            _add(found, module, target, line)
        for one in module.mentions:
            if one.is_macro and len(one.path) == 1:
                _add(found, module, _macro(module, one.path[0]), one.line)
    return sorted(found.values())


def _add(
    found: dict[tuple[Path, Path, str], Reference], module: Module, target: Module | tuple[Module, str] | None, line: int
) -> None:
    if isinstance(target, tuple) and target[0].file != module.file:
        place, item = target
        found.setdefault((module.file, place.file, item), Reference(module.file, place.file, item, line))


def _macro(module: Module, name: str) -> tuple[Module, str] | None:
    """A macro called without a path is the module's own, or that of a module around it."""
    place: Module | None = module
    while place is not None:
        if name in place.macros:
            return place, name
        place = place.parent
    return None


def _resolve(
    root: Module, module: Module, path: tuple[str, ...], seen: frozenset[tuple[tuple[str, ...], str]], *, is_own: bool
) -> Module | tuple[Module, str] | None:
    """The module that `path` names from `module`, or the defining module and name of an item; `None` for other crates."""
    place: Module | None = module
    for index, segment in enumerate(path):
        assert place is not None
        is_last = index == len(path) - 1
        if segment == "crate" and index == 0:
            place = root
        elif segment == "self" and index == 0:
            place = module
        elif segment == "super":
            place = place.parent
            if place is None:
                return None
        elif segment == "Self":
            return None
        else:
            found = _look_up(root, place, segment, seen, is_last=is_last, is_own=is_own and index == 0)
            if not isinstance(found, Module):
                return found
            place = found
    return place


def _look_up(
    root: Module, module: Module, name: str, seen: frozenset[tuple[tuple[str, ...], str]], *, is_last: bool, is_own: bool
) -> Module | tuple[Module, str] | None:
    """What `name` means in `module`. `is_own` says that the code that asks is in the module itself."""
    if (module.name, name) in seen:
        return None
    seen = seen | {(module.name, name)}
    if name in module.children and not (is_last and (name in module.items or name in module.imports)):
        return module.children[name]
    if is_own and name in module.local:
        return _resolve(root, module, module.local[name].path, seen, is_own=True)
    if name in module.items:
        return module, name
    if name in module.imports:
        return _resolve(root, module, module.imports[name].path, seen, is_own=True)
    for one in module.globs:
        target = _resolve(root, module, one.path, seen, is_own=True)
        if isinstance(target, Module):
            found = _look_up(root, target, name, seen, is_last=is_last, is_own=False)
            if found is not None:
                return found
    return None
