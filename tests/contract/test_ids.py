"""Ids of any type give the same values on both engines, or an `IrevalError`."""

from __future__ import annotations

import datetime as dt
import functools
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MismatchedTables, WrongType
from tests.contract.named import FAMILIES, ITEMS, QRELS, RUN, normalized

NOON = dt.datetime.fromisoformat("2024-01-01T12:00")
ROLES = [
    ("ranking", "query_id"),
    ("ranking", "doc_id"),
    ("ranking", "run_id"),
    ("ranking", "part"),
    ("labels", "item_id"),
    ("labels", "user"),
    ("two tables", "item_id"),
    ("two tables", "part"),
    ("probabilities", "item_id"),
    ("clusters", "item_id"),
    ("clusters", "user"),
    ("coreference", "user"),
    ("coreference", "part"),
    ("exposure", "item_id"),
    ("exposure", "first"),
    ("points", "item_id"),
    ("points", "part"),
    ("organization", "item_id"),
    ("segmentation", "user"),
    ("segmentation", "part"),
    ("ratings", "item_id"),
    ("ratings", "user"),
    ("ratings", "part"),
    ("clicks", "user"),
    ("clicks", "part"),
    ("similarity", "query_id"),
    ("similarity", "doc_id"),
]
TYPES: dict[str, Any] = {
    "Int8": lambda n: pl.Series(range(n), dtype=pl.Int8),
    "UInt64": lambda n: pl.Series([2**63 - 3 + i for i in range(n)], dtype=pl.UInt64),
    "Int128": lambda n: pl.Series([2**100 + i for i in range(n)], dtype=pl.Int128),
    "Decimal": lambda n: pl.Series([Decimal(i) / 4 for i in range(n)], dtype=pl.Decimal(10, 2)),
    "Float64": lambda n: pl.Series([i / 4 for i in range(n)]),
    "Date": lambda n: pl.Series([NOON.date() + dt.timedelta(days=i) for i in range(n)]),
    "Datetime": lambda n: pl.Series([NOON + dt.timedelta(seconds=i) for i in range(n)]),
    "zoned": lambda n: pl.Series([NOON + dt.timedelta(days=i) for i in range(n)]).dt.replace_time_zone("Asia/Tokyo"),
    "Duration": lambda n: pl.Series([dt.timedelta(days=i) for i in range(n)]),
    "Binary": lambda n: pl.Series([bytes([i, 255]) for i in range(n)]),
    "Categorical": lambda n: pl.Series([f"c{i}" for i in range(n)], dtype=pl.Categorical),
    "Enum": lambda n: pl.Series([f"c{i}" for i in range(n)], dtype=pl.Enum([f"c{i}" for i in reversed(range(n))])),
    "List": lambda n: pl.Series([[i] for i in range(n)]),
}


# Ids of rankings are text or integers; no engine accepts durations as ids, and DuckDB no 128-bit integers.
EVERYWHERE = [("Duration", "polars"), ("Duration", "duckdb"), ("Int128", "duckdb")]
NO_ID = ("Int128", "Decimal", "Float64", "Date", "Datetime", "zoned", "Duration", "Binary", "List")
IDS = [(dtype, engine) for dtype in NO_ID for engine in ("polars", "duckdb")]
REFUSED = dict.fromkeys(("query_id", "doc_id", "run_id"), IDS) | dict.fromkeys(
    ("part", "user", "item_id", "first"), EVERYWHERE
)


def retyped(family: str, role: str, dtype: str) -> dict[str, pl.DataFrame]:
    """The tables of a family with the values of one column replaced one for one, in order."""
    tables = FAMILIES[family].tables
    values = sorted({v for table in tables.values() if role in table.columns for v in table[role]})
    mapping = pl.DataFrame({role: values, "other": TYPES[dtype](len(values))})
    return {
        name: table.join(mapping, on=role, how="left", maintain_order="left").drop(role).rename({"other": role})
        if role in table.columns
        else table
        for name, table in tables.items()
    }


