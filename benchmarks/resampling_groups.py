"""The groups of cases about resampling."""

import sys

from benchmarks.jobs import Bench
from benchmarks.rows import Row, below, peak
from benchmarks.sizes import thousands

CODE = """
import sys, polars as pl, ireval_frames as ir
path, how = sys.argv[1:]
given = {{
    "cells": {{}}, "users": {{"cluster": "segment"}}, "items": {{"weights": "hash"}},
}}[how]
frame = pl.read_parquet(path, columns=["label", "prediction", "segment"])
if how == "items":
    frame = frame.drop("segment").with_row_index("item_id")
found = ir.resampling.bootstrap(ir.Labels(frame), "F1(average='macro')", n_resamples={n_resamples}, **given).table()
print(found.select("measure", "value").write_csv(), end="")
"""


def bootstrap(bench: Bench) -> list[Row]:
    """Macro F1 of text labels with 200 replicates, as whole processes."""
    table, rows = bench.path("labels", "run.parquet"), []
    code = CODE.format(n_resamples=200)
    size = f"{thousands(bench.sizes.labels)} rows"
    for case, how, limit in (
        (f"bootstrap of macro F1, {size}, 200 replicates", "cells", 60.0),
        ("… drawn by 1,000 users", "users", 60.0),
        ("… every item with a draw of its own", "items", 60.0),
    ):
        result = bench.process(sys.executable, "-c", code, table, how)
        rows += [below(case, result, limit), peak("… peak memory", result, "<", 4)]
    return rows
