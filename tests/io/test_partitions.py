"""Folders of Parquet files: what their names add, the same on every engine, and what is wrong with one of them."""

from __future__ import annotations

import functools
import os
import pickle
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, IrevalError, WrongType
from ireval_frames.io import scan_table
from tests import spark

QRELS = pl.DataFrame({"query_id": ["1", "2"], "doc_id": ["a", "b"], "relevance": [1, 2]})
ROWS = pl.DataFrame({"query_id": ["1", "1", "2"], "doc_id": ["b", "a", "b"], "score": [2.0, 1.0, 1.0]})
# As other tools write what names of folders cannot hold.
NAMES = {
    "bm25": "bm25",
    "007": "007",
    "a%20b": "a b",
    "x%2Fy%3D1": "x/y=1",
    "ä b": "ä b",
    "a+b": "a+b",
    "100%25": "100%",
}


def write(folder: Path, **tables: pl.DataFrame) -> Path:
    """Tables by the names of their folders, in two files each."""
    for name, rows in tables.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        rows[:1].write_parquet(folder / name / "part-0.parquet")
        rows[1:].write_parquet(folder / name / "part-1.parquet")
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Several runs, with what Spark leaves beside them."""
    folder = write(tmp_path / "runs", **{f"run_id={name}": ROWS for name in NAMES})
    (folder / "_SUCCESS").touch()
    (folder / "run_id=bm25" / ".DS_Store").write_bytes(b"view")
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / "part-9.parquet").write_bytes(b"half")
    return folder


def engines() -> list[str]:
    return ["polars", "duckdb", pytest.param("spark", marks=pytest.mark.skipif(bool(spark.missing()), reason="Spark"))]


def evaluated(run: object, engine: str, qrels: object = QRELS) -> dict[str, float]:
    con = spark.session() if engine == "spark" else None
    summary = ir.evaluate(qrels, run, "RR", engine=engine, con=con).summary()
    return dict(summary.select("run_id" if "run_id" in summary.columns else "measure", "value").iter_rows())


@pytest.mark.parametrize("engine", engines())
def test_folders_name_runs(runs: Path, engine: str) -> None:
    assert evaluated(runs, engine) == dict.fromkeys(NAMES.values(), 0.75)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize(
    "way", ["{}", "{}/", "{}/**/*.parquet", "{}/run_id=*/part-*.parquet", "{}/run_id=*", "file://{}"]
)
def test_ways_to_name_them(runs: Path, way: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(evaluated(way.format(runs), engine)) == set(NAMES.values())
    assert set(evaluated([way.format(runs)], engine)) == set(NAMES.values())
    monkeypatch.chdir(runs.parent)
    if not way.startswith("file"):
        assert set(evaluated(Path(way.format("runs")), engine)) == set(NAMES.values())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_one_of_them(runs: Path, engine: str) -> None:
    assert evaluated(runs / "run_id=007", engine) == {"007": 0.75}
    assert evaluated(runs / "run_id=bm25" / "part-1.parquet", engine) == {"bm25": 1.0}
    assert evaluated([runs / "run_id=bm25", runs / "run_id=007"], engine) == {"bm25": 0.75, "007": 0.75}


@pytest.mark.parametrize("engine", engines())
def test_what_no_name_stands_for_is_null(tmp_path: Path, engine: str) -> None:
    folder = write(tmp_path / "items", **{"day=__HIVE_DEFAULT_PARTITION__": ROWS, "day=2026-01-01": ROWS})
    con = spark.session() if engine == "spark" else None
    items = folder if engine != "polars" else scan_table(folder)
    actual = (
        ir.Labels(items, label="doc_id", prediction="doc_id", by="day", engine=engine, con=con)
        .evaluate("NumItems")
        .summary()
    )
    assert sorted(actual.select("day", "value").rows(), key=str) == [("2026-01-01", 3.0), (None, 3.0)]


@pytest.mark.parametrize("engine", engines())
def test_the_name_wins_over_the_column(tmp_path: Path, engine: str) -> None:
    inside = ROWS.with_columns(run_id=pl.lit(7))
    folder = write(tmp_path / "runs", **{"run_id=bm25": inside, "run_id=lm": inside})
    assert evaluated(folder, engine) == {"bm25": 0.75, "lm": 0.75}


@pytest.mark.parametrize("engine", engines())
def test_other_columns_in_names(tmp_path: Path, engine: str) -> None:
    folder = write(
        tmp_path / "bm25.v1",
        **{f"query_id={q}": ROWS.filter(query_id=q).drop("query_id") for q in ("1", "2")},
    )
    assert evaluated(folder, engine) == {"bm25": 0.75}
    judged = write(
        tmp_path / "qrels", **{f"query_id={q}": QRELS.filter(query_id=q).drop("query_id") for q in ("1", "2")}
    )
    # Ids of judgments take the type of the run's.
    numbers = ROWS.with_columns(pl.col("query_id").cast(pl.Int64))
    assert evaluated(numbers, engine, judged) == {"RR": 0.75}


@pytest.mark.parametrize("engine", engines())
def test_a_folder_without_names_is_one_run(tmp_path: Path, engine: str) -> None:
    assert evaluated(write(tmp_path, bm25=ROWS) / "bm25", engine) == {"bm25": 0.75}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_every_family_reads_folders(tmp_path: Path, engine: str, runs: Path) -> None:
    gold, run = ir.examples.ranking()
    points = pl.DataFrame({"x": [0.0, 1.0, 5.0, 6.0], "cluster_id": [1, 1, 2, 2], "item_id": list("abcd")})
    for make, measure, tables in (
        (ir.Labels, "MCC", [ir.examples.labels()]),
        (ir.Clusters, "AMI", [ir.examples.clusters()]),
        (functools.partial(ir.Points, features=["x"]), "DaviesBouldin", [points]),
        (ir.Organization, "RS", [gold, run]),
    ):
        want = make(*tables).evaluate(measure).summary()["value"].item()
        folders = [write(tmp_path / measure, **{f"t{i}/part=x": table}) / f"t{i}" for i, table in enumerate(tables)]
        for given in (folders, [f"{folder}/**/*.parquet" for folder in folders]):
            actual = make(*given, engine=engine).evaluate(measure).summary()["value"].item()
            assert actual == pytest.approx(want, rel=1e-12), (measure, given)
    assert ir.Similarity(runs, engine=engine).evaluate("Tau").summary()["value"].null_count() == 0


def test_readers_and_text(runs: Path) -> None:
    assert set(ir.read_run(runs)["run_id"]) == set(NAMES.values())
    assert ir.read_run(runs).schema["run_id"] == pl.String
    evaluation = ir.evaluate(QRELS.write_parquet(runs.parent / "q.parquet") or runs.parent / "q.parquet", runs, "RR")
    assert "hive_types_autocast=false" in evaluation.per_unit.sql()
    text = duckdb.sql(evaluation.summary.sql()).pl()
    assert dict(text.select("run_id", "value").iter_rows()) == dict.fromkeys(NAMES.values(), 0.75)
    assert pickle.loads(pickle.dumps(evaluation)).summary().equals(evaluation.summary())


def test_only_what_is_needed_is_read(runs: Path) -> None:
    for file in runs.glob("run_id=*/*.parquet"):
        pl.read_parquet(file).with_columns(text=pl.lit("x" * 99)).write_parquet(file)
    plan = ir.io.scan_run(runs).explain()
    assert "PROJECT 4/5" in plan or "PROJECT 3/4" in plan, plan


def test_nothing_of_it_is_left_in_a_connection(runs: Path) -> None:
    con = duckdb.connect()
    settings = con.sql("FROM duckdb_settings()").fetchall()
    assert len(ir.evaluate(QRELS, str(runs), "RR", con=con).summary()) == len(NAMES)
    assert con.sql("SHOW TABLES").fetchall() == []
    assert con.sql("FROM duckdb_secrets()").fetchall() == []
    assert con.sql("FROM duckdb_settings()").fetchall() == settings


# ---- what is wrong


def cut_off(folder: Path) -> None:
    path = folder / "run_id=lm" / "part-1.parquet"
    path.write_bytes(path.read_bytes()[:-20])


def emptied(folder: Path) -> None:
    (folder / "run_id=lm" / "part-1.parquet").write_bytes(b"")


def without_a_column(folder: Path) -> None:
    ROWS.drop("score").write_parquet(folder / "run_id=lm" / "part-1.parquet")


def with_another(folder: Path) -> None:
    ROWS.with_columns(z=1).write_parquet(folder / "run_id=lm" / "part-1.parquet")


def of_another_type(folder: Path) -> None:
    ROWS.with_columns(pl.col("score").cast(pl.String)).write_parquet(folder / "run_id=lm" / "part-1.parquet")


def in_other_folders(folder: Path) -> None:
    (folder / "model=x").mkdir()
    ROWS.write_parquet(folder / "model=x" / "part-1.parquet")


def beside_others(folder: Path) -> None:
    (folder / "run_id=lm" / "notes.txt").write_text("mine")


@pytest.mark.parametrize("engine", engines())
@pytest.mark.parametrize(
    "spoil, kind, says",
    [
        (cut_off, FileError, r"run_id=lm/part-1\.parquet is a damaged parquet file.*\n.*write it again"),
        (emptied, FileError, r"run_id=lm/part-1\.parquet is a damaged parquet file"),
        (without_a_column, WrongType, r"run_id=lm/part-1\.parquet has no column 'score', which .*bm25/part-0"),
        (with_another, WrongType, r"run_id=lm/part-1\.parquet has a column 'z'"),
        (of_another_type, WrongType, r"lm/part-1\.parquet: column 'score' is String, and Float64 in .*\n.*\.cast\("),
        (in_other_folders, FileError, r"name the column run_id, those of .* the column model"),
        (beside_others, FileError, r"others, such as run_id=lm/notes\.txt.*\n.*\*\*/\*\.parquet"),
    ],
)
def test_a_file_that_is_not_as_the_others(tmp_path: Path, engine: str, spoil, kind, says: str) -> None:
    folder = write(tmp_path / "runs", **{"run_id=bm25": ROWS, "run_id=lm": ROWS})
    spoil(folder)
    with pytest.raises(kind, match=rf"(?s){says}"):
        evaluated(folder, engine)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_folders_that_hold_none(tmp_path: Path, engine: str) -> None:
    with pytest.raises(FileError, match="is a directory without files"):
        evaluated(tmp_path, engine)
    (tmp_path / "bm25.txt").write_text("q1 Q0 a 1 2.5 x\n")
    with pytest.raises(FileError, match=r"(?s)without Parquet files; it has bm25\.txt.*/\*"):
        evaluated(tmp_path, engine)
    with pytest.raises(FileError, match="does not exist"):
        evaluated(tmp_path / "nope", engine)
    with pytest.raises(InvalidParameter, match=r"(?s)'s4://'.*s3://"):
        evaluated("s4://bucket/runs/", engine)


def test_damage_in_the_middle_is_ours_on_every_engine(tmp_path: Path) -> None:
    folder = write(tmp_path / "runs", **{"run_id=bm25": ROWS, "run_id=lm": ROWS})
    path = folder / "run_id=lm" / "part-1.parquet"
    content = bytearray(path.read_bytes())
    content[4:200] = os.urandom(196)
    path.write_bytes(content)
    for engine in ("polars", "duckdb"):
        with pytest.raises(IrevalError):
            evaluated(folder, engine)


def test_types_that_parquet_does_not_tell_alike(tmp_path: Path) -> None:
    """An enum names classes that do not occur, on every engine."""
    enum = pl.Enum(["a", "b", "never"])
    table = pl.DataFrame({"label": ["a", "b"], "prediction": ["a", "a"]}, schema={"label": enum, "prediction": enum})
    folder = write(tmp_path, **{"labels/part=x": table}) / "labels"
    actual = [
        ir.Labels(given, engine=engine).evaluate("F1(average='macro')").summary()["value"].item()
        for given in (table, folder)
        for engine in ("polars", "duckdb")
    ]
    assert actual == pytest.approx([actual[0]] * 4)
