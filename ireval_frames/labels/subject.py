"""Labels and predictions of items, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ireval_frames import results
from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.items import LabelPolicy
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter
from ireval_frames.labels.indicators import indicator_columns
from ireval_frames.labels.inputs import COLUMNS
from ireval_frames.labels.probabilities import is_table, named_classes, soft_columns
from ireval_frames.labels.report import Normalize, confusion, order_of_cells, report
from ireval_frames.labels.request import LabelRequest
from ireval_frames.labels.result import LabelEvaluation
from ireval_frames.labels.scores.bins import BINS
from ireval_frames.labels.scores.curves import curve, curve_columns
from ireval_frames.results import Result
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Labels(Subject[LabelPolicy, LabelEvaluation]):
    """Items with their labels and predictions: classifiers and set decisions.

    Args:
        labels: a table with a row per item: its label and its prediction, single values or lists; or, with
            `predictions`, a long table of item and label.  A confusion table is one whose weight is the count.
        predictions: a long table of item and prediction.
        probabilities: the probabilities of the classes: columns by class (`{"cat": "p_cat"}`), a list of
            columns named as the classes, a column of structs, or of lists with `probability_classes`, or a long table
            of item_id, label, probability.
        probability_classes: the classes of a list column of probabilities, in its order.
        soft_labels: the shares of the classes in the label of each item, such as those of its raters, as columns of the
            labels table: in a layout of `probabilities`.  A column of single labels is not needed then.
        hierarchy: the parent of every class that has one (`{"poodle": "dog", "dog": "animal"}`), for measures of class
            hierarchies.
        label, prediction, score, weight, item: the names of the columns where they differ from label, prediction,
            score, weight, item_id (and the names other tools use).  Sets of labels may be columns of 0 and 1, one per
            class: `label={"cat": "y_cat", "dog": "y_dog"}`, or two lists of columns in the same order of classes,
            named like the columns of the labels.
        unit: columns whose groups of items are evaluated one by one and then averaged; by default all items are one
            unit.
        by: columns that group units.
        positive: the positive class of binary measures; by default True or 1.
        categories: the classes from low to high, for measures that need their order (`Kappa` with weights); results
            have them in this order.  By default numbers are in their order, enums in that of their type.
        policy: the conventions (see `LabelPolicy`).
        engine: "polars", "duckdb" or "spark"; by default where the labels are.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs; the keywords above are short forms of it.
        storage_options: options of the stores of remote paths, such as `{"aws_region": "eu-central-1"}`.

    Labels may be text, enums, integers, booleans or floats.  Null and NaN mean no label.  A `run_id` column means many
    classifiers at once.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> frame = pl.DataFrame({"label": ["cat", "dog", "dog"], "prediction": ["cat", "cat", "dog"]})
        >>> ir.Labels(frame).evaluate("Accuracy F1(average='macro')").summary()["value"].round(4).to_list()
        [0.6667, 0.6667]
    """

    family = "labels"
    _conventions = LabelPolicy
    _requests = LabelRequest
    _evaluations = LabelEvaluation
    _result_columns = (*RESULT_COLUMNS, "class_id", "n_items", "n_classes")

    def __init__(
        self,
        labels: Any,
        predictions: Any = None,
        *,
        probabilities: Any = None,
        probability_classes: Sequence[Any] | None = None,
        soft_labels: Any = None,
        hierarchy: Mapping[Any, Any] | None = None,
        label: str | Mapping[Any, str] | Sequence[str] | None = None,
        prediction: str | Mapping[Any, str] | Sequence[str] | None = None,
        score: str | None = None,
        weight: str | None = None,
        item: str | None = None,
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        positive: Any = None,
        categories: Sequence[Any] | None = None,
        policy: LabelPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        tables = {"labels": labels, "predictions": predictions} | (
            {"probabilities": probabilities} if is_table(probabilities) else {}
        )
        super().__init__(
            tables, first="labels", by=by, policy=policy, engine=engine, con=con, storage_options=storage_options
        )
        self.unit = self._columns_of("unit", unit)
        if hierarchy is not None and not isinstance(hierarchy, Mapping):
            raise InvalidParameter(
                f"hierarchy is {hierarchy!r}; it must be a mapping of classes to their parents.",
                'Write hierarchy={"poodle": "dog"}.',
            )
        # Sides that are a column of 0 and 1 per class.
        indicators = indicator_columns(label, prediction)
        single = (side if isinstance(side, str) else None for side in (label, prediction))
        self._columns = named_columns(columns, dict(zip(COLUMNS, (*single, item, score, weight), strict=True)))
        self._positive, self._hierarchy = positive, hierarchy
        # Probabilities in columns of the labels, the classes of lists, and the scale.
        self._sources: dict[str, Any] = {
            "probability_classes": named_classes(probability_classes),
            "soft_labels": soft_columns(soft_labels),
            "indicators": indicators,
            "categories": categories,
        }
        if not is_table(probabilities):
            self._sources["probabilities"] = probabilities

    @results.table_method
    def confusion(
        self,
        *,
        normalize: Normalize | None = None,
        by: str | Sequence[str] | None = None,
        policy: LabelPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """The confusion table: a row per label and prediction that occur together.

        Args:
            normalize: add the `share` of each cell within its "label", its "prediction", or "all" cells.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a table per unit; else one of the items of all units.

        Returns:
            [run_id, by …] [unit] label prediction count [share]; counts are sums of the weights.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> ir.Labels(ir.examples.labels()).confusion().filter(pl.col("label") == "cow").rows()
            [('cow', 'cat', 1.0), ('cow', 'cow', 1.0)]
        """
        request = self._table(by, policy, ("label", "prediction", "count", "share"), per_unit=per_unit)
        return request.table(lambda tables: confusion(tables, normalize), "confusion", order_of_cells)

    @results.table_method
    def report(
        self,
        *,
        classes: Sequence[Any] | str | None = None,
        by: str | Sequence[str] | None = None,
        policy: LabelPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """Precision, recall, F1 and support of every class, and their averages, from one pass over the items.

        Args:
            classes: only these classes, in this order, whether they occur or not; or "labels": those that occur as a
                label.  By default all that occur as label or prediction, in their own order.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a report per unit; else one of the items of all units.

        Returns:
            [run_id, by …] [unit] class_id precision recall f1 support; the last rows are `micro average`,
            `macro average` and `weighted average`, over these classes; for sets of labels also `item average`,
            but not with "labels".  Undefined values are as in the policy.

        Raises:
            InvalidParameter: none of the classes occurs.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Labels(ir.examples.labels()).report().row(0)
            ('cat', 0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 3.0)
            >>> ir.Labels(ir.examples.labels()).report(classes=["dog", "cat"])["class_id"].to_list()[:2]
            ['dog', 'cat']
        """
        request = self._table(by, policy, ("precision", "recall", "f1", "support"), per_unit=per_unit)
        return report(request, classes)

    @results.table_method
    def curve(
        self,
        kind: str = "roc",
        *,
        corners: bool = False,
        bins: int = BINS,
        binning: str = "width",
        closed: str = "left",
        score: str = "probability",
        by: str | Sequence[str] | None = None,
        policy: LabelPolicy | str | Mapping[str, Any] | None = None,
        per_unit: bool = True,
    ) -> Result:
        """A curve of the scores: a row per threshold, which are the distinct scores from the highest down.

        Args:
            kind: "roc" (fpr, tpr), "precision-recall" (precision, recall), "det" (fpr, fnr), "gain" (share, gain,
                lift), "thresholds" (tp, fp, fn, tn and the rates), "calibration": a row per bin of probabilities
                (bin, n, probability, observed), or "risk-coverage": a row per distinct confidence of a prediction
                (coverage, risk).
            corners: leave out the points on straight lines between their neighbours, as scikit-learn's roc_curve does.
            bins: the number of bins of "calibration", as in `ECE`.
            binning: bins of equal "width", or of equal "mass".
            closed: the closed side of bins of equal width, "left" or "right".
            score: for "risk-coverage", whether the score is the "probability" of the positive class, or the
                "confidence" of the prediction, as for `AURC`.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            per_unit: a curve per unit; else one of the items of all units.

        Returns:
            [run_id, by …] [unit] threshold and the columns of the kind.  The first threshold is infinity, with no
            positive predictions; "risk-coverage" begins with the highest confidence.  The prediction is positive where
            the score is at least the threshold.  With probabilities of classes and no score there is a curve per
            `class_id`, against all others, but only one of "calibration" and "risk-coverage".

        Raises:
            UnknownName: there is no such curve.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Labels(ir.examples.scores()).curve("roc").head(3).rows()
            [(inf, 0.0, 0.0), (0.9, 0.0, 0.25), (0.8, 0.25, 0.5)]
        """
        request = self._table(by, policy, curve_columns(kind), per_unit=per_unit)

        def counts() -> Sequence[float]:
            n = self.evaluate("NumItems", by=by, policy=policy)
            return (n.per_unit() if per_unit else n.summary())["value"].drop_nulls().to_list()

        return curve(request, kind, counts, corners=corners, bins=bins, binning=binning, closed=closed, score=score)

    def _table(
        self,
        by: str | Sequence[str] | None,
        policy: LabelPolicy | str | Mapping[str, Any] | None,
        columns: Sequence[str],
        *,
        per_unit: bool,
    ) -> LabelRequest:
        """The request of a table with these columns."""
        request: LabelRequest = self._request(by=by, policy=policy, unit=self.unit if per_unit else (), columns=columns)
        return request
