"""Whether the systems are ranked alike: rank correlations of their mean scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from ireval_frames.replication.matching import Match
from ireval_frames.similarity import Similarity

# Means that agree to this number of digits are ties.
DIGITS = 12
TAU, TAU_AP = "Tau", "TauAP"


def table(matches: Sequence[Match], by: Sequence[str]) -> pl.DataFrame:
    """A row per measure and group: Kendall's τ_b and τ_AP of the replica's order against the original's."""
    orders = [_means(match).with_columns(match_id=pl.lit(str(i))) for i, match in enumerate(matches)]
    defined = pl.concat(orders).filter(pl.col("value").is_not_null())
    sides = [defined.filter(pl.col("ranking") == side) for side in ("replica", "original")]
    by_match = {}
    if defined.height:
        compared = Similarity(sides[0], against=sides[1], by="match_id", columns={"score": "value"})
        by_match = {row["match_id"]: row for row in compared.evaluate([TAU, TAU_AP]).wide().iter_rows(named=True)}
    rows = []
    for i, match in enumerate(matches):
        correlations = by_match.get(str(i), {})
        own = orders[i].filter(pl.col("value").is_not_null())
        units = [u.sum() for u in _units(match)]
        n = own["item"].n_unique()
        values = {"tau": correlations.get(TAU), "tau_ap": correlations.get(TAU_AP)}
        status = "too_few" if n < 2 else "tied" if values["tau"] is None else "ok"
        counts = {"n_original": int(units[0]), "n_replica": int(units[1]), "n_systems": n}
        rows.append(match.grid.keys(by) | counts | values | {"status": status})
    types = dict(zip(by, matches[0].grid.types, strict=True))
    schema = {**types, "tau": pl.Float64(), "tau_ap": pl.Float64()}
    return pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None)


def _units(match: Match) -> tuple[np.ndarray, np.ndarray]:
    """Which units all systems have: of both, or, if these have different units, of each."""
    defined = ~np.isnan(match.grid.values)
    one, other = (np.logical_and.reduce(side, axis=1) for side in np.split(defined, 2, axis=1))
    return (one & other, one & other) if match.paired else (one, other)


def _means(match: Match) -> pl.DataFrame:
    """Both orders: ranking, item, value; larger values are better."""
    parts = []
    for side, units, start in zip(("original", "replica"), _units(match), (0, match.size), strict=True):
        values = match.grid.values[units, start : start + match.size]
        means = values.mean(axis=0) if len(values) else np.full(match.size, np.nan)
        rounded = [None if np.isnan(m) else float(f"{m * match.grid.better:.{DIGITS}g}") for m in means]
        items = [str(name) for name in match.grid.systems[: match.size]]
        parts.append(pl.DataFrame({"ranking": side, "item": items, "value": pl.Series(rounded, dtype=pl.Float64)}))
    return pl.concat(parts)
