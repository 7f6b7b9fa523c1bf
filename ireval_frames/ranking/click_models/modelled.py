"""The parameters of a click model at the rows of lists: attraction, satisfaction, and those of positions.

```
click_model       a row per value of a parameter, as passed
click_values      the rows of documents, or of grades
click_documents   a row per (query, document) with parameters, or per grade
click_positions   a row per position with parameters
click_all         one row: parameters without keys, and sums over the model
```
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import polars as pl

from ireval_frames.errors import Argument, DuplicateRows, Hint, InvalidValue, MismatchedTables, NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.context import Query
from ireval_frames.ratios import indicator

# Which models have a parameter.
FITTED = {
    "satisfaction": "SDBN and DBN have it; for others pass it, as in rrDBN(satisfaction=1)",
    "continuation": "DBN has one for all, which EBU(continuation=0.9) replaces, and DCM one by position",
    "examination": "PBM has it by position",
    "examination by position and last click": "UBM has it",
}
OF_DOCUMENTS = ("attraction", "satisfaction")
VALUE, POSITION = col("value"), col("position")


def named(name: str) -> Expr:
    """The rows of a parameter."""
    return col("parameter") == name


class Modelled:
    """A click model's parameters at the rows of a query's lists.

    All retrieved rows are read: documents without a judgment attract and satisfy, too.

    Args:
        q: the context.
        unseen: the parameters of a document that has none: a probability, "prior", or "error".

    Raises:
        NotDefined: there is no click model, or its prior is unknown.
    """

    def __init__(self, q: Query, unseen: float | str) -> None:
        model = q.tables.click_model
        if model is None:
            raise NotDefined(
                f"{q.measure} needs the parameters of a click model.",
                Hint("Pass a fitted model or a table of them: ", Argument("click_model", "sdbn.parquet"), "."),
            )
        if unseen == "prior" and model.prior is None:
            raise no_prior(q.measure)
        self.q, self.plan, self.graded, self._strict = q, q.tables.plan, model.graded, unseen == "error"
        self.columns = tuple(model.frame.columns)
        self._unseen = model.prior if unseen == "prior" else 0.0 if unseen == "error" else float(unseen)
        # A row is a value: duplicates have no key that separates them.
        self.parameters = self.plan.input("click_model", self.columns, model.frame, identity="click_model")
        require_probabilities(self.plan, self.parameters, named("attraction") | named("satisfaction"), self._keys)
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
        return self.plan.selected("click_values", self.columns, self.parameters, where=where)

    @cached_property
    def documents(self) -> Table:
        """A row per document, or grade, with parameters."""
        table = self.plan.grouped("click_documents", self.values, *self._keys)
        for name in OF_DOCUMENTS:
            self.plan.require(table, self.values.sum(indicator(named(name)), into=table) > 1, several)
        return table

    @cached_property
    def model(self) -> Table:
        """One row for the model."""
        return self.plan.grouped("click_all", self.parameters)

    def _join(self, name: str, table: Table, on: tuple[str, ...]) -> None:
        """The rows with the columns of a table of parameters."""
        rows = self.q.rows
        self.q.use_rows(self.plan.joined(f"{rows.name}_{name}", rows.keys, rows, table, on=on, how="left"))

    # ---- parameters of documents

    def _of_document(self, name: str, value: Expr = VALUE) -> Expr:
        """The parameter at every row; null where there is none."""
        rows, value_of_name = self.q.rows, when(named(name)).then(value)
        values = rows.lookup(self.values.max(value_of_name, into=self.documents), of=self.documents)
        if not self.graded:
            return values
        # Unjudged documents count as grade 0, as in other measures of grades.
        of_grade_0 = when(named(name) & (col("relevance") == 0.0)).then(value)
        unjudged = rows.lookup(self.parameters.max(of_grade_0, into=self.model), of=self.model)
        return when(self.q.relevance >= 0.0).then(values).otherwise(unjudged)

    def attraction(self, cutoff: int | None) -> Expr:
        """The probability of a click on an examined document.

        Args:
            cutoff: the measure's; with unseen="error" documents below it may lack parameters.
        """
        self._needs(named("attraction"), "attraction")
        values = self._of_document("attraction")
        self._refuse_unseen(values.is_null(), cutoff)
        return self.q.rows.column(values.fill_null(self._unseen), "attraction")

    def satisfaction(self, fixed: float | None, attraction: Expr, cutoff: int | None) -> Expr:
        """The probability of stopping at a clicked document.

        Args:
            fixed: a value instead of the model's.
            attraction: where it is 0, satisfaction is not needed.
            cutoff: the measure's.
        """
        if fixed is not None:
            return lit(fixed)
        self._needs(named("satisfaction"), "satisfaction")
        values = self._of_document("satisfaction")
        self._refuse_unseen(values.is_null() & (attraction > 0.0), cutoff)
        return self.q.rows.column(values.fill_null(self._unseen), "satisfaction")

    def satisfied(self, fixed: float | None, cutoff: int | None) -> tuple[Expr, Expr]:
        """The attraction, and the probability that an examined document is clicked and satisfies.

        Args:
            fixed: a satisfaction instead of the model's.
            cutoff: the measure's.
        """
        attraction = self.attraction(cutoff)
        return attraction, self.q.rows.column(attraction * self.satisfaction(fixed, attraction, cutoff))

    def seen(self, min_n: float) -> Expr:
        """Whether a document has parameters, from `min_n` impressions or more."""
        known = ~self._of_document("attraction").is_null()
        if not min_n:
            return known
        if "n" not in self.columns:
            raise NotDefined(
                f"{self.q.measure} reads a column 'n' of the click_model table, which has none.",
                "Pass model.parameters(), which has it, or leave min_n out.",
            )
        return known & (self._of_document("attraction", col("n")) >= min_n)

    def _refuse_unseen(self, unknown: Expr, cutoff: int | None) -> None:
        """With unseen="error" refuse documents down to the cutoff without parameters."""
        if not self._strict:
            return
        bad = unknown if cutoff is None else unknown & (self.q.rank <= cutoff)
        units = self.q.tables.units
        self.plan.require(units, self.q.rows.sum(indicator(bad), into=units) > 0, unseen_documents(self.q.measure))

    # ---- parameters of positions, and without keys

    def continuation(self, fixed: float | None) -> Expr:
        """The probability of reaching a rank if nothing satisfies: γ^(rank − 1).

        Args:
            fixed: a continuation instead of the model's.
        """
        steps = self.q.rank - 1.0
        if fixed is not None:
            return lit(1.0) if fixed == 1.0 else lit(fixed) ** steps
        where = self._at(named("continuation"), position=False)
        self._needs(where, "continuation", one=True)
        gamma = self.q.rows.lookup(self.parameters.max(when(where).then(VALUE), into=self.model), of=self.model)
        return gamma**steps

    def at_position(self, name: str) -> Expr:
        """The parameter of each row's position; null where the model has none."""
        where = self._at(named(name), position=True)
        self._needs(where, name)
        rank = self.q.rank.name
        values = self.plan.selected(f"click_{name}_values", self.columns, self.parameters, where=where)
        grouped = self.plan.grouped(f"click_{name}_grouped", values, "position")
        self.plan.require(grouped, values.count(into=grouped) > 1, several)
        value = {rank: POSITION.cast(pl.Float64), f"click_{name}": values.max(VALUE, into=grouped)}
        self._join(name, self.plan.selected(f"click_{name}_by_{rank}", (rank,), grouped, **value), (rank,))
        return self.q.rows.column(col(f"click_{name}"))

    def _at(self, where: Expr, *, position: bool) -> Expr:
        """The rows of a parameter with a position, or without one; none with a last click."""
        for column, required in (("position", position), ("last_click", False)):
            if column in self.columns:
                where = where & (~col(column).is_null() if required else col(column).is_null())
            elif required:
                where = where & lit(value=False)
        return where

    def after_click(self, position: int, last: int) -> Expr:
        """The examination of a position after the last click at another one, 0 for none; in the units."""
        if not {"position", "last_click"} <= {*self.columns}:
            raise missing_parameter("examination by position and last click", self.q.measure)
        where = named("examination") & (position == POSITION) & (col("last_click") == last)
        value = self.parameters.max(when(where).then(VALUE), into=self.model)
        return self.q.tables.units.lookup(value, of=self.model)

    def _needs(self, where: Expr, name: str, *, one: bool = False) -> None:
        """Refuse a model without such values; with `one`, one with more than one.

        A table without rows is a model without parameters.
        """
        counted, measure = self.parameters.sum(indicator(where), into=self.model), self.q.measure
        has_rows = self.parameters.count(into=self.model) > 0

        def error(rows: pl.DataFrame, count: int) -> NotDefined | InvalidValue:
            del rows, count
            return missing_parameter(name, measure)

        self.plan.require(self.model, has_rows & (counted != 1 if one else counted == 0), error)


