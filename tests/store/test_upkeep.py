"""Damage is named and breaks nothing else; packing, merging and removing lose nothing."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, StoreWarning, UnknownName
from ireval_frames.evaluation.systems import tables_of
from ireval_frames.store.tables import TABLES
from tests.store.cases import TOPICS, contents, evaluation


def filled(path: Path, *shifts: float) -> ir.Store:
    store = ir.Store(path)
    for shift in shifts:
        store.tag(f"t{shift}", store.add(evaluation(shift=shift), collection="c", queries=TOPICS))
    return store


def rows(store: ir.Store, name: str) -> pl.DataFrame:
    return store.table(name).collect().sort(TABLES[name].key)


def damage(kind: str, path: Path) -> str:
    """Harm a file; the message about it."""
    data = path.read_bytes()
    match kind:
        case "empty":
            path.write_bytes(b"")
            return "is empty"
        case "cut":
            path.write_bytes(data[: len(data) // 2])
            return "cut off"
        case "text":
            path.write_text("run_id,value\n" * 9)
            return "no Parquet file"
        case "foreign":
            pl.DataFrame({"a": [1]}).write_parquet(path)
            return "not written by ireval-frames"
        case _:
            (path.parent.parent / "values" / path.name).write_bytes(data)
            path.unlink()
            return ""


@pytest.mark.parametrize("kind", ["empty", "cut", "text", "foreign"])
def test_damaged_files_are_named_and_left_out(tmp_path: Path, kind: str) -> None:
    store = filled(tmp_path, 0.0, 0.5)
    good = store.find("t0.0")
    bad = tmp_path / "values" / f"{store.find('t0.5')}.parquet"
    message = damage(kind, bad)
    data = bad.read_bytes()
    with pytest.warns(StoreWarning, match=bad.name):
        assert {*store.table("values").collect()["evaluation_id"]} == {good}
    with pytest.warns(StoreWarning, match=message):
        assert {*store.sql('FROM "values"')["evaluation_id"]} == {good}
    assert store.check().filter(pl.col("path") == str(bad))["problem"].str.contains(message).all()
    with pytest.warns(StoreWarning):
        store.compact()
    assert bad.read_bytes() == data


def test_damage_within_a_file_is_found(tmp_path: Path) -> None:
    store = filled(tmp_path, 0.0, 0.5)
    good = store.find("t0.0")
    bad = tmp_path / "summaries" / f"{store.find('t0.5')}.parquet"
    data = bytearray(bad.read_bytes())
    data[4:200] = bytes(196)
    bad.write_bytes(data)
    with pytest.warns(StoreWarning, match="damaged"):
        actual = store.sql("SELECT DISTINCT evaluation_id FROM summaries")
    assert actual["evaluation_id"].to_list() == [good]
    assert str(bad) in store.check()["path"].to_list()


def test_packing_changes_no_row(tmp_path: Path) -> None:
    store = filled(tmp_path, 0.0, 0.5, 1.0)
    before = {name: rows(store, name) for name in TABLES}
    assert store.compact() > 0
    assert store.compact() == 0
    for name in TABLES:
        assert_frame_equal(rows(store, name), before[name])
        assert len([*(tmp_path / name).glob("*.parquet")]) <= 1
    filled(tmp_path, 1.5)
    assert store.compact() > 0
    assert rows(store, "evaluations").height == 4
    assert store.check().is_empty()


def test_two_who_pack_at_once_double_nothing(tmp_path: Path) -> None:
    from ireval_frames.store import packing
    from ireval_frames.store.folder import files

    store = filled(tmp_path, 0.0, 0.5)
    first = files.listing(tmp_path)
    filled(tmp_path, 1.0)
    second = files.listing(tmp_path)
    before = rows(store, "values")
    files = contents(tmp_path)
    packing.compact(first)
    for name, data in files.items():
        # As if the first one had not come to deleting.
        (tmp_path / name).write_bytes(data)
    packing.compact(second)
    assert_frame_equal(rows(store, "values"), before)
    assert store.evaluations().collect().height == 3


def test_what_is_removed_is_gone_and_can_come_again(tmp_path: Path) -> None:
    for packed in (False, True):
        store = filled(tmp_path / str(packed), 0.0, 0.5)
        other = rows(store, "values").filter(evaluation_id=store.find("t0.0"))
        if packed:
            store.compact()
        gone = store.find("t0.5")
        store.remove("t0.5")
        assert store.check().is_empty()
        for name, table in TABLES.items():
            if table.owner:
                assert gone not in rows(store, name)["evaluation_id"].to_list()
        assert_frame_equal(rows(store, "values"), other)
        filled(tmp_path / str(packed), 0.5)
        assert rows(store, "values").height == 2 * other.height
        store.compact()
        assert rows(store, "values").height == 2 * other.height


def test_a_name_that_falls_back_is_reported(tmp_path: Path) -> None:
    store = filled(tmp_path, 0.0, 0.5, 1.0)
    ids = [store.find(f"t{shift}") for shift in (0.0, 0.5, 1.0)]
    for one in ids[:2]:
        store.tag("main", one)
    with pytest.warns(StoreWarning, match=f"'main' is that of evaluation {ids[0]} again"):
        store.remove("main")
    assert store.find("main") == ids[0]
    # A name that was another's in between, or that nobody had before, does not move.
    store.tag("main", ids[2])
    store.remove(ids[0])
    assert store.find("main") == ids[2]
    store.remove("main")
    with pytest.raises(UnknownName):
        store.find("main")


def test_kept_tables_are_merged_and_checked(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "a", 0.0), filled(tmp_path / "b", 0.5)
    ev = evaluation()
    digests = other.keep(ev)["digest"].to_list()
    assert other.keep(ev, only="qrels")["name"].to_list() == ["qrels"]
    one.merge(other)
    for digest in digests:
        assert_frame_equal(one.kept(digest).collect(), other.kept(digest).collect())
    assert one.check().is_empty()
    bad = tmp_path / "a" / "tables" / f"{digests[0][:32]}.parquet"
    bad.write_bytes(bad.read_bytes()[:-20])
    assert one.check()["path"].to_list() == [str(bad)]
    for wrong in ({"qrels": ev, "runs": ev}, {"qrels": tables_of(ev)["qrels"].to_native()}):
        with pytest.raises(InvalidParameter):
            one.keep(**wrong)
    with pytest.raises(UnknownName, match="'qrel'"):
        one.keep(ev, only="qrel")


def test_merging_takes_what_is_not_there(tmp_path: Path) -> None:
    one, other = filled(tmp_path / "a", 0.0, 0.5), filled(tmp_path / "b", 0.5, 1.0, 1.5)
    other.compact()
    assert one.merge(other) == 2
    files = contents(tmp_path / "a")
    assert one.merge(tmp_path / "b") == 0
    assert contents(tmp_path / "a") == files
    assert one.check().is_empty()
    together = filled(tmp_path / "c", 0.0, 0.5, 1.0, 1.5)
    for name in ("values", "units", "summaries", "inputs", "runs", "queries", "measures"):
        assert_frame_equal(rows(one, name), rows(together, name))
    with pytest.raises(FileError, match="no store"):
        one.merge(tmp_path / "nowhere")


def test_an_export_is_the_store_in_one_file(tmp_path: Path) -> None:
    store = filled(tmp_path / "s", 0.0, 0.5)
    path = store.export(tmp_path / "results.duckdb")
    with duckdb.connect(str(path), read_only=True) as con:
        for name in TABLES:
            (count,) = con.execute(f'SELECT count(*) FROM "{name}"').fetchone() or ()
            assert count == rows(store, name).height
            con.fetchall()
        query = "SELECT value FROM history('RR') ORDER BY ALL"
        assert con.sql(query).pl().equals(store.sql(query))
        says = con.sql("SELECT comment FROM duckdb_tables() WHERE table_name = 'values'").fetchall()
        assert says == [(TABLES["values"].description,)]
        (tags,) = con.sql("SELECT tags['storage_version'] FROM duckdb_databases() WHERE NOT internal").fetchall()[-1]
        assert "1.5" in str(tags)
    with pytest.raises(FileError, match="already"):
        store.export(path)


@pytest.mark.parametrize("text,message", [("ireval-store 2\n", "newer"), ("something\n", "no format")])
def test_other_formats_are_refused(tmp_path: Path, text: str, message: str) -> None:
    filled(tmp_path, 0.0)
    (tmp_path / "FORMAT").write_text(text)
    with pytest.raises(FileError, match=message):
        ir.Store(tmp_path)


def test_other_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match=r"mine\.txt"):
        ir.Store(tmp_path)
    with pytest.raises(FileError, match="file"):
        ir.Store(tmp_path / "mine.txt")
    with pytest.raises(FileError, match="no store"):
        ir.Store(tmp_path / "none", create=False)
    assert contents(tmp_path) == {"mine.txt": b"mine"}
