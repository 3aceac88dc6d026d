"""The tool that finds circles of files, on small trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.imports import RustCrate, circles, python_graph, use_paths, without_tests

if TYPE_CHECKING:
    from pathlib import Path


def rust(folder: Path, files: dict[str, str]) -> list[list[str]]:
    """The circles of a crate with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [[file.relative_to(folder).as_posix() for file in circle] for circle in circles(RustCrate(folder).graph())]


def test_use_trees() -> None:
    assert use_paths("super::a::{self, B, c::{D as E, *}}") == [
        (("super", "a"), "a"),
        (("super", "a", "B"), "B"),
        (("super", "a", "c", "D"), "E"),
        (("super", "a", "c", "*"), "*"),
    ]


def test_tests_are_left_out() -> None:
    text = (
        'use crate::a::A; // crate::b::B\nconst X: &str = "crate::c::C";\n'
        "#[cfg(test)]\nmod tests {\n    use crate::d::D;\n}\nfn f() {}"
    )
    left = without_tests(text)
    assert "crate::a::A" in left
    assert "fn f() {}" in left
    assert not any(path in left for path in ("crate::b", "crate::c", "crate::d"))


@pytest.mark.parametrize(
    ("one", "other", "is_circle"),
    [
        ("use crate::b::B;\npub struct A(B);", "pub struct B;", False),
        ("use crate::b::B;\npub struct A(B);", "use crate::a::A;\npub struct B(Box<A>);", True),
        # Through the re-export of lib.rs, by a path without `use`, by a module that was imported, and as a glob.
        ("use crate::B;\npub struct A(B);", "pub struct B;\nfn f() { crate::A; }", True),
        ("pub fn g() { super::b::h(); }", "use super::a;\npub fn h() { a::g(); }", True),
        ("use crate::b::*;\npub struct A;", "pub struct B;\nfn f(_: crate::a::A) {}", True),
        ("use crate::b::{self};\npub struct A(b::B);", "pub struct B(super::a::A);", True),
        ("use crate::b::B;\npub struct A(B);", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}", False),
        ("use other::b::B;\npub struct A(B);", "pub struct B(crate::a::A);", False),
    ],
)
def test_circles_of_rust_files(one: str, other: str, is_circle: bool, tmp_path: Path) -> None:
    found = rust(tmp_path, {"lib.rs": "mod a;\nmod b;\npub use a::A;\npub use b::B;", "a.rs": one, "b.rs": other})
    assert found == ([["a.rs", "b.rs"]] if is_circle else [])


def test_folders_and_macros(tmp_path: Path) -> None:
    files = {
        "lib.rs": "#[macro_export]\nmacro_rules! each { () => {} }\npub mod x;",
        "x/mod.rs": "mod y;\nmod z;\npub use y::Y;\ncrate::each!();",
        "x/y.rs": "use super::z::Z;\npub struct Y(Z);",
        "x/z.rs": "pub struct Z;",
        "x/tests/mod.rs": "use super::Y;",
    }
    assert rust(tmp_path / "one", files) == []
    files["x/z.rs"] = "pub struct Z(Option<Box<super::Y>>);"
    assert rust(tmp_path / "two", files) == [["x/y.rs", "x/z.rs"]]


def test_circles_of_python_files(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("from package.a import f\n")
    (package / "_rust.pyi").write_text("")
    (package / "a.py").write_text("from package import _rust\nfrom .b import g\ndef f(): ...\n")
    (package / "b.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from package.a import f\ndef g(): ...\n"
    )
    assert circles(python_graph(package)) == []
    (package / "b.py").write_text("def g():\n    from package import f\n    return f\n")
    assert [[file.name for file in circle] for circle in circles(python_graph(package))] == [["a.py", "b.py"]]
