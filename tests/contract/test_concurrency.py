"""Results are correct in several threads, and after errors and interrupts."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.engines.duckdb.engine import DuckDBEngine
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import DataError
from tests.contract.named import FAMILIES, QRELS, RUN, normalized, relations

families = pytest.mark.parametrize("family", FAMILIES)
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
THREADS = 6


def run_in_threads(*actions: Callable[[], Any]) -> list[Any]:
    """The results or errors of the actions, each in its own thread, started together."""
    start = threading.Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - the caller checks it
            return error

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def results(evaluation: Any) -> list[pl.DataFrame]:
    return [normalized(evaluation.per_unit(), {}), normalized(evaluation.summary(), {})]


def all_equal(actual: Any, expected: list[pl.DataFrame]) -> bool:
    return isinstance(actual, list) and all(a.equals(b) for a, b in zip(actual, expected, strict=True))


@families
@engines
def test_threads_share_an_evaluation(family: str, engine: str) -> None:
    subject = FAMILIES[family]
    expected = results(subject.of(subject.tables, {}))
    evaluation = subject.of(subject.tables, {}, engine=engine)
    actual = run_in_threads(*[lambda: results(evaluation)] * THREADS)
    assert all(all_equal(f, expected) for f in actual), actual


def stored(con: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]) -> None:
    for name, table in tables.items():
        con.register("source", table.to_arrow())
        con.execute(f"CREATE TABLE {name} AS FROM source")
        con.unregister("source")


@families
def test_threads_share_a_database(family: str) -> None:
    """Each thread has its own connection or relation."""
    subject = FAMILIES[family]
    expected = results(subject.of(subject.tables, {}))
    with duckdb.connect() as con:
        stored(con, subject.tables)
        names = {name: name for name in subject.tables}
        cursors = [con.cursor() for _ in range(THREADS)]
        actions: list[Callable[[], Any]] = [lambda c=c: results(subject.of(names, {}, con=c)) for c in cursors[::2]]
        actions += [lambda c=c: results(subject.of({n: c.table(n) for n in names}, {})) for c in cursors[1::2]]
        actual = run_in_threads(*actions)
        assert all(all_equal(f, expected) for f in actual), actual


@families
def test_threads_share_a_connection(family: str) -> None:
    """Calls are serialized: DuckDB refuses concurrent ones, or deadlocks."""
    subject = FAMILIES[family]
    expected = results(subject.of(subject.tables, {}))
    with duckdb.connect() as con:
        stored(con, subject.tables)
        names = {name: name for name in subject.tables}
        tables = {name: con.table(name) for name in subject.tables}
        evaluations = [subject.of(names, {}, con=con), subject.of(tables, {})] * (THREADS // 2)
        actual = run_in_threads(*[lambda e=e: results(e) for e in evaluations])
        assert all(all_equal(f, expected) for f in actual), actual


IN_THREADS = """
import polars as pl
from tests.contract.test_concurrency import FAMILIES, THREADS, all_equal, results, run_in_threads
assert pl.thread_pool_size() == 4
for subject in FAMILIES.values():
    evaluation = subject.of(subject.tables, {})
    expected = results(subject.of(subject.tables, {}, engine="duckdb"))
    assert all(all_equal(actual, expected) for actual in run_in_threads(*[lambda: results(evaluation)] * THREADS))
