"""Priority: one document is ranked above another.

For a document at position x with grade g, both sides agree about those below it with a lower grade and those above it
with a higher one.  Both are running sums by position, one for every grade but the lowest: n·levels rows, not n².
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.expr import Expr, col, when
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table


def priority(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, strict: bool) -> Relation:
    """The relations of one side."""
    partners = _Weighted(tables, side, weights) if product else _Counted(tables)
    if side == "gold":
        agreed, related = partners.agreed(), partners.of_other_grades()
    else:
        agreed, related = (
            partners.agreed(),
            partners.of_other_positions() if strict else partners.of_other_positions_and_grades(),
        )
    w = weights.at(tables, side, tables.cells)
    number = tables.number
    return Relation(
        tables.cells,
        tables.cells.column(agreed, "agreed"),
        tables.cells.column(related, "related"),
        tables.cells.column(number * w, "weight"),
    )


@dataclass
class _Counted:
    """Partners that count 1 each: integers, whose differences are exact."""

    tables: OrganizationTables

    def partner(self) -> Expr:
        """The number of documents of a row of `cells_against_grades`, or their weight."""
        return col("number")

    def parts(self) -> tuple[Expr, Expr]:
        """Of a row of `counts_by_grade`: the partners of a lower grade, and the others."""
        against, counts_by_grade = self.tables.cells_against_grades, self.tables.counts_by_grade
        below, partner = col("partner_grade") < col("grade"), self.partner()
        lower = against.sum(when(below).then(partner).otherwise(0.0), into=counts_by_grade, name="lower")
        return lower, against.sum(when(below).then(0.0).otherwise(partner), into=counts_by_grade, name="upper")

    def at_grade(self, of_counts: Expr) -> Expr:
        """The column of `counts_by_grade` at a cell's own grade; 0 for the lowest."""
        return self.tables.cells.lookup(of_counts, of=self.tables.counts_by_grade).fill_null(0.0)

    def at_next_grade(self, of_counts: Expr) -> Expr:
        """The column of `counts_by_grade` at the next higher grade; 0 for the highest."""
        tables, column = self.tables, of_counts.name
        after = tables.grades.over(col("grade").shift(-1), tables.keys, ["grade"], "next_grade")
        name = tables.cells.lookup(after, of=tables.grades).name
        keys = (*tables.keys, "position", name)
        shifted = tables.plan.selected(
            f"counts_at_next_grade_{column}",
            keys,
            tables.counts_by_grade,
            **{name: col("grade"), f"next_{column}": of_counts},
        )
        return tables.cells.lookup(col(f"next_{column}"), of=shifted).fill_null(0.0)

    def so_far(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The running sum, with the row itself."""
        return table.over(expr.cum_sum(), within, [order], "so_far")

    def agreed(self) -> Expr:
        """The partners below of a lower grade, and those above of a higher one."""
        tables, (lower, upper), within = self.tables, self.parts(), (*self.tables.keys, "grade")
        counts_by_grade = tables.counts_by_grade
        grades = tables.grades
        number = tables.cells.sum(tables.number, into=grades, name="size")
        lowers = tables.cells.lookup(
            grades.column(self.so_far(grades, number, tables.keys, "grade") - number, "lowers"), of=grades
        )
        above = counts_by_grade.column(self.so_far(counts_by_grade, upper, within, "position") - upper, "above")
        not_below = self.at_grade(self.so_far(counts_by_grade, lower, within, "position"))
        return (lowers - not_below) + self.at_next_grade(above)

    def _others(self, table: Table) -> Expr:
        """The partners at other positions, or of other grades, than the cell."""
        size = self.tables.cells.sum(self.tables.number, into=table, name="size")
        return self.tables.total(self.tables.cells) - self.tables.cells.lookup(size, of=table)

    def of_other_grades(self) -> Expr:
        """All relations of the gold."""
        return self._others(self.tables.grades)

    def of_other_positions(self) -> Expr:
        """All relations of the system."""
        return self._others(self.tables.positions)

    def of_other_positions_and_grades(self) -> Expr:
        """The relations of the system between documents that the gold does not tie."""
        tables = self.tables
        return (
            self._others(tables.positions) + self._others(tables.grades) - (tables.total(tables.cells) - tables.number)
        )


@dataclass
class _Weighted(_Counted):
    """Partners that count with their weight: sums of floats, which are never subtracted."""

    side: str
    weights: Weights

    def partner(self) -> Expr:
        """The weight of the documents of a row of `cells_against_grades`."""
        tables, against = self.tables, self.tables.cells_against_grades
        weight_of = self.weights.of_document(tables, self.side)
        if weight_of is None:
            weight = 1.0 / tables.total(against)
        elif self.side == "system":
            weight = against.lookup(weight_of[1], of=weight_of[0])
        else:
            name = f"partner_{weight_of[1].name}"
            renamed = tables.plan.selected(
                f"grades_{name}",
                (*tables.keys, "partner_grade"),
                weight_of[0],
                **{"partner_grade": col("grade"), name: weight_of[1]},
            )
            weight = against.lookup(col(name), of=renamed)
        return against.column(col("number") * weight, "partners")

    def above(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The sum of the rows before."""
        name = table.over(expr.cum_sum(), within, [order], "so_far").name
        return table.column(table.over(col(name).shift(1), within, [order], "before").fill_null(0.0), "above")

    def below(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The sum of the rows after."""
        name = table.over(expr.cum_sum(reverse=True), within, [order], "following").name
        return table.column(table.over(col(name).shift(-1), within, [order], "after").fill_null(0.0), "below")

    def agreed(self) -> Expr:
        """The partners below of a lower grade, and those above of a higher one."""
        counts_by_grade, (lower, upper), within = (
            self.tables.counts_by_grade,
            self.parts(),
            (*self.tables.keys, "grade"),
        )
        return self.at_grade(self.below(counts_by_grade, lower, within, "position")) + self.at_next_grade(
            self.above(counts_by_grade, upper, within, "position")
        )

    def _others(self, table: Table) -> Expr:
        tables = self.tables
        size = tables.cells.sum(tables.number, into=table, name="size")
        mass = table.column(size * self.weights.at(tables, self.side, table), "mass")
        order = "position" if table is tables.positions else "grade"
        total = self.above(table, mass, tables.keys, order) + self.below(table, mass, tables.keys, order)
        return tables.cells.lookup(table.column(total, "others"), of=table)

    def of_other_positions_and_grades(self) -> Expr:
        """The relations on which both sides agree, and the others."""
        counts_by_grade, (lower, upper), within = (
            self.tables.counts_by_grade,
            self.parts(),
            (*self.tables.keys, "grade"),
        )
        disagreed = self.at_grade(self.above(counts_by_grade, lower, within, "position")) + self.at_next_grade(
            self.below(counts_by_grade, upper, within, "position")
        )
        return self.agreed() + disagreed