def require_probabilities(plan: Plan, parameters: Table, of_documents: Expr, keys: Sequence[str]) -> None:
    """Refuse values that are not probabilities, and rows without the keys of a document or grade."""
    value = col("value")
    plan.require(parameters, (value < 0.0) | (value > 1.0) | value.is_nan(), _no_probability)
    nothing = col(keys[0]).is_null()
    for key in keys[1:]:
        nothing = nothing | col(key).is_null()
    plan.require(parameters, of_documents & nothing, _without_keys)


def _no_probability(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"The values of the click_model table must be probabilities, and {count} are not; the first: "
        f"{rows['parameter'][0]} {rows['value'][0]!r}.",
        'Find them: parameters.filter(~pl.col("value").is_between(0, 1)).',
    )


def _without_keys(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"The click_model table has {count} rows of {rows['parameter'][0]} without a document and without a grade.",
        "Give them query_id and doc_id, or relevance, or remove them.",
    )


def several(rows: pl.DataFrame, count: int) -> DuplicateRows:
    """The error of a parameter with several values for one key."""
    first = {k: rows[k][0] for k in ("query_id", "doc_id", "relevance", "position") if k in rows.columns}
    key = ", ".join(f"{k} {v!r}" for k, v in first.items())
    return DuplicateRows(
        f"The click_model table has several values of one parameter for {count} keys; the first: {key}.",
        "Keep the parameters of one model: one value for each document or grade, and for each position.",
    )


def missing_parameter(name: str, measure: str) -> NotDefined:
    """The error of a measure that reads a parameter which the model lacks."""
    models = FITTED.get(name, "CM, DCM, SDBN, PBM, UBM, DBN and CCM have it")
    return NotDefined(f"{measure} reads {name}, which the click_model table does not have.", f"{models}.")


def no_prior(measure: str) -> NotDefined:
    """The error that the prior is unknown."""
    return NotDefined(
        f"{measure} uses the prior's mean for documents without parameters, which a table of parameters does not have.",
        "Pass the fitted model, or a number: unseen=0.5.",
    )


def unseen_documents(measure: str) -> Callable[[pl.DataFrame, int], MismatchedTables]:
    """The error of lists with documents without parameters."""

    def error(rows: pl.DataFrame, count: int) -> MismatchedTables:
        return MismatchedTables(
            f"{measure}: documents in the lists of {count} queries have no parameters; the first: query_id "
            f"{rows['query_id'][0]!r}.",
            "Set their parameters: unseen=0, or unseen='prior'.",
        )

    return error
