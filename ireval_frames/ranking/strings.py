"""The judgments of the first retrieved documents as text, a sign for each: trec_eval's relstring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from ireval_frames.declaration import Definition, Measure
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import PlannedEvaluation
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.parameters import flag, whole
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.measures.sets import NumRet
from ireval_frames.results import TableQuery

# The signs of the codes that a rank can have: no judgment, grades 0 to 9, larger grades, negative grades.
SIGNS = "-0123456789>."
DIGITS = "0123456789abc"
# As many hexadecimal digits as a float holds exactly.
PACK = 13
# For longer strings the length of the lists is evaluated first: each 13 ranks are a measure.
LONG = 1300


def packed(q: Query, first: int) -> Expr:
    """The codes of the judged documents at the 13 ranks from `first` on: hexadecimal digits of a number, last first."""
    at = q.rank - float(first)
    inside = (at >= 0) & (at < PACK)
    place = q.rows.column(when(inside).then(at).otherwise(0.0), "place")
    grade = q.relevance.cast(pl.Float64)
    code = when(grade > 9).then(11.0).otherwise(when(grade < 0).then(12.0).otherwise(grade.floor() + 1.0))
    return q.sum(when(inside).then(code * lit(16.0) ** place).otherwise(0.0))


PACKED = Definition(
    family="ranking",
    name="packed grades",
    function=packed,
    parameters={"first": whole(1), "judged_only": flag()},
    at="first",
    aggregation="sum",
)


def measures(length: int, *, judged_only: bool = False) -> list[Measure]:
    """The measures for strings of that length: the number of retrieved documents, and the packed codes."""
    packs = [Measure.of(PACKED, {"first": first, "judged_only": judged_only}) for first in range(1, length + 1, PACK)]
    return [NumRet(judged_only=judged_only), *packs]


def effective_length(length: int, evaluate: Callable[[list[Measure]], Evaluation]) -> int:
    """The length, or for long strings the length of the longest list if that is less."""
    if length <= LONG:
        return length
    longest = evaluate([NumRet(aggregation="max")]).wide().to_series(-1).max()
    return min(length, int(longest)) if isinstance(longest, float) else 0


class Unpack:
    """The strings of lists.

    The engine's frames reference it, so it must not reference the plan.
    """

    def __init__(self, keys: Sequence[str], columns: Sequence[str], length: int) -> None:
        self._keys, self._columns, self._length = tuple(keys), tuple(columns), length

    def __call__(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The lists with their strings."""
        columns = (frame[name].to_list() for name in self._columns)
        texts = [unpacked(self._length, *row) for row in zip(*columns, strict=True)]
        return frame.select(self._keys).with_columns(pl.Series("relevance_string", texts, dtype=pl.String))


def unpacked(length: int, retrieved: float, *packs: float) -> str:
    """The string of one list."""
    signs = "".join(f"{int(pack):0{PACK}x}"[::-1] for pack in packs)
    return signs[: min(length, int(retrieved))].translate(str.maketrans(DIGITS, SIGNS))


def strings(planned: PlannedEvaluation, length: int) -> TableQuery:
    """The units of a plan of these measures, with their strings."""
    plan, unit = planned.plan, planned.unit
    columns = [column.name for column in planned.values().values()]
    unpack = Unpack(unit.keys, columns, length)
    table = plan.applied("strings", unit.keys, unit, unpack, {"relevance_string": pl.String}, by=unit.keys)
    named = {planned.named.get(k, k): col(k) for k in planned.keys}
    frame = table.frame().select(**named, relevance_string=col("relevance_string"))
    return TableQuery(plan, frame, tuple(named), (*named, "relevance_string"), planned.all_checks)
