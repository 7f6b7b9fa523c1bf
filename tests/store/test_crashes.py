"""Whatever ends an addition, what was added before stays, and what was half-added is not seen."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError
from tests.store.worlds import evaluation

ADDING = """
import sys
import ireval_frames as ir
from tests.store.worlds import evaluation
store, name = ir.Store(sys.argv[1]), sys.argv[2]
for i in range(int(sys.argv[3])):
    print(store.add(evaluation(name, i / 1000, "RR P@2"), collection="c"), flush=True)
"""


class Killed(BaseException):
    """Stands for the end of a process."""


def whole(store: ir.Store) -> set[str]:
    """The evaluations, each of which has all its rows."""
    assert store.check().filter(~store.check()["problem"].str.contains("not finished")).is_empty()
    ids = {*store.evaluations().collect()["evaluation_id"]}
    for name in ("values", "units", "summaries", "occasions"):
        assert {*store.table(name).collect()["evaluation_id"]} == ids
    return ids


def ending(after: int) -> Callable[[Path, Any], Path]:
    """Renaming that ends the process after so many half steps: before a rename, or behind it."""
    real, steps = Path.replace, itertools.count(1)

    def replace(path: Path, target: Any) -> Path:
        last = next(steps) > after // 2
        if not last or after % 2:
            real(path, target)
        if last:
            raise Killed
        return path

    return replace


def test_an_addition_may_end_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ir.Store(tmp_path)
    before = store.add(evaluation())
    after, ended = 0, 0
    while True:
        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", ending(after))
            try:
                found = store.add(evaluation(shift=0.5))
            except Killed:
                ended += 1
                assert whole(store) in ({before}, {before, *_of(0.5)})
            else:
                break
        after += 1
    assert ended >= 2
    assert whole(store) == {before, found}


def _of(shift: float) -> set[str]:
    from ireval_frames.store.evaluations import rows_of

    return {rows_of(evaluation(shift=shift)).id}


def test_a_full_disk_is_told_and_harms_nothing(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    store = ir.Store(tmp_path)
    before = store.add(evaluation())
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    signalled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        for limit in (0, 100, 1500):
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, old[1]))
            try:
                with pytest.raises(FileError, match="cannot be written"):
                    store.add(evaluation(shift=0.5))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, old)
            assert whole(store) == {before}
            assert not [*tmp_path.rglob(".*.tmp")]
    finally:
        signal.signal(signal.SIGXFSZ, signalled)
    store.add(evaluation(shift=0.5))
    assert len(whole(store)) == 2


def begun(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that adds evaluations, and prints the id of each when it is added."""
    return subprocess.Popen(
        [sys.executable, "-c", ADDING, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "POLARS_MAX_THREADS": "1"},
    )


def test_killed_processes_lose_nothing(tmp_path: Path) -> None:
    store, told = ir.Store(tmp_path), set()
    for i, wait in enumerate((0.03, 0.21)):
        process = begun(tmp_path, f"r{i}", 500)
        assert process.stdout is not None
        told.add(process.stdout.readline().strip())
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        told |= {line.strip() for line in process.stdout if line.endswith("\n")}
        process.wait()
        process.stdout.close()
        assert told <= whole(store)


def test_many_add_at_once_beside_a_reader(tmp_path: Path) -> None:
    store, each = ir.Store(tmp_path), 5
    processes = [begun(tmp_path, f"r{i}", each) for i in range(3)]
    seen = 0
    while any(p.poll() is None for p in processes):
        count = store.sql('SELECT count(DISTINCT evaluation_id) FROM "values"').item()
        assert count >= seen
        seen = count
        with suppress(FileNotFoundError):
            store.compact()
    told = [line.strip() for p in processes for line in (p.communicate()[0] or "").splitlines()]
    assert len(told) == 3 * each
    assert whole(store) == {*told}
    assert store.table("values").collect().height == 3 * each * 3 * 2
