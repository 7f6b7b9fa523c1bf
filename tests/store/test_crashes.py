"""Whatever ends a change of a store, what was there before stays, and what was half done is not seen."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, StoreWarning
from ireval_frames.store.tables import TABLES
from tests.store.cases import QRELS, TOPICS, contents, evaluation, run
from tests.store.steps import FullDisk, states_of, watch

OWNED = [name for name, table in TABLES.items() if table.owner]
# `make crashes` tries every step, and kills a hundred times.
EVERY_STEP = "IREVAL_CRASHES" in os.environ
FREED = "not finished|never finished"


def stored_values(store: ir.Store) -> dict[str, pl.DataFrame]:
    """The values of each evaluation, which has all its rows, once."""
    ids = {*store.evaluations().collect()["evaluation_id"]}
    for name in ("values", "units", "summaries", "occasions", "measures", "runs", "inputs"):
        assert {*store.table(name).collect()["evaluation_id"]} == ids, name
    for name in OWNED:
        rows = store.table(name).collect()
        assert not rows.select(TABLES[name].key).is_duplicated().any(), name
    rows = store.table("values").sort("evaluation_id", "measure", "unit_id").collect()
    return {str(of): part for (of,), part in rows.group_by("evaluation_id", maintain_order=True)}


@functools.cache
def shared_evaluation(shift: float) -> ir.Evaluation:
    """An evaluation whose values are computed once."""
    return evaluation(shift=shift)


def filled(path: Path, *shifts: float) -> ir.Store:
    """A store of evaluations; each has a tag."""
    store = ir.Store(path)
    for shift in shifts:
        store.tag(f"t{shift}", store.add(shared_evaluation(shift), collection="c", queries=TOPICS))
    return store


def same(one: dict[str, pl.DataFrame], other: dict[str, pl.DataFrame]) -> bool:
    return one.keys() == other.keys() and all(one[of].equals(other[of]) for of in one)


def adding(store: ir.Store, _: Path) -> object:
    return filled(store.path, 1.0)


def removing(store: ir.Store, _: Path) -> object:
    return store.remove("t0.5")


def packing(store: ir.Store, _: Path) -> object:
    return store.compact()


def merging(store: ir.Store, other: Path) -> object:
    return store.merge(other)


CHANGES = (adding, removing, packing, merging)


@pytest.mark.parametrize("packed", ["packed", ""])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_may_end_at_every_step(tmp_path: Path, change: Callable[..., object], packed: str) -> None:
    store, other = filled(tmp_path / "s", 0.0, 0.5), filled(tmp_path / "o", 0.5, 1.0)
    if packed:
        store.compact()
        filled(tmp_path / "s", 0.25)
    before = stored_values(store)
    states = states_of(tmp_path / "s", tmp_path / "copies", lambda: change(store, other.path))
    after = stored_values(store)
    assert len(states) > 3
    for state in states if EVERY_STEP else states[1 :: max(2, len(states) // 3)]:
        actual = ir.Store(state, create=False)
        values = stored_values(actual)
        assert same(values, before) or same(values, after), state
        assert actual.check().filter(~pl.col("problem").str.contains(FREED)).is_empty()
        assert actual.sql('SELECT count(*) FROM "values"').item() == sum(map(len, values.values()))
    for state in states[1:] if EVERY_STEP else (states[len(states) // 2],):
        # Whoever comes next finishes it.
        again = ir.Store(state)
        if change is not removing or "t0.5" in again.table("tags").collect()["name"]:
            change(again, other.path)
        assert same(stored_values(again), after)


def test_rows_that_stand_in_several_files_are_seen_once(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "a", 0.0), filled(tmp_path / "b", 0.5, 1.0)
    states = states_of(tmp_path / "a", tmp_path / "copies", lambda: one.merge(other))
    for state in states[1:] if EVERY_STEP else states[1 :: len(states) // 3]:
        # A merge that ended early, one that is wider, the same added, and all of them packed.
        store, wider = ir.Store(state), filled(tmp_path / "wider", 0.5, 1.0, 1.5)
        filled(state, 0.5)
        assert len(stored_values(store)) in (2, 3)
        store.merge(wider)
        values = stored_values(store)
        assert len(values) == 4
        store.compact()
        assert same(stored_values(store), values)
        store.remove("t1.0")
        filled(state, 1.0)
        assert same(stored_values(store), values)
        assert store.check().filter(~pl.col("problem").str.contains(FREED)).is_empty()


@pytest.mark.parametrize("packed", ["packed", ""])
def test_what_is_left_over_goes_after_a_day(tmp_path: Path, packed: str) -> None:
    one = filled(tmp_path / "a", 0.0)
    states = states_of(tmp_path / "a", tmp_path / "copies", lambda: adding(one, tmp_path))
    store = ir.Store(states[len(states) // 2])
    assert not store.check().is_empty()
    if packed:
        store.merge(filled(tmp_path / "b", 0.25))
        store.compact()
    files, before = contents(store.path), stored_values(store)
    old = next((store.path / "evaluations").iterdir())
    old.write_bytes(b"")
    for path in store.path.rglob("*"):
        os.utime(path, (1, 1))
    # Rows whose evaluation is damaged are not left over: it may come back.
    with pytest.warns(StoreWarning):
        store.compact()
    old.write_bytes(files[old.relative_to(store.path).as_posix()])
    assert same(stored_values(store), before)
    for path in store.path.rglob("*"):
        os.utime(path, (1, 1))
    store.compact()
    assert same(stored_values(store), before)
    assert store.check().is_empty()


@pytest.mark.parametrize("change", CHANGES)
def test_a_full_disk_is_reported_at_every_step(tmp_path: Path, change: Callable[..., object]) -> None:
    store, other = filled(tmp_path / "s", 0.0, 0.5), filled(tmp_path / "o", 0.5, 1.0)
    before, failed = stored_values(store), 0
    messages: list[str] = []
    while True:
        full = FullDisk(failed)
        with pytest.MonkeyPatch.context() as patched:
            watch(patched, full)
            if failed:
                store = ir.Store(tmp_path / "s")
            try:
                change(store, other.path)
            except FileError as error:
                messages.append(str(error))
        if not full.reached:
            break
        failed += 1
        if failed % 4 and not EVERY_STEP:
            continue
        actual = stored_values(store)
        assert actual.keys() >= before.keys() - ({store.find("t0.5")} if change is removing else set())
        assert not [*tmp_path.rglob("*.tmp")]
    assert len(messages) == failed > 3 or change is removing
    assert all("cannot be written: No space" in text for text in messages)
    assert store.check().is_empty()


def keeping(store: ir.Store, _: Path) -> object:
    return store.keep(QRELS, run())


def exporting(store: ir.Store, _: Path) -> object:
    return store.export(store.path.parent / "sent.duckdb")


def opening(store: ir.Store, _: Path) -> object:
    return ir.Store(store.path.parent / "new" / "s")


@pytest.mark.parametrize("change", [keeping, exporting, opening])
def test_a_full_disk_is_reported_by_all_that_writes(tmp_path: Path, change: Callable[..., object]) -> None:
    for steps in range(3):
        store = ir.Store(tmp_path / str(steps) / "s")
        store.add(evaluation(measures="RR"))
        full = FullDisk(steps)
        with pytest.MonkeyPatch.context() as patched:
            watch(patched, full)
            if steps == 0:
                with pytest.raises(FileError, match="No space"):
                    change(store, tmp_path)
            else:
                with suppress(FileError):
                    change(store, tmp_path)
        assert not [p for p in tmp_path.rglob("*") if p.name.startswith(".")]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Disks of so many bytes."""
    disks: list[Path] = []

    def disk(size: int) -> Path:
        path = tmp_path / str(size)
        path.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(path)]
        if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("no disk can be made here")
        disks.append(path)
        return path

    yield disk
    for path in disks:
        subprocess.run(["umount", str(path)], check=True)


def test_a_disk_that_is_full(small: Callable[[int], Path]) -> None:
    page = os.sysconf("SC_PAGESIZE")
    messages, pages = [], 13
    while True:
        path = small(pages * page)
        store = ir.Store(path / "s")
        before = store.add(evaluation(measures="P@2"))
        try:
            store.add(evaluation(shift=0.5), queries=TOPICS)
        except FileError as error:
            messages.append(str(error))
            with pytest.raises(FileError, match="cannot be written"):
                store.export(path / "sent.duckdb")
            assert {*stored_values(store)} == {before}
            assert not [*path.rglob(".*.tmp")]
        else:
            break
        pages += 1
    assert len(messages) > 3
    assert all("No space left" in text for text in messages)
    assert len(stored_values(store)) == 2


def test_files_may_be_no_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    store = ir.Store(tmp_path)
    before = {store.add(evaluation())}
    # A module that is imported under the limit would be compiled into a file that ends too early.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
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
            assert {*stored_values(store)} == before
            assert not [*tmp_path.rglob(".*.tmp")]
    finally:
        signal.signal(signal.SIGXFSZ, signalled)
    store.add(evaluation(shift=0.5))
    assert len(stored_values(store)) == 2
