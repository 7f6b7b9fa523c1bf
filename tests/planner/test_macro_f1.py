"""The planner knows no family: macro-averaged F1 of labels, in four tables, on both engines, against plain loops.

rows (item, label, prediction) → cells (unit, label, prediction) → classes (unit, class) → unit.
"""

from __future__ import annotations

import random

import polars as pl
import pytest

from ireval_frames.engines.frame import Frame
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan
from tests.planner.engines import ENGINES, Opened

CLASSES = ("cat", "dog", "cow", "NA")
Rows = list[tuple[str, str, str]]


def rows(seed: int) -> Rows:
    """(fold, label, prediction); fold f2 never sees a cow, f3 has one row."""
    rng = random.Random(seed)
    out = [(rng.choice(("f0", "f1")), rng.choice(CLASSES), rng.choice(CLASSES)) for _ in range(300)]
    out += [("f2", rng.choice(CLASSES[:2]), rng.choice(CLASSES[:2])) for _ in range(20)]
    return [*out, ("f3", "cat", "dog")]


def macro_f1(plan: Plan, frame: Frame) -> Expr:
    items = plan.input("rows", (), frame)
    cells = plan.grouped("cells", items, "fold", "label", "prediction")
    n = items.count(into=cells)
    true, guessed = col("label"), col("prediction")
    sides = {"fold": col("fold"), "n": n}
    # Every class that occurs as label or as prediction: a cell counts for its label's class and for its prediction's.
    both = plan.concat(
        "sides",
        ("fold", "class"),
        (
            cells,
            sides
            | {
                "class": true,
                "support": n,
                "guesses": lit(0.0),
                "hits": when(true == guessed).then(n).otherwise(0.0),
            },
        ),
        (cells, sides | {"class": guessed, "support": lit(0.0), "guesses": n, "hits": lit(0.0)}),
    )
    classes = plan.grouped("classes", both, "fold", "class")
    hits, support, guesses = (both.sum(col(c), into=classes) for c in ("hits", "support", "guesses"))
    f1 = classes.column(2.0 * hits / (support + guesses))
    plan.unit = plan.grouped("units", classes, "fold")
    return classes.mean(f1)


def plain(given: Rows) -> dict[str, float]:
    out = {}
    for fold in {f for f, _, _ in given}:
        pairs = [(a, b) for f, a, b in given if f == fold]
        scores = []
        for name in {c for pair in pairs for c in pair}:
            hits = sum(a == b == name for a, b in pairs)
            scores.append(2 * hits / (sum(a == name for a, _ in pairs) + sum(b == name for _, b in pairs)))
        out[fold] = sum(scores) / len(scores)
    return out


@pytest.mark.parametrize("engine", ENGINES)
def test_macro_f1(engine: str) -> None:
    for seed in range(3):
        given = rows(seed)
        opened = Opened(engine)
        plan = Plan(opened.engine)
        value = macro_f1(plan, opened.frame(pl.DataFrame(given, schema=["fold", "label", "prediction"], orient="row")))
        expected = plain(given)
        actual = dict(opened.collect(plan.unit.frame().select("fold", f1=value)).iter_rows())
        assert actual == pytest.approx(expected, rel=1e-12)
        assert len(set(expected.values())) > 2
