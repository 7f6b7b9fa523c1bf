"""Processes that are killed, and many at once: nothing is lost, doubled or half seen.

`make crashes` kills a hundred times, and lets eight processes add fifty evaluations each.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.store.cases import evaluation
from tests.store.test_crashes import EVERY_STEP, FREED, same, stored_values

KILLS = int(os.environ.get("IREVAL_CRASHES", "3"))
WRITERS, EACH = (8, 50) if EVERY_STEP else (3, 4)

# Adds evaluations; says when it begins and when it has ended each.
ADDING = """
import sys
import ireval_frames as ir
from tests.store.cases import evaluation
store, name = ir.Store(sys.argv[1]), sys.argv[2]
for i in range(int(sys.argv[3])):
    ev = evaluation(name, i / 1000, "RR P@2")
    ev.summary()
    print("adding", flush=True)
    print(store.add(ev, collection="c"), flush=True)
"""
# Packs, merges and removes until its input ends.
TENDING = """
import select, sys
import ireval_frames as ir
from tests.store.cases import evaluation
store, other = ir.Store(sys.argv[1]), ir.Store(sys.argv[2])
gone = other.add(evaluation("gone", 0.5, "RR P@2"))
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0.1)[0]:
    store.merge(other)
    store.compact()
    store.remove(gone)
"""
ENVIRONMENT = {**os.environ, "POLARS_MAX_THREADS": "1"}


def begun(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )


@pytest.mark.parametrize("batch", range(10 if EVERY_STEP else 1))
def test_killed_processes_lose_nothing(tmp_path: Path, batch: int) -> None:
    store = ir.Store(tmp_path)
    store.add(evaluation())
    kills = KILLS // 10 if EVERY_STEP else KILLS
    moments = random.Random(batch)
    took, halves = 0.1, 0
    for i in range(kills):
        before = stored_values(store)
        with begun(ADDING, tmp_path, f"r{i}", 500) as process:
            assert process.stdout is not None
            # A complete one first, which gives the time of an addition.
            process.stdout.readline()
            start = time.monotonic()
            finished = {process.stdout.readline().strip()}
            took = 0.5 * took + 0.5 * (time.monotonic() - start)
            process.stdout.readline()
            # Moments are spread evenly over an addition, and a little over its end.
            time.sleep(1.1 * took * (i + moments.random()) / kills)
            process.send_signal(signal.SIGKILL)
            finished |= {line.strip() for line in process.stdout if line.endswith("\n")} - {"adding"}
        stored = stored_values(ir.Store(tmp_path, create=False))
        # What was reported is there; one more may be, whose process had no time to tell.
        assert {*before, *finished} <= stored.keys()
        assert len(stored.keys() - {*before, *finished}) <= 1
        assert same(before, {of: stored[of] for of in before})
        wrong = store.check()
        assert wrong.filter(~pl.col("problem").str.contains(FREED)).is_empty()
        halves += not wrong.is_empty() and not any(p.endswith(".tmp") for p in wrong["path"])
    assert halves or not EVERY_STEP
    store.compact()
    assert same(stored_values(store), stored)


def test_many_add_at_once_beside_a_reader(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "s")
    tending = begun(TENDING, tmp_path / "s", tmp_path / "other")
    assert tending.stdin is not None
    assert tending.stdout is not None
    tending.stdout.readline()
    processes = [begun(ADDING, tmp_path / "s", f"r{i}", EACH) for i in range(WRITERS)]
    seen, looks = 0, 0
    while any(p.poll() is None for p in processes):
        query = """SELECT count(DISTINCT evaluation_id), count(*) FROM "values" WHERE run_id LIKE 'r%'"""
        rows = store.sql(query).row(0)
        assert rows[1] == rows[0] * 3 * 2
        assert rows[0] >= seen
        seen, looks = rows[0], looks + 1
        assert store.runs("c").collect()["run_id"].str.starts_with("r").sum() >= rows[0]
    assert store.check().filter(~pl.col("problem").str.contains(FREED)).is_empty()
    tending.communicate("")
    assert tending.returncode == 0
    lines = [line for p in processes for line in (p.communicate()[0] or "").splitlines()]
    finished = [line for line in lines if line != "adding"]
    assert not any(p.returncode for p in processes)
    assert len({*finished}) == len(finished) == WRITERS * EACH
    stored = stored_values(store)
    assert stored.keys() - {*finished} <= {ir.Store(tmp_path / "other").evaluations().collect()["evaluation_id"].item()}
    assert stored.keys() >= {*finished}
    assert looks > 3
