"""Every measure of relations with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from ireval_frames.relations.tables import MATCHES
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.oracles import relations as oracle
from tests.oracles.relations import Rules
from tests.relations.cases import Case, make_case

VALUES: dict[str, tuple[Any, ...]] = {
    "match": ("entities",),
    "F1.match": MATCHES,
    "Precision.match": ("boundary", "trigger-classification"),
    "Recall.match": ("head", "argument-classification"),
    "ArgumentScore.match": ("argument-identification", "strict"),
    "attached": (),
    "average": (),
    "F1.average": ("macro", "weighted"),
    "beta": (2, 0),
    "penalty": (0, 1),
}
CASES = {
    "undirected": make_case(2, runs=2, rules=Rules(undirected=("spouse", "part of"))),
    "counted": make_case(3, rules=Rules(undirected=True, duplicates="spurious", undefined=0.0)),
}


def variants(definition: Definition, _: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each parameter changed alone, and averages of other comparisons."""
    out = one_at_a_time(definition, VALUES, "VALUES of tests/relations/suite.py")
    if definition.name == "F1":
        out += [definition(attached=True, match=f"argument-{how}") for how in ("identification", "classification")]
        out += [definition(average="macro", match=m) for m in ("head", "argument-identification")]
        out += [definition(average="weighted", match="argument-classification", attached=True)]
    return out


def tables(case: Case, _: Any = None) -> Frames:
    frames = case.frames()
    return {**frames, "documents": frames["documents"].drop("weight")}


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    relations = ir.Relations(
        frames["gold"], frames["predicted"], **{"documents": frames["documents"], "engine": engine} | case.options
        | options,
    )  # fmt: skip
    return relations.evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and document."""
    arguments = measure.arguments()
    return {
        (str(measure), run, unit): oracle.value(measure.name, [oracle.Document(d.gold, d.predicted)], case.rules,
                                                **arguments)
        for run, units in case.units.items()
        for unit, d in units.items()
    }  # fmt: skip


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order."""
    return {name: 7 * i % len(old) if len(old) % 7 else -i for i, name in enumerate(old)}


def _undirected(case: Case, names: dict[Any, Any]) -> dict[str, Any]:
    undirected = case.rules.undirected
    return {"undirected": undirected if isinstance(undirected, bool) else [names[u] for u in undirected]}


RELATIONS = Suite(
    name="relations",
    family="relations",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/relations.py",
    cases=CASES,
    main=("undirected",),
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "labels are numbers": Renaming(("label",), numbered, pl.Int64, options=_undirected),
        "types are an enum": Renaming(("head_type", "tail_type"), turned, pl.Enum),
        "entities and documents are numbers": Renaming(("head_id", "tail_id", "doc_id"), numbered, pl.Int64),
    },
    grouped="documents",
    skip={"weights": "documents have weights, and a document is in one row: tests/relations/test_pooled.py"},
)
SUITES = (RELATIONS,)
DEFINITIONS = RELATIONS.definitions
