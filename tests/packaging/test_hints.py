"""Hints that name arguments carry them as arguments, so that every face writes them its own way."""

from __future__ import annotations

import ast
import functools
import pickle
import re

import pytest

from ireval_frames import errors
from ireval_frames.cli.hints import rendered
from ireval_frames.errors import Argument, Hint
from tests.packaging.imports import files

OPTIONS = {"--positive", "--policy", "--features", "--probability", "--overlapping", "--column", "--per-class"}
# Arguments that commands have as options.
NAMES = (
    "policy|label|prediction|score|item|positive|cluster|noise_cluster|metric|features|probabilities|columns|queries"
    "|overlapping|by|unit|weight|engine|against|system|into|group|time"
)
WRITTEN = re.compile(rf"(?<![\w.])(({NAMES})=[\"'\[{{…T1-9])")


@pytest.mark.parametrize("argument, python, command", [
    (Argument("positive", "yes", "ir.Labels(…, {})"), 'ir.Labels(…, positive="yes")', "--positive yes"),
    (Argument("positive", 'say "yes"'), 'positive="say \\"yes\\""', "--positive 'say \"yes\"'"),
    (Argument("features", ["x", "y"]), 'features=["x", "y"]', "--features x,y"),
    (Argument("probabilities", ["a", "b"]), 'probabilities=["a", "b"]', "--probability a --probability b"),
    (Argument("probabilities", {1: "p_1"}), 'probabilities={1: "p_1"}', "--probability 1=p_1"),
    (Argument("columns", {"score": "sim"}), 'columns={"score": "sim"}', "--column score=sim"),
    (Argument("overlapping"), "overlapping=True", "--overlapping"),
    (Argument("undefined", 0, "LabelPolicy({})", ("policy", "undefined=0")), "LabelPolicy(undefined=0)",
     "--policy undefined=0"),
    (Argument("per_class", written="per_class()"), "per_class()", "--per-class"),
])  # fmt: skip
def test_each_face_writes_an_argument(argument: Argument, python: str, command: str) -> None:
    hint = Hint("Write {this}: ", argument, ".")
    assert hint == f"Write {{this}}: {python}."
    assert rendered(hint, OPTIONS) == f"Write {{this}}: {command}."
    # Where the command has no such option, words are left, and no Python.
    message = rendered(hint, ())
    assert message == "Write {this}." or not re.search(r"\w=|ir\.", message)
    assert pickle.loads(pickle.dumps(hint)).parts == hint.parts
    assert rendered("as it is", OPTIONS) == "as it is"
    # A condition means nothing without the code that it is about.
    assert rendered('If the tag has blanks: ir.io.scan_run(path, surplus="tag")', OPTIONS) == ""


@functools.cache
def trees() -> dict[str, ast.Module]:
    """The code of every file."""
    return {name: ast.parse(path.read_text("utf-8")) for name, path in files().items()}


def prose(tree: ast.AST) -> set[int]:
    """The docstrings, and what else stands as a statement."""
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}


def test_no_hint_writes_an_argument_as_text() -> None:
    wrong = []
    for name, path in files().items():
        # The faces speak their own language, and SQL its.
        if name.startswith(
            (
                "ireval_frames.cli",
                "ireval_frames.trec_eval",
                "ireval_frames.engines.sql",
                "ireval_frames.engines.duckdb.statement_text",
                "ireval_frames.io.sql",
            )
        ):
            continue
        tree = trees()[name]
        shown = prose(tree)
        wrong += [
            f"{path.name}:{n.lineno} {n.value}"
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in shown
            if WRITTEN.search(n.value)
        ]
    assert wrong == []


def texts(node: ast.expr) -> str:
    """The text of a hint as it is written, with a word in the place of what is put in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(texts(v) if isinstance(v, ast.Constant) else "word" for v in node.values)
    if isinstance(node, ast.BinOp):
        return texts(node.left) + texts(node.right)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Hint":
        return "".join(map(texts, node.args))
    return "word"


def test_no_hint_is_python_on_the_command_line() -> None:
    kinds = {n for n in vars(errors) if isinstance(vars(errors)[n], type) and issubclass(vars(errors)[n], Exception)}
    hints = [
        texts(node.args[1])
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and len(node.args) > 1 and getattr(node.func, "id", "") in kinds
    ]
    assert len(hints) > 800
    python = re.compile(r"\b(?:ir|pl|frame|run|qrels|store|ev|log|con|model|table)\.\w+\(|\blambda\b|@measure|=None")
    measure = re.compile(r"\b[A-Z]\w*\([^()]*\)")
    assert [h for h in hints if python.search(h)]
    assert [h for h in hints if python.search(measure.sub("", rendered(h, OPTIONS)))] == []
