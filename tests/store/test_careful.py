"""What careful users meet: odd ids and times, units of several columns, one name in several places."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import DuplicateRows, InvalidParameter, IrevalError, MismatchedTables, UnknownName, WrongType
from ireval_frames.store import packing
from ireval_frames.store.folder import files
from tests.store.cases import QRELS, contents, evaluation, run


@pytest.fixture
def store(tmp_path: Path) -> ir.Store:
    return ir.Store(tmp_path)


def test_ids_of_all_types_are_text(store: ir.Store) -> None:
    texts = ir.evaluate(QRELS, run(), "RR")
    for dtype in (pl.Categorical, pl.Enum([*"cbaxyz"])):
        cast = pl.col("query_id", "doc_id").cast(dtype)
        assert store.add(texts) == store.add(ir.evaluate(QRELS.with_columns(cast), run().with_columns(cast), "RR"))
    for ids in (pl.Series([2**64 - 1, 0], dtype=pl.UInt64), pl.Series([2**63 - 1, -(2**63)])):
        qrels = pl.DataFrame({"query_id": ids, "doc_id": ids, "relevance": [1, 1]})
        results = pl.DataFrame({"query_id": ids, "doc_id": ids, "score": [1e308, -1e308]})
        name = str(ids[0])
        store.add(ir.evaluate(qrels, results, "RR"), run=name)
        assert store.values("RR", runs=name).collect()["unit_id"].to_list() == sorted(map(str, ids))


def test_times_are_those_of_utc(store: ir.Store) -> None:
    berlin, ev = ZoneInfo("Europe/Berlin"), evaluation(measures="RR")
    # An hour that is there twice; the second of them is named in two zones.
    times = [datetime(2026, 10, 25, 2, 30, tzinfo=berlin, fold=fold) for fold in (0, 1)]
    times += [
        datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, tzinfo=UTC),
    ]
    for at in times:
        store.add(ev, at=at)
    expected = sorted({at.astimezone(UTC) for at in times})
    assert len(expected) == 4
    assert store.history("RR").collect()["made_at"].to_list() == expected
    assert store.sql("SELECT made_at FROM history('RR')")["made_at"].to_list() == expected
    with pytest.raises(InvalidParameter, match="year"):
        store.add(ev, at=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))))


def test_groups_may_be_null_and_dates(store: ir.Store) -> None:
    topics = pl.DataFrame({"query_id": [*"abc"], "day": [date(2026, 1, 1), date(2026, 1, 2), None]})
    for name, shift in (("one", 0.0), ("two", -5.0)):
        store.add(ir.evaluate(QRELS, run(name, shift), "RR", queries=topics, by="day"))
    groups = ['{"day":"2026-01-01"}', '{"day":"2026-01-02"}', '{"day":null}']
    assert store.values("RR", runs="one").collect()["groups"].to_list() == groups
    differences = store.sql("SELECT groups, difference FROM diff('one', 'two', 'RR') ORDER BY groups").rows()
    assert differences == [(groups[0], 0.0), (groups[1], 0.5), (groups[2], 0.0)]


def labelled(*predictions: str) -> pl.DataFrame:
    rows = {"user": [1, 1, 2, 2], "page": [*"abab"], "label": [*"xxyy"], "prediction": predictions}
    return pl.DataFrame(rows)


def test_classifiers_in_tables_with_their_labels_are_compared(store: ir.Store) -> None:
    """A table of predictions differs between systems; from it one cannot see that the labels do."""
    for name, predictions in (("one", "xyyy"), ("two", "xxyy")):
        store.add(ir.Labels(labelled(*predictions), unit=["user", "page"]).evaluate("Accuracy"), run=name)
    row = store.compare("one", "two", "Accuracy").table().row(0, named=True)
    assert (row["n"], row["difference"]) == (4, 0.25)
    assert store.sql("SELECT unit_id FROM diff('one', 'two', 'Accuracy')")["unit_id"][0] == '{"user":1,"page":"b"}'
    gold = labelled(*"xxyy").select("label", item_id=pl.int_range(4))
    predictions = gold.select("item_id", prediction="label")
    store.add(ir.Labels(gold, predictions).evaluate("Accuracy"), run="three")
    store.add(ir.Labels(gold.with_columns(label=pl.lit("x")), predictions).evaluate("Accuracy"), run="four")
    with pytest.raises(MismatchedTables, match="different labels"):
        store.compare("three", "four", "Accuracy")


def test_a_difference_is_of_collections_that_have_both(store: ir.Store) -> None:
    store.add(evaluation("one"), collection="a")
    store.add(evaluation("one", -5.0), collection="b")
    store.add(evaluation("two"), collection="b")
    rows = store.sql("SELECT collection, unit_id, difference FROM diff('one', 'two', 'RR') ORDER BY ALL").rows()
    assert rows == [("b", "a", 0.0), ("b", "b", -0.5), ("b", "c", 0.0)]
    assert {*store.sql("FROM diff('one', 'one', 'RR')")["difference"]} == {0.0}


def test_nothing_may_be_evaluated(store: ir.Store) -> None:
    store.add(ir.evaluate(QRELS, run().head(0), "RR", policy="overlap=allow"))
    store.add(
        ir.evaluate(QRELS.head(0), run(), "RR", policy="overlap=allow"),
        queries=pl.DataFrame({"query_id": []}, schema={"query_id": pl.String}),
    )
    assert store.evaluations().collect()["n_values"].to_list() == [0, 0]
    assert store.leaderboard().collect().is_empty()
    assert store.check().is_empty()
    assert store.compact() > 0
    assert store.sql('SELECT count(*) FROM "values"').item() == 0


@pytest.mark.parametrize(
    "queries,error",
    [
        ({"query_id": ["a", "a"], "lang": ["de", "en"]}, DuplicateRows),
        ({"query_id": ["a"], "embedding": [b"\xff"]}, WrongType),
        ({"lang": ["de"]}, IrevalError),
    ],
)
def test_queries_that_cannot_be_kept_are_refused(store: ir.Store, queries: dict[str, Any], error: type) -> None:
    with pytest.raises(error):
        store.add(evaluation(), queries=pl.DataFrame(queries))
    assert list(contents(store.path)) == ["FORMAT"]


def test_attributes_of_queries_are_json(store: ir.Store) -> None:
    columns = {
        "n": [float("nan")],
        "day": [date(2026, 1, 1)],
        "l": [[1, 2]],
        "big": pl.Series([2**64 - 1], dtype=pl.UInt64),
    }
    store.add(evaluation(), queries=pl.DataFrame({"query_id": ["a"], **columns}))
    attributes = store.sql("SELECT attributes FROM queries").item()
    assert attributes == '{"n":null,"day":"2026-01-01","l":[1,2],"big":18446744073709551615}'


@pytest.mark.parametrize(
    "arguments",
    [
        {"collection": "\ud800"},
        {"tags": {"a": "\ud800"}},
        {"tags": {"\ud800": 1}},
        {"command": 3},
        {"command": "\ud800"},
    ],
)
def test_what_is_no_text_is_refused(store: ir.Store, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameter):
        store.add(evaluation(), **arguments)
    assert list(contents(store.path)) == ["FORMAT"]


def test_names_that_are_no_text_are_refused(store: ir.Store) -> None:
    one = ir.Labels(labelled(*"xxyy")).evaluate("Accuracy")
    for name in (3, "\ud800"):
        with pytest.raises(InvalidParameter):
            store.add(one, run=name)  # type: ignore[arg-type]
    id = store.add(one, run="one")  # noqa: A001
    for text in (None, 3, "", " ", id[:3], id + "0", id.upper()):
        with pytest.raises(UnknownName):
            store.find(text)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter):
        store.tag("\ud800", id)
    with pytest.raises(UnknownName):
        store.kept(None)  # type: ignore[arg-type]


def test_packing_while_files_are_listed_hides_nothing(store: ir.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names were read, then all these files went into packs, before anyone looked at them."""
    for shift in (0.0, 0.5, 1.0):
        store.add(evaluation(shift=shift))
    real, packed = files._names, []

    def names(folder: Path) -> set[str]:
        tables = real(folder)
        if folder.name == "summaries" and not packed:
            packed.append(True)
            packing.compact(files.listing(store.path))
        return tables

    monkeypatch.setattr(files, "_names", names)
    assert store.leaderboard(measures="RR").collect().height == 1
    assert store.table("summaries").collect()["evaluation_id"].n_unique() == 3
    assert packed
