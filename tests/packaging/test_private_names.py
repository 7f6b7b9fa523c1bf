"""No private name of another library is read: a minor version of it may take the name away."""

from __future__ import annotations

import ast

from tests.packaging.imports import files

# Named tuples have public methods with an underscore; a process that must not flush ends by `os._exit`.
PUBLIC = {"_fields", "_asdict", "_replace", "_make", "_exit"}
# PySpark's handles of the JVM, with the reason.
IN_ONE_FILE = "ireval_frames.engines.spark.jvm"


def private(tree: ast.AST) -> set[str]:
    """The private attributes that are read, by a point or by their names."""
    attributes = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    named = [c.args[1] for c in calls if c.func.id in ("getattr", "hasattr", "setattr") and len(c.args) > 1]
    names = [*attributes, *(n.value for n in named if isinstance(n, ast.Constant))]
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def own(tree: ast.AST) -> set[str]:
    """The names that a file gives to functions, classes, attributes and variables."""
    out: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            out.add(node.name)
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            out.add(node.attr if isinstance(node, ast.Attribute) else node.id)
    return out


def test_private_names_are_our_own() -> None:
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in files().items()}
    ours = set().union(*map(own, trees.values())) | PUBLIC
    read = {name: private(tree) - ours for name, tree in trees.items()}
    assert {name for name, actual in read.items() if actual} == {IN_ONE_FILE}
    assert {"_jdf", "_jsc", "_jsparkSession"} <= read[IN_ONE_FILE]
