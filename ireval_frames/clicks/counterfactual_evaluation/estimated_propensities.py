"""`ir.clicks.propensities`: how likely a position is looked at, from a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ireval_frames.clicks.counterfactual_evaluation.harvested import pair_counts, position_counts, swap_counts
from ireval_frames.clicks.counterfactual_evaluation.ratios_of_positions import METHODS, WIDE, linked, relative
from ireval_frames.clicks.subject import Impressions
from ireval_frames.displayed import Displayed
from ireval_frames.engines.base import Engine
from ireval_frames.errors import Argument, ConvergenceWarning, Hint, InvalidParameter, InvalidValue, MissingColumn, warn
from ireval_frames.parameters import CONFIDENCE, SEED, choice, whole
from ireval_frames.stats.distributions.tails import t_quantile

Floats = NDArray[np.float64]
CLUSTERS = {"query": "query_id", "page": "serp_id", "user": "user_id"}
OK, UNLINKED, FEW = "ok", "not_linked", "no_interval"
EARLY, UNBOUNDED = "not_converged", "unbounded"


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

        `n` counts the results shown there.  The status is "ok"; "not_linked": no chain of comparisons leads from the
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
    """How likely each position is looked at, as a multiple of the reference's, from what moved between positions.

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
        groups: into how many groups the clusters are dealt, by a portable hash.
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
    choice(*METHODS, "randomised", "swaps").check("method", method)
    harvesting = method in METHODS
    cluster = cluster or "query"
    _refuse(cluster, groups, confidence, reference, seed, harvesting=harvesting)
    if (method == "swaps") != (swap is not None):
        raise InvalidParameter(
            f"swap is {swap!r} and method {method!r}.",
            Hint('The method "swaps", and no other, reads a column: ', Argument("swap", "swapped_with")),
        )
    if not isinstance(log, Impressions):
        log = Impressions(log, engine=engine, con=con)
    column, key = CLUSTERS[cluster], (groups, seed)
    with log.engine.errors():
        if harvesting:
            counted = pair_counts(log, column, *key)
            table = _harvested(counted.pairs, counted.shown, method, reference, confidence)
        elif swap is not None:
            table = _rates(swap_counts(log, swap, column, *key, reference=reference), reference, confidence)
        else:
            table = _rates(position_counts(log, column, *key), reference, confidence)
    return Propensities(method, reference, table)


def _refuse(cluster: str, groups: Any, confidence: Any, reference: Any, seed: Any, *, harvesting: bool) -> None:
    choice("query", *(() if harvesting else CLUSTERS)).check("cluster", cluster)
    whole(100, low=2).check("groups", groups)
    whole(1).check("reference", reference)
    SEED.check("seed", seed)
    CONFIDENCE.check("confidence", confidence)


def _harvested(
    pairs: pl.DataFrame, shown: Mapping[int, int], method: str, reference: int, confidence: float
) -> pl.DataFrame:
    """From the counts of every two positions, by group: group, position, other, clicked, unclicked."""
    positions = np.array(sorted(shown))
    if not pairs.height:
        raise InvalidValue(
            "No document was shown at two positions for the same query, so positions cannot be told from documents.",
            'Randomise some pages, or fit a click model with relevance shared otherwise: log.fit("PBM").',
        )
    _there(positions, reference)
    place = {int(k): i for i, k in enumerate(positions)}
    ids = {g: i for i, g in enumerate(pairs["group"].unique().sort())}
    sums = np.zeros((2, len(ids), len(positions), len(positions)))
    at = [[m[v] for v in pairs[c]] for c, m in (("group", ids), ("position", place), ("other", place))]
    for side, name in enumerate(("clicked", "unclicked")):
        np.add.at(sums[side], tuple(at), pairs[name].to_numpy())
    of = place[reference]
    total = sums.sum(axis=1)
    whole, done = relative(method, total[0], total[1], of)
    left = [relative(method, total[0] - sums[0, g], total[1] - sums[1, g], of, whole) for g in range(len(ids))]
    known = linked(method, total[0], of)
    parts, early = np.array([p for p, _ in left]), len(left) - sum(good for _, good in left)
    if early or not done:
        which = "The search for propensities" if not done else f"{early} of {len(left)} searches for their intervals"
        warn(
            f"{which} (all_pairs) stopped before the maximum: the log says too little of how positions compare. "
            "Compare with another method, such as pivot.",
            ConvergenceWarning,
        )
    table = _told(positions, np.where(known, whole, np.nan), parts, shown, confidence)
    at_bound = np.abs(np.log(np.where(known, whole, 1.0))) >= WIDE * (1.0 - 1e-9)
    odd = pl.Series(np.where(at_bound, UNBOUNDED, EARLY if early or not done else OK))
    return table.with_columns(status=pl.when(pl.col("status") == OK).then(odd).otherwise("status"))


