"""Every measure of coreference, and what the oracle says of it."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, one_at_a_time
from tests.coreference.cases import Case, make_case
from tests.oracles import coreference as oracle

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {}
CASES = {"text": make_case(1), "integers": make_case(2, runs=2, integers=True)}


def variants(definition: Definition, _: Case | None = None) -> list[Measure]:
    """The measure; the family's choices are policies."""
    return one_at_a_time(definition, VALUES, "VALUES of tests/coreference/suite.py")


def tables(case: Case, _: Any = None) -> Frames:
    return case.frames()


def evaluate(_: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    options = {"documents": frames["documents"], "engine": engine, "policy": "overlap=allow"} | options
    return ir.Coreference(frames["gold"], frames["predicted"], **options).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and document."""
    return {
        (str(measure), *([run] if len(case.runs) > 1 else []), doc): oracle.value(measure.name, [document])
        for run in case.runs
        for doc, document in case.documents(run).items()
    }


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order, some below 0."""
    return {name: 3 - i for i, name in enumerate(old)}


COREFERENCE = Suite(
    name="coreference",
    family="coreference",
    oracles=oracle.ORACLES,
    oracle_place="ORACLES of tests/oracles/coreference.py",
    cases=CASES,
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "text": Renaming(("cluster_id", "doc_id"), turned),
        "numbers": Renaming(("cluster_id",), numbered, pl.Int64),
        "documents are numbers": Renaming(("doc_id",), numbered, pl.Int64),
        "categories": Renaming(("cluster_id",), turned, pl.Enum),
    },
    grouped="documents",
    skip={"weights": "documents have weights, which count where they are pooled: tests/coreference/test_pooled.py"},
)
SUITES = (COREFERENCE,)
