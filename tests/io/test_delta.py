"""Delta tables: what their log says counts, not what lies in their folder; what cannot be read is told."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, FileError, IrevalError
from tests import spark
from tests.io.stores import Bucket
from tests.io.test_partitions import NAMES, QRELS, ROWS

deltalake = pytest.importorskip("deltalake")
RUNS = pl.concat([ROWS.with_columns(run_id=pl.lit(name)) for name in NAMES.values()])
# Z85, in which logs write the rows that are deleted.
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"


def evaluated(run: object, engine: str = "polars", **options: object) -> dict[str, float]:
    con = spark.session() if engine == "spark" else None
    summary = ir.evaluate(QRELS, run, "RR", engine=engine, con=con, **options).summary()
    return dict(summary.select("run_id", "value").iter_rows())


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table whose folder holds more than its log counts."""
    path = tmp_path / "runs"
    deltalake.write_deltalake(path, RUNS.to_arrow(), partition_by=["run_id"])
    deltalake.write_deltalake(path, RUNS.with_columns(pl.lit("late").alias("run_id"))[:3].to_arrow(), mode="append")
    deltalake.DeltaTable(path).delete("run_id = '007'")
    assert len(list(path.rglob("*.parquet"))) == len(NAMES) + 1
    return path


@pytest.mark.parametrize(
    "engine",
    ["polars", "duckdb", pytest.param("spark", marks=pytest.mark.skipif(bool(spark.missing()), reason="Spark"))],
)
def test_what_counts_is_read(table: Path, engine: str) -> None:
    want = dict.fromkeys((set(NAMES.values()) | {"late"}) - {"007"}, 0.75)
    assert evaluated(table, engine) == want
    if engine != "spark":
        assert evaluated(f"{table}/", engine) == want
        assert evaluated([str(table)], engine) == want


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_items(tmp_path: Path, engine: str) -> None:
    deltalake.write_deltalake(tmp_path / "items", ir.examples.labels().to_arrow())
    actual = ir.Labels(tmp_path / "items", engine=engine).evaluate("Accuracy").summary()["value"].item()
    assert actual == 0.625


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_in_a_store(bucket: Bucket, engine: str) -> None:
    settings = {key: str(value).lower() for key, value in bucket.options.items()}
    settings = {
        **bucket.options,
        **{k: v for k, v in settings.items() if "http" in k},
        "aws_s3_allow_unsafe_rename": "true",
    }
    deltalake.write_deltalake(bucket.url("runs"), RUNS.to_arrow(), partition_by=["run_id"], storage_options=settings)
    deltalake.DeltaTable(bucket.url("runs"), storage_options=settings).delete("run_id = '007'")
    want = dict.fromkeys(set(NAMES.values()) - {"007"}, 0.75)
    for way in ("runs", "runs/"):
        assert evaluated(bucket.url(way), engine, storage_options=bucket.options) == want


def test_without_the_package(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "deltalake" else object())
    with pytest.raises(EngineError, match=r'(?s)runs is a Delta table.*pip install "ireval-frames\[delta\]"'):
        evaluated(table)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_file_that_is_missing(table: Path, engine: str) -> None:
    next(table.glob("run_id=bm25/*.parquet")).unlink()
    with pytest.raises(FileError, match=r"(?s)runs is a Delta table that cannot be read: .*restore it"):
        evaluated(table, engine)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_files_that_are_cut_off(table: Path, engine: str) -> None:
    for path in table.glob("run_id=*/*.parquet"):
        path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(FileError, match=r"(?s)runs is a Delta table that cannot be read: .*restore it"):
        evaluated(table, engine)


def test_text_of_sql_does_not_read_it(table: Path) -> None:
    with pytest.raises(EngineError, match=r"SQL text cannot read .*runs"):
        ir.evaluate(QRELS, table, "RR").per_unit.sql()


# ---- tables that not every reader knows


def by_hand(path: Path, rows: pl.DataFrame, names: list[str], protocol: dict, settings: dict, **add: object) -> Path:
    """A table of one file, with a log as other tools write it."""
    (path / "_delta_log").mkdir(parents=True)
    rows.write_parquet(path / "part-0.parquet")
    kinds = {pl.String: "string", pl.Float64: "double"}
    mapped = "delta.columnMapping.mode" in settings
    fields = [
        {
            "name": name,
            "type": kinds[rows.schema[theirs]],
            "nullable": True,
            "metadata": {"delta.columnMapping.id": i, "delta.columnMapping.physicalName": theirs} if mapped else {},
        }
        for i, (name, theirs) in enumerate(zip(names, rows.columns, strict=True), 1)
    ]
    meta = {
        "id": "0",
        "format": {"provider": "parquet", "options": {}},
        "schemaString": json.dumps({"type": "struct", "fields": fields}),
        "partitionColumns": [],
        "configuration": settings,
        "createdTime": 1,
    }
    file = {
        "path": "part-0.parquet",
        "partitionValues": {},
        "size": (path / "part-0.parquet").stat().st_size,
        "modificationTime": 1,
        "dataChange": True,
        "stats": json.dumps({"numRecords": rows.height}),
        **add,
    }
    log = [{"protocol": protocol}, {"metaData": meta}, {"add": file}]
    (path / "_delta_log" / f"{0:020}.json").write_text("\n".join(map(json.dumps, log)) + "\n")
    return path


def deleted(*rows: int) -> dict:
    """The rows of a file that count no more, as a bitmap in the log."""
    bitmap = struct.pack("<IIHHI", 12346, 1, 0, len(rows) - 1, 16) + b"".join(struct.pack("<H", r) for r in rows)
    content = struct.pack("<IQI", 1681511377, 1, 0) + bitmap
    content += b"\0" * (-len(content) % 4)
    words = [int.from_bytes(content[i : i + 4], "big") for i in range(0, len(content), 4)]
    text = "".join(SIGNS[word // 85**power % 85] for word in words for power in range(4, -1, -1))
    return {"storageType": "i", "pathOrInlineDv": text, "sizeInBytes": len(content), "cardinality": len(rows)}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_deleted_rows_never_count(tmp_path: Path, engine: str) -> None:
    """Rows that a vector deletes are left out, or the table is refused."""
    rows = pl.DataFrame({"query_id": ["1"] * 4, "doc_id": ["x", "a", "y", "b"], "score": [4.0, 3.0, 2.0, 1.0]})
    protocol = {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["deletionVectors"],
        "writerFeatures": ["deletionVectors"],
    }
    path = by_hand(
        tmp_path / "runs", rows, rows.columns, protocol, {"delta.enableDeletionVectors": "true"},
        deletionVector=deleted(0, 2),
    )  # fmt: skip
    assert ir.read_run(path)["doc_id"].to_list() == ["a", "b"]
    assert evaluated(path, engine) == {"runs": 0.5}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_names_that_differ_from_the_files(tmp_path: Path, engine: str) -> None:
    rows = pl.DataFrame({"score": ["1"], "query_id": ["a"], "doc_id": [1.0]})
    protocol = {"minReaderVersion": 2, "minWriterVersion": 5}
    settings = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "3"}
    path = by_hand(tmp_path / "runs", rows, ["query_id", "doc_id", "score"], protocol, settings)
    with pytest.raises(IrevalError, match=r"(?s)runs is a Delta table that cannot be read.*column mapping"):
        evaluated(path, engine)