def _rates(counts: pl.DataFrame, reference: int, confidence: float) -> pl.DataFrame:
    """From clicks and numbers of results by group, position, and experiment: those of one experiment are compared."""
    positions = np.array(sorted(counts["position"].unique().to_list()))
    _there(positions, reference)
    ids = counts["group"].unique().sort().to_list()

    def ratios(rows: pl.DataFrame) -> Floats:
        sums = rows.group_by("experiment", "position").agg(pl.col("clicks", "n").sum())
        rate = sums.with_columns(rate=pl.col("clicks") / pl.col("n"))
        base = rate.filter(pl.col("position") == reference).select("experiment", base="rate")
        joined = rate.join(base, on="experiment", nulls_equal=True).filter(pl.col("base") > 0)
        found = {k: c / b for k, c, b in joined.select("position", "rate", "base").iter_rows() if c > 0}
        return np.array([1.0 if k == reference else found.get(int(k), np.nan) for k in positions])

    at = counts.filter(pl.col("position") == reference)
    if not at["clicks"].sum() > 0:
        raise InvalidValue(
            f"Nothing was clicked at the position {reference}, the reference.",
            Hint("Take another: ", Argument("reference", int(positions[-1]))),
        )
    whole = ratios(counts)
    parts = np.array([ratios(counts.filter(pl.col("group") != g)) for g in ids])
    shown = dict(counts.group_by("position").agg(pl.col("n").sum()).iter_rows())
    return _told(positions, whole, parts, shown, confidence)


def _there(positions: NDArray[np.int64], reference: int) -> None:
    if reference not in positions:
        raise MissingColumn(
            f"Nothing was shown at the position {reference}, the reference.",
            Hint("Take another: ", Argument("reference", int(positions[0]) if len(positions) else 1)),
        )


def _told(
    positions: NDArray[np.int64], whole: Floats, parts: Floats, shown: Mapping[int, float], confidence: float
) -> pl.DataFrame:
    """The table, with jackknifed intervals."""
    n = len(parts)
    with np.errstate(invalid="ignore", divide="ignore"):
        logs = np.log(parts)
        # A group without which a position is not linked gives no interval.
        spread = np.square(logs - logs.mean(axis=0)).sum(axis=0) if n else np.full(len(positions), np.nan)
        se = np.sqrt((n - 1) / n * spread) if n > 1 else np.full(len(positions), np.nan)
        half = t_quantile((1.0 + confidence) / 2.0, float(max(n - 1, 1))) * se
        low, high = (np.exp(np.log(whole) + sign * half) for sign in (-1, 1))
    status = np.where(np.isnan(whole), UNLINKED, np.where(np.isfinite(half), OK, FEW))
    counts = [int(shown.get(int(k), 0)) for k in positions]
    columns = {"position": positions, "propensity": whole, "n": counts, "low": low, "high": high, "status": status}
    return pl.DataFrame(columns).with_columns(pl.col("propensity", "low", "high").fill_nan(None))
