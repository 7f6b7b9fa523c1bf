"""Facets of judgments (subtopics, assessors, groups of preferences), columns of samples, and which measures read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame
from ireval_frames.expr import col
from ireval_frames.parameters import Parameter, choice

FACETS = ("subtopic_id", "assessor_id", "subgroup_id")
# The probability of a subtopic; without such a column all are equal.
WEIGHT = "subtopic_weight"
# What judgments that are a sample say of a document; a measure that reads one of them reads those there are.
SAMPLE = ("stratum", "method", "iprob")


def _assessors(value: object) -> object:
    if value not in (None, "mean", "max"):
        raise ValueError("None, 'mean' or 'max'")
    return value


# Parameters of every measure of rankings, applied outside its function (`values.py`).
SHARED = {
    "subtopics": choice(
        "max",
        "mean",
        what="of judgments by subtopic: 'max' takes a document's largest grade, 'mean' averages the measure over the "
        "subtopics that have a relevant document",
    ),
    "assessors": Parameter(
        None,
        "of judgments by several assessors: 'mean' averages the measure over the query's assessors, 'max' takes a "
        "document's largest grade; with None a document judged by several is an error",
        _assessors,
    ),
}


def reads(measures: Iterable[Measure]) -> set[str]:
    """The columns of the judgments that measures read beyond query, document and grade."""
    columns: set[str] = set()
    for measure in measures:
        values = dict(measure.values)
        columns |= {*measure.definition.reads} & {*FACETS, *SAMPLE}
        columns |= {"subtopic_id"} if values.get("subtopics") == "mean" else set()
        columns |= {"assessor_id"} if values.get("assessors") else set()
    return columns


def of_sample(judgments: Frame, resolved: Mapping[str, str]) -> Frame | None:
    """The grades with stratum and inclusion probability, if there are such columns, whether they are read or not.

    A column of another type is another thing of that name.

    Args:
        judgments: the user's table.
        resolved: its names of our columns, without those that group queries.
    """
    present = [c for c in ("stratum", "iprob") if c in resolved]
    types = judgments.collect_schema() if present else {}
    present = [c for c in present if c != "iprob" or types[resolved[c]].is_numeric()]
    if not present or "relevance" not in resolved:
        return None
    return judgments.lazy().select(**{c: col(resolved[c]) for c in ("relevance", *present)})
