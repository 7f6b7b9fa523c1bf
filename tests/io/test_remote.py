"""Paths in stores: read on every engine as files of this machine are; whatever fails is told, and soon."""

from __future__ import annotations

import gzip
import io
import os
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import EngineError, FileError, InvalidParameter, IrevalError, MalformedFile, WrongType
from ireval_frames.io import Located, located
from ireval_frames.io.storage import remote
from ireval_frames.io.storage import web as web_addresses
from tests import spark
from tests.cli.commands import invoke
from tests.io.samples import CLEAN
from tests.io.stores import Bucket, alone, parquet, silent, web
from tests.io.test_partitions import NAMES, QRELS, ROWS

BOTH = pytest.mark.parametrize("engine", ["polars", "duckdb"])
SOON = 60
FEW = {name: NAMES[name] for name in ("007", "a%20b")}


@pytest.fixture
def here() -> Iterator[None]:
    with alone():
        yield


def evaluated(run: object, engine: str = "polars", qrels: object = QRELS, **given: object) -> dict[str, float]:
    con = spark.session() if engine == "spark" else given.pop("con", None)
    summary = ir.evaluate(qrels, run, "RR", engine=engine, con=con, **given).summary()
    return dict(summary.select("run_id" if "run_id" in summary.columns else "measure", "value").iter_rows())


def runs(bucket: Bucket, names: dict[str, str] = FEW) -> str:
    for name in names:
        # An address writes what it cannot hold with a percent sign, once more.
        at = f"runs/run_id={name}/part-".replace("%", "%25").replace(" ", "%20").replace("ä", "%C3%A4")
        bucket.upload(f"{at}0.parquet", ROWS[:1])
        bucket.upload(f"{at}1.parquet", ROWS[1:])
    bucket.upload("runs/_SUCCESS", b"")
    return bucket.url("runs/")


@BOTH
def test_folders(bucket: Bucket, engine: str) -> None:
    path, want = runs(bucket, NAMES), dict.fromkeys(NAMES.values(), 0.75)
    assert evaluated(path, engine, storage_options=bucket.options) == want
    path, want = runs(Bucket(bucket.endpoint, f"{bucket.name}/few")), dict.fromkeys(FEW.values(), 0.75)
    for given in (path.rstrip("/"), [f"{path}**/*.parquet"], path.replace("s3:", "s3a:")):
        assert evaluated(given, engine, storage_options=bucket.options) == want, given


@BOTH
def test_one_of_them(bucket: Bucket, engine: str) -> None:
    path = runs(bucket)
    whole = {"engine": engine, "storage_options": bucket.options}
    assert evaluated(f"{path}run_id=007/", **whole) == {"007": 0.75}
    assert evaluated(f"{path}run_id=007/*.parquet", **whole) == {"007": 0.75}
    assert evaluated(f"{path}run_id=007/part-1.parquet", **whole) == {"007": 1.0}
    bucket.upload("bm25/part-0.parquet", ROWS)
    assert evaluated(bucket.url("bm25"), **whole) == {"bm25": 0.75}


@pytest.mark.skipif(bool(spark.missing()), reason="Spark is not there")
def test_spark_is_handed_what_lies_in_stores(bucket: Bucket) -> None:
    path = runs(bucket, {"007": "007"})
    assert evaluated(path, "spark", storage_options=bucket.options) == {"007": 0.75}


