"""Names that are no text, signs that end texts, and values nested more deeply than anyone reads: read, or told."""

from __future__ import annotations

import ast
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, InvalidParameter, InvalidValue, IrevalError, MalformedFile
from ireval_frames.io.storage import copies
from ireval_frames.io.storage.places import as_text
from tests.cli.commands import invoke
from tests.packaging.imports import files

QRELS, RUN = ir.examples.ranking()
LABELS = ir.examples.labels()
BOTH = pytest.mark.parametrize("engine", ["polars", "duckdb"])
# Bytes that no text in UTF-8 has, as systems that keep names as bytes hand them over.
BAD = os.fsdecode(b"b\xff") if sys.platform == "linux" else "b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of every kind with a name that is no text, in such a folder, too."""
    ir.io.write_qrels(QRELS, tmp_path / "qrels.txt")
    (tmp_path / BAD).mkdir()
    for place in (tmp_path, tmp_path / BAD):
        ir.io.write_run(RUN, place / f"{BAD}.run", tag="t")
        for kind in ("csv", "jsonl", "parquet", "arrow", "tsv.gz"):
            ir.io.write_table(RUN, place / f"{BAD}.{kind}")
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="names are text here")
@BOTH
def test_files_whose_names_are_no_text(folder: Path, engine: str) -> None:
    expected = ir.evaluate(QRELS, RUN, "AP").summary()["value"].item()
    for place in (folder, folder / BAD):
        for kind in ("run", "csv", "jsonl", "parquet", "arrow", "tsv.gz"):
            ev = ir.evaluate(folder / "qrels.txt", place / f"{BAD}.{kind}", "AP", engine=engine)
            assert (kind, ev.summary()["value"].item()) == (kind, pytest.approx(expected, rel=1e-12))
            assert set(ev.summary()["run_id"] if "run_id" in ev.summary().columns else ()) <= {"b\\udcff", "t"}
    runs = ir.io.scan_run(str(folder / "b*.run"), run_id="file").collect()
    assert set(runs["run_id"]) == {"b\\udcff"}
    with pytest.raises(FileError, match="not valid UTF-8"):
        ir.evaluate(QRELS, folder / BAD, "AP", engine=engine).summary()
    assert as_text(BAD) == "b\\udcff"


@pytest.mark.skipif(sys.platform != "linux", reason="names are text here")
def test_what_else_takes_names_that_are_no_text(folder: Path) -> None:
    ev = ir.evaluate(folder / "qrels.txt", folder / f"{BAD}.run", "AP")
    store = ir.Store(folder / "store")
    store.add(ev)
    assert any("b\\udcff.run" in path for path in store.table("inputs").collect()["path"])
    for call in (lambda: ir.Store(folder / f"{BAD}s"), lambda: store.export(folder / f"{BAD}.duckdb")):
        with pytest.raises(FileError, match=r"b\\\\?udcff"):
            call()
    shown = ir.report(ev, folder / f"{BAD}.html").read_text("utf-8")
    assert shown.startswith("<!doctype html>")
    # The command tells, in one line or more, and ends.
    for words in (
        ("evaluate", folder / "qrels.txt", folder / f"{BAD}.run", "-m", "AP"),
        ("evaluate", folder / "qrels.txt", folder / f"{BAD}.run", folder / f"{BAD}.csv", "-q", "-o", folder / "x.csv"),
        ("compare", folder / "qrels.txt", folder / f"{BAD}.run", folder / f"{BAD}.csv", "-m", "AP"),
        ("labels", folder / f"{BAD}.csv", "Accuracy"),
        ("trec-eval", folder / "qrels.txt", folder / f"{BAD}.run"),
        ("evaluate", folder / "qrels.txt", folder / f"{BAD}none.run"),
        ("store", "list", "--store", folder / f"{BAD}none"),
    ):
        done = invoke(*words)
        assert done.exit_code in (0, 1, 2)
        assert isinstance(done.exception, SystemExit | None), words
        assert done.exit_code == 0 or done.stderr.startswith("ireval: ")


NUL = "a\0b"


@BOTH
def test_paths_that_hold_nul(engine: str, tmp_path: Path) -> None:
    store = ir.Store(tmp_path)
    for call in (
        lambda: ir.evaluate(QRELS, NUL, "AP", engine=engine).summary(),
        lambda: ir.Labels(NUL, engine=engine).evaluate("Accuracy").summary(),
        lambda: ir.io.read_ratings(NUL),
        lambda: ir.Store(NUL),
        lambda: store.export(NUL),
        lambda: store.export(f"{NUL}.csv"),
        lambda: store.import_values(NUL),
        lambda: ir.io.write_table(QRELS, f"{NUL}.csv"),
    ):
        with pytest.raises(FileError, match=r"a(\\x00|\x00)b"):
            call()


