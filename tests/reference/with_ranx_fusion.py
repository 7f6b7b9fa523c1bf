"""What ranx makes of fused runs, as JSON, in a process of its own without Numba's compilation."""

from __future__ import annotations

import json
import sys
from typing import Any

import polars as pl

import ireval_frames as ir
from tests.pools.cases import grades, table
from tests.reference.ranx_fusion_differences import DIFFERENCES, FusionDifference

NORMS = {
    "minmax": "min-max", "max": "max", "sum": "sum", "zmuv": "zmuv", "rank": "rank", "borda": "borda", "none": None,
}  # fmt: skip
METHODS = {
    "combsum": "sum", "combmnz": "mnz", "combanz": "anz", "combmax": "max", "combmin": "min", "combmed": "med",
    "combgmnz": "gmnz", "wsum": "wsum",
}  # fmt: skip
OF_RANKS = {
    "rrf": "rrf", "isr": "isr", "logisr": "log_isr", "lognisr": "logn_isr", "rbc": "rbc", "borda": "bordafuse",
}  # fmt: skip
WEIGHTS = (0.5, 2.0, 1.0)
PARAMETERS: dict[str, dict[str, Any]] = {
    "combgmnz": {"gamma": 0.5}, "wsum": {"weights": WEIGHTS}, "rbc": {"phi": 0.8}, "lognisr": {"sigma": 0.01},
    "rrf": {"k": 60},
}  # fmt: skip


def runs() -> pl.DataFrame:
    """Three runs that have all queries, lists of two documents or more, and no ties: where ranx and we agree."""
    rows = table(3).filter(pl.col("run_id").is_in(["bm25", "dense", "old"]))
    sizes = rows.group_by("query_id", "run_id").len("n").group_by("query_id").agg(pl.len(), pl.col("n").min())
    queries = sizes.filter(pl.col("len") == 3, pl.col("n") > 1)["query_id"].to_list()
    rows = rows.filter(pl.col("query_id").is_in(sorted(queries))).sort("run_id", "query_id", "score", "doc_id")
    return rows.with_columns(score=1.0 + pl.int_range(pl.len()).over("run_id", "query_id") ** 1.5)


def judgments(rows: pl.DataFrame) -> pl.DataFrame:
    """Of each query some relevant documents."""
    return grades(rows, 1)


def equal_lists(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the first documents of each list, as many as the shortest list has.

    ranx takes the probability at a rank over the queries whose list reaches it, we over all.
    """
    shortest = rows.group_by("run_id", "query_id").len()["len"].min()
    place = pl.col("score").rank("ordinal", descending=True).over("run_id", "query_id")
    return rows.filter(place <= shortest)


def outputs() -> dict[str, list[Any]]:
    """The scores by method and normalisation."""
    import ranx
    from ranx import fusion

    def objects(rows: pl.DataFrame) -> list[Any]:
        by_name = sorted(rows.partition_by("run_id", as_dict=True).items())
        return [ir.interop.ranx.to_run(part.drop("run_id"), run_id=name) for (name,), part in by_name]

    normal = ranx.normalization.min_max_norm

    def scores(fused: Any) -> list[Any]:
        return sorted([q, d, float(s)] for q, of in fused.to_dict().items() for d, s in of.items())

    parts, out = objects(runs()), {}
    for ours, name in METHODS.items():
        for normalize, norm in NORMS.items():
            fused = ranx.fuse(parts, norm=norm, method=name, params=PARAMETERS.get(ours, {}))
            out[f"{ours} {normalize}"] = scores(fused)
    for ours, name in OF_RANKS.items():
        out[f"{ours} "] = scores(ranx.fuse(parts, norm=None, method=name, params=PARAMETERS.get(ours, {})))
    qrels, equal = ir.interop.ranx.to_qrels(judgments(runs())), objects(equal_lists(runs()))
    trained = {
        "mapfuse": fusion.mapfuse(equal, fusion.mapfuse_train(qrels, equal)),
        "posfuse": fusion.posfuse(equal, fusion.posfuse_train(qrels, equal)),
        "probfuse": fusion.probfuse(equal, fusion.probfuse_train(qrels, equal, 3)),
        "slidefuse": fusion.slidefuse(equal, fusion.slidefuse_train(qrels, equal), 2),
        "segfuse": fusion.segfuse([normal(run) for run in equal], fusion.segfuse_train(qrels, equal)),
    }
    out |= {f"{name} learned": scores(fused) for name, fused in trained.items()}
    return out | {f"difference {one.name}": scores(_of(one)) for one in DIFFERENCES}


def _of(difference: FusionDifference) -> Any:
    import ranx
    from ranx import fusion

    parts = [ranx.Run(run, name=name) for name, run in difference.runs.items()]
    if difference.method:
        return ranx.fuse(parts, norm=difference.norm, method=difference.method)
    qrels = ranx.Qrels(difference.qrels)
    learned = getattr(fusion, f"{difference.name}_train")(qrels, parts)
    parts = [ranx.normalization.min_max_norm(part) for part in parts] if difference.norm else parts
    return getattr(fusion, difference.name)(parts, learned, *difference.arguments)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(outputs()))
