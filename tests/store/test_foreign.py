"""What does not belong into a store is named and left as it is; the rest is read, added to and packed all the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, StoreWarning
from ireval_frames.store.tables import FORMAT, TABLES
from tests.store.cases import TOPICS, contents, evaluation
from tests.store.test_crashes import same, stored_values

Made = Callable[[Path, bytes], object]


def text(path: Path, _: bytes) -> None:
    path.write_text("run_id,value\n" * 9)


def foreign(path: Path, _: bytes) -> None:
    pl.DataFrame({"evaluation_id": ["x"], "run_id": ["x"]}).write_parquet(path)


def outside(path: Path, data: bytes) -> None:
    target = path.parents[2] / f"outside-{path.parent.name}"
    target.write_bytes(data[:-9])
    path.symlink_to(target)


KINDS: dict[str, tuple[str, Made]] = {
    "nothing": ("empty", lambda path, _: path.write_bytes(b"")),
    "short": ("cut off", lambda path, _: path.write_bytes(b"PAR1")),
    "cut": ("cut off", lambda path, data: path.write_bytes(data[: len(data) // 2])),
    "tail": ("cut off", lambda path, data: path.write_bytes(data[:-1])),
    "head": ("cut off", lambda path, data: path.write_bytes(data[1:])),
    "text": ("no Parquet", text),
    "foreign": ("not written by ireval-frames", foreign),
    "folder": ("cannot be read", lambda path, _: path.mkdir()),
    "lost": ("leads nowhere", lambda path, _: path.symlink_to("nowhere")),
    "loop": ("cannot be read", lambda path, _: path.symlink_to(path.name)),
    "outside": ("cut off", outside),
    "pack-cut": ("cut off", lambda path, data: path.write_bytes(data[:-9])),
    "pack-foreign": ("not written by ireval-frames", foreign),
}


def test_intruders_in_every_folder(tmp_path: Path) -> None:
    store = ir.Store(tmp_path / "s")
    id = store.add(evaluation(), queries=TOPICS)  # noqa: A001
    store.tag("main", id)
    before = stored_values(store)
    expected = {}
    for name in TABLES:
        folder = tmp_path / "s" / name
        folder.mkdir(exist_ok=True)
        data = next(folder.glob("*.parquet"), tmp_path / "s" / "values" / f"{id}.parquet").read_bytes()
        for kind, (message, make) in KINDS.items():
            make(folder / f"{kind}.parquet", data)
            expected[str(folder / f"{kind}.parquet")] = message
        (folder / "notes.txt").write_text("mine")
        expected[str(folder / "notes.txt")] = "no file of a store"
    # A file of one table among those of another.
    (tmp_path / "s" / "units" / "moved.parquet").write_bytes((tmp_path / "s" / "values" / f"{id}.parquet").read_bytes())
    expected[str(tmp_path / "s" / "units" / "moved.parquet")] = "no file of the table units"
    there = contents(tmp_path)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        store = ir.Store(tmp_path / "s", create=False)
        store.evaluations()
    assert all(issubclass(w.category, StoreWarning) for w in warned)
    assert {str(w.message).partition(" is left out")[0] for w in warned} == {
        p for p in expected if p.endswith(".parquet")
    }
    with pytest.warns(StoreWarning):
        assert same(stored_values(store), before)
    actual = dict(store.check().rows())
    assert actual.keys() == expected.keys()
    assert not {path: actual[path] for path, message in expected.items() if message not in actual[path]}
    with pytest.warns(StoreWarning):
        assert store.sql('SELECT count(*) FROM "values"').item() == 9
    with pytest.warns(StoreWarning):
        store.add(evaluation(shift=0.5))
    with pytest.warns(StoreWarning):
        store.compact()
    with pytest.warns(StoreWarning):
        assert len(stored_values(store)) == 2
    now = contents(tmp_path)
    assert {path: now.get(path) for path in there if str(tmp_path / path) in expected} == {
        path: data for path, data in there.items() if str(tmp_path / path) in expected
    }


@pytest.mark.parametrize("kind", [k for k in KINDS if not k.startswith("pack")])
def test_what_has_the_name_of_a_file_to_be_written_is_not_overwritten(tmp_path: Path, kind: str) -> None:
    ids = ir.Store(tmp_path / "o").add(evaluation())
    data = (tmp_path / "o" / "values" / f"{ids}.parquet").read_bytes()
    store = ir.Store(tmp_path / "s")
    store.add(evaluation(shift=0.5))
    before = stored_values(store)
    path = tmp_path / "s" / "values" / f"{ids}.parquet"
    KINDS[kind][1](path, data)
    there = contents(tmp_path)
    with pytest.warns(StoreWarning), pytest.raises(FileError, match="Move it away"):
        store.add(evaluation())
    assert {p: b for p, b in contents(tmp_path).items() if p in there} == there
    assert path.is_symlink() or path.exists()
    with pytest.warns(StoreWarning):
        assert same(stored_values(store), before)


@pytest.mark.parametrize(
    "line,message",
    [
        (f"ireval-store {FORMAT + 1}\n", "newer"),
        (f"ireval-store {10**30}\n", "newer"),
        ("ireval-store ²\n", "no format"),
        ("ireval-store\n", "no format"),
        ("", "no format"),
        ("something else\n" * 99, "no format"),
        ("\x00" * 99, "no format"),
    ],
)
def test_a_folder_of_another_format_is_refused(tmp_path: Path, line: str, message: str) -> None:
    ir.Store(tmp_path).add(evaluation())
    (tmp_path / "FORMAT").write_text(line)
    before = contents(tmp_path)
    with pytest.raises(FileError, match=message) as caught:
        ir.Store(tmp_path)
    if message == "newer":
        assert "pip install" in str(caught.value)
    assert contents(tmp_path) == before


def test_a_format_that_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "FORMAT").mkdir()
    with pytest.raises(FileError):
        ir.Store(tmp_path)
    (tmp_path / "s").symlink_to("nowhere")
    with pytest.raises(FileError):
        ir.Store(tmp_path / "s")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        ir.Store(tmp_path / "file" / "s")
    with pytest.raises(FileError):
        ir.Store(tmp_path / ("x" * 300))