"""


def test_threads_of_polars() -> None:
    """Tests run Polars with one thread, for speed; with four it gives the same values."""
    environment = os.environ | {"POLARS_MAX_THREADS": "4", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", IN_THREADS], env=environment, check=True, timeout=300)


# Families without numbers to spoil: a table, its column of labels, and one that does not exist.
LABELLED: dict[str, tuple[str, str, Any]] = {
    "citations": ("support", "label", 7),
    "verdicts": ("verdicts", "label", "?"),
}


def invalid_tables(family: str) -> dict[str, pl.DataFrame]:
    """Tables with a value that is an error."""
    if family in LABELLED:
        table, column, text = LABELLED[family]
        tables = dict(FAMILIES[family].tables)
        bad = pl.when(pl.int_range(pl.len()) == 3).then(pl.lit(text)).otherwise(pl.col(column)).alias(column)
        return tables | {table: tables[table].with_columns(bad)}
    tables = dict(FAMILIES[family].tables)
    name = next(n for n in reversed(tables) if n != "predictions")
    # Of documents a position.
    known = (
        ("score", "weight", "first", "head_start", "start", "cluster_id")
        if "predicted" in tables
        else ("score", "weight", "first")
    )
    column = next((c for c in known if c in tables[name].columns), "weight")
    value = pl.col(column) if column in tables[name].columns else pl.lit(1.0)
    bad = pl.when(pl.int_range(pl.len()) == 3).then(float("nan")).otherwise(value).alias(column)
    return tables | {name: tables[name].with_columns(bad)}


@families
@pytest.mark.parametrize("form", ["polars", "duckdb", "relation"])
def test_repeated_calls_after_an_error(family: str, form: str) -> None:
    """Every result raises the same error, on every call."""
    subject, tables = FAMILIES[family], invalid_tables(family)
    with duckdb.connect() as con:
        evaluation = (
            subject.of(relations(tables, con), {}) if form == "relation" else subject.of(tables, {}, engine=form)
        )
        messages = []
        for ask in (
            evaluation.summary,
            evaluation.per_unit,
            evaluation.summary,
            evaluation.wide,
            lambda: evaluation.explain(counts=True),
            evaluation.summary,
        ):
            try:
                ask()
            except DataError as error:
                messages.append(str(error))
        assert len(messages) >= 5, messages
        assert len(set(messages)) == 1, messages
        assert isinstance(evaluation.explain(), str)


@engines
def test_an_error_stays_in_its_thread(engine: str) -> None:
    expected = results(ir.evaluate(QRELS, RUN, "AP nDCG@5"))
    bad_run = RUN.with_columns(score=pl.lit(float("nan")))
    actual = run_in_threads(
        *[
            lambda: results(ir.evaluate(QRELS, RUN, "AP nDCG@5", engine=engine)),
            lambda: ir.evaluate(QRELS, bad_run, "AP nDCG@5", engine=engine).summary(),
        ]
        * 3
    )
    assert all(all_equal(f, expected) for f in actual[::2]), actual[::2]
    assert all(isinstance(f, DataError) for f in actual[1::2]), actual[1::2]


# Called at the end of a plan, when results are complete.
LAST = ("close", "released")


def steps(engine: type) -> list[str]:
    """The other public methods of an engine."""
    return [n for n, f in inspect.getmembers(engine, inspect.isfunction) if not n.startswith("_") and n not in LAST]


@families
@engines
def test_evaluations_are_usable_after_an_interrupt(family: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interrupt at any step of a plan, the same evaluation gives its values."""
    subject = FAMILIES[family]
    expected = results(subject.of(subject.tables, {}))
    engine_class = PolarsEngine if engine == "polars" else DuckDBEngine
    calls = {"left": 0, "seen": 0}

    def interrupting(name: str) -> Callable[..., Any]:
        original = getattr(engine_class, name)

        def step(*args: Any, **options: Any) -> Any:
            calls["seen"] += 1
            calls["left"] -= 1
            if calls["left"] == 0:
                raise KeyboardInterrupt
            return original(*args, **options)

        return step

    for name in steps(engine_class):
        monkeypatch.setattr(engine_class, name, interrupting(name))
    calls["left"] = 0
    results(subject.of(subject.tables, {}, engine=engine))
    num_steps = calls["seen"]
    assert num_steps > 2
    for at in range(1, num_steps + 1, max(1, num_steps // 12)):
        calls["left"] = 0
        evaluation = subject.of(subject.tables, {}, engine=engine)
        calls["left"] = at
        with suppress(KeyboardInterrupt):
            results(evaluation)
        calls["left"] = 0
        assert all_equal(results(evaluation), expected), at


INTERRUPTED = """
import os, signal, sys, threading
import duckdb, polars as pl, ireval_frames as ir
n = 3_000_000
if sys.argv[1] == "duckdb":
    con = duckdb.connect()
    con.execute("SET enable_progress_bar = false")
    columns = "i % 1000003 AS label, (i * 7) % 1000003 AS prediction, i AS item_id"
    big = con.sql(f"SELECT {columns} FROM range({n * 8}) t(i)")
    small = con.sql("SELECT i % 3 AS label, i % 2 AS prediction FROM range(30) t(i)")
else:
    i = pl.int_range(n * 4)
    big = pl.select(label=i % 1000003, prediction=(i * 7) % 1000003, item_id=i).lazy()
    small = pl.select(label=pl.int_range(30) % 3, prediction=pl.int_range(30) % 2)
evaluation = ir.Labels(big).evaluate("F1(average='macro') NumItems")
threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    evaluation.summary()
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
print(ir.Labels(small).evaluate("Accuracy").summary()["value"].round(6).item())
print(evaluation.summary().filter(pl.col("measure") == "NumItems")["value"].item())
"""


@engines
def test_control_c(engine: str) -> None:
    """After an interrupt, the interrupted evaluation and others of its connection give their values."""
    run = subprocess.run([sys.executable, "-c", INTERRUPTED, engine], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-1500:]
    ended, small, again = run.stdout.split()
    assert ended in ("interrupted", "finished"), run.stdout
    assert (small, again) == ("0.333333", "24000000.0" if engine == "duckdb" else "12000000.0")