@BOTH
def test_files_of_all_kinds(bucket: Bucket, engine: str) -> None:
    whole = {"engine": engine, "storage_options": bucket.options}
    assert evaluated(bucket.upload("bm25.parquet", ROWS), **whole) == {"bm25": 0.75}
    text = "".join(f"{q} Q0 {d} 1 {s} x\n" for q, d, s in ROWS.iter_rows()).encode()
    several = [bucket.upload("lm.run", text), bucket.upload("bm25.run.gz", gzip.compress(text))]
    assert evaluated(several, **whole) == {"lm": 0.75, "bm25": 0.75}
    judged = bucket.upload("qrels.txt", b"1 0 a 1\n2 0 b 1\n")
    assert evaluated(several[0], qrels=judged, **whole) == {"lm": 0.75}
    assert evaluated(bucket.upload("t.tsv", ROWS.write_csv(separator="\t").encode()), **whole) == {"t": 0.75}
    assert evaluated(bucket.upload("j.jsonl", ROWS.write_ndjson().encode()), **whole) == {"j": 0.75}
    ROWS.write_ipc(arrow := io.BytesIO())
    assert evaluated(bucket.upload("a.arrow", arrow.getvalue()), **whole) == {"a": 0.75}
    items = ir.examples.labels()
    for path in (bucket.upload("items.parquet", items), bucket.upload("items.csv", items.write_csv().encode())):
        assert ir.Labels(path, **whole).evaluate("Accuracy").summary()["value"].item() == 0.625
    system = bucket.upload("run.parquet", ir.examples.ranking()[1])
    gold = bucket.upload("gold.parquet", ir.examples.ranking()[0])
    actual = ir.Organization(gold, system, **whole).evaluate("RS").summary()["value"].item()
    assert actual == pytest.approx(ir.Organization(*ir.examples.ranking()).evaluate("RS").summary()["value"].item())
    clusters = bucket.upload("clusters.parquet", ir.examples.clusters())
    assert ir.Clusters(clusters, **whole).evaluate("Purity").summary()["value"].item() == pytest.approx(12 / 17)
    points = bucket.upload(
        "points.parquet", pl.DataFrame({"x": [0.0, 1.0, 5.0], "cluster_id": [1, 1, 2], "id": [1, 2, 3]})
    )
    assert ir.Points(points, "x", **whole).evaluate("NumPoints").summary()["value"].item() == 3
    assert ir.Similarity(several, **whole).evaluate("Tau").summary().height > 0


def test_readers(bucket: Bucket) -> None:
    stores = {"storage_options": bucket.options}
    assert set(ir.read_run(runs(bucket), **stores)["run_id"]) == set(FEW.values())
    assert ir.read_qrels(bucket.upload("qrels.parquet", QRELS), **stores).equals(QRELS)
    assert ir.io.read_queries(bucket.upload("q.csv", b"qid,lang\n1,de\n"), **stores).rows() == [("1", "de")]
    assert ir.io.scan_run(runs(bucket), **stores).select(pl.len()).collect().item() == 3 * len(FEW)


def test_command(bucket: Bucket, tmp_path: Path) -> None:
    QRELS.write_parquet(tmp_path / "qrels.parquet")
    options = [
        part
        for k, v in bucket.options.items()
        for part in ("--storage-option", f"{k}={str(v).lower() if v is True else v}")
    ]
    done = invoke("evaluate", str(tmp_path / "qrels.parquet"), runs(bucket), "RR", "--format", "csv", *options)
    assert done.exit_code == 0, done.stderr
    assert "007,RR,0.75" in done.stdout
    wrong = invoke("labels", bucket.url("nope.parquet"), *options)
    assert (wrong.exit_code, "nope.parquet does not exist" in wrong.stderr) == (1, True)
    assert "secret=x" not in invoke("labels", "x.csv", "--storage-option", "=x").stderr


def test_keys_are_not_shown(bucket: Bucket) -> None:
    path = located(bucket.url("nope.parquet"), bucket.options)
    assert isinstance(path, Located)
    assert "secret" not in repr(path) + str(path)
    with pytest.raises(FileError) as caught:
        evaluated(path)
    assert "secret" not in str(caught.value)


def test_a_connection_is_left_as_it_was(bucket: Bucket) -> None:
    con = duckdb.connect()
    before = con.sql("FROM duckdb_settings()").fetchall()
    assert evaluated(runs(bucket), "duckdb", con=con, storage_options=bucket.options)
    with pytest.raises(FileError):
        evaluated(bucket.url("nope/"), "duckdb", con=con, storage_options=bucket.options)
    assert con.sql("FROM duckdb_secrets()").fetchall() == []
    assert con.sql("SHOW ALL TABLES").fetchall() == []
    assert con.sql("FROM duckdb_settings()").fetchall() == before


