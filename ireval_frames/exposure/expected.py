"""Expected exposure of stochastic rankings: what documents get on average beside what they should get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.catalog import measure
from ireval_frames.conventions.exposure import DIAZ
from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from ireval_frames.exposure.context import ExposureContext
from ireval_frames.exposure.parameters import ATTENTION, CUTOFF
from ireval_frames.exposure.tables import within
from ireval_frames.expr import Expr, col, lit, min_horizontal, when
from ireval_frames.kernels.browsing import attention
from ireval_frames.parameters import UPWARDS, choice, flag, number
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator

REL = number(None, "the lowest grade of relevant documents, which are alike; by default each grade above 0 is a level")
GROUPED = flag(what="sum the exposure of the documents of each group first")
COMPLETE = flag(
    what="lists and judgments hold all documents, so that those that are not relevant share the ranks below; else they "
    "should get nothing"
)
CONVENTION = choice(
    "expeval",
    "trecfair",
    what="what documents should get: each relevance level the ranks it has in the best order; or groups their share of "
    "the target, of which only relevant documents count",
)
PARAMETERS: Mapping[str, Any] = {
    "convention": CONVENTION,
    "grouped": GROUPED,
    "rel": REL,
    "complete": COMPLETE,
    **ATTENTION,
    "cutoff": CUTOFF,
}
# The number of ranks whose attention groups share, in TREC Fair Ranking.
TREC_DEPTH = 20


@dataclass(frozen=True)
class Options:
    """The parameters of a measure."""

    convention: str
    grouped: bool
    rel: float | None
    complete: bool
    browsing: str | None
    p: float
    stop: float
    cutoff: int | None


def _check(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse parameters that the convention of TREC Fair Ranking does not read."""
    if arguments["convention"] == "trecfair":
        for name in ("grouped", "complete"):
            if arguments[name]:
                raise NotDefined(
                    f"{measure} has {name}=True, which the convention 'trecfair' does not read: it is about groups.",
                    f"Leave {name} out.",
                )


@dataclass(frozen=True)
class Sides:
    """What documents, or groups, get and should get: two columns of a table."""

    table: Table
    real: Expr
    due: Expr

    def sum(self, c: ExposureContext, term: Expr) -> Expr:
        """At the queries: the sum of a term."""
        return self.table.sum(self.table.column(term), into=c.tables.documents)


def _real(c: ExposureContext, o: Options, documents: Table) -> Expr:
    return c.exposure(c.attention(o.browsing, o.p, o.stop, o.cutoff), documents)


def _by_group(c: ExposureContext, documents: Table, value: Expr) -> Expr:
    """In the grid: the sum of a value over the documents of each group."""
    rows = c.tables.memberships(documents)
    return rows.sum(rows.lookup(value, of=documents) * col("share"), into=c.tables.grid)


def _sides(c: ExposureContext, o: Options) -> Sides:
    """What documents, or groups, get and should get.

    Without groups, and where only relevant documents should get something, only judged documents have a row.
    """
    if o.convention == "trecfair":
        return _of_target(c, o)
    tables = c.tables
    due_to = tables.retrieved_or_judged if o.complete else tables.judged
    due = _due(c, o, due_to)
    if not o.grouped:
        return Sides(due_to, _real(c, o, due_to), due)
    real = _by_group(c, tables.retrieved, _real(c, o, tables.retrieved))
    return Sides(tables.grid, real, _by_group(c, due_to, due))


def _disparity(c: ExposureContext, o: Options) -> Expr:
    """At the queries: the sum of squares of what documents, or groups, get."""
    if o.convention == "trecfair":
        side = _of_target(c, o)
        return side.sum(c, side.real * side.real)
    tables = c.tables
    real = _real(c, o, tables.retrieved)
    if not o.grouped:
        return tables.retrieved.sum(tables.retrieved.column(real * real), into=tables.documents)
    real = tables.grid.column(_by_group(c, tables.retrieved, real))
    return tables.grid.sum(real * real, into=tables.documents)


