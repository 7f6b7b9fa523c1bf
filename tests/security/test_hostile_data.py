"""Nothing of hostile data is executed or reaches other files, and what would fill the memory is refused."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import polars as pl
import pytest
from deltalake import write_deltalake

import ireval_frames as ir
from ireval_frames.errors import FileError, IrevalError, MalformedFile
from ireval_frames.io.label_files.reuters import MOST_BYTES
from tests.cli.commands import invoke
from tests.security.watched import HOSTILE

ROOT = Path(__file__).parents[2]
ITEM = b'<newsitem itemid="1"><codes class="bip:topics:1.0"><code code="C1"/></codes></newsitem>'
FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)", '=HYPERLINK("http://x";"y")', "\t=1", "=cmd|' /C calc'!A0")


def test_nothing_is_executed_or_written_elsewhere(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.security.watched", str(tmp_path / "work")]
    (tmp_path / "work").mkdir()
    (tmp_path / "at").mkdir()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path / "at", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    out = json.loads(done.stdout)
    assert [event for event, _ in out["of code"]] == ["exec"], "the hook sees code that runs"
    assert [entry for entry in out["seen"] if entry[0] != "open"] == []
    written = {Path(path) for _, path in out["seen"]}
    assert written
    assert all(path.is_relative_to(tmp_path / "work" / "hostile") for path in written), written
    assert [*(tmp_path / "at").iterdir()] == []
    assert {path.name for path in (tmp_path / "work").iterdir()} == {"plain", "hostile"}


class Harmful:
    """Touches a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["qrels.txt", "qrels.pkl", "qrels.parquet", "qrels.csv", "qrels.npy"])
def test_pickles_are_not_opened(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(pickle.dumps(Harmful(tmp_path / "owned")))
    for read in (
        ir.read_qrels,
        ir.read_run,
        ir.io.read_queries,
        ir.labels.read,
        lambda p: ir.io.scan_table(p).collect(),
    ):
        with pytest.raises(IrevalError):
            read(path)
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("format", ["csv", "json"])
def test_formulas_are_written_as_they_are(tmp_path: Path, format: str) -> None:
    """An id that is changed is another id."""
    qrels, run = ir.examples.ranking()
    qrels.write_parquet(tmp_path / "qrels.parquet")
    pl.concat([run.with_columns(run_id=pl.lit(f)) for f in FORMULAS]).write_parquet(tmp_path / "run.parquet")
    out = tmp_path / f"out.{format}"
    files = [str(tmp_path / "qrels.parquet"), str(tmp_path / "run.parquet")]
    done = invoke("evaluate", *files, "-m", "AP", "--format", format, "-o", str(out))
    assert done.exit_code == 0, done.stderr
    read = pl.read_csv(out) if format == "csv" else pl.read_json(out)
    assert set(read["run_id"]) == set(FORMULAS)


def zipped(folder: Path, content: bytes) -> Path:
    path = folder / "items.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../1.xml", content)
    return path


def test_archives_are_not_unpacked(tmp_path: Path) -> None:
    """A member's name leads nowhere."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    path = zipped(tmp_path / "a" / "b", ITEM)
    assert ir.labels.read(path, "newsitems")["item_id"].to_list() == ["1"]
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]


def test_a_small_archive_of_much_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, b" " * (MOST_BYTES + 1))
    assert path.stat().st_size < MOST_BYTES / 500
    with pytest.raises(MalformedFile, match="no news item has more than 16,000,000"):
        ir.labels.read(path, "newsitems")


def test_an_archive_that_says_less_than_it_has_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, b" " * (MOST_BYTES + 1))
    size, less = ((n).to_bytes(4, "little") for n in (MOST_BYTES + 1, 1000))
    path.write_bytes(path.read_bytes().replace(size, less))
    with pytest.raises(FileError, match="damaged zip archive"):
        ir.labels.read(path, "newsitems")


def test_an_archive_with_spoiled_bytes_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, ITEM * 50)
    data = bytearray(path.read_bytes())
    data[45:60] = b"\xff" * 15
    path.write_bytes(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive, pytest.raises(zlib.error):
        archive.read("../../1.xml")
    with pytest.raises(FileError, match="damaged zip archive"):
        ir.labels.read(path, "newsitems")


def test_entities_of_xml_neither_grow_nor_fetch(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    entities = {
        "grow": f'<!ENTITY l0 "{"ha" * 50}">{laughs}',
        "fetch": f'<!ENTITY l9 SYSTEM "{secret.as_uri()}">',
    }
    for name, declared in entities.items():
        path = tmp_path / f"{name}.xml"
        path.write_text(f'<!DOCTYPE newsitem [{declared}]><newsitem itemid="&l9;"/>')
        with pytest.raises(MalformedFile, match="is no XML") as caught:
            ir.labels.read(path, "newsitems")
        assert "secret" not in str(caught.value).replace(str(tmp_path), "")


@pytest.mark.parametrize("outside", ["{0}", "../outside.parquet", "file://{0}"])
def test_a_delta_table_reads_no_file_outside_of_its_folder(tmp_path: Path, outside: str) -> None:
    qrels, _ = ir.examples.ranking()
    qrels.write_parquet(tmp_path / "outside.parquet")
    write_deltalake(str(tmp_path / "t"), qrels)
    (log,) = (tmp_path / "t" / "_delta_log").glob("*.json")
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    for entry in entries:
        if "add" in entry:
            entry["add"]["path"] = outside.format(tmp_path / "outside.parquet")
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    with pytest.raises(IrevalError):
        ir.read_qrels(tmp_path / "t")


def test_names_of_measures_and_options_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    qrels, run = ir.examples.ranking()
    for text in HOSTILE:
        for measure in (text, f"nDCG({text})", f"nDCG@{text}", f"nDCG(rel={text})"):
            with pytest.raises((IrevalError, ValueError)):
                ir.evaluate(qrels, run, measure)
    assert [*tmp_path.iterdir()] == []
