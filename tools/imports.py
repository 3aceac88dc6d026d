"""Prints the circles of files: `python -m tools.imports` ends with 1 if there is one.

A file points to another if it uses an item that the other one defines: `use` and paths in Rust, imports in Python, each followed
through re-exports to the file of the definition. `mod` lines, re-exports, tests and imports for types only do not count.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CRATES = ("rust/core/src", "rust/games/src", "rust/python/src")
PACKAGE = "python/forbidden_games"

Graph = dict[Path, set[Path]]

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|b?"(?:\\.|[^"\\])*"|r#".*?"#', re.DOTALL)
_DEFINED = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|unsafe\s+|async\s+)*"
    r"(?:fn|struct|enum|trait|type|static|const|union|macro_rules!)\s+(?:mut\s+)?(\w+)",
    re.MULTILINE,
)
_USE = re.compile(r"^[ \t]*(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);", re.MULTILINE)
_TEST_MODULE = re.compile(r"#\[cfg\([^\]]*\btest\b[^\]]*\)\]\s*(?:pub\s+)?mod\s+(\w+)\s*(;|\{)")
_PATH = re.compile(r"\b(?:crate|self|super)(?:::\w+)+")
_PRELUDE_MACRO = re.compile(r"#\[macro_export\]\s*(?:#\[[^\]]*\]\s*)*macro_rules!\s+(\w+)")


def without_tests(text: str) -> str:
    """The text without test modules written in it; comments and strings are blanked."""
    text = _NOISE.sub(lambda found: '""' if found[0].startswith(('"', "b", "r")) else "", text)
    while (found := _TEST_MODULE.search(text)) is not None:
        end = found.end()
        if found[2] == "{":
            depth = 1
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
        text = text[: found.start()] + text[end:]
    return text


def use_paths(tree: str) -> list[tuple[tuple[str, ...], str]]:
    """Every path of a `use` tree with the name it has here; a glob has the name `*`."""
    tree = tree.strip()
    if "{" not in tree:
        path, _, alias = tree.partition(" as ")
        parts = tuple(path.strip().split("::"))
        return [(parts, alias.strip() or parts[-1])]
    head, _, rest = tree.partition("{")
    prefix = tuple(part for part in head.strip().split("::") if part)
    inner, depth, start = rest[: rest.rindex("}")], 0, 0
    found: list[tuple[tuple[str, ...], str]] = []
    for place, character in enumerate(inner + ","):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            if part := inner[start:place].strip():
                found += [(prefix + path, name) for path, name in use_paths(part)]
            start = place + 1
    return [(path[:-1], path[-2] if name == "self" else name) if path[-1] == "self" else (path, name) for path, name in found]


class RustCrate:
    """The files of one crate by module path, with what each defines and uses."""

    def __init__(self, source: Path) -> None:
        """Read every file but those of tests."""
        self.files: dict[tuple[str, ...], Path] = {}
        for file in sorted(source.rglob("*.rs")):
            parts = file.relative_to(source).with_suffix("").parts
            if "tests" in parts:
                continue
            self.files[() if parts == ("lib",) else parts[:-1] if parts[-1] == "mod" else parts] = file
        self.texts = {module: without_tests(file.read_text(encoding="utf-8")) for module, file in self.files.items()}
        self.defined = {module: set(_DEFINED.findall(text)) for module, text in self.texts.items()}
        self.macros = {name: module for module, text in self.texts.items() for name in _PRELUDE_MACRO.findall(text)}
        self.uses: dict[tuple[str, ...], list[tuple[bool, tuple[str, ...], str]]] = {}
        for module, text in self.texts.items():
            trees = [
                (bool(found["public"]), path, name) for found in _USE.finditer(text) for path, name in use_paths(found["tree"])
            ]
            self.uses[module] = trees

    def absolute(self, module: tuple[str, ...], path: tuple[str, ...]) -> tuple[str, ...] | None:
        """A path as it stands in `module` from the root of the crate; `None` if it leads elsewhere."""
        if path[0] == "crate":
            return path[1:]
        if path[0] in ("self", "super"):
            base = module
            while path and path[0] in ("self", "super"):
                base = base[:-1] if path[0] == "super" else base
                path = path[1:]
            return base + path
        if (*module, path[0]) in self.files:
            return module + path
        return None

    def definition(self, path: tuple[str, ...], seen: frozenset[tuple[str, ...]] = frozenset()) -> Path | None:
        """The file that defines the item at an absolute path."""
        if path in seen:
            return None
        module: tuple[str, ...] = ()
        for place, name in enumerate(path):
            if (*module, name) in self.files:
                module = (*module, name)
                continue
            if name in self.defined[module]:
                return self.files[module]
            if len(path) == 1 and name in self.macros:
                return self.files[self.macros[name]]
            for _, used, alias in self.uses[module]:
                target = self.absolute(module, used)
                if target is None or alias not in (name, "*"):
                    continue
                rest = path[place + 1 :] if alias == name else path[place:]
                found = self.definition(target + rest, seen | {path})
                if found is not None and (alias == name or found != self.files.get(target)):
                    return found
            return self.files[module] if place else None
        return self.files[module]

    def targets(self, module: tuple[str, ...]) -> set[Path]:
        """Files that define what a file uses."""
        found: set[Path | None] = set()
        text = _USE.sub("", self.texts[module])
        named: dict[str, tuple[str, ...]] = {}
        for is_public, used, alias in self.uses[module]:
            target = self.absolute(module, used)
            if target is None:
                continue
            if target in self.files:
                named[alias] = target
            elif not is_public:
                found.add(self.definition(target))
        named |= {child[-1]: child for child in self.files if child[:-1] == module and child}
        for match in _PATH.finditer(text):
            target = self.absolute(module, tuple(match[0].split("::")))
            if target:
                found.add(self.definition(target))
        for alias, target in named.items():
            for item in re.findall(rf"(?<![\w:]){alias}((?:::\w+)+)", text):
                found.add(self.definition(target + tuple(item.split("::")[1:])))
        for name, defined_in in self.macros.items():
            if re.search(rf"\b{name}!", text):
                found.add(self.files[defined_in])
        return {file for file in found if file is not None} - {self.files[module]}

    def graph(self) -> Graph:
        """All arrows."""
        return {file: self.targets(module) for module, file in self.files.items()}


def python_graph(package: Path) -> Graph:
    """Arrows between the files of a Python package, also of imports inside functions."""
    files = {file: file.relative_to(package.parent).with_suffix("").parts for file in sorted(package.rglob("*.py"))}
    modules = {parts[:-1] if parts[-1] == "__init__" else parts: file for file, parts in files.items()}
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in files}

    def imports(file: Path) -> list[tuple[tuple[str, ...], str]]:
        """Module and name of each import; an import of a whole module has no name."""
        skipped = set()
        for node in ast.walk(trees[file]):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                skipped |= {id(inner) for part in node.body for inner in ast.walk(part)}
        found: list[tuple[tuple[str, ...], str]] = []
        for node in ast.walk(trees[file]):
            if id(node) in skipped:
                continue
            if isinstance(node, ast.Import):
                found += [(tuple(one.name.split(".")), "") for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = files[file][: len(files[file]) - node.level] if node.level else ()
                base += tuple((node.module or "").split(".")) if node.module else ()
                found += [(base, one.name) for one in node.names]
        return found

    def defines(module: tuple[str, ...], name: str, seen: frozenset[tuple[str, ...]] = frozenset()) -> Path | None:
        if not name or module not in modules or module in seen:
            return modules.get(module)
        if (*module, name) in modules:
            return modules[*module, name]
        if modules[module].with_name(f"{name}.pyi").exists():
            return None  # a compiled module
        for inner, given in imports(modules[module]):
            if given == name and inner in modules:
                return defines(inner, name, seen | {module})
        return modules[module]

    return {
        file: {found for module, name in imports(file) if (found := defines(module, name)) is not None} - {file} for file in files
    }


def circles(graph: Graph) -> list[list[Path]]:
    """Strongly connected parts of more than one file (Tarjan), each sorted."""
    number: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []

    def visit(file: Path) -> None:
        number[file] = low[file] = len(number)
        stack.append(file)
        for target in sorted(graph.get(file, ())):
            if target not in number:
                visit(target)
                low[file] = min(low[file], low[target])
            elif target in stack:
                low[file] = min(low[file], number[target])
        if low[file] == number[file]:
            part = []
            while True:
                part.append(stack.pop())
                if part[-1] == file:
                    break
            if len(part) > 1:
                found.append(sorted(part))

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10 * len(graph) + 1000))
    try:
        for file in sorted(graph):
            if file not in number:
                visit(file)
    finally:
        sys.setrecursionlimit(limit)
    return found


def main() -> int:
    """Print counts and circles."""
    graphs = {name: RustCrate(ROOT / name).graph() for name in CRATES} | {PACKAGE: python_graph(ROOT / PACKAGE)}
    result = 0
    for name, graph in graphs.items():
        found = circles(graph)
        arrows = sum(len(targets) for targets in graph.values())
        print(f"{name}: {len(graph)} files, {arrows} arrows, {len(found)} circles")
        for circle in found:
            inside = set(circle)
            print(f"  {len(circle)} files: {', '.join(str(file.relative_to(ROOT / name)) for file in circle)}")
            for file in circle:
                targets = sorted(str(target.relative_to(ROOT / name)) for target in graph[file] & inside)
                print(f"    {file.relative_to(ROOT / name)} -> {', '.join(targets)}")
            result = 1
    return result


if __name__ == "__main__":
    sys.exit(main())
