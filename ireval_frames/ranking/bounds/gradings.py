"""Values of measures under gradings of the documents without a judgment, computed by the engine.

Every list has a few gradings, *variants*: with each it is a query of its own, with the judgments of the variant.

```
variant 0  the lowest grade everywhere      1  the highest everywhere      2, 3, …  every assignment of grades
```
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Plan, Table
from ireval_frames.ranking.bounds.lists import ToGrade
from ireval_frames.ranking.ranked_lists import RankedLists, last_rank_of
from ireval_frames.ranking.tables import RankingTables
from ireval_frames.ranking.values import final
from ireval_frames.ratios import indicator

# The variants before the assignments.
ENDS = 2
# Quotients of powers of small integers are integers, or differ from one by more than this.
ROUNDING = 1e-9
# From this number of documents on there are more assignments than are ever tried.
TOO_MANY = 64.0


class Gradings:
    """The variants of every list, and the values of measures under them.

    Args:
        to_grade: the documents that get a grade.
        measures: the measures.
        most: the largest number of assignments of a list; lists that have more get none.
        binary: only the lowest and the highest grade are assigned.
        ends: whether lists have the variants 0 and 1.
    """

    def __init__(
        self, to_grade: ToGrade, measures: Sequence[Measure], most: int, *, binary: bool, ends: bool = False
    ) -> None:
        self._to_grade, self._documents, self._measures = to_grade, to_grade.documents, measures
        self._most, self._binary, self._ends = most, binary, ends
        self.tries = most > 0
        self.name = self._name = f"{'binary' if binary else 'graded'}{'_ends' if ends else ''}"
        tables, self.values = self._evaluated(self._variants())
        self.checks = [tables.plan.check]

    @property
    def assigned(self) -> Expr:
        """Whether all assignments of a list are among its variants: a column of the lists."""
        units = self._documents.units
        number, levels = self._to_grade.number, self._to_grade.levels(binary=self._binary)
        few = when(number < TOO_MANY).then(number).otherwise(TOO_MANY)
        return units.column(indicator((number > 0) & (levels**few <= float(self._most))), f"{self._name}_assigned")

    def _variants(self) -> Table:
        """A row per list and variant, with a unique number."""
        documents = self._documents
        plan, units, keys = documents.plan, documents.units, documents.keys
        levels = units.column(self._to_grade.levels(binary=self._binary), f"{self._name}_levels")
        number = self._to_grade.number
        few = when(number < TOO_MANY).then(number).otherwise(TOO_MANY)
        tried = units.column(when(self.assigned > 0).then(levels**few).otherwise(0.0), f"{self._name}_tried")
        first = 0 if self._ends else ENDS
        place = units.over(col(keys[-1]).cum_count(), (), list(keys), f"{self._name}_place")
        columns = {"top": units.column(self._to_grade.top), "levels": levels, "place": place.cast(pl.Int64)}
        where = (tried > 0) | lit(value=self._ends)
        lists = plan.selected(
            f"{self._name}_lists", keys, units, where=where, **{k: col(k) for k in keys}, **columns, tried=tried,
        )  # fmt: skip
        expanded = plan.expand_range(
            f"{self._name}_expanded", "variant", lists, lit(first), col("tried") + (ENDS - 1.0)
        )
        number_of_variant = expanded.column(col("place") * (self._most + ENDS) + col("variant").cast(pl.Int64))
        copied = {c: col(c) for c in (*keys, "top", "levels")}
        variants = plan.selected(
            f"{self._name}_variants", (*keys, "variant"), expanded, variant=col("variant").cast(pl.Int64),
            topic=number_of_variant, **copied,
        )  # fmt: skip
        return plan.compute_once(variants)

    def _judgments(self, variants: Table) -> Frame:
        """The judgments of every variant."""
        documents = self._documents
        plan, table, keys, qrels = documents.plan, documents.table, documents.keys, documents.tables.qrels
        ids = {**{k: col(k) for k in keys}, "doc_id": col("doc_id")}
        to_grade = plan.selected(
            "documents_to_grade", (*keys, "doc_id"), table, where=self._to_grade.flag == 1, **ids, graded=lit(1.0)
        )
        grade = col("relevance").cast(pl.Float64)
        judged = plan.selected(
            "plain_judgments", qrels.keys, qrels, query_id=col("query_id"), doc_id=col("doc_id"), relevance=grade
        )
        repeated = plan.joined(
            f"{self._name}_judgments", (*keys, "variant", "doc_id"), variants, judged, on=("query_id",)
        )
        replaced = plan.joined(
            f"{self._name}_replaced", (*keys, "variant", "doc_id"), repeated, to_grade, on=(*keys, "doc_id"), how="left"
        )
        number = to_grade.over(col("doc_id").cum_count(), keys, ["doc_id"], "number_in_list")
        index = to_grade.column(number.cast(pl.Float64) - 1.0, "document")
        numbered = plan.selected("numbered_documents", (*keys, "doc_id"), to_grade, **ids, document=index)
        assigned = plan.joined(f"{self._name}_assigned", (*keys, "variant", "doc_id"), variants, numbered, on=keys)
        variant, levels = col("variant").cast(pl.Float64), col("levels")
        # The digits of the assignment's number, to the base of the number of grades, are the indexes of the grades.
        power = assigned.column(levels ** when(variant >= ENDS).then(col("document")).otherwise(0.0), "power")
        quotient = assigned.column(((variant - ENDS) / power + ROUNDING).floor(), "quotient")
        digit = assigned.column(quotient - levels * (quotient / levels + ROUNDING).floor(), "digit")
        end = when(variant == 1).then(levels - 1.0).otherwise(0.0)
        at = assigned.column(when(variant >= ENDS).then(digit).otherwise(end), "at")
        new = assigned.column(self._grade_at(at), "new_grade")
        topic = {"query_id": col("topic"), "doc_id": col("doc_id")}
        return concat(
            [
                replaced.frame().filter(col("graded").is_null()).select(**topic, relevance=col("relevance")),
                assigned.frame().select(**topic, relevance=new),
            ]
        )

    def _grade_at(self, at: Expr) -> Expr:
        """The grade of an index."""
        grades = self._to_grade.grades
        if grades is None:
            return when(at < col("levels") - 1.0).then(at).otherwise(col("top"))
        levels = (grades[0], grades[-1]) if self._binary else grades
        grade: Expr = lit(float(levels[0]))
        for i, value in enumerate(levels[1:], 1):
            grade = when(at >= float(i)).then(float(value)).otherwise(grade)
        return grade

    def _evaluated(self, variants: Table) -> tuple[RankingTables, Frame]:
        """The tables of all variants, and a row per list, variant and side with the values `m0`, `m1` …."""
        documents = self._documents
        plan, policy, keys = documents.plan, documents.tables.policy, documents.keys
        last_ranks = [last_rank_of(measure, policy) for measure in self._measures]
        last = None if None in last_ranks else max(k for k in last_ranks if k is not None)
        rows, all_rows = documents.sided(last), documents.sided()
        lists = plan.grouped("sizes_of_lists", all_rows, "side", *keys)
        size = all_rows.count(into=lists)
        n_sides = len(documents.ranks)
        sides = plan.constant("sides", ("side",), pl.DataFrame({"side": [0, 1] if n_sides == 2 else [1]}))
        on = (*keys, "variant", "side")
        sized = plan.joined(f"{self._name}_sides", on, variants, sides)
        n = sized.lookup(size, of=lists).fill_null(0.0).cast(pl.Int64)
        ranked = plan.joined(f"{self._name}_rows", (*on, "doc_id"), variants, rows, on=keys)
        list_id = {"run_id": col("side").cast(pl.Int64), "query_id": col("topic")}
        of = {f"of_{i}": col(key) for i, key in enumerate(keys)}
        lists_frame = sized.frame().select(**list_id, n=n, **of, variant=col("variant"))
        if policy.missing == "skip":
            lists_frame = lists_frame.filter(col("n") > 0)
        ranked_frame = ranked.frame().select(**list_id, doc_id=col("doc_id"), rank=col("rank"))
        judgments = self._judgments(variants)
        tables = RankingTables(RankedLists(Plan(plan.engine), judgments, ranked_frame, lists_frame, policy))
        units, values = tables.units, {}
        for i, measure in enumerate(self._measures):
            with tables.plan.requesting(str(measure)):
                values[f"m{i}"] = units.column(final(measure, tables).cast(pl.Float64), "value")
        of_lists = {key: units.lookup(col(f"of_{i}"), of=tables.lists) for i, key in enumerate(keys)}
        variant = units.lookup(col("variant"), of=tables.lists)
        frame = units.frame().select(**of_lists, variant=variant, side=col("run_id"), **values)
        return tables, plan.engine.shared(frame)
