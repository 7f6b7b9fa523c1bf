"""A row per list and rank down to some depth, whether the list has a document there or not.

Readers need it whose probability of continuing has no closed form between judged documents.  Only judged rows are
joined to the ranks: at all others the document is unjudged, or the list has ended.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit
from ireval_frames.plan import Table
from ireval_frames.ranking.context import Query
from ireval_frames.ranking.cwl.scales import Gains

# The most ranks of a list that may become rows.
DEEPEST = 1_000_000


class RankGrid:
    """Ranks 1 to `last` of every list with the gains there, under the names that a continuation function uses.

    Attributes:
        rank: the rank, from 1.
        gain: the gain at this rank, 0 to 1.
        total_gain: the sum of the gains down to this rank, this one included.
        cost: what reading the document costs: 1.
        total_cost: the sum of the costs down to this rank, so the rank.
    """

    def __init__(self, q: Query, last: int | None, gains: Gains, *, best: bool = False) -> None:
        if last is None or last > DEEPEST:
            what = "so it needs a last one" if last is None else f"and {last} ranks per list are too many"
            raise NotDefined(
                f"{q.measure} looks at every rank, {what}; at most {DEEPEST}.", "Write max_depth=1000, or a cutoff."
            )
        self.table = ranks(q, last)
        self.rank = self.table.column(col("rank").cast(pl.Float64), "at_rank")
        self.gain = self.table.column(gains.best if best else gains.worst, "best_gain" if best else "gain")

    @property
    def total_gain(self) -> Expr:
        """The gains so far."""
        return self.over(self.gain.cum_sum(), "total_gain")

    @property
    def cost(self) -> Expr:
        """The cost of this document."""
        return lit(1.0)

    @property
    def total_cost(self) -> Expr:
        """The cost so far."""
        return self.rank

    def column(self, expr: Expr, name: str = "") -> Expr:
        """A column of the grid."""
        return self.table.column(expr, name)

    def over(self, expr: Expr, name: str = "") -> Expr:
        """A window over the ranks of a list, in their order."""
        return self.table.over(expr, order_by=["rank"], name=name)

    def reach(self, continuation: Expr) -> Expr:
        """The probability of reaching this rank."""
        product = self.over(self.column(continuation, "continuation").cum_prod(), "product")
        return self.over(product.shift(1), "reached").fill_null(1.0)

    def sum(self, expr: Expr) -> Expr:
        """The sum over the ranks of each list."""
        return self.table.sum(expr)


def ranks(q: Query, last: int) -> Table:
    """The table of ranks down to `last`; every unit has all of them."""
    tables, plan = q.tables, q.tables.plan
    units, rows = tables.units, q.rows
    name, keys = f"grid_{last}_of_{rows.name}", (*units.keys, "rank")
    if name in plan.tables:
        return plan.tables[name]
    users = tables.all_units(f"users_of_{units.name}", units.keys, tables.queries)
    grid = plan.expand_range(f"ranks_{last}_of_{units.name}", "rank", users, lit(1), lit(last))
    judged = plan.selected(f"ranks_of_{rows.name}", keys, rows, rank=q.rank.cast(pl.Int64), relevance=col("relevance"))
    return plan.joined(name, keys, grid, judged, on=keys, how="left")
