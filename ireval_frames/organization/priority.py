"""Priority: one document stands above another.

Of a document at position x with grade g, the other side agrees about those that stand below it with a lower grade and
those that stand above it with a higher one.  Both are running sums by position, one for every grade but the lowest:
n·levels rows, never n².
"""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.expr import Expr, col, when
from ireval_frames.organization.relation import Relation
from ireval_frames.organization.tables import OrganizationTables
from ireval_frames.organization.weights import Weights
from ireval_frames.plan import Table


def priority(tables: OrganizationTables, side: str, weights: Weights, *, product: bool, strict: bool) -> Relation:
    """The relations that one side states."""
    made = _Weighed(tables, side, weights) if product else _Counted(tables)
    if side == "gold":
        found, related = made.agreed(), made.of_other_grades()
    else:
        found, related = made.agreed(), made.of_other_positions() if strict else made.of_other_positions_and_grades()
    w = weights.at(tables, side, tables.cells)
    number = tables.number
    return Relation(
        tables.cells,
        tables.cells.column(found, "found"),
        tables.cells.column(related, "related"),
        tables.cells.column(number * w, "weight"),
    )


@dataclass
class _Counted:
    """Partners that count 1 each: whole numbers, which are subtracted exactly."""

    tables: OrganizationTables

    def partner(self) -> Expr:
        """How many documents a row of `cells_against_grades` holds, or their weight."""
        return col("number")

    def parts(self) -> tuple[Expr, Expr]:
        """Of a row of `counts_by_grade`: what is of a lower grade, and what is not."""
        against, counts_by_grade = self.tables.cells_against_grades, self.tables.counts_by_grade
        below, partner = col("partner_grade") < col("grade"), self.partner()
        lower = against.sum(when(below).then(partner).otherwise(0.0), into=counts_by_grade, name="lower")
        return lower, against.sum(when(below).then(0.0).otherwise(partner), into=counts_by_grade, name="upper")

    def at_grade(self, of_counts: Expr) -> Expr:
        """What `counts_by_grade` says of a cell's own grade; nothing is lower than the lowest."""
        return self.tables.cells.lookup(of_counts, of=self.tables.counts_by_grade).fill_null(0.0)

    def at_next_grade(self, of_counts: Expr) -> Expr:
        """What `counts_by_grade` says of the next higher grade; nothing is higher than the highest."""
        tables, column = self.tables, of_counts.name
        after = tables.grades.over(col("grade").shift(-1), tables.keys, ["grade"], "next_grade")
        name = tables.cells.lookup(after, of=tables.grades).name
        keys = (*tables.keys, "position", name)
        moved = tables.plan.selected(
            f"counts_at_next_grade_{column}",
            keys,
            tables.counts_by_grade,
            **{name: col("grade"), f"next_{column}": of_counts},
        )
        return tables.cells.lookup(col(f"next_{column}"), of=moved).fill_null(0.0)

    def so_far(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The running sum, the row itself with it."""
        return table.over(expr.cum_sum(), within, [order], "so_far")

    def agreed(self) -> Expr:
        """Those below of a lower grade, and those above of a higher one."""
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

    def _elsewhere(self, table: Table) -> Expr:
        """Those that are not at a cell's own position, or grade."""
        size = self.tables.cells.sum(self.tables.number, into=table, name="size")
        return self.tables.total(self.tables.cells) - self.tables.cells.lookup(size, of=table)

    def of_other_grades(self) -> Expr:
        """All relations of the gold."""
        return self._elsewhere(self.tables.grades)

    def of_other_positions(self) -> Expr:
        """All relations of the system."""
        return self._elsewhere(self.tables.positions)

    def of_other_positions_and_grades(self) -> Expr:
        """Those relations of the system about which the gold says something."""
        tables = self.tables
        return (
            self._elsewhere(tables.positions)
            + self._elsewhere(tables.grades)
            - (tables.total(tables.cells) - tables.number)
        )


@dataclass
class _Weighed(_Counted):
    """Partners that count with their weight: sums of unlike numbers, which are never subtracted."""

    side: str
    weights: Weights

    def partner(self) -> Expr:
        """The weight of the documents of a row of `cells_against_grades`."""
        tables, against = self.tables, self.tables.cells_against_grades
        found = self.weights.of_document(tables, self.side)
        if found is None:
            weight = 1.0 / tables.total(against)
        elif self.side == "system":
            weight = against.lookup(found[1], of=found[0])
        else:
            name = f"partner_{found[1].name}"
            renamed = tables.plan.selected(
                f"grades_{name}",
                (*tables.keys, "partner_grade"),
                found[0],
                **{"partner_grade": col("grade"), name: found[1]},
            )
            weight = against.lookup(col(name), of=renamed)
        return against.column(col("number") * weight, "partners")

    def above(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The sum of the rows before."""
        name = table.over(expr.cum_sum(), within, [order], "so_far").name
        return table.column(table.over(col(name).shift(1), within, [order], "before").fill_null(0.0), "above")

    def below(self, table: Table, expr: Expr, within: tuple[str, ...], order: str) -> Expr:
        """The sum of the rows after."""
        name = table.over(expr.cum_sum(reverse=True), within, [order], "to_come").name
        return table.column(table.over(col(name).shift(-1), within, [order], "after").fill_null(0.0), "below")

    def agreed(self) -> Expr:
        """Those below of a lower grade, and those above of a higher one."""
        counts_by_grade, (lower, upper), within = (
            self.tables.counts_by_grade,
            self.parts(),
            (*self.tables.keys, "grade"),
        )
        return self.at_grade(self.below(counts_by_grade, lower, within, "position")) + self.at_next_grade(
            self.above(counts_by_grade, upper, within, "position")
        )

    def _elsewhere(self, table: Table) -> Expr:
        tables = self.tables
        size = tables.cells.sum(tables.number, into=table, name="size")
        mass = table.column(size * self.weights.at(tables, self.side, table), "mass")
        order = "position" if table is tables.positions else "grade"
        total = self.above(table, mass, tables.keys, order) + self.below(table, mass, tables.keys, order)
        return tables.cells.lookup(table.column(total, "elsewhere"), of=table)

    def of_other_positions_and_grades(self) -> Expr:
        """Those that agree, and those that do not."""
        counts_by_grade, (lower, upper), within = (
            self.tables.counts_by_grade,
            self.parts(),
            (*self.tables.keys, "grade"),
        )
        wrong = self.at_grade(self.above(counts_by_grade, lower, within, "position")) + self.at_next_grade(
            self.below(counts_by_grade, upper, within, "position")
        )
        return self.agreed() + wrong
