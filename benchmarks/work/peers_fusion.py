"""Other tools: fusion of runs."""

import importlib
from collections.abc import Callable
from typing import Any

# Our names of methods in ranx.
METHODS = {"rrf": "rrf", "combsum": "sum", "combmnz": "mnz", "isr": "isr", "borda": "bordafuse"}


def ranx(run: str, method: str = "") -> Callable[[], dict[str, float]]:
    """The call after the one that compiles; objects are made of the runs before, or without a method in it."""
    module, polars = importlib.import_module("ranx"), importlib.import_module("polars")
    columns = {"q_id_col": "query_id", "doc_id_col": "doc_id", "score_col": "score"}

    def load() -> list[Any]:
        parts = polars.read_parquet(run).partition_by("run_id", include_key=False, as_dict=True)
        ids = {"query_id": object, "doc_id": object}
        return [
            module.Run.from_df(part.to_pandas().astype(ids), name=str(name), **columns)
            for (name,), part in sorted(parts.items())
        ]

    if not method:
        return lambda: {"rows": float(sum(sum(map(len, one.run.values())) for one in load()))}
    runs, norm = load(), "min-max" if method.startswith("comb") else None

    def work() -> dict[str, float]:
        fused = module.fuse(runs, norm=norm, method=METHODS[method])
        return {"queries": float(len(fused.run))}

    work()
    return work