@functools.cache
def expected(family: str) -> pl.DataFrame:
    """The summary with the original ids."""
    subject = FAMILIES[family]
    return normalized(subject.of(subject.tables, {}).summary().select("value", "n_units"), {})


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("family, role", ROLES)
def test_ids_of_any_type(family: str, role: str, dtype: str) -> None:
    subject, tables = FAMILIES[family], retyped(family, role, dtype)
    for engine in ("polars", "duckdb"):
        if (dtype, engine) in REFUSED.get(role, ()):
            with pytest.raises(WrongType, match=rf"(?s){role!r} of the .*\n  "):
                subject.of(tables, {}, engine=engine).summary()
        else:
            actual = subject.of(tables, {}, engine=engine).summary()
            assert normalized(actual.select("value", "n_units"), {}).equals(expected(family))


BIG = range(2**63, 2**63 + 8)


def documents(frame: pl.DataFrame, ids: Any, dtype: Any) -> pl.DataFrame:
    new = dict(zip((f"d{i}" for i in range(8)), ids, strict=True))
    return frame.with_columns(pl.Series("doc_id", [new[d] for d in frame["doc_id"]], dtype=dtype))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "judged_ids, judged_type, run_ids, run_type",
    [
        (BIG, pl.UInt64, BIG, pl.UInt64),
        (range(8), pl.UInt64, range(8), pl.Int64),
        (range(8), pl.Int64, range(8), pl.UInt64),
        (range(8), pl.UInt32, range(8), pl.UInt64),
        ([str(i) for i in BIG], pl.String, BIG, pl.UInt64),
        (BIG, pl.UInt64, [str(i) for i in BIG], pl.String),
        ([str(i) for i in range(8)], pl.String, range(8), pl.UInt64),
    ],
)
def test_ids_of_two_integer_types(engine: str, judged_ids: Any, judged_type: Any, run_ids: Any, run_type: Any) -> None:
    expected = ir.evaluate(QRELS, RUN, "nDCG@5 AP").summary()
    actual = ir.evaluate(
        documents(QRELS, judged_ids, judged_type), documents(RUN, run_ids, run_type), "nDCG@5 AP", engine=engine
    )
    assert normalized(actual.summary(), {}).equals(normalized(expected, {}))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "judged_ids, judged_type, run_type",
    [
        (BIG, pl.UInt64, pl.Int64),
        (range(-1, 7), pl.Int64, pl.UInt64),
        (["-1", *map(str, range(7))], pl.String, pl.UInt64),
        (["01", *map(str, range(7))], pl.String, pl.Int64),
        ([str(i) for i in BIG], pl.String, pl.Int64),
    ],
)
def test_ids_out_of_range_of_the_run(engine: str, judged_ids: Any, judged_type: Any, run_type: Any) -> None:
    qrels, run = documents(QRELS, judged_ids, judged_type), documents(RUN, range(8), run_type)
    with pytest.raises(MismatchedTables, match=r"Column 'doc_id' holds .* in the run and .* in the qrels table"):
        ir.evaluate(qrels, run, "AP", engine=engine).summary()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_classes_above_int64(engine: str) -> None:
    """Classes beyond signed integers, as options too."""
    classes = pl.Series([2**63 + (i % 3) for i in range(24)], dtype=pl.UInt64)
    frame = ITEMS.with_columns(label=classes, prediction=classes.gather([*range(2, 24), 0, 1]), cluster_id=classes)
    small = frame.with_columns((pl.col("label", "prediction", "cluster_id") - 2**63).cast(pl.Int64))
    for make in (
        lambda f, c: ir.Labels(f, positive=c, engine=engine).evaluate("Recall(average='binary') F1(average='macro')"),
        lambda f, c: ir.Clusters(f, noise_cluster=c, policy="noise=skip", engine=engine).evaluate("Purity NMI"),
        lambda f, c: ir.Points(f, ["first", "second"], noise_cluster=c, policy="noise=skip", engine=engine).evaluate(
            "SSE"
        ),
    ):
        assert normalized(make(frame, 2**63).summary(), {}).equals(normalized(make(small, 0).summary(), {}))
