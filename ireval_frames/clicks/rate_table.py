"""The table of click-through rates: a row per group of shown results."""

from __future__ import annotations

from statistics import NormalDist

from ireval_frames.clicks.tables import ClickTables
from ireval_frames.expr import Expr, col, when
from ireval_frames.plan import Table
from ireval_frames.ratios import ratio

COLUMNS = ("n_results", "n_clicks", "ctr", "low", "high", "expected", "coec")


def rate_table(tables: ClickTables, shrinkage: float, confidence: float) -> tuple[Table, dict[str, Expr]]:
    """A row per group, and its columns: the keys, and those of `COLUMNS`."""
    places, units = tables.places, tables.units
    shown, clicked = tables.shown_in(places), tables.clicked_in(places)
    rate = places.lookup(tables.rate, of=tables.positions)
    terms = {"n_results": shown, "n_clicks": clicked, "expected": (shown * rate).fill_null(0.0)}
    sums = {name: places.sum(term) for name, term in terms.items()}
    table = tables.plan.selected("rates", tables.keys, units, sums["n_results"] > 0, **sums)
    n, clicks, expected = (col(c) for c in terms)
    share = table.column(ratio(clicks, n), "ctr")
    low, high = wilson(share, n, confidence)
    columns = {
        "n_results": n,
        "n_clicks": clicks,
        "ctr": share,
        "low": table.column(low, "low"),
        "high": table.column(high, "high"),
        "expected": expected,
        "coec": table.column(ratio(clicks + shrinkage, expected + shrinkage), "coec"),
    }
    return table, {k: col(k) for k in tables.keys} | columns


def wilson(share: Expr, n: Expr, confidence: float) -> tuple[Expr, Expr]:
    """Wilson's score interval of a share of n; `stats.proportions` has it for arrays."""
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    below = 1.0 + z * z / n
    middle = (share + z * z / (2.0 * n)) / below
    # Rounding may give less than 0 where all or none were clicked.
    spread = (share * (1.0 - share) / n + z * z / (4.0 * n * n)).clip(lower_bound=0.0).sqrt()
    low, high = middle - z * spread / below, middle + z * spread / below
    return (
        when(share > 0).then(low.clip(lower_bound=0.0)).otherwise(0.0),
        when(share < 1).then(high.clip(upper_bound=1.0)).otherwise(1.0),
    )
