"""Other tools: fusion of runs."""

import importlib
from collections.abc import Callable
from typing import Any

# Our names of methods in ranx.
METHODS = {"rrf": "rrf", "combsum": "sum", "combmnz": "mnz", "isr": "isr", "borda": "bordafuse"}
# The first rows of each run, for which it compiles.
FEW_ROWS = 20


def ranx(run: str, method: str = "") -> Callable[[], dict[str, float]]:
    """The call after one of a few rows, which compiles; without a method the runs are made its objects."""
    module, polars = importlib.import_module("ranx"), importlib.import_module("polars")
    columns = {"q_id_col": "query_id", "doc_id_col": "doc_id", "score_col": "score"}

    def load(rows: int | None = None) -> list[Any]:
        parts = polars.read_parquet(run).partition_by("run_id", include_key=False, as_dict=True)
        ids = {"query_id": object, "doc_id": object}
        return [
            module.Run.from_df(part.head(rows or part.height).to_pandas().astype(ids), name=str(name), **columns)
            for (name,), part in sorted(parts.items())
        ]

    def fuse(runs: list[Any]) -> dict[str, float]:
        norm = "min-max" if method.startswith("comb") else None
        fused = module.fuse(runs, norm=norm, method=METHODS[method])
        return {"queries": float(len(fused.run))}

    few = load(FEW_ROWS)
    if not method:
        return lambda: {"rows": float(sum(sum(map(len, one.run.values())) for one in load()))}
    fuse(few)
    runs = load()
    return lambda: fuse(runs)
