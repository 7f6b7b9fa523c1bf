"""A store as a page for the browser: the files that are written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.browser import built as built_page
from ireval_frames.errors import EngineError, FileError
from ireval_frames.store.page import TEXT_OF_JSON
from ireval_frames.store.tables import TABLES
from tests.browser.built_pages import OTHERS, SHARED, built, stored, tables
from tests.store.cases import contents, evaluation

AT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> ir.Store:
    store = ir.Store(tmp_path / "results")
    for name in ("one", "two"):
        store.add(evaluation(name, shift=float(name == "two")), collection="news", tags={"k": 1.2}, at=AT)
    return store


def test_it_has_the_page_and_every_table(store: ir.Store, tmp_path: Path) -> None:
    folder = store.page(tmp_path / "out", title="Nightly <b>", page=built(tmp_path / "built"))
    files = contents(folder)
    assert files["index.html"] == b"store.html"
    assert {*SHARED} - {*files} == {"store.html"}
    assert not {*OTHERS} - {"index.html"} & {*files}
    about = stored(folder)
    assert (about["title"], about["kind"], about["version"]) == ("Nightly <b>", "store", ir.__version__)
    actual = tables(folder)
    assert {*actual} == {*TABLES, "leaderboard"}
    for table in about["tables"]:
        assert table["rows"] == actual[table["name"]].height
    expected = store.table("values").collect().sort(pl.all())
    assert actual["values"].cast(expected.schema).sort(pl.all()).equals(expected)
    # Times without a zone, of which the page can tell days and hours.
    assert actual["occasions"]["made_at"].to_list() == [AT.replace(tzinfo=None)] * 2
    assert actual["leaderboard"]["run_id"].to_list()[:2] == store.leaderboard().collect()["run_id"].to_list()[:2]


def test_its_statements_run_over_its_tables(store: ir.Store, tmp_path: Path) -> None:
    folder = store.page(tmp_path / "out", page=built(tmp_path / "built"))
    with duckdb.connect() as con:
        for name, rows in tables(folder).items():
            con.register("rows", rows)
            con.execute(f'CREATE TABLE "{name}" AS FROM rows')
        for statement in stored(folder)["statements"]:
            con.execute(statement)
        query = "SELECT run_id, value FROM history('RR') ORDER BY ALL"
        assert con.sql(query).fetchall() == store.sql(query).rows()
        query = "SELECT unit_id, difference FROM diff('one', 'two', 'nDCG@2') ORDER BY ALL"
        assert con.sql(query).fetchall() == store.sql(query).rows()


def test_the_same_store_gives_the_same_bytes_and_takes_the_place_of_the_page(store: ir.Store, tmp_path: Path) -> None:
    page = built(tmp_path / "built")
    first = contents(store.page(tmp_path / "out", page=page))
    assert contents(store.page(tmp_path / "out", page=page)) == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["built", "out", "results"]


def test_an_empty_store_has_a_page(tmp_path: Path) -> None:
    folder = ir.Store(tmp_path / "empty").page(tmp_path / "out", page=built(tmp_path / "built"))
    assert {t.height for t in tables(folder).values()} == {0}


@pytest.mark.parametrize("place", ["file", "folder", "inner/out"])
def test_nothing_else_is_replaced(store: ir.Store, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").write_text("mine", "utf-8")
    before = contents(tmp_path / "folder")
    with pytest.raises(FileError):
        store.page(tmp_path / place, page=built(tmp_path / "built"))
    assert contents(tmp_path / "folder") == before


def test_where_the_page_comes_from(store: ir.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_page, "_places", lambda: iter([tmp_path / "none"]))
    with pytest.raises(EngineError, match="pip install ireval-frames-page"):
        store.page(tmp_path / "out")
    with pytest.raises(FileError, match="does not hold the page"):
        store.page(tmp_path / "out", page=tmp_path)
    with pytest.raises(EngineError, match=r"is of release 0\.0\.1"):
        store.page(tmp_path / "out", page=built(tmp_path / "old", version="0.0.1"))
    incomplete = built(tmp_path / "incomplete")
    (incomplete / "data" / "catalog.json").unlink()
    with pytest.raises(FileError, match=r"(?s)is incomplete.*make page"):
        store.page(tmp_path / "out", page=incomplete)
    inner = built(tmp_path / "there") / "data" / "out"
    with pytest.raises(FileError, match="in the folder of the built page"):
        store.page(inner, page=tmp_path / "there")
    assert not (tmp_path / "out").exists()
    assert not inner.exists()
    monkeypatch.setattr(built_page, "_places", lambda: iter([tmp_path / "none", built(tmp_path / "there")]))
    assert (store.page(tmp_path / "out") / "store.js").is_file()


def test_an_installed_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = built(tmp_path / "ireval_frames_page" / "built").parent
    (package / "__init__.py").write_text(
        "from pathlib import Path\nFOLDER = Path(__file__).parent / 'built'\n", "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert package / "built" in list(built_page._places())


def test_the_page_before_stays_if_it_cannot_be_replaced(
    store: ir.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = built(tmp_path / "built")
    before = contents(store.page(tmp_path / "out", page=page))
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if target.name == "out" and "index.html" in {p.name for p in self.iterdir()} and contents(self) != before:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(FileError, match="No space left"):
        store.page(tmp_path / "out", title="Other", page=page)
    assert contents(tmp_path / "out") == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["built", "out", "results"]


OBJECTS = [
    {"model": "bm25", "k1": 1.2, "n": 3, "on": True, "no": None},
    {"a": 'x"y\\ \n\t ,}{[', "b": ":", "k": "", 'ke"y': "v", "back\\slash": "ü/é", "$.a": "1"},
    {"list": [1, "b"], "nested": {"a": 1}, "a": "after"},
    {},
]


@pytest.mark.parametrize("values", OBJECTS)
def test_texts_of_json_are_those_of_duckdb(values: dict[str, object]) -> None:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    with duckdb.connect() as con:
        for statement in TEXT_OF_JSON:
            con.execute(statement.replace('"->>"', "text_in"))
        for key in [k for k in (*values, "missing", "a", "model") if not k.startswith("$")]:
            ours, theirs = con.execute("SELECT text_in($1, $2), $1::JSON ->> $2", [text, key]).fetchall()[0]
            assert ours == theirs, key
            assert con.execute("SELECT text_in(NULL, $1)", [key]).fetchall() == [(None,)]
