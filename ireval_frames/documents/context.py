"""What the contexts of families of documents share: sums over the current unit, a document or a group of them.

A measure's function is evaluated for documents, and for groups of documents where it is pooled: numerators and
denominators are then summed over all documents of the group.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from ireval_frames import per
from ireval_frames.documents.units import UnitTables
from ireval_frames.expr import Expr, lit
from ireval_frames.plan import Table
from ireval_frames.ratios import constant_of, ratio_of

T = TypeVar("T", bound=UnitTables)


class DocumentContext(Generic[T]):
    """What a measure of what is in documents computes with.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: T, measure: str) -> None:
        self.tables, self.measure, self.policy = tables, measure, tables.policy
        self._ratio = ratio_of(self.policy.undefined)

    @property
    def unit(self) -> Table:
        """The table that the measure has values per row of: documents, or groups of documents."""
        return self.tables.plan.unit

    def ratio(self, numerator: Expr, denominator: Expr) -> per.Same:
        """The ratio; where the denominator is 0, what the policy says of undefined values."""
        return self._ratio(numerator, denominator)

    @property
    def undefined(self) -> per.Same:
        """What the policy says of a value that is not defined."""
        return constant_of(self.policy.undefined)

    @property
    def num_documents(self) -> per.Unit:
        """The number of documents, or their weight."""
        return self.over_documents(lit(1.0))

    def sum(self, table: Table, term: Expr, into: Table | None = None) -> per.Unit:
        """The sum of a term over the rows of a table, in the current unit or in a table of `per`.

        In groups of documents each row counts as often as its document weighs.
        """
        documents, drawn, into = self.tables.documents, self.tables.drawn, into or self.unit
        weight = self.tables.weight if "item_id" not in into.keys else None
        if drawn is None:
            return table.sum(term if weight is None else term * table.lookup(weight, of=documents), into=into)
        # Rows are summed in each document once, however often it is drawn.
        once, rows = self.tables.drawn_rows.get(into.name, (documents, drawn))
        value = rows.lookup(term if table is once else table.sum(term, into=once), of=once)
        if into is rows:
            return value
        return rows.sum(value if weight is None else value * rows.lookup(weight, of=drawn), into=into)

    def over_documents(self, value: Expr) -> per.Unit:
        """The sum over documents of a value per document; itself where the unit is the document."""
        documents = self.tables.documents
        value = documents.column(value)
        return value if self.unit is documents else self.sum(documents, value)

    def per(self, name: str, table: Table, *columns: str) -> Table:
        """A table with a row per current unit and distinct values of columns of a table, such as a row per type.

        Args:
            name: what the table is called.
            table: the rows whose values these are.
            columns: the columns.
        """
        unit, tables, plan = self.unit, self.tables, self.tables.plan
        if tables.drawn is None:
            return plan.grouped(f"{name}_of_{unit.name}", table, *unit.keys, *columns)
        once = plan.grouped(f"{name}_of_documents", table, *tables.keys, *columns)
        rows = plan.joined(f"{name}_drawn", (*tables.drawn.keys, *columns), tables.drawn, once, on=tables.keys)
        out = plan.grouped(f"{name}_of_{unit.name}", rows, *unit.keys, *columns)
        tables.drawn_rows[out.name] = once, rows
        return out
