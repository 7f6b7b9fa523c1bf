"""Curves of scores: a row per threshold, from no positive predictions to all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.scores.bins import Bins
from ireval_frames.labels.scores.confidences import Accepted
from ireval_frames.labels.scores.thresholds import Thresholds, class_thresholds
from ireval_frames.ratios import PROPAGATE, share
from ireval_frames.results import Result, TableQuery

if TYPE_CHECKING:
    from ireval_frames.labels.request import LabelRequest

Kind = Literal["roc", "precision-recall", "det", "gain", "thresholds", "calibration", "risk-coverage"]
TP, FP, P, N = (col(c) for c in ("ireval_tp", "ireval_fp", "ireval_p", "ireval_n"))
# The sort keys of a curve: the largest threshold first, after the point without positive predictions.
ORDER = ("ireval_place", "ireval_tp", "ireval_fp")

COLUMNS: dict[str, dict[str, Expr]] = {
    "roc": {"fpr": share(FP, N), "tpr": share(TP, P)},
    # Without positive predictions precision is 1 by convention: the first point of `PRAUC`.
    "precision-recall": {"precision": share(TP, TP + FP).fill_null(1.0), "recall": share(TP, P)},
    "det": {"fpr": share(FP, N), "fnr": share(P - TP, P)},
    "gain": {"share": share(TP + FP, P + N), "gain": share(TP, P), "lift": share(TP * (P + N), P * (TP + FP))},
    "thresholds": {
        "tp": TP,
        "fp": FP,
        "fn": P - TP,
        "tn": N - FP,
        "precision": share(TP, TP + FP),
        "recall": share(TP, P),
        "specificity": share(N - FP, N),
        "f1": share(2.0 * TP, TP + FP + P),
        "accuracy": share(TP + N - FP, P + N),
    },
}
# Curves whose rows are no thresholds of a class.
OTHERS = {"calibration": ("bin", "n", "probability", "observed"), "risk-coverage": ("threshold", "coverage", "risk")}
KINDS = (*COLUMNS, *OTHERS)


def curve_columns(kind: str) -> tuple[str, ...]:
    """The columns of a curve besides its keys.

    Raises:
        UnknownName: there is no such curve.
    """
    _known("curve", kind, KINDS)
    return OTHERS[kind] if kind in OTHERS else ("threshold", *COLUMNS[kind])


def _known(what: str, name: Any, allowed: Sequence[str]) -> None:
    if not isinstance(name, str) or name not in allowed:
        raise UnknownName(f"There is no {what} {name!r}.", nearest(str(name), allowed))


def curve(
    request: LabelRequest,
    kind: str,
    counted: Callable[[], Sequence[float]],
    *,
    corners: bool,
    bins: int,
    binning: str,
    closed: str,
    score: str,
) -> Result:
    """[run_id, by …] [unit] threshold and the columns of the kind; `counted` returns the number of items per curve."""
    _known("binning", binning, ("width", "mass"))
    _known("closed side", closed, ("left", "right"))
    _known("meaning of the score", score, ("probability", "confidence"))
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InvalidParameter(f"There cannot be {bins} bins.", Hint("Write ", Argument("bins", 10), "."))

    def query(engine: Engine) -> TableQuery:
        tables = request.tables_on(engine)
        u = request.context(tables, f"the {kind} curve")
        with tables.plan.requesting(u.measure):
            if kind == "calibration":
                frame, keys, order = _bins(u, bins, binning, closed)
            elif kind == "risk-coverage":
                frame, keys, order = _risks(u, score)
            else:
                frame, keys, order = _points(u, kind, corners=corners)
        named = {tables.inputs.names.get(c, c): col(c) for c in frame.columns}
        order = tuple(tables.inputs.names.get(c, c) for c in (*keys, *order))
        columns = tuple(c for c in named if c not in ORDER)
        rows = engine.stage(frame.select(**named), "curve")
        return TableQuery(tables.plan, rows, order, columns, request.all_checks(tables))

    result = request.result(f"{kind} curve", query)
    binned = {"bins": bins, "binning": binning, "closed": closed} if kind == "calibration" else {}
    if binned and request.of_several_classes:
        binned["outcome"] = "right predictions"
    return replace(result, counted=counted, weighted=request.weighted, details={**result.details, **binned})


def _points(u: LabelContext, kind: str, *, corners: bool) -> tuple[Frame, Sequence[str], Sequence[str]]:
    """The points of the curves, the keys of curves, and the sort keys of points."""
    of_classes = u.tables.inputs.probabilities is not None and "score" not in u.tables.inputs.columns
    table, by = (class_thresholds(u), "probability") if of_classes else (Thresholds(u).table, "score")
    keys = [*u.tables.keys, *(["class_id"] if of_classes else [])]
    plan = u.tables.plan
    totals = plan.grouped("curves", table, *keys)
    positives = table.max(col("cum_positives"), into=totals)
    negatives = table.max(col("cum_negatives"), into=totals)
    sums = {"ireval_p": positives, "ireval_n": negatives}
    at_points = {name: table.lookup(total, of=totals) for name, total in sums.items()}
    threshold = col(by).cast(pl.Float64)
    rows = table.frame().select(
        *keys, threshold=threshold, ireval_tp=col("cum_positives"), ireval_fp=col("cum_negatives"), **at_points
    )
    no_positives = {"threshold": lit(float("inf")), "ireval_tp": lit(0.0), "ireval_fp": lit(0.0)}
    first = totals.frame().filter(~positives.is_null()).select(*keys, **no_positives, **sums)
    points = plan.engine.stage(concat([first, rows]).with_columns(ireval_place=-col("threshold")), "points")
    if corners:
        points = _corners(points, keys)
    order = {name: col(name) for name in ORDER}
    columns = dict(COLUMNS[kind])
    if "f1" in columns and u.policy.undefined == PROPAGATE:
        columns["f1"] = when((P > 0) & (TP + FP > 0)).then(columns["f1"])
    return points.select(*keys, threshold=col("threshold"), **columns, **order), keys, ORDER


def _corners(points: Frame, keys: Sequence[str]) -> Frame:
    """The points that are not on the straight line between their neighbours."""

    def shifted(column: Expr, by: int) -> Expr:
        return column.shift(by).over(*keys, order_by=list(ORDER))

    steps = {
        "ireval_tp_in": TP - shifted(TP, 1),
        "ireval_fp_in": FP - shifted(FP, 1),
        "ireval_tp_out": shifted(TP, -1) - TP,
        "ireval_fp_out": shifted(FP, -1) - FP,
    }
    tp_in, fp_in, tp_out, fp_out = map(col, steps)
    turn = fp_in * tp_out - tp_in * fp_out
    return points.with_columns(**steps).filter(turn.is_null() | (turn.abs() > 1e-12 * (P + N))).drop(*steps)


def _bins(u: LabelContext, bins: int, binning: str, closed: str) -> tuple[Frame, Sequence[str], Sequence[str]]:
    """The bins, the keys of curves, and the sort keys of bins."""
    bins_, keys = Bins(u, bins, binning, closed), u.tables.keys
    rows = bins_.table.frame().select(
        *keys,
        bin=bins_.place.cast(pl.Int64),
        n=bins_.n,
        probability=share(bins_.confidence, bins_.n),
        observed=share(bins_.correct, bins_.n),
    )
    return rows, keys, ("bin",)


def _risks(u: LabelContext, score: str) -> tuple[Frame, Sequence[str], Sequence[str]]:
    """The thresholds of confidence, the keys of curves, and the sort keys of thresholds."""
    accepted, keys = Accepted(u, score), u.tables.keys
    columns = {
        "threshold": accepted.place.cast(pl.Float64),
        "coverage": accepted.accepted / accepted.total_here,
        "risk": accepted.risk,
        "ireval_place": -accepted.place,
    }
    return accepted.table.frame().filter(accepted.accepted > 0).select(*keys, **columns), keys, ORDER[:1]
