"""Prints the circles of files: `python -m tools.imports [--references]`.

A circle is a set of files, all of one crate or of the Python package, of which each reaches every other one by references. Each
circle is one line, and the exit code is 1 if there is any; `--references` adds the references. For Rust see `tools.rust_paths`.
In Python a reference is an import at any depth, resolved to the file that defines the name, also through `fg.name` after
`import forbidden_games as fg`. An import that the file itself never uses is a re-export: it is followed, but it is no reference.
An import under `if TYPE_CHECKING` is no reference either. The standard library is enough.
"""

from __future__ import annotations

import argparse
import ast
from dataclasses import dataclass, field
from pathlib import Path

from tools.rust_paths import Reference, read_crate
from tools.rust_paths import references as references_of_crate

ROOT = Path(__file__).parents[1]
CRATES = ("rust/core/src", "rust/games/src", "rust/python/src")
PACKAGES = ("python/forbidden_games",)


def circles(references: list[Reference]) -> list[list[Path]]:
    """Strongly connected components of more than one file, files and components in the order of their names."""
    targets: dict[Path, set[Path]] = {}
    for one in references:
        targets.setdefault(one.source, set()).add(one.target)
    reached = {file: _reach(file, targets) for file in targets}
    found: set[tuple[Path, ...]] = set()
    for file, others in reached.items():
        circle = sorted(other for other in others if file in reached.get(other, ()))
        if len(circle) > 1:
            found.add(tuple(circle))
    return [list(circle) for circle in sorted(found)]


def _reach(file: Path, targets: dict[Path, set[Path]]) -> set[Path]:
    """The files that can be reached by one or more references."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        for target in targets.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


# ---- Python --------------------------------------------------------------------------------------------------------------


@dataclass
class _Module:
    name: str
    file: Path
    imports: dict[str, tuple[str, str | None, int]] = field(default_factory=dict)
    """Local name: module, name in it or `None`, line; with those under `if TYPE_CHECKING`, which serve to resolve names only."""
    for_types: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    attributes: list[tuple[str, int]] = field(default_factory=list)
    """Dotted names (`fg.load`) with their lines."""


class _Visitor(ast.NodeVisitor):
    def __init__(self, module: _Module) -> None:
        self.module = module
        self.is_for_types = False

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) not in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            self.generic_visit(node)
            return
        before, self.is_for_types = self.is_for_types, True
        for one in node.body:
            self.visit(one)
        self.is_for_types = before
        for one in node.orelse:
            self.visit(one)

    def _bring(self, name: str, source: str, item: str | None, line: int) -> None:
        if self.is_for_types:
            self.module.for_types.add(name)
            self.module.imports.setdefault(name, (source, item, line))
        else:
            self.module.for_types.discard(name)
            self.module.imports[name] = (source, item, line)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            # `import a.b` brings `a`, and what is used of it is seen as `a.b.name`.
            name = alias.asname or alias.name.partition(".")[0]
            self._bring(name, alias.name if alias.asname else name, None, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = node.module or ""
        if node.level:
            is_package = self.module.file.name == "__init__.py"
            parts = self.module.name.split(".")
            parts = parts[: len(parts) - node.level + is_package]
            source = ".".join([*parts, *([node.module] if node.module else [])])
        for alias in node.names:
            if alias.name == "*":
                raise ValueError(f"{self.module.file}: line {node.lineno}: `import *` hides what is taken")
            self._bring(alias.asname or alias.name, source, alias.name, node.lineno)

    def visit_Name(self, node: ast.Name) -> None:
        self.module.used.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        text = ast.unparse(node)
        if all(part.isidentifier() for part in text.split(".")):
            self.module.attributes.append((text, node.lineno))
        self.generic_visit(node)


def references_of_package(folder: Path) -> list[Reference]:
    """Every reference from one file of a Python package to another, once for each name.

    Raises:
        ValueError: If a file imports `*`.
        SyntaxError: If a file is no Python.
        OSError: If a file cannot be read.
    """
    modules: dict[str, _Module] = {}
    for file in sorted(folder.rglob("*.py")):
        parts = [folder.name, *file.relative_to(folder).with_suffix("").parts]
        module = _Module(".".join(parts[:-1] if parts[-1] == "__init__" else parts), file)
        _Visitor(module).visit(ast.parse(file.read_text(encoding="utf-8"), str(file)))
        modules[module.name] = module
    found: dict[tuple[Path, Path, str], Reference] = {}
    for module in modules.values():
        for source, item, line in _taken(module):
            target = _defining(modules, source, item, set())
            if target is not None and target[0].file != module.file:
                key = (module.file, target[0].file, target[1])
                found.setdefault(key, Reference(*key, line))
    return sorted(found.values())


def _taken(module: _Module) -> list[tuple[str, str | None, int]]:
    """Module, name and line of every import that the code of a file uses."""
    taken: list[tuple[str, str | None, int]] = []
    for name, (source, item, line) in module.imports.items():
        if name in module.used and name not in module.for_types:
            taken.append((source, item, line))
    for text, line in module.attributes:
        first, *rest = text.split(".")
        if first in module.imports and first not in module.for_types:
            source, item, _ = module.imports[first]
            taken.append((".".join([source, *([item] if item else []), *rest[:-1]]), rest[-1], line))
    return taken


def _defining(
    modules: dict[str, _Module], source: str, item: str | None, seen: set[tuple[str, str | None]]
) -> tuple[_Module, str] | None:
    """The module that defines a name, re-exports followed; `None` for other packages.

    A module that is taken as a whole defines itself, but for a package: what is taken from it is seen by its attributes.
    """
    whole = source if item is None else f"{source}.{item}"
    if whole in modules:
        is_package = modules[whole].file.name == "__init__.py"
        return None if is_package else (modules[whole], "the module")
    if item is None or source not in modules or (source, item) in seen:
        return None
    module = modules[source]
    if module.file.name == "__init__.py" and (module.file.parent / f"{item}.pyi").is_file():
        return None  # the compiled module
    if item in module.imports:
        return _defining(modules, *module.imports[item][:2], seen | {(source, item)})
    return module, item


# ---- The command ---------------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Prints circles or counts; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.imports", description="Print the circles of files.")
    parser.add_argument("--references", action="store_true", help="print every reference in a circle too")
    chosen = parser.parse_args(arguments)
    any_circle = False
    counts: list[str] = []
    for name in (*CRATES, *PACKAGES):
        folder = root / name
        found = references_of_package(folder) if name in PACKAGES else references_of_crate(read_crate(folder))
        pairs = {(one.source, one.target) for one in found}
        files = len(list(folder.rglob("*.py" if name in PACKAGES else "*.rs")))
        counts.append(f"{name}: {files} files, {len(pairs)} references between files, no circle")
        for circle in circles(found):
            any_circle = True
            print(f"{name}: circle of {len(circle)} files: {', '.join(str(file.relative_to(folder)) for file in circle)}")
            for one in found if chosen.references else ():
                if one.source in circle and one.target in circle:
                    source, target = one.source.relative_to(folder), one.target.relative_to(folder)
                    print(f"  {source}:{one.line} takes {one.item} from {target}")
    if not any_circle:
        print("\n".join(counts))
    return 1 if any_circle else 0


if __name__ == "__main__":
    raise SystemExit(main())
