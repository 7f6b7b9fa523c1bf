"""What a click model says of the rows of a list: attraction, satisfaction, and what positions do.

```
click_model       a row per value of a parameter, as handed in
click_values      those of documents, or of grades
click_documents   a row per (query, document) with parameters, or per grade
click_positions   a row per position with parameters
click_all         one row: parameters without keys, and what is there at all
```
"""

from __future__ import annotations

from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidValue, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ranking.click_models.refused import checked, lacking, no_prior, several, unseen_documents
from ireval_frames.ranking.context import Query
from ireval_frames.ratios import indicator

OF_DOCUMENTS = ("attraction", "satisfaction")
VALUE, POSITION = col("value"), col("position")


def named(name: str) -> Expr:
    """The rows of a parameter."""
    return col("parameter") == name


class Modelled:
    """A click model's parameters at the rows of a query's lists.

    All retrieved rows are looked at: documents without a judgment attract and satisfy, too.

    Args:
        q: the context.
        unseen: what a document without parameters is taken for: a probability, "prior", or "error".

    Raises:
        NotDefined: there is no click model, or nobody knows its prior.
    """

    def __init__(self, q: Query, unseen: float | str) -> None:
        given = q.tables.click_model
        if given is None:
            raise NotDefined(
                f"{q.measure} needs the parameters of a click model.",
                Hint("Hand in a fitted model or a table of them: ", Argument("click_model", "sdbn.parquet"), "."),
            )
        if unseen == "prior" and given.prior is None:
            raise no_prior(q.measure)
        self.q, self.plan, self.graded, self._strict = q, q.tables.plan, given.graded, unseen == "error"
        self.columns = tuple(given.frame.columns)
        self._unseen = given.prior if unseen == "prior" else 0.0 if unseen == "error" else float(unseen)
        # A row is a value: nothing of ours tells those apart that a table has twice.
        self.given = self.plan.input("click_model", self.columns, given.frame, like="click_model")
        checked(self.plan, self.given, named("attraction") | named("satisfaction"), self._keys)
        q.use_all_rows()
        if self.graded:
            self._join("grades", self.documents, ("relevance",))

    # ---- tables

    @property
    def _keys(self) -> tuple[str, ...]:
        return ("relevance",) if self.graded else ("query_id", "doc_id")

    @cached_property
    def values(self) -> Table:
        """The values of documents, or of grades."""
        where = named("attraction") | named("satisfaction")
        return self.plan.selected("click_values", self.columns, self.given, where=where)

    @cached_property
    def documents(self) -> Table:
        """A row per document, or grade, with parameters."""
        made = self.plan.grouped("click_documents", self.values, *self._keys)
        for name in OF_DOCUMENTS:
            self.plan.require(made, self.values.sum(indicator(named(name)), into=made) > 1, several)
        return made

    @cached_property
    def everything(self) -> Table:
        """One row for the whole model."""
        return self.plan.grouped("click_all", self.given)

    def _join(self, name: str, table: Table, on: tuple[str, ...]) -> None:
        """The rows with the columns of a table of parameters."""
        rows = self.q.rows
        self.q.use_rows(self.plan.joined(f"{rows.name}_{name}", rows.keys, rows, table, on=on, how="left"))

    # ---- parameters of documents

    def _of_document(self, name: str, value: Expr = VALUE) -> Expr:
        """The parameter at every row; null where there is none."""
        rows, here = self.q.rows, when(named(name)).then(value)
        found = rows.lookup(self.values.max(here, into=self.documents), of=self.documents)
        if not self.graded:
            return found
        # What nobody judged counts as grade 0, as in other measures of grades.
        zero = when(named(name) & (col("relevance") == 0.0)).then(value)
        lowest = rows.lookup(self.given.max(zero, into=self.everything), of=self.everything)
        return when(self.q.relevance >= 0.0).then(found).otherwise(lowest)

    def attraction(self, cutoff: int | None) -> Expr:
        """The probability of a click, once a document is looked at.

        Args:
            cutoff: of the measure: where documents without parameters are refused, no others are.
        """
        self._needs(named("attraction"), "attraction")
        found = self._of_document("attraction")
        self._refuse(found.is_null(), cutoff)
        return self.q.rows.column(found.fill_null(self._unseen), "attraction")

    def satisfaction(self, given: float | None, attraction: Expr, cutoff: int | None) -> Expr:
        """The probability of stopping at a document, once it is clicked.

        Args:
            given: takes the place of the model's.
            attraction: where it is 0, no satisfaction is needed.
            cutoff: of the measure.
        """
        if given is not None:
            return lit(given)
        self._needs(named("satisfaction"), "satisfaction")
        found = self._of_document("satisfaction")
        self._refuse(found.is_null() & (attraction > 0.0), cutoff)
        return self.q.rows.column(found.fill_null(self._unseen), "satisfaction")

    def satisfied(self, given: float | None, cutoff: int | None) -> tuple[Expr, Expr]:
        """The attraction, and the probability of being clicked and satisfying, once a document is looked at.

        Args:
            given: takes the place of the model's satisfaction.
            cutoff: of the measure.
        """
        attraction = self.attraction(cutoff)
        return attraction, self.q.rows.column(attraction * self.satisfaction(given, attraction, cutoff))

    def seen(self, min_n: float) -> Expr:
        """Whether a document has parameters, of at least so many impressions."""
        known = ~self._of_document("attraction").is_null()
        if not min_n:
            return known
        if "n" not in self.columns:
            raise NotDefined(
                f"{self.q.measure} reads a column 'n' of the click_model table, which it has not.",
                "Hand in model.parameters(), which has it, or leave min_n out.",
            )
        return known & (self._of_document("attraction", col("n")) >= min_n)

    def _refuse(self, unknown: Expr, cutoff: int | None) -> None:
        """Refuse documents above the cutoff without parameters, where these are an error."""
        if not self._strict:
            return
        bad = unknown if cutoff is None else unknown & (self.q.rank <= cutoff)
        units = self.q.tables.units
        self.plan.require(units, self.q.rows.sum(indicator(bad), into=units) > 0, unseen_documents(self.q.measure))

    # ---- parameters of positions, and of nothing

    def going_on(self, given: float | None) -> Expr:
        """The probability of getting to a rank where nothing satisfies: γ^(rank − 1).

        Args:
            given: takes the place of the model's continuation.
        """
        steps = self.q.rank - 1.0
        if given is not None:
            return lit(1.0) if given == 1.0 else lit(given) ** steps
        where = self._at(named("continuation"), position=False)
        self._needs(where, "continuation", several=True)
        gamma = self.q.rows.lookup(self.given.max(when(where).then(VALUE), into=self.everything), of=self.everything)
        return gamma**steps

    def at_position(self, name: str) -> Expr:
        """The parameter of each row's position; null where the model knows nothing of it."""
        where = self._at(named(name), position=True)
        self._needs(where, name)
        rank = self.q.rank.name
        values = self.plan.selected(f"click_{name}_values", self.columns, self.given, where=where)
        grouped = self.plan.grouped(f"click_{name}_grouped", values, "position")
        self.plan.require(grouped, values.count(into=grouped) > 1, several)
        value = {rank: POSITION.cast(pl.Float64), f"click_{name}": values.max(VALUE, into=grouped)}
        self._join(name, self.plan.selected(f"click_{name}_by_{rank}", (rank,), grouped, **value), (rank,))
        return self.q.rows.column(col(f"click_{name}"))

    def _at(self, where: Expr, *, position: bool) -> Expr:
        """Those rows of a parameter with a position, or without one; none with a last click."""
        for column, wanted in (("position", position), ("last_click", False)):
            if column in self.columns:
                where = where & (~col(column).is_null() if wanted else col(column).is_null())
            elif wanted:
                where = where & lit(value=False)
        return where

    def after_click(self, position: int, last: int) -> Expr:
        """The examination of a position after the last click at another one, 0 for none; in the units."""
        if not {"position", "last_click"} <= {*self.columns}:
            raise lacking("examination by position and last click", self.q.measure)
        where = named("examination") & (position == POSITION) & (col("last_click") == last)
        found = self.given.max(when(where).then(VALUE), into=self.everything)
        return self.q.tables.units.lookup(found, of=self.everything)

    def _needs(self, where: Expr, name: str, *, several: bool = False) -> None:
        """Refuse a model without such values; with `several`, one that has more than one.

        A table without rows is a model that knows of nothing.
        """
        counted, measure = self.given.sum(indicator(where), into=self.everything), self.q.measure
        some = self.given.count(into=self.everything) > 0

        def error(rows: pl.DataFrame, count: int) -> NotDefined | InvalidValue:
            del rows, count
            return lacking(name, measure)

        self.plan.require(self.everything, some & (counted != 1 if several else counted == 0), error)
