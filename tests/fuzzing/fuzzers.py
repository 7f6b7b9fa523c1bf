"""The fuzzers by name, and their seeds: inputs that are kept, each a file with a name that says what it is.

A fuzzer is a function of bytes that returns if its property holds, and raises if not.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

FUZZERS = ("readers", "grammar")
SEEDS = Path(__file__).parent / "seeds"
FORMATS = SEEDS.parents[2] / "data" / "formats"
# The reader of a file of `data/formats`, by the end of its name.
_READERS = {
    "qrels": ("qrels", "REL", "rlv-ass"),
    "queries": ("quer", "topics", "QUE", "qry", "NUM"),
    "run": (".run", "msmarco-run", "top1000", "run.tsv"),
}


def fuzzer(name: str) -> Callable[[bytes], None]:
    """The function of that name."""
    out: Callable[[bytes], None] = importlib.import_module(f"tests.fuzzing.{name}").fuzz
    return out


def seeds(name: str) -> dict[str, bytes]:
    """The inputs that are kept of a fuzzer, by their names."""
    kept = {path.name: path.read_bytes() for path in sorted((SEEDS / name).iterdir())}
    return kept | dict(_of_formats()) if name == "readers" else kept


def words(name: str) -> list[str]:
    """Words that inputs of a fuzzer are made of: those of its seeds."""
    texts = (content.decode("utf-8", "ignore") for content in seeds(name).values() if len(content) < 4000)
    return sorted({word for text in texts for word in text.split() if word.isascii() and 1 < len(word) < 24})


def _of_formats() -> Iterator[tuple[str, bytes]]:
    """The small files of published layouts, before each the line that says which reader it is for."""
    for path in sorted(path for path in FORMATS.rglob("*") if path.is_file() and path.suffix not in (".py", ".md")):
        place = path.relative_to(FORMATS).as_posix()
        reader = (
            "qrels"
            if "judgments/" in place
            else next((r for r, parts in _READERS.items() if any(part in place for part in parts)), "documents")
        )
        yield place.replace("/", "-"), f"{reader}.{path.suffix[1:] or 'txt'}\n".encode() + path.read_bytes()
