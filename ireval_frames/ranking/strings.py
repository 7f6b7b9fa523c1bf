"""The judgments of the first retrieved documents as text, a sign for each: trec_eval's relstring."""

from __future__ import annotations

from collections.abc import Callable

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.declaration import Definition, Measure
from ireval_frames.evaluation import Evaluation
from ireval_frames.parameters import flag, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.sets import NumRet

# The signs of the codes that a rank can have: no judgment, grades 0 to 9, larger grades, negative grades.
SIGNS = "-0123456789>."
DIGITS = "0123456789abc"
# As many hexadecimal digits as a float holds exactly.
PACK = 13
# Longer strings first look how long the lists are: each 13 ranks are a measure.
MANY = 1300


def packed(q: Query, first: int) -> nw.Expr:
    """The codes of the judged documents at the 13 ranks from `first` on: hexadecimal digits of a number, last first."""
    at = q.rank - float(first)
    inside = (at >= 0) & (at < PACK)
    place = q.rows.column(nw.when(inside).then(at).otherwise(0.0), "place")
    grade = q.relevance.cast(nw.Float64)
    code = nw.when(grade > 9).then(11.0).otherwise(nw.when(grade < 0).then(12.0).otherwise(grade.floor() + 1.0))
    return q.sum(nw.when(inside).then(code * nw.lit(16.0) ** place).otherwise(0.0))


PACKED = Definition(
    family="ranking",
    name="packed grades",
    function=packed,
    parameters={"first": whole(1), "judged_only": flag()},
    at="first",
    aggregation="sum",
)


def measures(length: int, *, judged_only: bool = False) -> list[Measure]:
    """What to evaluate for strings of that length: the number of retrieved documents, and the packed codes."""
    packs = [Measure.of(PACKED, {"first": first, "judged_only": judged_only}) for first in range(1, length + 1, PACK)]
    return [NumRet(judged_only=judged_only), *packs]


def needed(length: int, evaluate: Callable[[list[Measure]], Evaluation]) -> int:
    """The length, or that of the longest list where it is less and worth a look."""
    if length <= MANY:
        return length
    longest = evaluate([NumRet(aggregation="max")]).wide().to_series(-1).max()
    return min(length, int(longest)) if isinstance(longest, float) else 0


def unpacked(length: int, retrieved: float, *packs: float) -> str:
    """The string of one query."""
    signs = "".join(f"{int(pack):0{PACK}x}"[::-1] for pack in packs)
    return signs[: min(length, int(retrieved))].translate(str.maketrans(DIGITS, SIGNS))


def strings(evaluate: Callable[[list[Measure]], Evaluation], length: int, *, judged_only: bool) -> pl.DataFrame:
    """The units with their strings."""
    length = needed(length, evaluate)
    asked = measures(length, judged_only=judged_only)
    frame = evaluate(asked).per_unit_in_order()
    names = [str(m) for m in asked]
    columns = (frame[name].to_list() for name in names)
    texts = [unpacked(length, *row) for row in zip(*columns, strict=True)]
    return frame.drop(names).with_columns(pl.Series("relevance_string", texts, dtype=pl.String))
