"""Many small evaluations in one process: memory, objects and threads stay level, whatever the family."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ireval_frames import catalog
from tests.soak.small import EVALUATIONS, RUNS

LOOP = """
import gc, sys
import polars as pl
import ireval_frames as ir

engine, times = sys.argv[1], int(sys.argv[2])
RUNS = ALL_RUNS

def status(name):
    (line,) = (line for line in open("/proc/self/status") if line.startswith(name))
    return int(line.split()[1])

for family, made in FAMILIES.items():
    for part in range(3):
        for _ in range(times):
            made().summary()
        gc.collect()
        print(family, status("VmRSS") // 1024, status("Threads"), len(gc.get_objects()))
"""


def test_all_families_are_here() -> None:
    assert set(EVALUATIONS) == {d.family for d in catalog.definitions()}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell memory and threads")
@pytest.mark.parametrize("engine, times", [("polars", 6), ("duckdb", 2)])
def test_what_an_evaluation_took_is_given_back(engine: str, times: int) -> None:
    """From the first third of them to the last, in a process of its own."""
    families = ", ".join(f"{family!r}: lambda: {evaluate}" for family, evaluate in EVALUATIONS.items())
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            LOOP.replace("FAMILIES", f"{{{families}}}").replace("ALL_RUNS", RUNS),
            engine,
            str(times),
        ],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "POLARS_MAX_THREADS": "2"},
    )
    seen: dict[str, list[tuple[int, ...]]] = {}
    for family, *numbers in map(str.split, result.stdout.splitlines()):
        seen.setdefault(family, []).append(tuple(map(int, numbers)))
    assert set(seen) == set(EVALUATIONS)
    grown = {
        family: parts
        for family, parts in seen.items()
        if parts[-1][0] - parts[0][0] > (4 if engine == "polars" else 45)  # megabytes; DuckDB keeps what it had
        or parts[-1][1] - parts[0][1] > 1  # threads
        or parts[-1][2] - parts[0][2] > 10 * times  # objects that Python knows
    }
    assert not grown
