"""The layouts that logs come in give the log that a row per shown result does."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidValue, MalformedFile, MismatchedTables, MissingColumn, UnknownName, WrongType

ENGINES = ("polars", "duckdb")
LOG = ir.examples.click_log()
ASKED = "CTR COEC PageCTR MRRFirstClick MRRLastClick ZeroResultRate NumPages NumResults NumClicks"
PAGE = ("serp_id", "query_id", "session_id", "user_id", "timestamp", "page_dwell")


def values(log: ir.Impressions) -> pl.DataFrame:
    """The measures by query, without the noise of last bits; queries of text files are text."""
    actual = log.evaluate(ASKED, by="query_id").wide()
    return actual.with_columns(pl.selectors.float().round(12), pl.col("query_id").cast(pl.Int64)).sort("query_id")


WANTED = values(ir.Impressions(LOG))
LISTS = LOG.group_by(PAGE, maintain_order=True).agg(
    documents=pl.col("doc_id").drop_nulls(), clicks=pl.col("click").filter(pl.col("doc_id").is_not_null())
)


@pytest.mark.parametrize("engine", ENGINES)
def test_lists_and_pages(engine: str) -> None:
    assert values(ir.Impressions(LISTS, engine=engine)).equals(WANTED)
    booleans = LISTS.with_columns(pl.col("clicks").cast(pl.List(pl.Boolean)))
    assert values(ir.Impressions(booleans, engine=engine)).equals(WANTED)
    shown, pages = LOG.drop_nulls("doc_id"), LOG.select(PAGE).unique()
    assert values(ir.Impressions(shown, pages, engine=engine)).equals(WANTED)
    # The pages that show nothing are enough, and all their rows may be there besides.
    assert values(ir.Impressions(shown, pages.filter(serp_id=5), engine=engine)).equals(WANTED)
    assert values(ir.Impressions(LOG, pages, engine=engine)).equals(WANTED)
    zero = LOG.with_columns(pl.col("position") - 1)
    assert values(ir.Impressions(zero, engine=engine, policy="positions=zero")).equals(WANTED)


@pytest.mark.parametrize("engine", ENGINES)
def test_lists_that_do_not_fit(engine: str) -> None:
    short = LISTS.with_columns(clicks=pl.when(pl.col("serp_id") == 3).then([1, 0]).otherwise("clicks"))
    with pytest.raises(MismatchedTables, match="page 3 has 3 documents, and its list in 'clicks'"):
        ir.Impressions(short, engine=engine).evaluate("CTR").summary()
    with pytest.raises(WrongType, match="'documents' holds lists of documents, and 'click' does not"):
        ir.Impressions(LISTS.with_columns(click=1).drop("clicks"), engine=engine).evaluate("CTR")
    with pytest.raises(MissingColumn, match="'user_id', and the pages table has none"):
        ir.Impressions(LOG, LOG.select("serp_id", "query_id"), engine=engine).evaluate("CTR")
    with pytest.raises(MissingColumn, match="no column 'position'"):
        ir.Impressions(LOG.drop("position"), engine=engine).evaluate("CTR")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_files(tmp_path: Path, ending: str, engine: str) -> None:
    path = tmp_path / f"log.{ending}"
    frame = LOG.with_columns(pl.col("click").cast(pl.Boolean))
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[ending](path)
    assert values(ir.Impressions(path, engine=engine)).equals(WANTED)
    assert values(ir.Impressions(ir.clicks.read_clicks(path))).equals(WANTED)


# ---- User Behavior Insights

NOON = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
QUERIES = pl.DataFrame(
    {
        "query_id": ["p1", "p2", "p3"],
        "client_id": ["u1", "u1", "u2"],
        "user_query": ["tea", "coffee", "tea"],
        "application": ["shop"] * 3,
        "query_response_hit_ids": [["a", "b"], [], ["b", "c"]],
        "timestamp": [NOON, NOON + dt.timedelta(seconds=60), NOON + dt.timedelta(seconds=90)],
    }
)


def event(action: str, page: str | None, doc: str | None, ordinal: int | None, seconds: float) -> dict[str, Any]:
    return {
        "action_name": action,
        "query_id": page,
        "timestamp": NOON + dt.timedelta(seconds=seconds),
        "event_attributes": {"object": {"object_id": doc}, "position": {"ordinal": ordinal}},
    }


EVENTS = pl.DataFrame(
    [
        event("impression", "p1", "a", 0, 1),
        event("impression", "p1", "b", 1, 1),
        event("impression", "p1", "b", 1, 9),
        event("click", "p1", "b", 1, 5),
        event("click", "p1", "b", 1, 8),
        event("click", "p3", "c", None, 100),
        event("click", "p3", "zzz", None, 101),
        event("click", "gone", "a", 0, 101),
        event("click", None, "a", 0, 102),
        event("login", None, None, None, 0),
    ]
)


def ubi(engine: str) -> tuple[Any, Any]:
    if engine == "polars":
        return QUERIES, EVENTS
    con = duckdb.connect()
    return con.from_arrow(QUERIES.to_arrow()), con.from_arrow(EVENTS.to_arrow())


@pytest.mark.parametrize("engine", ENGINES)
def test_ubi(engine: str) -> None:
    queries, events = ubi(engine)
    log = ir.clicks.from_ubi(queries, events, by="application", policy="unshown=skip")
    actual = log.evaluate("CTR PageCTR ZeroResultRate MRRFirstClick TimeToFirstClick NumPages").wide()
    assert actual.row(0) == ("shop", 0.5, 2 / 3, 1 / 3, 1 / 3, 7.5, 3.0)
    refused = ir.clicks.from_ubi(queries, events)
    with pytest.raises(
        MismatchedTables, match=r"1 clicks are on documents that their page did not show.*'zzz' of the page 'p3'"
    ):
        refused.evaluate("CTR").summary()
    assert ("not_shown", 1) in refused.check().select("check", "count").rows()
    # Events that say what was shown count from 0 here, and tell of the first page only.
    seen = ir.clicks.from_ubi(queries, events, shown="impression", policy="positions=zero,unshown=skip")
    assert seen.evaluate("CTR@1 CTR NumPages NumResults").wide().row(0) == (0.0, 0.5, 3.0, 2.0)


@pytest.mark.parametrize("missing, pages", [("skip", 2.0), ("empty", 3.0)])
def test_ubi_without_hits(missing: str, pages: float) -> None:
    unknown = pl.when(pl.col("query_id") == "p3").then(None).otherwise("query_response_hit_ids")
    queries = QUERIES.with_columns(query_response_hit_ids=unknown)
    with pytest.raises(MismatchedTables, match="1 queries, such as 'p3', have no known results"):
        ir.clicks.from_ubi(queries, EVENTS)
    log = ir.clicks.from_ubi(queries, EVENTS, missing=missing, policy="unshown=skip")
    assert log.evaluate("NumPages").summary()["value"].item() == pages
    with pytest.raises(UnknownName, match="missing is 'no'"):
        ir.clicks.from_ubi(queries, EVENTS, missing="no")
    with pytest.raises(MissingColumn, match="query_response_hit_ids"):
        ir.clicks.from_ubi(queries.drop("query_response_hit_ids"), EVENTS)


# ---- published files

YANDEX_2012 = """1 0 Q 7 2 11 12 13
1 5 C 12
1 9 C 12
1 20 Q 8 2 12 14
1 22 C 12
1 30 C 11
1 31 C 99
2 0 Q 7 2 11
"""
YANDEX_2013 = """1 M 3 u
1 0 Q 0 7 5,6 11,100 12,100 13,101
1 5 C 0 12
1 7 Q 1 8 5 11,100
1 8 C 0 13
1 9 C 1 12
2 M 4 v
2 0 T 0 7 5 11,100
"""
BAIDU = """q1	tea	[]
1	aa	t	a	301	0	-
2	bb	t	a	301	1	-
q2	coffee	[]
q3	tea	[]
1	cc	t	a	302	1	-
"""


def read(tmp_path: Path, text: str, layout: str) -> pl.DataFrame:
    path = tmp_path / "log.tsv"
    path.write_text(
        text if "\t" in text else text.replace(" ", "\t").replace("\tv\n", "\t9\n").replace("\tu\n", "\t5\n")
    )
    return ir.clicks.read_clicks(path, layout)


def test_yandex_2012(tmp_path: Path) -> None:
    actual = read(tmp_path, YANDEX_2012, "yandex-2012")
    columns = ("serp_id", "query_id", "doc_id", "position", "click", "click_time", "dwell")
    assert actual.select(columns).rows() == [
        (1, 7, 11, 1, 1, 30.0, 1.0),  # the page before the last one showed it
        (1, 7, 12, 2, 2, 5.0, 4.0),
        (1, 7, 13, 3, 0, None, None),
        (4, 8, 12, 1, 1, 2.0, 8.0),
        (4, 8, 14, 2, 0, None, None),
        (4, 8, 99, None, 1, 11.0, None),  # shown by no page; the last event of its session
        (8, 7, 11, 1, 0, None, None),
    ]
    log = ir.Impressions(actual, policy="unshown=skip")
    assert log.evaluate("CTR PageCTR NumPages").wide().row(0) == (0.5, 2 / 3, 3.0)


def test_yandex_2013(tmp_path: Path) -> None:
    actual = read(tmp_path, YANDEX_2013, "yandex-2013")
    columns = ("serp_id", "query_id", "user_id", "day", "is_test", "doc_id", "position", "click", "dwell")
    assert actual.select(columns).rows() == [
        (2, 7, 5, 3, False, 11, 1, 0, None),
        (2, 7, 5, 3, False, 12, 2, 1, 2.0),
        (2, 7, 5, 3, False, 13, 3, 1, 1.0),
        (4, 8, 5, 3, False, 11, 1, 0, None),
        (4, 8, 5, 3, False, 12, None, 1, None),
        (8, 7, 9, 4, True, 11, 1, 0, None),
    ]


def test_baidu(tmp_path: Path) -> None:
    actual = read(tmp_path, BAIDU, "baidu-ultr")
    assert actual.select("serp_id", "query_id", "doc_id", "position", "click").rows() == [
        (1, "q1", "aa", 1, 0),
        (1, "q1", "bb", 2, 1),
        (4, "q2", None, None, 0),
        (5, "q3", "cc", 1, 1),
    ]
    assert ir.Impressions(actual).evaluate("CTR ZeroResultRate").wide().row(0) == (2 / 3, 1 / 3)


@pytest.mark.parametrize(
    "layout, text, line",
    [
        ("yandex-2012", YANDEX_2012 + "1 x C 12\n", 9),
        ("yandex-2012", YANDEX_2012 + "1 40 C\n", 9),
        ("yandex-2013", YANDEX_2013 + "2 5 C 0\n", 9),
        ("yandex-2013", "a M 3 5\n", 1),
        ("baidu-ultr", BAIDU + "x\tdd\tt\ta\t1\t0\n", 7),
        ("baidu-ultr", "1\tdd\tt\ta\t1\t0\n", 1),
    ],
)
def test_lines_of_another_form(tmp_path: Path, layout: str, text: str, line: int) -> None:
    with pytest.raises(MalformedFile, match=f"has 1 lines of another form: line {line}: "):
        read(tmp_path, text, layout)


def test_layouts_have_names(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no layout 'yandex-2021'(.|\n)*yandex-2012"):
        read(tmp_path, "", "yandex-2021")


@pytest.mark.parametrize("engine", ENGINES)
def test_ubi_times_as_text_and_milliseconds(engine: str) -> None:
    """ISO 8601 with and without a zone, and milliseconds since 1970, give what instants give."""
    expected = ir.clicks.from_ubi(QUERIES, EVENTS, policy="unshown=skip").evaluate("TimeToFirstClick").summary()
    time = pl.col("timestamp")
    zone = time.dt.convert_time_zone("Asia/Kolkata")
    forms = {
        "zulu": time.dt.strftime("%Y-%m-%dT%H:%M:%S%.3fZ"),
        "zone": zone.dt.strftime("%Y-%m-%dT%H:%M:%S%:z"),
        "none": time.dt.strftime("%Y-%m-%d %H:%M:%S"),
        "milliseconds": time.dt.epoch("ms"),
    }
    for form, of in forms.items():
        tables: list[Any] = [frame.with_columns(timestamp=of) for frame in (QUERIES, EVENTS)]
        if engine == "duckdb":
            if form in ("zulu", "none"):
                continue
            con = duckdb.connect()
            tables = [con.from_arrow(frame.to_arrow()) for frame in tables]
        actual = ir.clicks.from_ubi(*tables, policy="unshown=skip").evaluate("TimeToFirstClick").summary()
        assert actual["value"].item() == pytest.approx(expected["value"].item()), form
    bad = QUERIES.with_columns(timestamp=pl.lit("yesterday"))
    with pytest.raises(InvalidValue, match="3 timestamps of the queries table are no times, such as 'yesterday'"):
        ir.clicks.from_ubi(bad, EVENTS)
    with pytest.raises(MismatchedTables, match="timestamps of one table are instants"):
        ir.clicks.from_ubi(QUERIES, EVENTS.with_columns(timestamp=forms["zulu"]))


ISO = (
    "2026-03-01T12:00:00Z",
    "1969-12-31 23:59:59.5",
    "2000-02-29T00:00:00.123456+05:30",
    "2024-12-31T23:59:59.125-08:00",
    "2100-03-01T00:00:00+02:00",
)


@pytest.mark.parametrize("engine", ENGINES)
def test_times_as_text(tmp_path: Path, engine: str) -> None:
    """Seconds between two instants that are text, as Python counts them; in files, too."""
    times = [dt.datetime.fromisoformat(t) for t in ISO]
    seconds = [(t if t.tzinfo else t.replace(tzinfo=dt.UTC)).timestamp() for t in times]
    frame = LOG.select("serp_id", "query_id", "doc_id", "position", "click").drop_nulls().head(5)
    frame = frame.with_columns(timestamp=pl.Series(ISO))
    frame.write_csv(tmp_path / "log.csv")
    for source in (frame, tmp_path / "log.csv"):
        inputs = ir.Impressions(source, engine=engine).inputs(())
        actual = inputs.engine.collect(inputs.impressions.select("timestamp"))["timestamp"].to_list()
        assert sorted(actual) == pytest.approx(sorted(seconds), abs=1e-6)
    with pytest.raises(InvalidValue, match="'timestamp' of the impressions table holds 'noon'"):
        ir.Impressions(frame.with_columns(timestamp=pl.lit("noon")), engine=engine).evaluate("CTR").summary()
