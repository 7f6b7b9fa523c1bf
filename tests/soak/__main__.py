"""Thousands of small evaluations in one process: `python -m tests.soak [--evaluations 10000]`.

Every family takes its turn on both engines.  Behind a first third, in which programs are loaded and caches filled,
memory, threads, open files, objects, files in the temporary folder, and what DuckDB has, must stay where they are.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.engines.connections import own_connection
from tests.soak.small import EVALUATIONS, RUNS

ENGINES = ("polars", "duckdb")
# How much more there may be at the end than behind the first third.  What a process has taken and given back, its
# allocators keep in part; Polars' pools start a thread when they first need it, and end it when they need it no more.
ALLOWED = {"megabytes": 48, "threads": 3, "open files": 2, "objects": 500, "temporary files": 0, "tables of DuckDB": 0}
POINTS = 9


def status(name: str) -> int:
    """A number that the system says of this process."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1])


def state() -> dict[str, int]:
    """What the process has now."""
    gc.collect()
    (tables,) = own_connection().execute(
        "SELECT (SELECT count(*) FROM duckdb_tables()) + (SELECT count(*) FROM duckdb_views() WHERE NOT internal)"
    ).fetchone() or (0,)
    return {
        "megabytes": status("VmRSS") // 1024,
        "threads": status("Threads"),
        "open files": len(list(Path("/proc/self/fd").iterdir())),
        "objects": len(gc.get_objects()),
        "temporary files": len(list(Path(tempfile.gettempdir()).iterdir())),
        "tables of DuckDB": int(tables),
    }


def evaluations() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Those of all families on both engines, again and again."""
    names = {"ir": ir, "RUNS": eval(RUNS, {"ir": ir, "pl": pl})}
    made = [
        (f"{family} on {engine}", eval(f"lambda: {code}", {**names, "engine": engine}))
        for family, code in EVALUATIONS.items()
        for engine in ENGINES
    ]
    while True:
        yield from made


def main() -> None:
    """Evaluate, print what the process has ten times, and fail if it grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluations", type=int, default=10_000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    start, seen = time.perf_counter(), []
    every = max(1, options.evaluations // POINTS)
    with tempfile.TemporaryDirectory(prefix="ireval-soak-") as folder:
        tempfile.tempdir = folder
        print(f"{'evaluations':>12} {'seconds':>8} " + " ".join(f"{name:>16}" for name in ALLOWED), flush=True)
        for number, (_, made) in zip(range(1, options.evaluations + 1), evaluations(), strict=False):
            evaluation = made()
            evaluation.summary()
            evaluation.per_unit()
            del evaluation
            if number % every == 0:
                seen.append(state())
                seconds = f"{time.perf_counter() - start:.0f}"
                print(f"{number:>12,} {seconds:>8} " + " ".join(f"{n:>16,}" for n in seen[-1].values()), flush=True)
        tempfile.tempdir = None
    first, last = seen[POINTS // 3 - 1], seen[-1]
    grown = [f"{last[name] - first[name]} {name}" for name, most in ALLOWED.items() if last[name] - first[name] > most]
    sys.exit(f"More than behind the first third: {', '.join(grown)}." if grown else 0)


if __name__ == "__main__":
    main()