def _level(c: ExposureContext, rel: float | None, table: Table) -> Expr:
    """In a table with documents: the level of a document, 0 if it is not relevant."""
    grade = c.grade_in(table)
    return table.column(grade if rel is None else indicator(grade >= rel), "level")


def _due(c: ExposureContext, o: Options, documents: Table) -> Expr:
    """What each document should get: the mean of the attention at the ranks of its level in the best order."""
    tables = c.tables
    level = _level(c, o.rel, documents)
    # Ranks are the same for all documents of a level together, whatever their order within it.
    down = documents.column(-level, "level_downwards")
    one = documents.column(lit(1.0), "one")
    rank = documents.over(one.cum_sum(), tables.keys, [down.name, "doc_id"], "best_rank")
    hit = documents.column(indicator(level > 0), "hit")
    n_hits = documents.lookup(documents.sum(hit, into=tables.documents), of=tables.documents)
    above = documents.column(min_horizontal(rank - 1.0, n_hits), "hits_above")
    model = o.browsing or c.policy.browsing
    value = within(attention(model, rank, p=o.p, stop=o.stop, above=above), rank, o.cutoff)
    levels = tables.plan.grouped(f"levels_{level.name}", documents, *tables.keys, level.name)
    value = documents.lookup(documents.mean(documents.column(value), into=levels), of=levels)
    return documents.column(value if o.complete else when(level > 0).then(value).otherwise(0.0), "due")


def _of_target(c: ExposureContext, o: Options) -> Sides:
    """The convention of TREC Fair Ranking 2022: relevant documents of a group, and the target's share of attention."""
    tables, grid = c.tables, c.tables.grid
    rel = 1.0 if o.rel is None else o.rel
    weight = c.attention(o.browsing, o.p, o.stop, o.cutoff)
    weight = tables.rows.column(weight * indicator(c.grade >= rel))
    rows = tables.memberships(tables.retrieved)
    exposure = rows.lookup(c.exposure(weight, tables.retrieved), of=tables.retrieved)
    real = rows.sum(exposure * col("share"), into=grid)
    depth = o.cutoff or TREC_DEPTH
    model = o.browsing or c.policy.browsing
    if model == "cascade":
        raise NotDefined(
            f"{c.measure}: the attention that groups share depends on relevant documents with browsing='cascade'.",
            "Write browsing='trecfair'.",
        )
    ranks = [lit(float(rank)) for rank in range(1, depth + 1)]
    total = sum((attention(model, rank, p=o.p) for rank in ranks[1:]), attention(model, ranks[0], p=o.p))
    return Sides(grid, real, grid.column(c.target_share * total, "due"))


def _where_relevant(c: ExposureContext, o: Options, value: Expr) -> Expr:
    """A value of queries, undefined where a query has no relevant document."""
    tables = c.tables
    hit = indicator(col("grade") > 0 if o.rel is None else col("grade") >= o.rel)
    n = tables.judged.sum(hit, into=tables.documents)
    return c.of_query(tables.documents.column(when(n > 0).then(value)))


@measure(
    "exposure",
    "EED",
    parameters=PARAMETERS,
    aliases=("EE_D",),
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    check=_check,
    formula="Σ_d E_d²",
    source=DIAZ,
)
def EED(
    c: ExposureContext,
    convention: str,
    grouped: bool,  # noqa: FBT001 - a parameter
    rel: float | None,
    complete: bool,  # noqa: FBT001
    browsing: str | None,
    p: float,
    stop: float,
    cutoff: int | None,
) -> Expr:
    """The disparity of expected exposure: the sum of squares of what documents get.

    EE-D = Σ_d E_d², where E_d is the mean over the lists of a query of the attention at the rank of d, 0 in lists
    without it.  With `grouped=True` E is summed over the documents of each group first; documents without a group are
    left out.  A query without a list has 0.  `convention="trecfair"` sums the exposure of relevant documents by group.

    Columns: query_id, doc_id, score or rank, and the column of `samples`, of the run; with `grouped` doc_id, group and
    share of the groups.

    Range: 0 and up, lower is better for the same EER.  Never undefined; with `trecfair` where the target is.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.expected_exposure(), samples="sample", browsing="geometric")
        >>> fair.evaluate("EED EED(grouped=True)").summary()["value"].round(4).to_list()
        [0.9375, 1.3125]
    """
    o = Options(convention, grouped, rel, complete, browsing, p, stop, cutoff)
    return c.of_query(_disparity(c, o))


