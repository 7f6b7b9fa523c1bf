"""`ir.clicks.propensities`: how likely each position is examined, estimated from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.counterfactual_evaluation.options import PropensityOptions
from ireval_frames.clicks.counterfactual_evaluation.propensity_counts import pair_counts, position_counts, swap_counts
from ireval_frames.clicks.counterfactual_evaluation.relative_propensities import MAX_LOG_RATIO, connected_to, relative
from ireval_frames.clicks.subject import Impressions
from ireval_frames.displayed import Displayed
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidValue, MissingColumn, warn
from ireval_frames.stats.distributions.tails import t_quantile

Floats = NDArray[np.float64]
OK, DISCONNECTED, NO_INTERVAL = "ok", "disconnected", "no_interval"
NOT_CONVERGED, UNBOUNDED = "not_converged", "unbounded"


@dataclass(frozen=True, eq=False, repr=False)
class Propensities(Displayed):
    """Propensities by position, with their intervals; it prints as its table.

    Attributes:
        method: how they were estimated.
        reference: the position whose propensity is 1.
    """

    method: str
    reference: int
    _table: pl.DataFrame

    def table(self) -> pl.DataFrame:
        """A row per position: position, propensity, n, low, high, status.

        `n` counts the results shown there.  The status is "ok"; "disconnected": no chain of comparisons leads from the
        position to the reference, so it has no propensity; "no_interval": too few clusters for one; of "all_pairs"
        "not_converged": the search for the maximum stopped early, and "unbounded": it ended at its bound.
        """
        return self._table

    def _displays(self) -> Sequence[pl.DataFrame]:
        """The table."""
        return [self._table]

    def __str__(self) -> str:
        return str(self._table)


def propensities(
    log: Any,
    method: str = "all_pairs",
    *,
    reference: int = 1,
    swap: str | None = None,
    cluster: str | None = None,
    groups: int = 100,
    confidence: float = 0.95,
    seed: int = 0,
    engine: str | Engine | None = None,
    con: Any = None,
) -> Propensities:
    """How likely each position is examined, as a multiple of the reference's, from results shown at several positions.

    ρ_k / ρ_1 from click-through rates of positions that show the same results, or a random choice of results.

    Args:
        log: `Impressions`, or a table with its columns.
        method: where the same results stand at several positions without an experiment (intervention harvesting), with
            c_kk' = Σ ctr_qdk over the queries and documents that were shown at both k and k':
            "pivot": ρ_k / ρ_p = c_kp / c_pk, with p the reference;
            "adjacent": the product of c_(k+1)k / c_k(k+1) along the positions;
            "all_pairs": the maximum of Σ_k≠k' c_kk' log(ρ_k r_kk') + c̄_kk' log(1 − ρ_k r_kk'), where c̄ = Σ (1 − ctr)
            and every two positions have a relevance r of their own.
            From experiments: "randomised" (the top was shuffled: ρ_k / ρ_1 = ctr_k / ctr_1) and "swaps" (a page swapped
            the reference and a position at random: the same ratio among its pages).
        reference: the position whose propensity is 1.
        swap: for "swaps", the column of the log that names the position which a page may have swapped; null for none.
        cluster: what is drawn independently, for the intervals: "query" (by default, and always for harvesting), "page"
            or "user".
        groups: how many groups the clusters are dealt into, by a portable hash.
        confidence: of the intervals.
        seed: of the hash.
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session.

    Intervals are exp(log ρ ± t · se), with the jackknife's standard error of log ρ, a group of clusters left out at a
    time, and one degree of freedom less than groups.  The engine counts; only counts by position leave it.

    Raises:
        UnknownName: there is no such method.
        InvalidParameter: an argument is not allowed.
        MissingColumn: the log has no such column.
        InvalidValue: nothing was shown at two positions, or never clicked there.

    Source: Joachims, Swaminathan and Schnabel, WSDM 2017 (swaps); Agarwal and others, WSDM 2019 (pivot, adjacent chain,
    all pairs); Wang and others, WSDM 2018 (randomised top).

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> rows = [(d + 10 * k + 100 * i, f"q{d % 5}", f"d{d}", k, int(i < 6 // k)) for d in range(20) for k in (1, 2)
        ...         for i in range(8)]
        >>> log = pl.DataFrame(rows, ["serp_id", "query_id", "doc_id", "position", "click"], orient="row")
        >>> log = log.with_columns(serp_id=pl.int_range(pl.len()))
        >>> ir.clicks.propensities(log, "pivot").table().select("position", "propensity", "n").rows()
        [(1, 1.0, 160), (2, 0.5, 160)]
    """
    options = PropensityOptions.parse(
        method=method,
        reference=reference,
        swap=swap,
        cluster=cluster,
        groups=groups,
        confidence=confidence,
        seed=seed,
    )
    if not isinstance(log, Impressions):
        log = Impressions(log, engine=engine, con=con)
    key = (options.cluster_column, options.groups, options.seed)
    with log.engine.errors():
        if options.harvests:
            counts = pair_counts(log, *key)
            table = _harvested(counts.pairs, counts.shown, options)
        elif options.swap is not None:
            table = _from_rates(swap_counts(log, options.swap, *key, reference=options.reference), options)
        else:
            table = _from_rates(position_counts(log, *key), options)
    return Propensities(options.method, options.reference, table)


def _harvested(pairs: pl.DataFrame, shown: Mapping[int, int], options: PropensityOptions) -> pl.DataFrame:
    """From the counts of every two positions, by group: group, position, other, clicked, unclicked."""
    method, reference = options.method, options.reference
    positions = np.array(sorted(shown))
    if not pairs.height:
        raise InvalidValue(
            "No document was shown at two positions for the same query, so the effects of position and document cannot "
            "be separated.",
            'Randomise some pages, or fit a click model that shares relevance otherwise: log.fit("PBM").',
        )
    _check_reference(positions, reference)
    place = {int(k): i for i, k in enumerate(positions)}
    ids = {g: i for i, g in enumerate(pairs["group"].unique().sort())}
    sums = np.zeros((2, len(ids), len(positions), len(positions)))
    at = [[m[v] for v in pairs[c]] for c, m in (("group", ids), ("position", place), ("other", place))]
    for side, name in enumerate(("clicked", "unclicked")):
        np.add.at(sums[side], tuple(at), pairs[name].to_numpy())
    of = place[reference]
    total = sums.sum(axis=1)
    values, converged = relative(method, total[0], total[1], of)
    left = [relative(method, total[0] - sums[0, g], total[1] - sums[1, g], of, values) for g in range(len(ids))]
    connected = connected_to(method, total[0], of)
    parts, n_stopped = np.array([p for p, _ in left]), sum(not done for _, done in left)
    if n_stopped or not converged:
        which = (
            f"{n_stopped} of {len(left)} searches for their intervals" if converged else "The search for propensities"
        )
        warn(
            f"{which} (all_pairs) stopped before the maximum: the log compares positions too rarely. "
            "Compare with another method, such as pivot.",
            ConvergenceWarning,
        )
    table = _table(positions, np.where(connected, values, np.nan), parts, shown, options.confidence)
    at_bound = np.abs(np.log(np.where(connected, values, 1.0))) >= MAX_LOG_RATIO * (1.0 - 1e-9)
    status = pl.Series(np.where(at_bound, UNBOUNDED, NOT_CONVERGED if n_stopped or not converged else OK))
    return table.with_columns(status=pl.when(pl.col("status") == OK).then(status).otherwise("status"))


def _from_rates(counts: pl.DataFrame, options: PropensityOptions) -> pl.DataFrame:
    """From clicks and numbers of results by group, position, and experiment, within which positions are compared."""
    reference = options.reference
    positions = np.array(sorted(counts["position"].unique().to_list()))
    _check_reference(positions, reference)
    ids = counts["group"].unique().sort().to_list()

    def ratios(rows: pl.DataFrame) -> Floats:
        sums = rows.group_by("experiment", "position", maintain_order=True).agg(pl.col("clicks", "n").sum())
        rate = sums.with_columns(rate=pl.col("clicks") / pl.col("n"))
        base = rate.filter(pl.col("position") == reference).select("experiment", base="rate")
        joined = rate.join(base, on="experiment", nulls_equal=True).filter(pl.col("base") > 0)
        by_position = {k: c / b for k, c, b in joined.select("position", "rate", "base").iter_rows() if c > 0}
        return np.array([1.0 if k == reference else by_position.get(int(k), np.nan) for k in positions])

    at = counts.filter(pl.col("position") == reference)
    if not at["clicks"].sum() > 0:
        raise InvalidValue(
            f"Nothing was clicked at the position {reference}, the reference.",
            Hint("Take another: ", Argument("reference", int(positions[-1]))),
        )
    values = ratios(counts)
    parts = np.array([ratios(counts.filter(pl.col("group") != g)) for g in ids])
    shown = dict(counts.group_by("position", maintain_order=True).agg(pl.col("n").sum()).iter_rows())
    return _table(positions, values, parts, shown, options.confidence)


def _check_reference(positions: NDArray[np.int64], reference: int) -> None:
    if reference not in positions:
        raise MissingColumn(
            f"Nothing was shown at the position {reference}, the reference.",
            Hint("Take another: ", Argument("reference", int(positions[0]) if len(positions) else 1)),
        )


def _table(
    positions: NDArray[np.int64], values: Floats, parts: Floats, shown: Mapping[int, float], confidence: float
) -> pl.DataFrame:
    """The table, with intervals of the jackknife: `parts` are the values without each group."""
    n = len(parts)
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(parts)
        # A group without which a position is disconnected gives no interval.
        spread = np.square(logs - logs.mean(axis=0)).sum(axis=0) if n else np.full(len(positions), np.nan)
        se = np.sqrt((n - 1) / n * spread) if n > 1 else np.full(len(positions), np.nan)
        half = t_quantile((1.0 + confidence) / 2.0, float(max(n - 1, 1))) * se
        low, high = (np.exp(np.log(values) + sign * half) for sign in (-1, 1))
    status = np.where(np.isnan(values), DISCONNECTED, np.where(np.isfinite(half), OK, NO_INTERVAL))
    counts = [int(shown.get(int(k), 0)) for k in positions]
    columns = {"position": positions, "propensity": values, "n": counts, "low": low, "high": high, "status": status}
    return pl.DataFrame(columns).with_columns(pl.col("propensity", "low", "high").fill_nan(None))
