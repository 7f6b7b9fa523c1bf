"""Parquet and Arrow in the page: types are kept, what is damaged is refused, and queries are written as Parquet."""

from __future__ import annotations

import base64
import datetime as dt
import io
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened
from tests.browser.page.test_files import choose, files, rows, written

TYPES = pl.DataFrame(
    {
        "small": pl.Series([1, None, 3], dtype=pl.Int8),
        "large": pl.Series([2**64 - 1, 2, None], dtype=pl.UInt64),
        "name": ["a", 'ø"\n', None],
        "kind": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
        "there": [True, None, False],
        "day": [dt.date(2020, 1, 2), None, dt.date(1900, 1, 1)],
        "time": pl.Series([1_577_934_245_000_000, None, -1]).cast(pl.Datetime("us")),
        "exact": pl.Series([Decimal("1234567890.123456789"), None, Decimal(-1)], dtype=pl.Decimal(30, 9)),
        "list": [["a"], None, ["b", "c"]],
        "parts": [{"x": 1}, {"x": None}, {"x": 3}],
    }
)


def packed(frame: pl.DataFrame, **options: object) -> bytes:
    """A frame as Parquet."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, **options)
    return buffer.getvalue()


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "brotli", "lz4", "uncompressed"])
def test_rankings_of_parquet(opened: Callable[..., Opened], tmp_path: Path, compression: str) -> None:
    qrels, runs = ir.examples.pooled()
    renamed = runs.rename({"doc_id": "docno", "run_id": "system"})
    judged = written(tmp_path, "judged.parquet", packed(qrels, compression=compression))
    several = written(tmp_path, "several.parquet", packed(renamed, compression=compression))
    watched = opened()
    choose(watched, judged, several)
    assert rows(watched, "judged") == sorted(qrels.rows())
    columns = ["run_id", "query_id", "doc_id", "score"]
    assert rows(watched, "several", ", ".join(columns)) == sorted(runs.select(columns).rows())
    assert "docno is doc_id" in files(watched)
    assert "Not read: team." in files(watched)
    assert {url.partition("/")[0] for url in watched.requests} == {"http:"}
    assert watched.messages == []


def test_types_are_kept(opened: Callable[..., Opened], tmp_path: Path) -> None:
    parquet = written(tmp_path, "types.parquet", packed(TYPES))
    stream = io.BytesIO()
    TYPES.write_ipc_stream(stream)
    arrow = written(tmp_path, "stream.arrows", stream.getvalue())
    watched = opened()
    choose(watched, parquet, arrow)
    for table in ("types", "stream"):
        types = [row[1] for row in watched.query(f"DESCRIBE {table}")]
        assert types == [
            "TINYINT", "UBIGINT", "VARCHAR", "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP", "DECIMAL(30,9)", "VARCHAR[]",
            "STRUCT(x BIGINT)",
        ]  # fmt: skip
        casts = ", ".join(f"CAST({c} AS VARCHAR)" for c in ("small", "large", "name", "day", "exact"))
        assert watched.query(f"SELECT {casts} FROM {table}") == [
            ["1", "18446744073709551615", "a", "2020-01-02", "1234567890.123456789"],
            [None, "2", 'ø"\n', None, None],
            ["3", None, None, "1900-01-01", "-1.000000000"],
        ]


def test_what_is_damaged_is_refused_and_the_next_file_is_read(opened: Callable[..., Opened], tmp_path: Path) -> None:
    runs = pl.concat([ir.examples.pooled()[1]] * 400)
    sound = packed(runs)
    flipped = bytearray(sound)
    for place in range(40, len(sound) // 2, 31):
        flipped[place] ^= 0x55
    broken = {"cut": sound[:-200], "flipped": bytes(flipped), "short": b"PAR1", "none": packed(runs.clear())}
    paths = [written(tmp_path, f"{name}.parquet", content) for name, content in broken.items()]
    watched = opened()
    choose(watched, *paths, written(tmp_path, "sound.parquet", packed(ir.examples.pooled()[1])))
    alerts = [alert.inner_text() for alert in watched.page.locator("ul.files").get_by_role("alert").all()]
    assert [alert.partition(" is ")[0] for alert in alerts] == [path.name for path in paths]
    assert all("a damaged parquet file" in alert for alert in alerts[:3])
    assert "is empty" in alerts[3]
    assert watched.query("SELECT table_name FROM duckdb_tables()") == [["sound"]]
    assert len(rows(watched, "sound")) == ir.examples.pooled()[1].height


def test_columns_of_other_types_are_refused(opened: Callable[..., Opened], tmp_path: Path) -> None:
    qrels, _ = ir.examples.pooled()
    floats = written(tmp_path, "floats.parquet", packed(qrels.with_columns(pl.col("query_id").cast(pl.Float64))))
    texts = written(tmp_path, "texts.parquet", packed(qrels.with_columns(pl.col("relevance").cast(pl.String))))
    watched = opened()
    choose(watched, floats, texts)
    assert "column 'query_id' of the table of judgments is DOUBLE; it must hold text or integers." in files(watched)
    assert "column 'relevance' of the table of judgments is VARCHAR; it must hold numbers." in files(watched)


def test_a_query_is_written_as_parquet(opened: Callable[..., Opened], tmp_path: Path) -> None:
    watched = opened()
    choose(watched, written(tmp_path, "types.parquet", packed(TYPES)))
    encoded = watched.page.evaluate("ireval.parquet('FROM types').then(b => btoa(String.fromCharCode(...b)))")
    # The page's queries have no decimals, but doubles.
    expected = TYPES.with_columns(pl.col("exact").cast(pl.Float64))
    assert pl.read_parquet(io.BytesIO(base64.b64decode(encoded))).rows() == expected.rows()
