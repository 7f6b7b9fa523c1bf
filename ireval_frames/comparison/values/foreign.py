"""Values per unit as other tools write them: trec_eval's -q, ir_measures, and nested JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ireval_frames.catalog import parse_all
from ireval_frames.errors import MalformedFile
from ireval_frames.io.storage.compression import Stream

UNIT, MEASURE, VALUE = "query_id", "measure", "value"
# The name of the summary of all queries in trec_eval and ir_measures.
ALL = "all"
# Values of trec_eval that are no numbers.
_WORDS = ("runid", "relstring")
_TEXT = {UNIT: pl.String, MEASURE: pl.String, VALUE: pl.Float64}
_ONLY_MEANS = "It holds means only. Have the values per query: trec_eval -q, ir_measures --by_query."


@dataclass(frozen=True)
class Foreign:
    """The values of another tool.

    Attributes:
        tool: the tool of the format.
        rows: query_id, measure, value.
        run: the run, where the file names it.
    """

    tool: str
    rows: pl.DataFrame
    run: str | None = None


def foreign(path: Path, family: str) -> Foreign | None:
    """The values of a file of another tool; None where it is a table with a header, or none of these formats.

    Raises:
        FileError: it cannot be read.
        MalformedFile: a line or a value is at fault, or there are no values per query.
    """
    suffixes = [s.lower() for s in path.suffixes]
    if {".parquet", ".pq", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson"} & {*suffixes}:
        return None
    with Stream(path, str(path)) as stream:
        if ".json" in suffixes:
            return _nested(path, _whole(stream), family)
        head = stream.read(1 << 12).decode("utf-8", "replace").split("\n")[0].rstrip("\r").split("\t")
        if len(head) != 3 or not (_number(head[2]) is not None or head[0].strip() in _WORDS):
            return None
    with Stream(path, str(path)) as stream:
        return _lines(path, _whole(stream).decode("utf-8", "replace"), family)


def _whole(stream: Stream) -> bytes:
    return b"".join(iter(lambda: stream.read(1 << 20), b""))


def _lines(path: Path, text: str, family: str) -> Foreign:
    """Three fields a line: measure, query, value of trec_eval; query, measure, value of ir_measures."""
    run: str | None = None
    rows: list[tuple[str, str, float]] = []
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        fields = [f.strip() for f in line.split("\t")]
        if len(fields) == 3 and fields[0] in _WORDS:
            run = fields[2] if fields[0] == "runid" else run
            continue
        value = _number(fields[2]) if len(fields) == 3 else None
        if value is None:
            raise MalformedFile(
                f"{path}, line {place}: {line[:60]!r} is no measure, query and number with tabs between.",
                "Have it written anew: trec_eval -q qrels run",
            )
        rows.append((fields[0], fields[1], value))
    firsts = {r[0] for r in rows}
    seconds = {r[1] for r in rows}
    turned = _known(seconds - {ALL}, family) > _known(firsts - {ALL}, family)
    values_of_queries = [(q, m, v) for q, m, v in (r if turned else (r[1], r[0], r[2]) for r in rows) if q != ALL]
    if not values_of_queries:
        raise MalformedFile(f"{path} has no values per query.", _ONLY_MEANS)
    return Foreign(
        "ir_measures" if turned else "trec_eval", pl.DataFrame(values_of_queries, schema=_TEXT, orient="row"), run
    )


def _known(names: Iterable[str], family: str) -> float:
    """The share of names that are measures."""
    listed_names = list(names)
    return sum(_is_measure(name, family) for name in listed_names) / max(len(listed_names), 1)


def _is_measure(name: str, family: str) -> bool:
    try:
        return bool(parse_all(name, family))
    except ValueError:
        return False


def _nested(path: Path, content: bytes, family: str) -> Foreign:
    """{measure: {query: value}} as ranx keeps scores, or {query: {measure: value}} as pytrec_eval does.

    Raises:
        MalformedFile: it is something else.
    """
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{path} is no JSON: {error}.", "Name a file of values per query.") from None
    if isinstance(parsed, Mapping) and {"model_names", "metrics"} <= parsed.keys():
        raise MalformedFile(
            f"{path} is a report of ranx, which has means only.",
            "Write its values: json.dump({m: dict(s) for m, s in run.scores.items()}, file)",
        )
    if not isinstance(parsed, Mapping) or not parsed or not all(isinstance(v, Mapping) for v in parsed.values()):
        raise MalformedFile(
            f"{path} holds no values per query.",
            'It may be {"AP": {"q1": 0.5}}, or {"q1": {"AP": 0.5}}.',
        )
    inner = {name for of in parsed.values() for name in of}
    turned = _known(inner, family) > _known(parsed, family)
    rows = [(b, a, v) if not turned else (a, b, v) for a, of in parsed.items() for b, v in of.items()]
    for query, name, value in rows:
        if isinstance(value, bool) or not isinstance(value, int | float | None):
            raise MalformedFile(f"{path}: the value of {name} for {query!r} is {value!r}.", "Values are numbers.")
    return Foreign("pytrec_eval" if turned else "ranx", pl.DataFrame(rows, schema=_TEXT, orient="row", strict=False))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def named(present: Iterable[str], requested: Mapping[str, str]) -> dict[str, str]:
    """The names of columns in a table: as requested, or if the table lacks that, as other tools call it.

    Args:
        present: the columns.
        requested: the requested names of unit, system, measure and value.

    Example:
        >>> named(["name", "qid", "measure", "value"], {"unit": "query_id", "system": "run_id"})
        {'unit': 'qid', 'system': 'name'}
    """
    known = list(present)
    first = {what: [c for c in (name, *_OTHERS.get(what, ())) if c in known] for what, name in requested.items()}
    return {what: first[what][0] if first[what] else name for what, name in requested.items()}


_OTHERS = {"unit": ("qid", "q_id"), "system": ("name", "run"), "measure": ("metric",)}
