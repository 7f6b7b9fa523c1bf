"""The context of measures of exposure: what their functions compute with."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames import per
from ireval_frames.conventions.exposure import ExposurePolicy
from ireval_frames.documents.context import DocumentContext
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined
from ireval_frames.exposure.tables import ExposureTables, within
from ireval_frames.expr import Expr, col, lit, max_horizontal, when
from ireval_frames.items.class_types import literal_class
from ireval_frames.kernels.browsing import attention
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator, ratio


class ExposureContext(DocumentContext[ExposureTables]):
    """What a measure of exposure computes with; the unit is a query, or all queries of a group.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
        target: how the target is computed, if it is no table.
    """

    policy: ExposurePolicy

    def __init__(self, tables: ExposureTables, measure: str, target: str) -> None:
        super().__init__(tables, measure)
        self._target = target

    def needs(self, name: str) -> None:
        """Refuse the measure where a table was not passed.

        Raises:
            NotDefined: it was not; the error names the argument.
        """
        self.tables.needed(name)

    # ---- attention and exposure

    def attention(self, browsing: str | None, p: float, stop: float, cutoff: int | None = None) -> per.Row:
        """The attention that a row of a list gets; by default as the policy says."""
        tables, browsing, above = self.tables, browsing or self.policy.browsing, None
        if browsing == "cascade":
            hit = tables.rows.column(indicator(self.grade > 0), "hit")
            above = tables.rows.over(hit.cum_sum(), tables.list_keys, ["rank"], "hits_so_far") - hit
        value = attention(browsing, tables.rank, p=p, stop=stop, above=above)
        return tables.rows.column(within(value, tables.rank, cutoff), "attention")

    def exposure(self, attention: per.Row, documents: Table | None = None) -> per.Member:
        """The exposure of a query's documents: the mean of the attention they get over its lists.

        Args:
            attention: that of each row.
            documents: the table of documents; by default the members of groups.
        """
        tables = self.tables
        documents = documents or tables.members
        if documents is tables.rows:
            return attention
        total = tables.rows.sum(attention, into=documents)
        if not tables.sampled:
            return total
        n = documents.lookup(tables.lists.count(into=tables.documents), of=tables.documents)
        return documents.column(when(n > 0).then(ratio(total, n)).otherwise(0.0), "exposure")

    # ---- judgments

    @property
    def grade(self) -> per.Row:
        """The grade of a row's document; 0 without a judgment."""
        return self.grade_in(self.tables.rows)

    def grade_in(self, table: Table) -> per.Member:
        """The grade in a table with documents; 0 without a judgment."""
        self.needs("relevant")
        tables = self.tables
        if table is tables.judged:
            return col("grade")
        return table.column(table.lookup(tables.grade, of=tables.relevant).fill_null(0.0), "grade_of_row")

    # ---- groups

    @property
    def memberships(self) -> Table:
        """A row per query, member document and group."""
        self.needs("groups")
        return self.tables.memberships(self.tables.members)

    def group(self, value: Any) -> Any:
        """A group that a parameter names, in the type of groups; that no document or target has is an error."""
        self.needs("groups")
        tables = self.tables
        dtype = tables.base.group_type
        if isinstance(value, str) != (dtype == pl.String):
            raise InvalidParameter(
                f"{self.measure}: {value!r} is no group; the groups are {'text' if dtype == pl.String else 'numbers'}.",
                Hint("Look at the groups: ", Argument("exposure", written="exposure()"), "."),
            )
        name = literal_class(value, dtype, "group", line=self._line)
        every = tables.plan.grouped("every_group", tables.all_groups)
        number, own = (tables.all_groups.sum(of, into=every) for of in (lit(1.0), indicator(col("group") == lit(name))))

        def error(rows: pl.DataFrame, count: int) -> InvalidParameter:
            del rows, count
            return InvalidParameter(
                f"{self.measure}: no document is in the group {name!r}.",
                Hint("Look at the groups: ", Argument("exposure", written="exposure()"), "."),
            )

        tables.plan.require(every, (number > 0) & (own == 0), error)
        return name

    def _line(self, example: Any) -> Argument:
        name = self.measure.partition("(")[0].partition("@")[0]
        return Argument("group", written=f"{name}(group={example!r})")

    def part_of(self, group: Any) -> per.Membership:
        """In `memberships`: the share of a document that is in a group."""
        return when(col("group") == lit(group)).then(col("share")).otherwise(0.0)

    def by_group(self) -> Table:
        """A row per current unit and group of which it has documents."""
        return self.per("groups_present", self.memberships, "group")

    # ---- the target

    @property
    def target_share(self) -> per.Group:
        """In `grid`: the share of the group in the target."""
        self.needs("groups")
        tables, grid = self.tables, self.tables.grid
        if tables.target is not None:
            share = grid.lookup(col("share"), of=tables.target).fill_null(0.0)
            if "item_id" not in tables.target.keys:
                return grid.column(share, "target_share")
            queries = tables.plan.grouped("queries_of_target", tables.target, "item_id")
            known = grid.lookup(tables.target.count(into=queries), of=queries)
            return grid.column(when(~known.is_null()).then(share), "target_share")
        if self._target == "equal":
            every = tables.plan.grouped("every_group", tables.all_groups)
            return grid.column(ratio(1.0, grid.lookup(tables.all_groups.count(into=every), of=every)), "target_share")
        if self._target == "groups":
            n = tables.all_groups.lookup(
                tables.grouped_documents.count(into=tables.all_documents), of=tables.all_documents
            )
            share = tables.all_groups.column(ratio(tables.groups.sum(col("share"), into=tables.all_groups), n))
            return grid.lookup(share, of=tables.all_groups)
        if self._target == "lists":
            return self._composition(self.memberships, col("share"))
        if self._target == "relevant":
            self.needs("relevant")
            judged = tables.memberships(tables.judged)
            return self._composition(judged, col("share") * indicator(col("grade") > 0))
        raise NotDefined(
            f"{self.measure} compares with a target, and there is none.",
            Hint("Write the shares: ", Argument("target", "target.csv"), ", or ", Argument("target", "equal"),
                 ', "groups", "lists" or "relevant".'),
        )  # fmt: skip

    def _composition(self, table: Table, share: Expr) -> Expr:
        grid, documents = self.tables.grid, self.tables.documents
        total = grid.lookup(table.sum(share, into=documents), of=documents)
        return grid.column(ratio(table.sum(share, into=grid), total), "target_share")

    @property
    def has_target(self) -> bool:
        """Whether there is a target."""
        return self.tables.target is not None or bool(self._target)

    # ---- queries

    def of_query(self, value: Expr) -> per.Unit:
        """A value per query at the current unit, which is a query, or a drawn one."""
        return self.over_documents(value)

    def mean_over_lists(self, value: Expr) -> per.Unit:
        """The mean over the lists of a query of a value per list, of those where it is defined."""
        tables = self.tables
        value = tables.lists.column(value, "of_list")
        return self.of_query(tables.lists.mean(value, into=tables.documents))

    @property
    def has_list(self) -> per.Unit:
        """Whether a query has a list, at the queries."""
        return self.tables.lists.count(into=self.tables.documents) > 0


def largest(*values: Expr) -> Expr:
    """The largest of several numbers."""
    return max_horizontal(*values)