@BOTH
def test_columns_that_hold_nul(engine: str) -> None:
    """Polars has them; what no statement can say is told before."""
    odd = LABELS.with_columns(pl.lit("g").alias(NUL))
    for frame in (odd, odd.lazy(), LABELS.to_pandas().assign(**{NUL: "g"})):
        for by in ((), (NUL,)):
            ev = ir.Labels(frame, engine=engine, by=by)
            if engine == "polars":
                assert ev.evaluate("Accuracy").summary().height == 1
            else:
                with pytest.raises(InvalidValue, match=r"'a\\x00b' has a NUL character(.|\n)*frame.rename"):
                    ev.evaluate("Accuracy").summary()
    with pytest.raises(InvalidValue, match="NUL"):
        ir.Labels(odd, by=NUL, engine=engine).evaluate("Accuracy").per_unit.sql()
    with pytest.raises(InvalidParameter, match="not a name of a column"):
        ir.splits.kfold(LABELS, 2, into="\ud800")


DEEP = {
    "[": "[" * 5000,
    "[]": "[" * 5000 + "]" * 5000,
    "key": '{"query_id": ' + "[" * 5000,
    "{": '{"a": ' * 5000 + "1" + "}" * 5000,
    "digits": '{"query_id": ' + "9" * 5000 + "}",
}


@pytest.mark.parametrize("case", DEEP)
def test_json_that_is_nested_deeply(tmp_path: Path, case: str) -> None:
    readers: tuple[Callable[[Path], object], ...] = (
        ir.read_run, ir.read_qrels, ir.io.read_ratings, lambda p: ir.Labels(p).evaluate("Accuracy").summary(),
        lambda p: ir.Impressions(p).evaluate("CTR").summary(), ir.Store(tmp_path / "s").import_values,
    )  # fmt: skip
    for name, before in (("first.jsonl", ""), ("later.jsonl", '{"query_id": "q", "doc_id": "d", "score": 1}\n')):
        path = tmp_path / name
        path.write_text(before + DEEP[case] + "\n")
        for read in readers:
            with pytest.raises((MalformedFile, IrevalError), match=name):
                read(path)
    done = invoke("evaluate", path, path)
    assert (done.exit_code, done.stderr[:8]) == (1, "ireval: ")


MINUS = "-" * 3000
TEXTS = (
    f"P(rel={MINUS}1)@5", f"P@{MINUS}5", f"P(rel={'(' * 3000}1{')' * 3000})@5", f"P(rel={'[' * 3000}{']' * 3000})@5",
    f"P(rel={'not ' * 4000}1)@5", f"P(rel={'1+' * 5000}1)@5", f"P@{'9' * 5000}", "P(" * 3000, "P(rel=\0)", "\ud800",
    f"P(rel={'a.' * 5000}b)@5", MINUS, f"P(rel={{{'{' * 500}}})@5",
)  # fmt: skip


def test_measures_that_are_nested_deeply() -> None:
    two = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in "ab"])
    ev = ir.evaluate(QRELS, two, "AP")
    for text in TEXTS:
        for call in (
            lambda text=text: ir.evaluate(QRELS, RUN, text).summary(),
            lambda text=text: ir.gate(ev, ev, [f"{text} drop <= 0.1"]),
            lambda text=text: ir.Experiment(ir.examples.experiment(), baseline="a").analyze(f"Mean({text})").table(),
            lambda text=text: ev.compare("a", test=text).table(),
            lambda text=text: ir.evaluate(QRELS, RUN, "AP", policy=f"ties={text}").summary(),
        ):
            with pytest.raises(IrevalError):
                call()
        done = invoke("evaluate", "qrels", "run", "-m", text)
        assert (done.exit_code, done.stderr[:8]) == (2, "ireval: "), text


PARSES = r"json\.loads|ast\.parse|literal_eval"


def test_whoever_parses_knows_of_depth() -> None:
    """Every text of users that Python parses may be nested more deeply than it can follow."""
    for name, path in files().items():
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(PARSES, text) else ():
            if isinstance(node, ast.Try):
                caught_types = "".join(ast.unparse(h.type) for h in node.handlers if h.type)
                parses = re.search(PARSES, "".join(map(ast.unparse, node.body)))
                known = ("RecursionError", "UNPARSED", "_UNREADABLE", "_FAILURES")
                assert not parses or any(word in caught_types for word in known), f"{name}:{node.lineno}"


def test_copies_are_read_again_and_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system does not name what is open, and opens no file again that goes when it is closed."""
    monkeypatch.setattr(copies, "OPENED", tmp_path / "nowhere")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    copy = copies.Copy()
    copy.file.write(b"q1 Q0 d1 1 2.5 x\n")
    copy.file.flush()
    assert copy.path.read_bytes() == b"q1 Q0 d1 1 2.5 x\n"
    assert getattr(copy.file, "delete", False) is False
    path = copy.path
    del copy
    assert not path.exists()