def test_duckdb_reads_in_pieces(bucket: Bucket) -> None:
    """Every statement reads anew, and an error on the way is told as it is on Polars."""
    evaluation = ir.evaluate(QRELS, runs(bucket), "RR AP", engine="duckdb", storage_options=bucket.options)
    assert evaluation.summary().height == 2 * len(FEW)
    assert evaluation.per_unit().height == 4 * len(FEW)
    bucket.upload("runs/run_id=007/part-1.parquet", parquet(ROWS[1:])[:-9])
    with pytest.raises(FileError, match="damaged"):
        ir.evaluate(QRELS, bucket.url("runs/"), "RR", engine="duckdb", storage_options=bucket.options).summary()


def test_text_of_sql_does_not_read_stores(bucket: Bucket) -> None:
    evaluation = ir.evaluate(QRELS, runs(bucket), "RR", storage_options=bucket.options)
    with pytest.raises(EngineError, match=r"(?s)SQL text cannot read s3://.*con=con"):
        evaluation.per_unit.sql()


# ---- what is wrong


@BOTH
def test_what_is_not_there(bucket: Bucket, engine: str) -> None:
    whole = {"engine": engine, "storage_options": bucket.options}
    for key in ("nope.parquet", "nope.run", "nope.arrow"):
        with pytest.raises(FileError, match=rf"(?s)s3://{bucket.name}/{key} does not exist.*ends with /"):
            evaluated(bucket.url(key), **whole)
    for key in ("nope/", "nope", "nope/*.parquet"):
        with pytest.raises(FileError, match="holds no Parquet file"):
            evaluated(bucket.url(key), **whole)
    for path in ("s3://no-such-bucket/runs/", "s3://no-such-bucket/bm25.parquet"):
        with pytest.raises(FileError, match=rf"(?s){path}.* there is no such bucket"):
            evaluated(path, **whole)
    # Of text, the lowest version of Polars says no more.
    with pytest.raises(FileError, match=r"no-such-bucket/bm25\.run (does not exist|.*there is no such bucket)"):
        evaluated("s3://no-such-bucket/bm25.run", **whole)
    with pytest.raises(FileError, match=r"(?s)is a pattern of files other than Parquet.*list"):
        evaluated(bucket.url("*.run"), **whole)


@BOTH
@pytest.mark.parametrize(
    "content, kind, says",
    [
        (parquet(ROWS)[:-20], FileError, "is damaged, or one of its files is"),
        (parquet(ROWS.drop("score")), WrongType, "different columns: .*score"),
        (parquet(ROWS.with_columns(z=1)), WrongType, "different columns: .*z"),
        (parquet(ROWS.with_columns(pl.col("score").cast(pl.String))), WrongType, "different columns: .*score"),
    ],
)
def test_a_file_that_is_not_as_the_others(bucket: Bucket, engine: str, content: bytes, kind, says: str) -> None:
    bucket.upload("bad/run_id=bm25/part-0.parquet", ROWS)
    bucket.upload("bad/run_id=lm/part-0.parquet", content)
    with pytest.raises(kind, match=rf"(?s){says}"):
        evaluated(bucket.url("bad/"), engine, storage_options=bucket.options)


@BOTH
def test_text_that_is_wrong(bucket: Bucket, engine: str) -> None:
    whole = {"engine": engine, "storage_options": bucket.options}
    with pytest.raises(MalformedFile, match=rf"s3://{bucket.name}/x.run, line 4"):
        evaluated(bucket.upload("x.run", CLEAN + b"bad\n"), **whole)
    with pytest.raises(FileError, match="not text in UTF-8"):
        evaluated(bucket.upload("b.run", b"\xff\xfe\x00"), **whole)
    with pytest.raises(IrevalError, match=r"e\.run"):
        evaluated(bucket.upload("e.run", b""), **whole)


