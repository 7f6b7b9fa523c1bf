"""Write what the contract variants of one family give in this tree: numbers, texts and errors.

`python -m tests.golden` runs it once per family and tree, in a process of its own.  Every tree runs its own copy of
this file, since it calls the contract kit; two trees share nothing but the columns that are written (`SCHEMA`).

A row is what one measure gives (`what`) for one unit, as a number or as text.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

SCHEMA = {
    "suite": pl.String,
    "case": pl.String,
    "engine": pl.String,
    "measure": pl.String,
    "what": pl.String,
    "unit": pl.String,
    "row": pl.Int64,
    "value": pl.Float64,
    "text": pl.String,
}
SQL_AT_ONCE = 40
# What a parameter may be called with by mistake.
ODD_VALUES: tuple[Any, ...] = (None, True, -1, 0, 1.5, float("nan"), float("inf"), "nothing", "", (), {}, object)


Frames = dict[str, pl.DataFrame]
Row = tuple[str, str, str, str, str, str, int | None, float | None, str | None]


def of_text(suite: Any, case: str, engine: str, measure: Any, what: str, text: str) -> Row:
    """A row that holds text."""
    return (str(suite), case, engine, str(measure), what, "", None, None, text)


def numbers(suite: Any, case: str, engine: str, what: str, frame: pl.DataFrame) -> Iterator[Row]:
    """The values of a result with a row per unit and measure, and its columns."""
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    columns = ", ".join(f"{name}: {dtype}" for name, dtype in frame.schema.items())
    for measure in frame["measure"].unique(maintain_order=True):
        yield of_text(suite, case, engine, measure, f"{what} columns", columns)
    unit = pl.struct(keys).struct.json_encode() if keys else pl.lit("")
    row = pl.int_range(pl.len()).over("measure")
    for measure, *rest in frame.select("measure", unit.alias("unit"), row.alias("row"), pl.col("value")).iter_rows():
        yield (str(suite), case, engine, measure, what, *rest, None)


def outcome(run: Callable[[], Any]) -> str:
    """What a call gives where it fails or warns, as text: the class, and the message after a colon."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            run()
            message = "no error"
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
    return "\n".join([message, *(f"{w.category.__name__}: {w.message}" for w in warned)])


def values(suite: Any, engine: str) -> Iterator[Row]:
    """Every variant in every case per unit, and the summary of each measure's first variant."""
    for case in [*suite.cases, *suite.small]:
        measures = suite.measures(case) if case in suite.cases else suite.first_variants(case)
        for batch in suite.batches(measures):
            yield from evaluated(suite, case, engine, batch, "per unit", lambda e: e.per_unit())
        for batch in suite.batches(suite.first_variants(case)):
            yield from evaluated(suite, case, engine, batch, "summary", lambda e: e.summary())


def evaluated(
    suite: Any, case: str, engine: str, batch: list[Any], what: str, result: Callable[[Any], pl.DataFrame]
) -> Iterator[Row]:
    """A result of measures that are evaluated together; each alone where that fails."""
    try:
        frame = result(suite.evaluation(case, batch, engine))
    except Exception as error:
        if len(batch) == 1:
            yield of_text(suite, case, engine, batch[0], what, f"{type(error).__name__}: {error}")
        else:
            for measure in batch:
                yield from evaluated(suite, case, engine, [measure], what, result)
        return
    yield from numbers(suite, case, engine, what, frame)


def texts(suite: Any) -> Iterator[Row]:
    """The SQL and the explanation of every variant by itself."""
    for case in suite.cases:
        first = set(suite.first_variants(case))
        for measure in suite.measures(case):
            calls: dict[tuple[str, str], Callable[[Any], str]] = {
                ("duckdb", "sql()"): lambda e: e.per_unit.sql(wide=True),
                ("duckdb", "explain()"): lambda e: e.explain(),
            }
            if measure in first:
                calls["duckdb", "sql('summary')"] = lambda e: e.summary.sql(wide=True)
                calls["polars", "explain()"] = lambda e: e.explain()
            of = {engine: suite.evaluation(case, [measure], engine) for engine in {engine for engine, _ in calls}}
            for (engine, what), call in calls.items():
                try:
                    text = call(of[engine])
                except Exception as error:
                    text = f"{type(error).__name__}: {error}"
                yield of_text(suite, case, engine, measure, what, text)


