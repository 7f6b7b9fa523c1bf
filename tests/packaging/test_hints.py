"""Hints that name arguments carry them as arguments, so that every face writes them its own way."""

from __future__ import annotations

import ast
import pickle
import re

import pytest

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
    (Argument("hierarchy", {"poodle": "dog"}), 'hierarchy={"poodle": "dog"}', 'hierarchy={"poodle": "dog"}'),
])  # fmt: skip
def test_each_face_writes_an_argument(argument: Argument, python: str, command: str) -> None:
    hint = Hint("Write {this}: ", argument, ".")
    assert hint == f"Write {{this}}: {python}."
    assert rendered(hint, OPTIONS) == f"Write {{this}}: {command}."
    assert pickle.loads(pickle.dumps(hint)).parts == hint.parts
    assert rendered("as it is", OPTIONS) == "as it is"


def prose(tree: ast.AST) -> set[int]:
    """The docstrings, and what else stands as a statement."""
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}


def test_no_hint_writes_an_argument_as_text() -> None:
    wrong = []
    for name, path in files().items():
        # The faces speak their own language, and SQL its.
        if name.startswith(
            ("ireval_frames.cli", "ireval_frames.trec_eval", "ireval_frames.engines.sql", "ireval_frames.io.sql")
        ):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        shown = prose(tree)
        wrong += [
            f"{path.name}:{n.lineno} {n.value}"
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in shown
            if WRITTEN.search(n.value)
        ]
    assert wrong == []