@pytest.mark.parametrize("engine, key", [("polars", "runs/"), ("duckdb", "runs/"), ("polars", "bm25.run")])
def test_keys_that_are_missing_or_wrong(here: None, engine: str, key: str) -> None:
    del here
    with web({}, refuses=True) as site:
        keyed = Bucket(site.url, "bucket").options
        with pytest.raises(FileError, match=r"(?s)its store refuses the keys.*aws_access_key_id"):
            evaluated(f"s3://bucket/{key}", engine, storage_options=keyed)
        # The machine is asked whether it has keys; it has none.
        none = {k: v for k, v in keyed.items() if "key" not in k} | {"aws_metadata_endpoint": site.url}
        started = time.monotonic()
        with pytest.raises(FileError, match=r"(?s)no keys for its store.*AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY"):
            evaluated(f"s3://bucket/{key}", engine, storage_options=none)
        assert time.monotonic() - started < SOON


def test_stores_that_do_not_answer_are_reported_soon(here: None) -> None:
    del here
    nobody = Bucket("http://127.0.0.1:1", "bucket")
    started = time.monotonic()
    with pytest.raises(FileError, match=r"(?s)its store does not answer.*Check the network.*max_retries"):
        evaluated(nobody.url("runs/"), storage_options=nobody.options)
    with silent() as address:
        options = {**Bucket(address, "bucket").options, "max_retries": 0, "read_timeout": "0.2s"}
        with pytest.raises(FileError, match="its store does not answer"):
            evaluated(nobody.url("bm25.parquet"), storage_options=options)
    assert time.monotonic() - started < SOON


def test_patience_ends_unless_the_user_says_so() -> None:
    options = remote.store_options("s3://bucket/key", None)
    assert options == {"max_retries": 2, "connect_timeout": "3s", "read_timeout": "5s"}
    assert remote.store_options("s3://bucket/key", {"max_retries": "7", "read_timeout": "60s"})["max_retries"] == 7
    with pytest.raises(InvalidParameter, match="max_retries='many'"):
        remote.store_options("s3://bucket/key", {"max_retries": "many"})
    with pytest.raises(InvalidParameter, match="storage_options is of type list"):
        ir.read_run("s3://bucket/key.parquet", storage_options=["x"])


# ---- the web


@BOTH
def test_the_web(here: None, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    del here
    text = b"1 Q0 a 1 2.5 x\n2 Q0 b 1 2.5 x\n"
    with web({"/bm25.parquet": parquet(ROWS), "/lm.run.gz": gzip.compress(text)}) as site:
        assert evaluated(f"{site.url}/bm25.parquet", engine) == {"bm25": 0.75}
        assert evaluated(f"{site.url}/bm25.parquet?version=2", engine) == {"bm25": 0.75}
        assert evaluated([f"{site.url}/lm.run.gz"], engine) == {"lm": 1.0}
        for name in ("nope.parquet", "nope.run"):
            with pytest.raises(FileError, match=rf"{name} does not exist"):
                evaluated(f"{site.url}/{name}", engine)
    with web({}, refuses=True) as site, pytest.raises(FileError, match="refuses"):
        evaluated(f"{site.url}/bm25.parquet", engine)
    started = time.monotonic()
    with silent() as address:
        monkeypatch.setattr(web_addresses, "TIMEOUT", 0.2)
        with pytest.raises(FileError, match=r"(?s)does not answer.*Check the network and the address\."):
            evaluated(f"{address}/bm25.parquet", engine)
    assert time.monotonic() - started < SOON


@BOTH
def test_only_what_is_needed_is_fetched(here: None, engine: str) -> None:
    del here
    numbers = pl.int_range(200_000, eager=True)
    wide = pl.DataFrame({"query_id": numbers // 100, "doc_id": numbers % 100, "score": numbers * 0.5})
    content = parquet(wide.with_columns(text=numbers.hash().cast(pl.String) + numbers.hash(1).cast(pl.String)))
    qrels = pl.DataFrame({"query_id": [1, 2], "doc_id": [7, 8], "relevance": [1, 1]})
    with web({"/bm25.parquet": content}) as site:
        assert evaluated(f"{site.url}/bm25.parquet", engine, qrels)
        assert 0 < site.served < len(content) / 2, (site.served, len(content))


def test_proxies_of_the_environment_do_not_matter_here(here: None) -> None:
    del here
    assert os.environ["HTTP_PROXY"]
    with web({"/bm25.parquet": parquet(ROWS)}) as site:
        assert evaluated(f"{site.url}/bm25.parquet") == {"bm25": 0.75}
        assert site.requested
