"""Twenty topics of three systems from Sakai's book on laboratory experiments, and their exact statistics."""

from __future__ import annotations

import polars as pl

X = [0.7, 0.3, 0.2, 0.6, 0.4, 0.4, 0.0, 0.7, 0.1, 0.3, 0.5, 0.4, 0.0, 0.6, 0.5, 0.3, 0.1, 0.5, 0.2, 0.1]
Y = [0.5, 0.1, 0.0, 0.2, 0.4, 0.3, 0.0, 0.5, 0.3, 0.3, 0.4, 0.4, 0.1, 0.4, 0.2, 0.1, 0.1, 0.6, 0.3, 0.2]
Z = [0.0, 0.0, 0.2, 0.1, 0.3, 0.3, 0.1, 0.2, 0.4, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.2, 0.1, 0.5, 0.4, 0.3]


def wide() -> pl.DataFrame:
    """A column per system."""
    return pl.DataFrame({"query_id": [f"t{i:02}" for i in range(20)], "X": X, "Y": Y, "Z": Z})


def long(measure: str = "nDCG") -> pl.DataFrame:
    """A row per topic and system."""
    rows = wide().unpivot(["X", "Y", "Z"], index="query_id", variable_name="run_id")
    return rows.with_columns(measure=pl.lit(measure))
