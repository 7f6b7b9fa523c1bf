"""Files of any content: `NAME.ENDING` in the first line says which reader gets the rest under which ending."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames import io
from ireval_frames.clicks.formats.reading import LAYOUTS, read_clicks
from ireval_frames.comparison.values.files import read_values
from ireval_frames.gating.rule_files import read_rules
from ireval_frames.io.collected import collected
from ireval_frames.io.text import chunks
from ireval_frames.labels.reading import read_hierarchy
from tests.fuzzing.properties import attempted, chosen, same

Reader = Callable[[Path], Any]
READERS: dict[str, Reader] = {
    "run": io.read_run,
    "qrels": io.read_qrels,
    "queries": io.read_queries,
    "documents": io.read_documents,
    "table": lambda path: collected(io.scan_table(path), path),
    "spans": io.read_spans,
    "tags": io.read_tags,
    "coreference": io.read_coreference,
    "citations": io.read_citations,
    "nuggets": io.read_nuggets,
    "battles": io.read_battles,
    "ratings": io.read_ratings,
    "hierarchy": read_hierarchy,
    "values": read_values,
    "rules": read_rules,
    "clicks": read_clicks,
    **{name: lambda path, layout=name: read_clicks(path, layout) for name in LAYOUTS},
    **{
        name.removeprefix("read_"): getattr(ir.timings, name) for name in ir.timings.__all__ if name.startswith("read_")
    },
}
# Of these the size of the pieces that are read at once changes nothing.
IN_PIECES = ("run", "qrels", "queries", "documents", "table", "tags")
ENDING = re.compile(r"[a-z0-9]{1,8}(\.(gz|bz2|xz|zst))?")
FORMATS = Path(__file__).parents[2] / "data" / "formats"
# The reader of a file of `data/formats`, by its name.
OF_FORMATS = {
    "qrels": ("qrels", "judgments", "REL", "rlv-ass"),
    "queries": ("quer", "topics", "QUE", "qry", "NUM"),
    "run": (".run", "msmarco/run", "top1000"),
}
FOLDER = Path(tempfile.mkdtemp(prefix="ireval-fuzzing-"))


def fuzz(data: bytes) -> None:
    """Read the file twice, the second time in small pieces."""
    first, _, content = data.partition(b"\n")
    name, _, ending = first.decode("utf-8", "replace").partition(".")
    reader = chosen(name, READERS)
    path = FOLDER / ("file." + (ending if ENDING.fullmatch(ending) else "txt"))
    path.write_bytes(content)
    usual, said = attempted(lambda: comparable(reader(path)))
    if name in IN_PIECES:
        size = chunks.SIZE
        chunks.SIZE = 48
        try:
            again, refused = attempted(lambda: comparable(reader(path)))
        finally:
            chunks.SIZE = size
        same(bool(said), bool(refused), f"refused in pieces or at once ({said or refused})")
        same(usual, again, "read in pieces and at once")
    if name == "run" and usual is not None:
        written_again(reader(path))
    path.unlink()


def comparable(result: Any) -> Any:
    """A result as what `==` compares."""
    if isinstance(result, pl.DataFrame):
        return result.columns, [str(d) for d in result.dtypes], repr(result.rows())
    if isinstance(result, tuple):
        return [comparable(part) for part in result]
    return repr(result) if isinstance(result, dict) else None


def written_again(run: pl.DataFrame) -> None:
    """Hold that a run that is written, where it can be, is read as the same."""
    for ending in ("run", "csv", "parquet"):
        target = FOLDER / f"again.{ending}"
        _, refused = attempted(lambda target=target: io.write_run(run, target))
        if not refused:
            again = io.read_run(target, run_id="tag")
            keys = ["run_id", "query_id", "doc_id", "score"]
            rows = [sorted(map(repr, f.select(k for k in keys if k in f.columns).rows())) for f in (run, again)]
            same(*rows, f"written as {ending}")
            target.unlink()


def examples() -> Iterator[tuple[str, bytes]]:
    """The small files of published layouts, before each the line that says which reader it is for."""
    for path in sorted(path for path in FORMATS.rglob("*") if path.is_file() and path.suffix not in (".py", ".md")):
        place = path.relative_to(FORMATS).as_posix()
        reader = next((r for r, parts in OF_FORMATS.items() if any(p in place for p in parts)), "documents")
        yield place.replace("/", "-"), f"{reader}.{path.suffix[1:] or 'txt'}\n".encode() + path.read_bytes()
