"""This project's work on pools."""

from collections.abc import Callable, Mapping
from typing import Any

import ireval_frames as ir
from benchmarks.work.means import Means


def pool(run: str, options: Mapping[str, Any]) -> Callable[[], Means]:
    """The pool of a file, or the first batch of an adaptive one."""
    if "strata" in options:
        # Names in JSON are text.
        options = {**options, "strata": {int(rank): rate for rank, rate in options["strata"].items()}}

    def work() -> Means:
        documents = ir.pool(run, **options)
        return {"documents": (next(documents) if isinstance(documents, ir.pools.AdaptivePool) else documents).height}

    return work


def inside(run: str, depth: int, memory_limit: str, spill: str) -> Callable[[], Means]:
    """The same of a view of DuckDB, which may use so much memory and, beyond that, a folder."""
    import duckdb

    con = duckdb.connect(config={"memory_limit": memory_limit, "temp_directory": spill})
    con.execute(f"CREATE VIEW run AS FROM read_parquet('{run}')")
    return lambda: {"documents": ir.pool("run", depth=depth, con=con).aggregate("count(*)").fetchall()[0][0]}
