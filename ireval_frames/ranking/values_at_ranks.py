"""The values of measures at every rank of every list, with the gains and discounts that they sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, listed
from ireval_frames.evaluation.planned import PLACE
from ireval_frames.evaluation.request import finals, plan_of
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.request import RankingRequest
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final, options_of
from ireval_frames.results import TableQuery

DEFAULT_DEPTH = 10
# A measure is an expression for each rank.
MAX_DEPTH = 1000
OF_DOCUMENT = ("rank", "doc_id", "relevance")
TERMS = ("gain", "discount", "discounted_gain")


class SummedTerms(Query):
    """A context of all rows of the lists that keeps the terms of the sums over ranks which a measure takes of it."""

    def __init__(self, tables: RankingTables, measure: str, *, judged_only: bool) -> None:
        super().__init__(tables, measure, judged_only=judged_only)
        self.use_all_rows()
        self.terms: list[tuple[Expr, Expr]] = []

    def discounted_sum(
        self, gain: Expr, discount: Callable[[Expr], Expr] | None = None, cutoff: int | None = None
    ) -> Expr:
        """The sum of gain / discount(rank) down to the cutoff."""
        factor = lit(1.0) if discount is None else 1.0 / self.rows.column(discount(self.rank), "discount")
        self.terms.append((gain, factor))
        return super().discounted_sum(gain, discount, cutoff)

    def weighted_sum(self, gain: Expr, weight: Expr, cutoff: int | None = None) -> Expr:
        """The sum of gain · weight down to the cutoff."""
        self.terms.append((gain, weight))
        return super().weighted_sum(gain, weight, cutoff)


def depth_of(measures: Sequence[Measure], depth: int | None) -> int:
    """How deep to look: by default the largest cutoff of the measures, else 10.

    Raises:
        InvalidParameter: it is not a whole number from 1 to 1,000.
        NotDefined: a measure has no cutoff, so it has no value at a rank.
    """
    without = [str(m) for m in measures if "cutoff" not in m.definition.parameters]
    if without:
        raise NotDefined(
            f"{listed(without)} {'have' if len(without) > 1 else 'has'} no cutoff, so no value at a rank.",
            Hint("Evaluate measures that have one, such as P, R, F, AP, DCG, nDCG or ERR."),
        )
    if depth is None:
        cutoffs = [cutoff for m in measures if (cutoff := dict(m.values).get("cutoff")) is not None]
        depth = min(max(cutoffs, default=DEFAULT_DEPTH), MAX_DEPTH)
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
        raise InvalidParameter(
            f"depth is {depth!r}; it must be a whole number from 1 to {MAX_DEPTH:,}.",
            Hint("Write ", Argument("depth", 10), "."),
        )
    return depth


def at_ranks(
    request: RankingRequest, measures: Sequence[Measure], depth: int, engine: Engine, *, wide: bool
) -> TableQuery:
    """A row per list, rank and measure; with `wide` a row per list and rank, and a column per measure."""
    tables, _ = request.tables_on(engine)
    # One measure at several cutoffs has the same values at ranks.
    by_name = {str(m(cutoff=1)).removesuffix("@1"): m(cutoff=depth) for m in measures}
    checks = plan_of(request.of(by_name.values()), engine).all_checks
    documents = {name: _documents(tables, name, m) for name, m in by_name.items()}
    if wide:
        _require_one_list(documents)
    named = dict(zip(tables.by, request.by, strict=True))
    groups = [*(k for k in tables.units.keys if k == "run_id"), *tables.by]
    keys = {named.get(k, k): k for k in (*groups, "query_id")}
    ranks = _values(tables, list(by_name.values()), depth, list(keys.values()))
    numbered = {name: f"value_{i}" for i, name in enumerate(by_name)}
    on = (*tables.list_keys, "rank")
    if wide:
        rows = engine.join(ranks, _frame(next(iter(documents.values())), on, OF_DOCUMENT[1:]), on, "inner")
        columns = {n: col(k) for n, k in keys.items()} | {c: col(c) for c in OF_DOCUMENT}
        frame = rows.select(**columns, **{name: col(c) for name, c in numbered.items()})
        return TableQuery(tables.plan, frame, (*keys, "rank"), tuple(frame.columns), checks)
    parts = []
    for place, (name, value) in enumerate(numbered.items()):
        rows = engine.join(ranks, _frame(documents[name], on, (*OF_DOCUMENT[1:], "gain", "discount")), on, "inner")
        columns = {n: col(k) for n, k in keys.items()} | {c: col(c) for c in OF_DOCUMENT}
        terms = {"gain": col("gain"), "discount": col("discount"), "discounted_gain": col("gain") * col("discount")}
        parts.append(rows.select(**columns, measure=lit(name), **terms, value=col(value), **{PLACE: lit(place)}))
    frame = concat(parts)
    columns_shown = tuple(c for c in frame.columns if c != PLACE)
    return TableQuery(tables.plan, frame, (*keys, PLACE, "rank"), columns_shown, checks)


def _documents(tables: RankingTables, name: str, measure: Measure) -> tuple[Table, Mapping[str, Expr]]:
    """The rows of the lists, and columns of each: its rank, document and grade, and what the measure sums."""
    arguments, judged_only, over = options_of(measure, tables)
    q = SummedTerms(tables, str(measure), judged_only=judged_only)
    columns = {"rank": q.rank.cast(pl.Int64), "doc_id": col("doc_id"), "relevance": q.relevance}
    with tables.plan.requesting(name), tables.plan.into(tables.units):
        # The mean over subtopics or assessors is no sum over ranks.
        if not over:
            measure.expression(q, arguments)
    missing = lit(None, dtype=pl.Float64)
    gain, discount = q.terms[0] if len(q.terms) == 1 else (missing, missing)
    columns |= {"gain": gain.cast(pl.Float64), "discount": discount.cast(pl.Float64)}
    return q.rows, {c: q.rows.column(e) for c, e in columns.items()}


def _frame(documents: tuple[Table, Mapping[str, Expr]], keys: Sequence[str], columns: Sequence[str]) -> Frame:
    rows, expressions = documents
    return rows.frame().select(**{c: expressions.get(c, col(c)) for c in (*keys, *columns)})


def _values(tables: RankingTables, measures: Sequence[Measure], depth: int, keys: Sequence[str]) -> Frame:
    """A row per unit and rank, with the values `value_0`, `value_1` … at this rank."""
    ranks = range(1, depth + 1)
    columns: list[dict[str, Expr]] = []
    for rank in ranks:
        at_rank = [measure(cutoff=rank) for measure in measures]
        values = finals(tables.plan, at_rank, lambda measure: final(measure, tables))
        columns.append({f"value_{i}": tables.units.column(v.cast(pl.Float64)) for i, v in enumerate(values)})
    units = tables.plan.engine.shared(tables.units.frame())
    return concat(
        [
            units.select(*keys, rank=lit(rank, dtype=pl.Int64), **values)
            for rank, values in zip(ranks, columns, strict=True)
        ]
    )


def _require_one_list(documents: Mapping[str, tuple[Table, Mapping[str, Expr]]]) -> None:
    """Refuse measures that rank different documents.

    Raises:
        NotDefined: some remove unjudged documents first.
    """
    first, *others = documents
    differing = [name for name in others if documents[name][0] is not documents[first][0]]
    if differing:
        raise NotDefined(
            f"{first} and {listed(differing)} rank different documents: judged_only removes those without a judgment.",
            Hint("Leave out ", Argument("wide", True), ", or evaluate them apart."),  # noqa: FBT003 - the argument
        )
