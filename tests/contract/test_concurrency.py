"""Threads, errors and interrupts: results are right whoever asks, and what went wrong once does not stay."""

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
from tests.contract.named import FAMILIES, QRELS, RUN, plain, relations

families = pytest.mark.parametrize("family", FAMILIES)
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])
THREADS = 6


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """What the actions give, started together in a thread each; errors are given, too."""
    start = threading.Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - the caller looks at it
            return error

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def shown(made: Any) -> list[pl.DataFrame]:
    return [plain(made.per_unit(), {}), plain(made.summary(), {})]


def same(found: Any, wanted: list[pl.DataFrame]) -> bool:
    return isinstance(found, list) and all(a.equals(b) for a, b in zip(found, wanted, strict=True))


@families
@engines
def test_threads_ask_one_evaluation(family: str, engine: str) -> None:
    subject = FAMILIES[family]
    expected = shown(subject.of(subject.tables, {}))
    made = subject.of(subject.tables, {}, engine=engine)
    actual = at_once(*[lambda: shown(made)] * THREADS)
    assert all(same(f, expected) for f in actual), actual


def stored(con: duckdb.DuckDBPyConnection, tables: dict[str, pl.DataFrame]) -> None:
    for name, table in tables.items():
        con.register("given", table.to_arrow())
        con.execute(f"CREATE TABLE {name} AS FROM given")
        con.unregister("given")


@families
def test_threads_of_one_database(family: str) -> None:
    """A connection for each thread, and a relation for each thread."""
    subject = FAMILIES[family]
    expected = shown(subject.of(subject.tables, {}))
    with duckdb.connect() as con:
        stored(con, subject.tables)
        named = {name: name for name in subject.tables}
        own = [con.cursor() for _ in range(THREADS)]
        actions: list[Callable[[], Any]] = [lambda c=c: shown(subject.of(named, {}, con=c)) for c in own[::2]]
        actions += [lambda c=c: shown(subject.of({n: c.table(n) for n in named}, {})) for c in own[1::2]]
        actual = at_once(*actions)
        assert all(same(f, expected) for f in actual), actual


@families
def test_threads_that_share_a_connection(family: str) -> None:
    """One after the other asks it: DuckDB refuses calls at once, or waits for ever."""
    subject = FAMILIES[family]
    expected = shown(subject.of(subject.tables, {}))
    with duckdb.connect() as con:
        stored(con, subject.tables)
        named = {name: name for name in subject.tables}
        tables = {name: con.table(name) for name in subject.tables}
        made = [subject.of(named, {}, con=con), subject.of(tables, {})] * (THREADS // 2)
        actual = at_once(*[lambda m=m: shown(m) for m in made])
        assert all(same(f, expected) for f in actual), actual


IN_THREADS = """
import polars as pl
from tests.contract.test_concurrency import FAMILIES, THREADS, at_once, same, shown
assert pl.thread_pool_size() == 4
for subject in FAMILIES.values():
    made = subject.of(subject.tables, {})
    wanted = shown(subject.of(subject.tables, {}, engine="duckdb"))
    assert all(same(found, wanted) for found in at_once(*[lambda: shown(made)] * THREADS))
"""


def test_threads_of_polars() -> None:
    """Polars has one thread here, for speed; with four it gives the same."""
    environment = os.environ | {"POLARS_MAX_THREADS": "4", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", IN_THREADS], env=environment, check=True, timeout=300)


def broken(family: str) -> dict[str, pl.DataFrame]:
    """Tables that are refused when they are looked at."""
    tables = dict(FAMILIES[family].tables)
    name = next(n for n in reversed(tables) if n != "predictions")
    column = next((c for c in ("score", "weight", "first") if c in tables[name].columns), "weight")
    value = pl.col(column) if column in tables[name].columns else pl.lit(1.0)
    bad = pl.when(pl.int_range(pl.len()) == 3).then(float("nan")).otherwise(value).alias(column)
    return tables | {name: tables[name].with_columns(bad)}


@families
@pytest.mark.parametrize("form", ["polars", "duckdb", "relation"])
def test_a_second_call_after_an_error(family: str, form: str) -> None:
    """Every way to a result raises the same error, however often it is asked for."""
    subject, tables = FAMILIES[family], broken(family)
    with duckdb.connect() as con:
        made = subject.of(relations(tables, con), {}) if form == "relation" else subject.of(tables, {}, engine=form)
        told = []
        for ask in (
            made.summary,
            made.per_unit,
            made.summary,
            made.wide,
            lambda: made.explain(counts=True),
            made.summary,
        ):
            try:
                ask()
            except DataError as error:
                told.append(str(error))
        assert len(told) >= 5, told
        assert len(set(told)) == 1, told
        assert isinstance(made.explain(), str)


@engines
def test_an_error_in_one_thread_is_nobody_elses(engine: str) -> None:
    expected = shown(ir.evaluate(QRELS, RUN, "AP nDCG@5"))
    wrong = RUN.with_columns(score=pl.lit(float("nan")))
    actual = at_once(
        *[
            lambda: shown(ir.evaluate(QRELS, RUN, "AP nDCG@5", engine=engine)),
            lambda: ir.evaluate(QRELS, wrong, "AP nDCG@5", engine=engine).summary(),
        ]
        * 3
    )
    assert all(same(f, expected) for f in actual[::2]), actual[::2]
    assert all(isinstance(f, DataError) for f in actual[1::2]), actual[1::2]


# At the end of a plan; what is interrupted there has nothing more to do.
LAST = ("close", "released")


def steps(engine: type) -> list[str]:
    """The public methods of an engine but for those."""
    return [n for n, f in inspect.getmembers(engine, inspect.isfunction) if not n.startswith("_") and n not in LAST]


@families
@engines
def test_an_interrupt_leaves_things_usable(family: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control-C at any step of a plan: the same evaluation then gives its numbers."""
    subject = FAMILIES[family]
    expected = shown(subject.of(subject.tables, {}))
    kind = PolarsEngine if engine == "polars" else DuckDBEngine
    calls = {"left": 0, "seen": 0}

    def stopping(name: str) -> Callable[..., Any]:
        plainly = getattr(kind, name)

        def step(*args: Any, **more: Any) -> Any:
            calls["seen"] += 1
            calls["left"] -= 1
            if calls["left"] == 0:
                raise KeyboardInterrupt
            return plainly(*args, **more)

        return step

    for name in steps(kind):
        monkeypatch.setattr(kind, name, stopping(name))
    calls["left"] = 0
    shown(subject.of(subject.tables, {}, engine=engine))
    every = calls["seen"]
    assert every > 2
    for at in range(1, every + 1, max(1, every // 12)):
        calls["left"] = 0
        made = subject.of(subject.tables, {}, engine=engine)
        calls["left"] = at
        with suppress(KeyboardInterrupt):
            shown(made)
        calls["left"] = 0
        assert same(shown(made), expected), at


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
made = ir.Labels(big).evaluate("F1(average='macro') NumItems")
threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    made.summary()
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
print(ir.Labels(small).evaluate("Accuracy").summary()["value"].round(6).item())
print(made.summary().filter(pl.col("measure") == "NumItems")["value"].item())
"""


@engines
def test_control_c(engine: str) -> None:
    """The process goes on: other evaluations of the connection, and the interrupted one, give their numbers."""
    run = subprocess.run([sys.executable, "-c", INTERRUPTED, engine], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-1500:]
    ended, small, again = run.stdout.split()
    assert ended in ("interrupted", "finished"), run.stdout
    assert (small, again) == ("0.333333", "24000000.0" if engine == "duckdb" else "12000000.0")
