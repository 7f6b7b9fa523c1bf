"""How two classifiers differ: the confusions and the items that changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from ireval_frames.comparison.diagnosis import Diagnosis
from ireval_frames.comparison.diagnosis_tables import Pair, PerUnitQuery, is_system
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, Hint, InvalidValue, MissingColumn, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.systems import wide_values_of
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.request import LabelRequest
from ireval_frames.labels.tables import LabelTables
from ireval_frames.plan import Table
from ireval_frames.ratios import indicator
from ireval_frames.results import Result, TableQuery, table_method

RIGHT_TO_WRONG, WRONG_TO_RIGHT = "right to wrong", "wrong to right"


class LabelDiagnosis(Diagnosis):
    """Where and why a classifier differs from another; it prints as its largest gains and losses."""

    result_columns = (
        *Diagnosis.result_columns,
        *("label", "prediction", "prediction_baseline", "n_baseline", "is_error", "change", "both_right"),
        *("right_to_wrong", "wrong_to_right", "both_wrong", "n_only_baseline", "n_only"),
    )

    def __init__(
        self, valued: PerUnitQuery, request: LabelRequest, system: Any, baseline: Any, measure: Measure
    ) -> None:
        super().__init__(valued, system, baseline, measure)
        self._request = request.of(())

    @table_method
    def confusions(self) -> Result:
        """The cells of the confusion table, those that changed most first.

        difference = n − n_baseline, the numbers of items of this label with this prediction.

        Returns:
            [by …] label prediction n_baseline n difference is_error better: a row per label and prediction that occur
            together in either.  The counts are sums of weights where items have weights.  `better` is
            true for fewer errors or more correct predictions, and null for equal counts.

        Raises:
            NotDefined: items have sets of labels.
            UnknownName: there is no such classifier.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> a = ir.examples.labels().with_columns(run_id=pl.lit("a"))
            >>> b = a.with_columns(run_id=pl.lit("b"), prediction=pl.lit("cat"))
            >>> d = ir.Labels(pl.concat([a, b])).evaluate("Accuracy").diagnose("b", "a")
            >>> d.confusions().head(2).rows()
            [('dog', 'cat', 0.0, 3.0, 3.0, True, False), ('dog', 'dog', 2.0, 0.0, -2.0, False, False)]
        """
        return self._of_tables("confusions", confusions)

    @table_method
    def changed(self) -> Result:
        """The items for which one prediction is correct and the other wrong.

        Returns:
            [by …] [unit] item_id label prediction_baseline prediction change, where `change` is "right to wrong" or
            "wrong to right": a row per item of both classifiers.  An item without a prediction is wrong.

        Raises:
            MissingColumn: the labels have no item_id.
            DuplicateRows: a classifier has an item twice.
            InvalidValue: an item has different labels in the rows of the two.
            NotDefined: items have sets of labels.
            UnknownName: there is no such classifier.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> a = ir.examples.labels().with_columns(run_id=pl.lit("a"))
            >>> b = a.with_columns(run_id=pl.lit("b"), prediction=pl.lit("cat"))
            >>> d = ir.Labels(pl.concat([a, b])).evaluate("Accuracy").diagnose("b", "a")
            >>> d.changed().head(2).rows()
            [(2, 'cat', 'dog', 'cat', 'wrong to right'), (3, 'dog', 'dog', 'cat', 'right to wrong')]
        """
        return self._of_tables("changed", changed, ids=True)

    @table_method
    def changes(self) -> Result:
        """The numbers of items that changed from right to wrong and from wrong to right.

        Returns:
            [by …] n both_right right_to_wrong wrong_to_right both_wrong n_only_baseline n_only: n items of both
            classifiers, and those of one only, which are not in n.  Weights are ignored.

        Raises:
            MissingColumn, DuplicateRows, InvalidValue, NotDefined, UnknownName: as in `changed`.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> a = ir.examples.labels().with_columns(run_id=pl.lit("a"))
            >>> b = a.with_columns(run_id=pl.lit("b"), prediction=pl.lit("cat"))
            >>> d = ir.Labels(pl.concat([a, b])).evaluate("Accuracy").diagnose("b", "a")
            >>> d.changes().select("n", "right_to_wrong", "wrong_to_right").row(0)
            (8, 3, 1)
        """
        return self._of_tables("changes", changes, ids=True)

    def _of_tables(self, says: str, make: Callable[[LabelTables, Pair], TableQuery], *, ids: bool = False) -> Result:
        def query(engine: Engine) -> TableQuery:
            request = self._request
            tables = request.tables(request.inputs(engine, ids=ids))
            with tables.plan.requesting(f"diagnose(…).{says}()"):
                table = make(tables, self._pair)
            return replace(table, checks=(lambda: self._known(engine), *request.all_checks(tables), *table.checks))

        return Result(self._valued.result.engine, query, self._valued.result.files, self._provenance(says))

    def _regrouped(self, by: Sequence[str]) -> PerUnitQuery:
        return wide_values_of(Evaluation(self._request.of([self.measure]).grouped(by)))


def single(tables: LabelTables) -> Table:
    """A row per item with its `label` and its `prediction`, also from two tables; sets of labels are refused."""
    tables.needs("label", "prediction")
    plan, inputs, items = tables.plan, tables.inputs, tables.items
    if not tables.multi:
        return items
    columns = {}
    for name, frame in (("label", inputs.gold_once()), ("prediction", inputs.system)):
        if frame is None:
            raise MissingColumn(
                f"What changed needs a {name}, and the labels table has none.",
                Hint("Name it: ", Argument(name, "their_name")),
            )
        # A list that holds one class twice is a single label.
        classes = plan.input(f"classes_of_{name}", (*items.keys, "class_id"), inputs.distinct(frame), identity=name)
        plan.require(items, classes.count(into=items) > 1, _several)
        columns[name] = classes.any(col("class_id"), into=items)
    weight = {"weight": col("weight")} if tables.weighted else {}
    return plan.selected("single_items", items.keys, items, **columns, **weight)


def _several(rows: pl.DataFrame, count: int) -> NotDefined:
    return NotDefined(
        f"{count} items have sets of labels or of predictions; the first: {rows['item_id'][0]!r}.",
        "Diagnose items with one label and one prediction.",
    )


def _right(tables: LabelTables, label: Expr, prediction: Expr) -> Expr:
    """1 if they are the same class, else 0; nulls are not equal."""
    class_type = tables.inputs.class_type
    return indicator(label.cast(class_type) == prediction.cast(class_type))


def confusions(tables: LabelTables, pair: Pair) -> TableQuery:
    """The cells of both confusion tables, sorted by the difference of their counts."""
    plan, items = tables.plan, single(tables)
    cells = plan.grouped("cells", items, *tables.keys, "label", "prediction")
    n = items.sum(tables.weight, into=cells) if tables.weighted else items.count(into=cells)
    both = plan.selected("cells_of_two", cells.keys, cells, where=is_system(pair.system) | is_system(pair.baseline))
    by = tuple(tables.inputs.by)
    table = plan.grouped("pairs_of_cells", both, *by, "label", "prediction")
    before, after = (
        both.sum(when(is_system(name)).then(n).otherwise(0.0), into=table) for name in (pair.baseline, pair.system)
    )
    difference = table.column(after - before, "difference")
    right = table.column(_right(tables, col("label"), col("prediction")), "right")
    place = table.column(-difference.abs(), "place")
    better = (difference > 0) == (right > 0)
    names = {tables.inputs.names[k]: col(k) for k in by}
    columns = {
        **names,
        "label": col("label"),
        "prediction": col("prediction"),
        "n_baseline": before,
        "n": after,
        "difference": difference,
        "is_error": right == 0,
        "better": when(difference != 0).then(better),
    }
    frame = table.frame().select(**columns, ireval_place=place)
    return TableQuery(plan, frame, ("ireval_place", *names, "label", "prediction"), tuple(columns), (plan.check,))


class ItemsOfBoth:
    """A row per item of either classifier, with both predictions."""

    def __init__(self, tables: LabelTables, pair: Pair) -> None:
        if "item_id" not in tables.inputs.user_columns:
            raise MissingColumn(
                "Which items changed needs an item_id, and the labels table has none.",
                Hint("Name it: ", Argument("item", "their_name")),
            )
        plan, items = tables.plan, single(tables)
        both = plan.selected("items_of_two", items.keys, items, where=is_system(pair.system) | is_system(pair.baseline))
        self.keys = tuple(k for k in items.keys if k != "run_id")
        table = self.table = plan.grouped("pairs_of_items", both, *self.keys)

        def of(system: str, column: str) -> Expr:
            return both.any(both.column(when(is_system(system)).then(col(column))), into=table)

        self.counts = [both.sum(indicator(is_system(name)), into=table) for name in (pair.baseline, pair.system)]
        labels = [of(name, "label") for name in (pair.baseline, pair.system)]
        self.label = labels[1]
        self.before, self.after = (of(name, "prediction") for name in (pair.baseline, pair.system))
        self.in_both = table.column(indicator((self.counts[0] > 0) & (self.counts[1] > 0)), "in_both")
        self.right = [
            table.column(_right(tables, label, prediction), "right")
            for label, prediction in zip(labels, (self.before, self.after), strict=True)
        ]
        different = (self.in_both == 1) & (
            (labels[0] != labels[1])
            | (labels[0].is_null() & ~labels[1].is_null())
            | (labels[1].is_null() & ~labels[0].is_null())
        )
        plan.require(table, different, _different_labels)


def changed(tables: LabelTables, pair: Pair) -> TableQuery:
    """The items of both for which one is right and the other wrong."""
    items, plan = ItemsOfBoth(tables, pair), tables.plan
    change = items.table.column(items.right[1] - items.right[0], "change")
    where = (items.in_both == 1) & (change != 0)
    names = {tables.inputs.names.get(k, k): col(k) for k in items.keys}
    columns = {
        **names,
        "label": items.label,
        "prediction_baseline": items.before,
        "prediction": items.after,
        "change": when(change < 0).then(lit(RIGHT_TO_WRONG)).otherwise(lit(WRONG_TO_RIGHT)),
    }
    frame = items.table.frame().filter(where).select(**columns)
    return TableQuery(plan, frame, tuple(names), tuple(columns), (plan.check,))


def changes(tables: LabelTables, pair: Pair) -> TableQuery:
    """The numbers of items that are right and wrong in each."""
    items, plan = ItemsOfBoth(tables, pair), tables.plan
    table, by = items.table, tuple(tables.inputs.by)
    groups: Table = plan.grouped("groups_of_items", table, *by)
    before, after = items.right

    def number(flag: Expr) -> Expr:
        return table.sum(flag, into=groups).cast(pl.Int64)

    names = {tables.inputs.names[k]: col(k) for k in by}
    columns = {
        **names,
        "n": number(items.in_both),
        "both_right": number(items.in_both * before * after),
        "right_to_wrong": number(items.in_both * before * (1.0 - after)),
        "wrong_to_right": number(items.in_both * (1.0 - before) * after),
        "both_wrong": number(items.in_both * (1.0 - before) * (1.0 - after)),
        "n_only_baseline": number(indicator(items.counts[1] == 0)),
        "n_only": number(indicator(items.counts[0] == 0)),
    }
    frame = groups.frame().select(**columns)
    return TableQuery(plan, frame, tuple(names) or ("n",), tuple(columns), (plan.check,))


def _different_labels(rows: pl.DataFrame, count: int) -> InvalidValue:
    return InvalidValue(
        f"{count} items have different labels in the rows of the two classifiers; the first: {rows['item_id'][0]!r}.",
        "Give an item one label in all rows.",
    )
