"""Every measure of segmentations with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, one_at_a_time
from tests.oracles import segmentation as oracle
from tests.segmentation.cases import Case, make_case

VALUES: dict[str, tuple[Any, ...]] = {
    "k": (1, 20),
    "weighted": (True,),
    "padded": (True,),
    "tolerance": (2,),
    "beta": (2,),
    "side": ("predicted",),
    "transpositions": (1, 4),
}


def variants(definition: Definition, _: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each of its parameters changed alone, and some with two."""
    out = one_at_a_time(definition, VALUES, "VALUES of tests/segmentation/suite.py")
    if definition.name == "WindowDiff":
        out.append(definition(k=2, weighted=True, padded=True))
    return out


def tables(case: Case, _: Any = None) -> Frames:
    return case.tables() if case.boundaries else {"segments": case.segments()}


def evaluate(_: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    if "segments" in frames:
        named = {"predicted": "predicted", "engine": engine}
        return ir.Segmentation(frames["segments"], **(named | options)).evaluate(measures)
    policy = allow_no_overlap(options.pop("policy", None), ir.segmentation.SegmentationPolicy)
    documents = {"documents": frames["documents"], "policy": policy, "engine": engine}
    return ir.Segmentation(frames["gold"], frames["predicted"], **(documents | options)).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every document."""
    arguments = measure.arguments()
    return {
        (str(measure), *([run] if run else []), name): _float(oracle.value(measure.name, [document], **arguments))
        for run in case.runs
        for name, document in case.documents(run).items()
    }


def _float(value: oracle.Maybe) -> float | None:
    return None if value is None else float(value)


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


def numbered(old: list[Any]) -> dict[Any, Any]:
    """Numbers in another order, −1 among them."""
    return {name: 7 * i % len(old) - 1 if len(old) % 7 else -i for i, name in enumerate(old)}


NOT_ROWS = {"weights": "a weight is one of a document: tests/segmentation/test_weights.py"}
IDS = {"documents are numbers": Renaming(("doc_id",), numbered, pl.Int64), "documents": Renaming(("doc_id",), turned)}
SEGMENTS = Suite(
    name="segmentation",
    family="segmentation",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/segmentation.py",
    cases={"text": make_case(1), "runs": make_case(2, runs=("a", "b"), numbers=True)},
    main=("runs",),
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        **IDS,
        "segments are numbers": Renaming(("gold_segment",), numbered, pl.Int64),
        "categories": Renaming(("predicted",), lambda old: {n: f"s{n}" for n in old}, pl.Enum),
    },
    grouped="segments",
    skip=NOT_ROWS,
)
BOUNDARIES = Suite(
    name="segmentation by boundaries",
    family="segmentation",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/segmentation.py",
    cases={"boundaries": make_case(3, boundaries=True)},
    unit="doc_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={"documents": IDS["documents"]},
    grouped="documents",
    skip=NOT_ROWS | {"runs": "those of one gold are in the other suite"},
)
SUITES = (SEGMENTS, BOUNDARIES)
