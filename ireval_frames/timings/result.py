"""The evaluation of timings, with intervals of percentiles by order statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import Code, Hint, InvalidParameter, NotDefined
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.parameters import CONFIDENCE
from ireval_frames.timings.request import TimingRequest
from ireval_frames.timings.sample_sizes import Ends, ranks

SCHEMA = {
    "value": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "rank_low": pl.Int64,
    "rank_high": pl.Int64,
    "coverage": pl.Float64,
    "n": pl.Int64,
    "status": pl.String,
}


class TimingEvaluation(Evaluation):
    """The results of an evaluation of timings; it prints as its summary."""

    _request: TimingRequest

    def intervals(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """The percentiles with intervals by order statistics, whose ends are latencies of requests.

        Of n latencies those of the ranks B⁻¹(α/2) and B⁻¹(1 − α/2) + 1 enclose the percentile with at least this
        confidence, whatever the distribution; B is the binomial distribution of n and p.  Where requests are too few
        there is no such rank, and no end: the upper one of 95 % needs 72 requests.

        Args:
            confidence: of the intervals.

        Returns:
            [run_id, by …] measure value ci_low ci_high rank_low rank_high coverage n status, a row per group and
            percentile.  `coverage` is the exact probability; `status` is "ok", "no_lower_end", "no_upper_end",
            "no_end", "extreme" (the smallest or largest latency, which has no interval), "undefined", or
            "repeated": queries have several latencies, which depend on each other, so that the interval is too short,
            if it has ends; reduce them by the policy `repetitions`, or draw queries by `ir.resampling.bootstrap`.

        Raises:
            NotDefined: no percentile was evaluated, or units are not runs.
            InvalidParameter: results are grouped by a column that intervals have.

        Source: Conover, Practical Nonparametric Statistics, 1999, section 3.2; Hahn and Meeker, Statistical Intervals.

        Example:
            >>> import ireval_frames as ir
            >>> ev = ir.Timings(ir.examples.timings()).evaluate("Latency(p=50)")
            >>> ev.intervals().select("run_id", "value", "ci_low", "ci_high", "rank_low", "rank_high").row(0)
            ('a', 0.015, 0.012, 0.25, 2, 9)
        """
        CONFIDENCE.check("confidence", confidence)
        percentiles = [m for m in self.measures if m.name == "Latency"]
        if not percentiles:
            raise NotDefined(
                "No percentile was evaluated, and intervals by order statistics are of percentiles.",
                Hint(
                    'Evaluate one: "Latency(p=95)"; those of others are of drawn queries: ',
                    Code('ir.resampling.bootstrap(timings, "MeanLatency")', "the table of --baseline has them."),
                ),
            )
        if self._request.unit:
            raise NotDefined(
                f"Units are {', '.join(self._request.unit)}, and intervals are of all requests of a run.",
                "Evaluate without unit=.",
            )
        if taken := [name for name in self._request.by if name in SCHEMA]:
            raise InvalidParameter(
                f"Results are grouped by {taken[0]!r}, and so is a column of intervals called.",
                "Rename the column of the timings table.",
            )
        names = ("NumLatencies", "NumQueries")
        counts = self._of([catalog.parse(name, "timings") for name in names]).summary(wide=True)
        keys = [c for c in counts.columns if c not in names]
        rows = counts.select(names).rows()
        ends = [[_ends(int(n), m, confidence) for m in percentiles] for n, _ in rows]
        needed = {
            m(p=_percentage(rank, int(n))): None
            for (n, _), of_row in zip(rows, ends, strict=True)
            for m, (e, _) in zip(percentiles, of_row, strict=True)
            for rank in (e.low, e.high)
            if rank is not None
        }
        at = self._of([*dict.fromkeys([*percentiles, *(m(definition="nearest-rank") for m in needed)])]).summary(
            wide=True
        )
        out: list[dict[str, Any]] = []
        for i, ((n, n_queries), of_row) in enumerate(zip(rows, ends, strict=True)):
            for m, (e, known) in zip(percentiles, of_row, strict=True):

                def value(rank: int | None, n: float = n, m: Measure = m, i: int = i) -> float | None:
                    if rank is None:
                        return None
                    end: float = at[str(m(p=_percentage(rank, int(n)), definition="nearest-rank"))][i]
                    return end

                status = "repeated" if known not in ("extreme", "undefined") and n > n_queries else known
                row = {"value": at[str(m)][i], "ci_low": value(e.low), "ci_high": value(e.high)}
                more = {"rank_low": e.low, "rank_high": e.high, "coverage": e.coverage, "n": int(n), "status": status}
                out.append({"measure": str(m), **row, **more})
        table = pl.DataFrame(out, schema={"measure": pl.String, **SCHEMA})
        groups = counts.select(keys)[[i for i in range(counts.height) for _ in percentiles]] if keys else None
        return table if groups is None else pl.concat([groups, table], how="horizontal")

    def _of(self, measures: Sequence[Measure]) -> TimingEvaluation:
        return TimingEvaluation(self._request.of(measures))


def _percentage(rank: int, n: int) -> float:
    """A percentage whose nearest rank among n is this one."""
    return 100.0 * (rank - 0.5) / n


def _ends(n: int, measure: Measure, confidence: float) -> tuple[Ends, str]:
    """The ends of the interval of a percentile, and what is to be said of it."""
    p = measure.arguments()["p"]
    if not n or p in (0.0, 100.0):
        return Ends(None, None, 0.0), "extreme" if n else "undefined"
    ends = ranks(n, p, confidence)
    missing = {(True, True): "no_end", (True, False): "no_lower_end", (False, True): "no_upper_end"}
    return ends, missing.get((ends.low is None, ends.high is None), "ok")