@measure(
    "exposure",
    "EER",
    parameters=PARAMETERS,
    aliases=("EE_R",),
    range=UPWARDS,
    undefined=None,
    reads=("relevant",),
    check=_check,
    formula="Σ_d E_d E*_d",
    source=DIAZ,
)
def EER(
    c: ExposureContext,
    convention: str,
    grouped: bool,  # noqa: FBT001 - a parameter
    rel: float | None,
    complete: bool,  # noqa: FBT001
    browsing: str | None,
    p: float,
    stop: float,
    cutoff: int | None,
) -> Expr:
    """The relevance of expected exposure: how far what documents get goes along with what they should get.

    EE-R = Σ_d E_d E*_d.  Documents of one grade should get the same: E*_d is the mean of the attention at the ranks
    that the documents of the grade of d have together in the best order; documents that are not relevant should get
    nothing, or with `complete=True` the ranks behind the relevant ones.  `rel=1` takes all grades from 1 on as one.
    With `grouped=True` E and E* are summed over the documents of each group first.  `convention="trecfair"`: of a group
    E is the exposure of its relevant documents, and E* its share of the target times the attention of the top 20, or
    of the top k.

    Columns: query_id, doc_id, score or rank, and the column of `samples`, of the run; query_id, doc_id and relevance of
    the judgments; with `grouped` doc_id, group and share of the groups.

    Range: 0 and up, higher is better.  0 for a query without a list.  Undefined in queries without relevant documents.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.expected_exposure(), samples="sample", browsing="geometric")
        >>> fair.evaluate("EER EER(complete=True)").summary()["value"].round(4).to_list()
        [0.875, 0.9062]
    """
    o = Options(convention, grouped, rel, complete, browsing, p, stop, cutoff)
    side = _sides(c, o)
    return _where_relevant(c, o, side.sum(c, side.real * side.due))


@measure(
    "exposure",
    "EEL",
    parameters=PARAMETERS,
    aliases=("EE_L",),
    range=UPWARDS,
    higher_is_better=False,
    undefined=None,
    reads=("relevant",),
    check=_check,
    formula="Σ_d (E_d − E*_d)²",
    source=DIAZ,
)
def EEL(
    c: ExposureContext,
    convention: str,
    grouped: bool,  # noqa: FBT001 - a parameter
    rel: float | None,
    complete: bool,  # noqa: FBT001
    browsing: str | None,
    p: float,
    stop: float,
    cutoff: int | None,
) -> Expr:
    """The loss of expected exposure: the squared distance of what documents get and what they should get.

    EE-L = Σ_d (E_d − E*_d)² = EE-D − 2 EE-R + Σ_d E*_d², with E and E* as in EER.

    Columns: query_id, doc_id, score or rank, and the column of `samples`, of the run; query_id, doc_id and relevance of
    the judgments; with `grouped` doc_id, group and share of the groups.

    Range: 0 and up, lower is better; Σ_d E*_d² for a query without a list.  Undefined in queries without relevant
    documents.

    Example:
        >>> import ireval_frames as ir
        >>> fair = ir.FairExposure(**ir.examples.expected_exposure(), samples="sample", browsing="geometric")
        >>> fair.evaluate("EEL EEL(grouped=True)").summary()["value"].round(4).to_list()
        [0.2083, 0.0972]
    """
    o = Options(convention, grouped, rel, complete, browsing, p, stop, cutoff)
    side = _sides(c, o)
    apart = side.table.column(side.real - side.due, "apart")
    loss = side.sum(c, apart * apart)
    if side.table is c.tables.judged:
        # Documents that are not judged should get nothing, and lose what they get.
        loss = loss + _disparity(c, o) - side.sum(c, side.real * side.real)
    return _where_relevant(c, o, loss.clip(lower_bound=0.0))