def run_sql(suite: Any) -> Iterator[Row]:
    """What the SQL text gives that is run by hand."""
    for case in suite.cases:
        relational = [m for m in suite.measures(case) if m.runs == "relational"]
        for batch in suite.batches(relational, SQL_AT_ONCE):
            tables = suite.frames(case, batch[0])

            def result(evaluation: Any, tables: Any = tables) -> pl.DataFrame:
                text = evaluation.per_unit.sql()
                with duckdb.connect() as con:
                    for name, frame in tables.items():
                        con.from_arrow(frame.to_arrow()).create(name)
                    return con.sql(text).pl()

            yield from evaluated(suite, case, "duckdb", batch, "sql() run", result)


def damaged(tables: Frames) -> Iterator[tuple[str, Frames]]:
    """Tables with one fault each, and what it is."""
    for name, table in tables.items():
        faulty = {"no rows": table.clear(), "a row twice": pl.concat([table, table.tail(1)])}
        for column in table.columns:
            here, first = pl.col(column), pl.int_range(pl.len()) == 0
            faulty[f"no {column}"] = table.drop(column)
            faulty[f"{column} null"] = table.with_columns(pl.when(~first).then(here))
            faulty[f"{column} of dates"] = table.with_columns(pl.date(2020, 1, 1).alias(column))
            faulty[f"{column} of text"] = table.with_columns(pl.lit("x").alias(column))
            if table[column].dtype.is_numeric():
                for unusual in (float("nan"), float("inf"), -1.0):
                    faulty[f"{column} {unusual}"] = table.with_columns(pl.when(first).then(unusual).otherwise(here))
        yield from ((f"{name}: {fault}", tables | {name: frame}) for fault, frame in faulty.items())


def errors(suite: Any) -> Iterator[Row]:
    """What is said of parameters and of tables that are wrong."""
    for definition in suite.definitions:
        for name in [*definition.parameters, "no_such_parameter"]:
            for value in ODD_VALUES if name in definition.parameters else (1,):
                message = outcome(lambda d=definition, n=name, v=value: d(**{n: v}).arguments())
                yield of_text(suite, "", "", definition.name, f"error of {name}={value!r}", message)
    case = next(iter(suite.main or suite.cases))
    (batch, *_) = suite.batches(suite.first_variants(case))
    batch = batch[:: max(1, len(batch) // 3)]
    for fault, tables in damaged(suite.frames(case, batch[0])):
        for engine in ("polars", "duckdb"):
            message = outcome(
                lambda e=engine, t=tables: suite.evaluation(case, batch, e, lambda _: t).per_unit(),
            )
            yield of_text(suite, case, engine, " ".join(map(str, batch)), f"error of {fault}", message)


SECTIONS: dict[str, Callable[[Any], Iterator[Row]]] = {
    "polars": lambda suite: values(suite, "polars"),
    "duckdb": lambda suite: values(suite, "duckdb"),
    "text": texts,
    "errors": errors,
    "sql": run_sql,
}


def keep_order() -> None:
    """Have Polars add numbers in the order of the rows; else no two processes take groups in the same order."""
    for name, order in {"group_by": True, "unique": True, "join": "left_right"}.items():
        setattr(pl.LazyFrame, name, ordered(getattr(pl.LazyFrame, name), order))


def ordered(method: Callable[..., Any], order: Any) -> Callable[..., Any]:
    """The method with `maintain_order`, whatever its caller says."""
    return lambda *args, **options: method(*args, **options | {"maintain_order": order})


def limit_threads(threads: int) -> None:
    """Limit the threads of every database that is opened from now on."""
    connect = duckdb.connect

    def limited(*args: Any, config: Any = None, **options: Any) -> duckdb.DuckDBPyConnection:
        return connect(*args, config={"threads": threads, **(config or {})}, **options)

    duckdb.connect = limited


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family")
    parser.add_argument("files", nargs="+", help="SECTION=FILE: what to write where")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    limit_threads(options.threads)
    keep_order()
    from tests.contract.kit import all_suites

    for section, _, file in (f.partition("=") for f in options.files):
        start, place = time.process_time(), Path(file)
        suites = [k for k in all_suites() if k.family == options.family]
        frame = pl.DataFrame([r for k in suites for r in SECTIONS[section](k)], schema=SCHEMA, orient="row")
        part = place.with_suffix(".part")
        frame.write_parquet(part)
        part.replace(place)
        print(f"{options.family} {section}: {frame.height:,} rows, {time.process_time() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
