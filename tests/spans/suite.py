"""Every measure of spans with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import spans as oracle
from tests.spans.cases import Case, make_case

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "beta": (2, 0.5, 0),
    "match": ("exact", "type", "partial", "overlap", "iou"),
    "ErrorRate.match": ("exact", "partial", "type"),
    "Substitution.match": ("exact", "partial", "type"),
    "F.match": ("partial",),
    "Recall.match": ("type", "overlap"),
    "average": ("macro", "weighted"),
    "F.average": ("macro",),
    "TokenP.average": ("macro",),
    "TokenR.average": ("weighted",),
    "errors": ("half",),
    "types": ("gold", ("PER", "absent")),
    "F.types": ("gold",),
    "Recall.types": (("PER", "absent"),),
    # They go together with others only.
    "threshold": (),
    "typed": (),
}
TOGETHER: tuple[dict[str, Any], ...] = (
    {"match": "iou", "threshold": 0.2},
    {"match": "iou", "threshold": 0.3, "typed": False},
    {"match": "overlap", "typed": False, "average": "macro"},
    {"match": "partial", "average": "macro"},
    {"match": "type", "average": "weighted", "types": "gold"},
    {"types": ("PER", "absent"), "average": "macro"},
)
CASES = {
    "spans": make_case(1, runs=2, rounds=2),
    "fragments": make_case(2, fragments=True),
    "no types": make_case(3, typed=False),
}


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each parameter changed alone, and with some of them together."""
    out = one_at_a_time(definition, VALUES, "VALUES of tests/spans/suite.py")
    if definition.name in ("F1", "Precision"):
        out += [definition(**values) for values in TOGETHER]
    typed = case is None or case.typed
    return [m for m in out if typed or not isinstance(m.arguments().get("types"), tuple)]


def tables(case: Case, _: Any = None) -> Frames:
    frames = case.frames()
    return {**frames, "documents": frames["documents"].drop("weight")}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    fragment = "part" if case.fragments else None
    subject = ir.Spans(
        frames["gold"], frames["predicted"], documents=frames["documents"], fragment=fragment, engine=engine, **options
    )
    return subject.evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and document."""
    return {
        (str(measure), run, name): oracle.value(measure.name, [document], **measure.arguments())
        for run, documents in case.runs.items()
        for name, document in documents.items()
    }


def in_order(old: list[Any]) -> dict[Any, Any]:
    """Other text in the same order: spans of one place are matched in the order of their types."""
    return {name: f"{i:03d} {name}" for i, name in enumerate(old)}


def named_types(measure: Measure) -> bool:
    return not isinstance(measure.arguments().get("types"), tuple)


SPANS = Suite(
    name="spans",
    family="spans",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/spans.py",
    cases=CASES,
    main=("spans",),
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "types": Renaming(("type",), in_order, applies=named_types),
        "categories": Renaming(("type",), in_order, pl.Enum, applies=named_types),
        "numbers": Renaming(("type",), lambda old: {n: i for i, n in enumerate(old)}, pl.Int64, applies=named_types),
    },
    grouped="documents",
    skip={"weights": "documents have weights, and a document is in one row: tests/spans/test_pooled.py"},
)
SUITES = (SPANS,)
DEFINITIONS = SPANS.definitions
ALL = SPANS.measures("spans")
