"""Curves of scores as frames: a row per threshold, from nothing taken for the positive class to everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, nearest
from ireval_frames.labels.bins import Bins
from ireval_frames.labels.context import LabelContext
from ireval_frames.labels.tables import LabelTables
from ireval_frames.labels.thresholds import Thresholds, class_thresholds
from ireval_frames.policy import LabelPolicy
from ireval_frames.subject import ItemBuild

Kind = Literal["roc", "precision-recall", "det", "gain", "thresholds", "calibration"]
TP, FP, P, N = (pl.col(c) for c in ("tp", "fp", "_positives", "_negatives"))


def _over(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    return pl.when(whole > 0).then(part / whole)


_TAKEN = _over(TP + FP, P + N)
COLUMNS: dict[str, dict[str, pl.Expr]] = {
    "roc": {"fpr": _over(FP, N), "tpr": _over(TP, P)},
    # Where nothing is taken precision is 1 by convention: the point from which the area of `PRAUC` begins.
    "precision-recall": {"precision": _over(TP, TP + FP).fill_null(1.0), "recall": _over(TP, P)},
    "det": {"fpr": _over(FP, N), "fnr": _over(P - TP, P)},
    "gain": {"share": _TAKEN, "gain": _over(TP, P), "lift": _over(TP * (P + N), P * (TP + FP))},
    "thresholds": {
        "tp": TP,
        "fp": FP,
        "fn": P - TP,
        "tn": N - FP,
        "precision": _over(TP, TP + FP),
        "recall": _over(TP, P),
        "specificity": _over(N - FP, N),
        "f1": _over(2.0 * TP, TP + FP + P),
        "accuracy": _over(TP + N - FP, P + N),
    },
}
KINDS = (*COLUMNS, "calibration")


def curve_columns(kind: str) -> tuple[str, ...]:
    """The columns of a curve besides what tells the curves apart.

    Raises:
        UnknownName: there is no such curve.
    """
    _known("curve", kind, KINDS)
    return ("bin", "n", "probability", "observed") if kind == "calibration" else ("threshold", *COLUMNS[kind])


def _known(what: str, given: Any, allowed: Sequence[str]) -> None:
    if not isinstance(given, str) or given not in allowed:
        raise UnknownName(f"There is no {what} {given!r}.", nearest(str(given), allowed))


def curve(
    build: ItemBuild[Any, LabelPolicy, LabelTables],
    kind: str,
    *,
    corners: bool,
    bins: int,
    binning: str,
    closed: str,
) -> pl.DataFrame:
    """[run_id, by …] [unit] threshold and the columns of the kind; of bins their number, edges, and what they hold."""
    _known("binning", binning, ("width", "mass"))
    _known("closed side", closed, ("left", "right"))
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InvalidParameter(f"There cannot be {bins} bins.", Hint("Write ", Argument("bins", 10), "."))
    tables = build.checked()
    u = build.context(tables, f"the {kind} curve")
    names, keys = tables.inputs.names, list(tables.keys)
    engine = tables.plan.engine
    with engine.errors(), tables.plan.asked_by(u.measure):
        if kind == "calibration":
            found = _bins(u, bins, binning, closed)
            made = found.sort([*keys, "bin"])
        else:
            of_classes = tables.inputs.probabilities is not None and "score" not in tables.inputs.columns
            table, by = (class_thresholds(u), "probability") if of_classes else (Thresholds(u).table, "score")
            keys += ["class_id"] if of_classes else []
            tables.plan.check()
            rows = table.frame().select(*keys, threshold=by, tp="yes_so_far", fp="no_so_far")
            made = _points(engine.collect(rows), keys, kind, corners=corners)
    return made.rename(names)


def _points(thresholds: pl.DataFrame, keys: Sequence[str], kind: str, *, corners: bool) -> pl.DataFrame:
    totals = (
        thresholds.group_by(keys).agg(_positives=TP.max(), _negatives=FP.max())
        if keys
        else thresholds.select(_positives=TP.max(), _negatives=FP.max())
    )
    start = (
        totals.select(*keys, threshold=pl.lit(float("inf")), tp=pl.lit(0.0), fp=pl.lit(0.0))
        if thresholds.height
        else thresholds
    )
    every = pl.concat([start, thresholds]).sort([*keys, "threshold"], descending=[*(False for _ in keys), True])
    every = (
        every.join(totals, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
        if keys
        else every.join(totals, how="cross")
    )
    if corners:
        every = _corners(every, keys)
    return every.select(*keys, "threshold", **COLUMNS[kind])


def _corners(points: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Without the points that lie on the straight line between their neighbours."""

    def step(column: pl.Expr, towards: int) -> pl.Expr:
        other = column.shift(-towards).over(*keys) if keys else column.shift(-towards)
        return (other - column) * towards

    turn = step(FP, -1) * step(TP, 1) - step(TP, -1) * step(FP, 1)
    return points.filter(turn.is_null() | (turn.abs() > 1e-12 * (P + N)))


def _bins(u: LabelContext, bins: int, binning: str, closed: str) -> pl.DataFrame:
    made = Bins(u, bins, binning, closed)
    plan, keys = u.tables.plan, u.tables.keys
    plan.check()
    rows = made.table.frame().select(
        *keys, bin=made.place, n=made.n, _confidence=made.confidence, _correct=made.correct
    )
    columns = {
        "bin": pl.col("bin").cast(pl.Int64),
        "n": pl.col("n"),
        "probability": _over(pl.col("_confidence"), pl.col("n")),
    }
    return plan.engine.collect(rows).select(*keys, **columns, observed=_over(pl.col("_correct"), pl.col("n")))
