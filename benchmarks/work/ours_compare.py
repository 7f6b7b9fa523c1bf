"""This project's work on comparisons."""

from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means
from benchmarks.work.values import values


def _long(systems: int, units: int, measures: int) -> pl.DataFrame:
    """A row per measure, unit and system; ids are text."""
    x = values(systems, units, measures)
    names = {
        "measure": pl.Series([f"measure_{i}" for i in range(measures)]),
        "query_id": pl.Series([f"q{i:06d}" for i in range(units)]),
        "run_id": pl.Series([f"run_{i:04d}" for i in range(systems)]),
    }
    places = np.indices(x.shape).reshape(3, -1)
    columns = {n: s.gather(p) for (n, s), p in zip(names.items(), places, strict=True)}
    return pl.DataFrame(columns | {"value": x.ravel()})


def pairs(
    systems: int, units: int, measures: int, tests: Sequence[str], n_resamples: int = 10_000, threads: int | None = None
) -> Callable[[], Means]:
    """All pairs of a long table; the values are the first p-value of each test."""
    frame = _long(systems, units, measures)

    def work() -> Means:
        table = ir.compare(frame, test=tests, n_resamples=n_resamples, seed=1, threads=threads).table()
        first = table.unique("test", keep="first", maintain_order=True)
        return dict(first.select("test", "p_value").iter_rows())

    return work


def welch(users: int) -> Callable[[], Means]:
    """Two variants of a table in DuckDB."""
    from benchmarks.work.database import experiment

    con = experiment(users)

    def work() -> Means:
        result = ir.compare("experiment", con=con, unit="user_id", system="variant", test="welch").table()
        return {"mean": result["mean"].item()}

    return work


def group_by(users: int) -> Callable[[], Means]:
    """The bare GROUP BY of the same table."""
    from benchmarks.work.database import experiment

    con = experiment(users)
    text = "SELECT variant, count(*), avg(value), var_samp(value) FROM experiment GROUP BY variant ORDER BY variant"
    return lambda: {"mean": con.sql(text).fetchall()[1][2]}
