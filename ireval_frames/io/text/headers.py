"""The columns that a table's header names, and whether a line is a header."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from ireval_frames.columns.documents import TEXTS
from ireval_frames.columns.schema import DOC_ID, QRELS, QUERIES, QUERY_ID, RUN, Column, Schema, missing, resolve
from ireval_frames.columns.user_names import within
from ireval_frames.errors import Argument, Code, FileError, Hint, InvalidParameter, MissingColumn, listed, nearest
from ireval_frames.io.text.field_orders import BY_ORDER, as_format

# "list" and "ranks" are runs that are used in the order of their rows, or by ranks; "pairs" judgments without grades.
Kind = Literal["run", "list", "ranks", "qrels", "pairs", "queries", "documents"]

_PAIRS = replace(QRELS, columns=tuple(replace(c, required=c.required and c.name != "relevance") for c in QRELS.columns))
# The header of judgments of BEIR and MTEB, in which grades are called scores.
_BEIR = {"query-id", "corpus-id", "score"}
WORDS = {"qrels": "judgments", "run": "a run", "queries": "queries", "documents": "documents"}
_WORDS = {**WORDS, "pairs": "judgments", "list": "a run", "ranks": "a run"}
_VALUES = Code("ir.comparison.read_values(path)", "as values: ireval compare --values")
_OF_TEXTS: tuple[Kind, ...] = ("queries", "documents")
SCHEMAS: dict[Kind, Schema] = {
    "run": RUN, "list": RUN, "ranks": RUN, "qrels": QRELS, "pairs": _PAIRS, "queries": QUERIES,
    "documents": TEXTS,
}  # fmt: skip


def named(kind: Kind, names: Iterable[str], columns: Mapping[str, str] | None, file: str) -> dict[str, str]:
    """The file's own name for each of our columns that it has.

    Args:
        kind: the kind of table.
        names: the columns of the file.
        columns: the user's mapping from our names to the file's.
        file: the file's name in messages.

    Raises:
        MissingColumn: a required column is missing.
        UnknownName: the mapping names a column such a table does not have.
    """
    names = list(names)
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        pairs = kind == "qrels" and len(names) <= len(_BEIR) and any(name.isdigit() for name in twice)
        of_pairs = Hint("If these are lines of query, document and grade: ", as_format("pairs"))
        raise InvalidParameter(
            f"{file}: the header names {listed(map(repr, twice))} twice.",
            of_pairs if pairs else "Rename one of the columns.",
        )
    tables = [] if within(columns, names) else _other_tables(kind, names)
    read = _WORDS.get(kind, kind)
    has = (
        f"{file} has {' or '.join(WORDS[table] for table in tables)} (its columns: {listed(names, 20)}), and {read} "
        f"{'is' if read == 'a run' else 'are'} read."
    )
    if tables and (kind in _OF_TEXTS or (kind == "run" and "qrels" in tables)):
        key = SCHEMAS[kind].columns[0] if kind in _OF_TEXTS else RUN["score"]
        as_it_is = Argument("columns", {key.name: _lookup(key, names)})
        raise FileError(has, Hint(reading(tables), f" If it has {read}: ", as_it_is))
    try:
        return _resolved(kind, names, within(columns, names))
    except MissingColumn as error:
        if tables:
            raise MissingColumn(has, Hint(reading(tables), "\n  ", error.hint)) from None
        raise MissingColumn(f"{file}: {error.what}", error.hint) from None


def _other_tables(kind: Kind, names: list[str]) -> list[str]:
    """What a table may be, if its columns are those of texts in place of a run, or the other way; else nothing."""
    query, doc = _lookup(QUERY_ID, names), _lookup(DOC_ID, names)
    graded, scored = _lookup(QRELS["relevance"], names), _lookup(RUN["score"], names) or _lookup(RUN["rank"], names)
    title, text = _lookup(TEXTS["title"], names), _lookup(TEXTS["text"], names)
    if kind in _OF_TEXTS and query and doc and (graded or scored):
        return ["qrels"] if graded else ["run"] if _lookup(RUN["rank"], names) else ["qrels", "run"]
    if kind == "queries" and title and text and _lookup(QUERIES["query_id"], names) == "_id":
        # Queries of BEIR have no titles.
        return ["documents"]
    if kind == "run" and {n.lower() for n in names} == _BEIR:
        return ["qrels"]
    if kind in _OF_TEXTS or (query and doc) or graded or scored or not text:
        return []
    tables: list[str] = [table for table in _OF_TEXTS if _lookup(SCHEMAS[table].columns[0], names)]
    return ["documents"] if title and "documents" in tables else tables


def reading(tables: Iterable[str]) -> Hint:
    """How tables of these kinds are read."""
    kinds = list(dict.fromkeys(tables))
    parts: list[str | Code] = []
    for table in kinds:
        call = Code(f"ir.io.scan_{table}(path)", f"as {WORDS[table]}") if table in WORDS else _VALUES
        parts += [" or " if parts else "Read it: ", call]
    first = " Judgments come first, then the run." if {"qrels", "run"} & {*kinds} else ""
    return Hint(*parts, ".", first)


def _resolved(kind: Kind, names: list[str], columns: Mapping[str, str] | None) -> dict[str, str]:
    if kind == "qrels":
        try:
            return resolve(QRELS, names, _score_as_relevance(names, columns))
        except MissingColumn as error:
            pairs = _lookup(QRELS["query_id"], names) and _lookup(QRELS["doc_id"], names)
            if not pairs or _lookup(RUN["rank"], names) or _lookup(RUN["run_id"], names):
                raise
            all_relevant = "If all listed documents are relevant: "
            raise MissingColumn(error.what, _and(error.hint, all_relevant, as_format("pairs"))) from None
    mapping = resolve(SCHEMAS[kind], names, columns)
    if kind == "run" and not {"score", "rank"} & mapping.keys():
        if _lookup(QRELS["relevance"], names):
            raise MissingColumn(f"The table has neither score nor rank (it has: {listed(names, 20)}).", _JUDGMENTS)
        lacking = missing(RUN, "score", names)
        raise MissingColumn(lacking.what, _and(lacking.hint, "If the rows are in the order of the run: ", BY_ORDER))
    return mapping


def _and(hint: str, *more: str | Argument) -> Hint:
    """A hint with an alternative."""
    return Hint(*getattr(hint, "parts", (hint,)), "\n  ", *more)


_JUDGMENTS = "It looks like judgments: ir.io.scan_qrels(path). Judgments come first, then the run."
_RUN = "It looks like a run: ir.io.scan_run(path). Judgments come first, then the run."


def _score_as_relevance(names: list[str], columns: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """The mapping for BEIR and ranx, which call the grade "score"; judgments have no rank and no run."""
    if "relevance" in (columns or {}) or _lookup(QRELS["relevance"], names):
        return columns
    score = _lookup(RUN["score"], names)
    if score is None:
        return columns
    if _lookup(RUN["rank"], names) or _lookup(RUN["run_id"], names):
        raise MissingColumn(f"The table has no column 'relevance' (it has: {listed(names, 20)}).", _RUN)
    return {**(columns or {}), "relevance": score}


def _lookup(column: Column, names: Iterable[str]) -> str | None:
    aliases = {alias.lower() for alias in (column.name, *column.aliases)}
    return next((n for n in names if n.lower() in aliases), None)


def is_header(kind: Kind, names: list[str], columns: Mapping[str, str] | None) -> bool:
    """Whether a line's fields are column names: of a query, of a document, or of both; or of the user's mapping."""
    if set((columns or {}).values()) & set(names):
        return True
    if kind in ("queries", "documents"):
        return _lookup(SCHEMAS[kind].columns[0], names) is not None
    return _lookup(RUN["query_id"], names) is not None and _lookup(RUN["doc_id"], names) is not None


def choice(parameter: str, value: object, allowed: Iterable[object], line: str | Argument) -> None:
    """Refuse a value that is not among the allowed ones.

    Raises:
        InvalidParameter: with the line to write.
    """
    values = list(allowed)
    if any(value is v or (isinstance(value, str) and value == v) for v in values):
        return
    near = nearest(value, [v for v in values if isinstance(v, str)]) if isinstance(value, str) else ""
    near = "" if near.startswith("Allowed") else near + " "
    raise InvalidParameter(
        f"{parameter}={_named(value)} is not allowed (allowed: {listed(map(_named, values))}).",
        Hint(f"{near.lstrip()}Write: ", line),
    )


def _named(value: object) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)
