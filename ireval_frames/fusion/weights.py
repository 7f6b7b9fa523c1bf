"""Weights of runs, fitted on judgments: the largest mean of a measure over the queries of the other folds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
import polars as pl

from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import InvalidParameter
from ireval_frames.expr import lit
from ireval_frames.fusion.combination import prepared, score_of
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.options import FusionOptions
from ireval_frames.fusion.training import Training
from ireval_frames.judgments import KEYS
from ireval_frames.ranking.subject import Rankings

# Up to this number of runs all weights in tenths that add up to 1 are tried; else one weight after another is changed.
FEW_RUNS, PARTS = 4, 10
FACTORS, MOST_ROUNDS = (0.0, 0.5, 2.0), 10
# The number of rows of candidates that are evaluated at once.
ROWS = 4_000_000

Vector = tuple[float, ...]


class Fitting:
    """The judged queries' lists, and the values of the weights tried so far.

    Args:
        lists: the runs.
        options: how they are fused, and the measure.
        training: the judgments.
    """

    def __init__(self, lists: Lists, options: FusionOptions, training: Training) -> None:
        engine = lists.engine
        judged = engine.from_polars(training.judged.select("query_id"))
        rows = prepared(lists, options)
        self._rows = engine.collect(engine.join(rows, judged, ("query_id",), "inner"))
        self._options, self._training, self._n = options, training, len(lists.names)
        self._values: dict[Vector, np.ndarray] = {}
        self._queries: list[object] = training.judged["query_id"].to_list()

    def evaluate(self, vectors: Iterable[Vector]) -> None:
        """Evaluate weights that were not tried yet."""
        new = [v for v in dict.fromkeys(vectors) if v not in self._values]
        step = max(1, ROWS // max(1, self._rows.height))
        for start in range(0, len(new), step):
            part = new[start : start + step]
            run = pl.concat([self._fused(v).with_columns(run_id=pl.lit(str(i))) for i, v in enumerate(part)])
            values = Rankings(self._training.judgments, run).evaluate(self._options.optimize).per_unit()
            by_run = dict(
                values.group_by("run_id", maintain_order=True)
                .agg("query_id", "value")
                .select("run_id", pl.struct("query_id", "value"))
                .iter_rows()
            )
            for i, v in enumerate(part):
                of_run = by_run.get(str(i), {"query_id": [], "value": []})
                known = dict(zip(of_run["query_id"], of_run["value"], strict=True))
                self._values[v] = np.array([known.get(q, np.nan) for q in self._queries], dtype=float)

    def _fused(self, vector: Vector) -> pl.DataFrame:
        engine = PolarsEngine()
        score = score_of(self._n, self._options, [lit(w) for w in vector])
        return engine.collect(engine.from_polars(self._rows).select(*KEYS, score=score))

    def mean(self, vector: Vector, fold: int) -> float:
        """The mean of the measure over the queries that a fold learns from."""
        values = self._values[vector]
        if self._options.folds is not None:
            values = values[self._training.judged["fold"].to_numpy() != fold]
        values = values[~np.isnan(values)]
        if not len(values):
            raise InvalidParameter(
                f"No query from which fold {fold} learns has a value of {self._options.optimize}.",
                "Add judgments, or choose another measure.",
            )
        return float(np.mean(values))

    def best(self, vectors: Iterable[Vector], fold: int) -> Vector:
        """The weights of the largest mean; of equal ones those nearest to equal weights, then the first."""
        return min(vectors, key=lambda v: (-round(self.mean(v, fold), 12), round(sum(w * w for w in v), 12)))


def fitted(lists: Lists, options: FusionOptions, training: Training) -> pl.DataFrame:
    """fold, run_id, weight, value: the weights of the runs, and the mean of the measure over queries of other folds.

    Up to four runs all weights in tenths that add up to 1 are tried.  Of more, weights start equal, and one after the
    other is set to 0, halved and doubled as long as the mean grows.
    """
    fitting, n, folds = Fitting(lists, options, training), len(lists.names), training.fold_numbers
    if n <= FEW_RUNS:
        grid = list(_tenths(n))
        fitting.evaluate(grid)
        chosen = {fold: fitting.best(grid, fold) for fold in folds}
    else:
        chosen = dict.fromkeys(folds, (1.0 / n,) * n)
        for _ in range(MOST_ROUNDS):
            before = dict(chosen)
            for run in range(n):
                tried = {fold: [v, *_changed(v, run)] for fold, v in chosen.items()}
                fitting.evaluate(itertools.chain.from_iterable(tried.values()))
                chosen = {fold: fitting.best(vectors, fold) for fold, vectors in tried.items()}
            if chosen == before:
                break
    rows = [
        (fold, name, weight, fitting.mean(vector, fold))
        for fold, vector in chosen.items()
        for name, weight in zip(lists.names, vector, strict=True)
    ]
    return pl.DataFrame(
        rows, {"fold": pl.Int64, "run_id": pl.String, "weight": pl.Float64, "value": pl.Float64}, orient="row"
    )


def _tenths(n: int) -> Iterator[Vector]:
    """All weights in tenths that add up to 1."""
    for bars in itertools.combinations(range(PARTS + n - 1), n - 1):
        ends = (-1, *bars, PARTS + n - 1)
        yield tuple((b - a - 1) / PARTS for a, b in itertools.pairwise(ends))


def _changed(vector: Vector, run: int) -> Iterator[Vector]:
    """The weights with that of one run changed, and adding up to 1 again."""
    for factor in FACTORS:
        weights = [w * factor if i == run else w for i, w in enumerate(vector)]
        if total := sum(weights):
            yield tuple(round(w / total, 6) for w in weights)
