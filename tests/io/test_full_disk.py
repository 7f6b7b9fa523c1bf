"""A disk that takes no more: our error, the old file as it was, and nothing beside it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import FileError, IrevalError
from tests.packaging.imports import files

resource = pytest.importorskip("resource", reason="limits of files need a system that has them")
QRELS, RUN = ir.examples.ranking()
# More than the limit in every format.
LONG = pl.DataFrame({"query_id": ["q"] * 3000, "doc_id": range(3000), "score": pl.int_range(3000, eager=True).hash()})
LIMIT = 2048


@contextmanager
def full() -> Iterator[None]:
    """No file may become longer than a few bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A module that is imported now would be compiled into a file that ends too early.
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiles


@pytest.fixture(scope="module")
def writers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[Path], object]]:
    """What writes a file of each kind."""
    ev = ir.evaluate(QRELS, RUN, "P@1 P@2 P@4")
    chart = ir.plots.cutoffs(ev)
    model = ir.Impressions(ir.examples.click_log()).fit("SDBN")
    store = ir.Store(tmp_path_factory.mktemp("kept"))
    store.add(ev, run="a")
    scores = LONG.with_columns(pl.col("score").cast(pl.Float64))
    drawn = {f"x{end}": lambda path: ir.plots.save(chart, path) for end in (".svg", ".png", ".pdf", ".html")}
    tables = {
        f"t{end}": lambda path: ir.io.write_table(LONG, path) for end in (".csv", ".parquet", ".arrow", ".jsonl.gz")
    }
    return {
        **drawn,
        **tables,
        "a.run": lambda path: ir.io.write_run(scores, path),
        "a.run.zst": lambda path: ir.io.write_run(scores, path),
        "qrels.txt": lambda path: ir.io.write_qrels(LONG.rename({"score": "relevance"}), path),
        "report.html": lambda path: ir.report(ev, path),
        "model.parquet": model.save,
        "sent.duckdb": store.export,
    }


def test_the_old_file_stays(tmp_path: Path, writers: dict[str, Callable[[Path], object]]) -> None:
    for name, write in writers.items():
        path = tmp_path / name
        if name != "sent.duckdb":
            path.write_bytes(b"old")
        with full(), pytest.raises(FileError, match=r"cannot be written") as caught:
            write(path)
        assert str(path) in caught.value.what
        assert path.read_bytes() == b"old" if name != "sent.duckdb" else not path.exists()
    assert {p.name for p in tmp_path.iterdir()} == {*writers} - {"sent.duckdb"}


def test_places_that_cannot_be_written(tmp_path: Path, writers: dict[str, Callable[[Path], object]]) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name, write in writers.items():
        for place in (tmp_path / "no" / name, tmp_path / f"{'x' * 300}{name}", tmp_path / f"a\0{name}"):
            # A name with an odd sign may be refused as that of a run.
            with pytest.raises(IrevalError, match="cannot be written"):
                write(place)
        (tmp_path / name).symlink_to("../" * 30 + "proc/self/" + name)
        with pytest.raises(FileError, match="cannot be written"):
            write(tmp_path / name)
        (tmp_path / name).unlink()
    assert [p.name for p in tmp_path.iterdir()] == ["loop"]


WRITES = re.compile(
    r"\.(write_(csv|parquet|ipc|ndjson|text)|sink_(?!batches)\w+)\((?!stream\b|packed\b|\))|open\((\"|.*, \")[wxa]"
)
# The places that put a whole file where it belongs, or add to one of others.
PLACES = (
    "ireval_frames.io.storage.atomic",
    "ireval_frames.store.folder.format",
    "ireval_frames.cli.comparison.gate",
    "ireval_frames.cli",
)
TEXT = (">>>", "...", '"', "'", "f'", 'f"', "hint")


def test_no_other_code_writes_files() -> None:
    """A frame is written to the stream of `replacing`, or to one in memory."""
    lines = [(name, line.strip()) for name, path in files().items() for line in path.read_text("utf-8").splitlines()]
    assert [x for x in lines if WRITES.search(x[1]) and not x[1].startswith(TEXT) and x[0] not in PLACES] == []
