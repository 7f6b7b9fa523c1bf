"""Results computed in processes of their own, and how far they are apart."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

ROOT = Path(__file__).parents[2]
# How far numbers may be apart where DuckDB adds in several threads, as a share of the larger one or of 1.
DIGITS = 1e-12
# What a process computes: the engine, threads, parts, copies, repetitions, and where they are written.
COMPUTING = """
import pickle, sys, warnings
from ireval_frames.engines.connections import own_connection
from tests.same_bytes import results
engine, threads, parts, copies, repetitions, path = sys.argv[1:]
own_connection().execute(f"SET threads = {threads}")
warnings.simplefilter("ignore")
computed = []
for _ in range(int(repetitions)):
    of_families = results.of_families(engine, int(copies)) if "families" in parts else ()
    computed.append(dict([*of_families, *(results.analyses(engine) if "analyses" in parts else ())]))
with open(path, "wb") as file:
    pickle.dump(computed, file)
"""

Results = dict[str, Any]


def computed(engine: str, threads: int, parts: Sequence[str], copies: int = 1, repetitions: int = 1) -> list[Results]:
    """Results by name, of each repetition, from a process with this number of threads."""
    environment = os.environ | {"POLARS_MAX_THREADS": str(threads), "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "random"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results")
        options = [engine, str(threads), ",".join(parts), str(copies), str(repetitions), str(path)]
        subprocess.run([sys.executable, "-c", COMPUTING, *options], env=environment, cwd=ROOT, check=True)
        found: list[Results] = pickle.loads(path.read_bytes())
    return found


def differences(several: Sequence[Results]) -> dict[str, tuple[float, list[str]]]:
    """The names of results whose bytes differ, how far their numbers are apart, and of which measures or columns.

    Rows in another order, and texts that differ, are infinitely far apart.
    """
    out = {}
    for name, first in several[0].items():
        distances: dict[str, float] = {}
        for results in several[1:]:
            for where, distance in _apart(first, results[name]).items():
                distances[where] = max(distance, distances.get(where, 0.0))
        if distances:
            out[name] = max(distances.values()), sorted(distances, key=lambda where: -distances[where])
    return out


def _apart(one: Any, other: Any) -> dict[str, float]:
    """How far numbers are apart, by measure or column; empty where the bytes are the same."""
    if not isinstance(one, pl.DataFrame):
        return {} if one == other else {"text": math.inf}
    if one.write_json() == other.write_json():
        return {}
    exact = ~pl.selectors.float()
    if one.schema != other.schema or not one.select(exact).equals(other.select(exact)):
        return {"other rows": math.inf}
    out: dict[str, float] = {}
    named = one["measure"] if "measure" in one.columns else None
    for column in one.select(pl.selectors.float()).columns:
        a, b = one[column], other[column]
        size = pl.max_horizontal(pl.lit(1.0), pl.col("a").abs(), pl.col("b").abs())
        apart = (
            pl.when(pl.col("a").ne_missing(pl.col("b"))).then((pl.col("a") - pl.col("b")).abs() / size).otherwise(0.0)
        )
        rows = pl.DataFrame({"a": a, "b": b, "where": named if named is not None else [column] * one.height})
        rows = rows.with_columns(apart=apart.fill_null(math.inf).fill_nan(math.inf)).filter(pl.col("apart") > 0)
        for where, distance in rows.group_by("where").agg(pl.col("apart").max()).iter_rows():
            out[where] = max(distance, out.get(where, 0.0))
    return out or {"zeros": 0.0}
