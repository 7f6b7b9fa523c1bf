"""The rows of pictures, and what they are drawn of."""

from collections.abc import Callable

import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means


def of_labels(table: str, name: str, *, drawn: bool) -> Callable[[], Means]:
    """A picture of scored items, or the table that it shows."""
    frame = pl.read_parquet(table, columns=["positive", "score"]).with_columns(
        prediction=pl.col("positive"), score=1 / (1 + (-pl.col("score")).exp())
    )
    picture, _, kind = name.partition(" ")
    options = {"kind": kind} if kind else {}

    def work() -> Means:
        subject = ir.Labels(frame, label="positive", score="score")
        if drawn:
            rows = getattr(ir.plots, picture).frame(subject, **options)
        elif picture == "confusion":
            rows = subject.confusion()
        elif picture == "reliability":
            # Bins of as many items each, as the picture has them.
            rows = subject.curve("calibration", binning="mass")
        else:
            rows = subject.curve(kind or picture)
        return _text(rows)

    return work


def of_runs(qrels: str, run: str, name: str, *, drawn: bool) -> Callable[[], Means]:
    """A picture of two runs, or the values that it shows."""
    judgments, rows = pl.read_parquet(qrels), pl.read_parquet(run)
    runs = pl.concat([rows.with_columns(run_id=pl.lit("a")), rows.with_columns(-pl.col("score"), run_id=pl.lit("b"))])

    def work() -> Means:
        evaluation = ir.evaluate(judgments, runs, "AP")
        if drawn:
            return _text(getattr(ir.plots, name).frame(evaluation))
        return _text(ir.Rankings(judgments, runs).curve() if name == "precision_recall" else evaluation.per_unit())

    return work


def _text(rows: pl.DataFrame) -> Means:
    """Pictures show other numbers than tables do: whether there are any."""
    return {"some": float(rows.height > 0)}
