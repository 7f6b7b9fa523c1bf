"""The shapes of JSON documents: judgments and runs by query, and the formats of search engines and Quepid.

| shape | what it is |
|---|---|
| `[{"query_id": …, "doc_id": …, …}, …]` | records |
| `{"q1": {"d1": 1, "d2": 0}}` | judgments or a run, as in pytrec_eval, BEIR and ranx |
| `{"q1": ["d1", "d2"]}` | a run without scores, the best document first |
| `{"requests": [{"id": …, "ratings": [{"_id": …, "rating": …}]}]}` | a request of `_rank_eval` |
| `{"details": {"q1": {"hits": [{"hit": {"_id": …}, "rating": …}]}}}` | the response |
| `{"queries": [{"query": …, "ratings": {"d1": 3}}]}` | ratings or a case of Quepid |
| `{"queries": [{"placeholders": …, "relevant_documents": {"3": ["d1"]}}]}` | ratings for RRE |
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl

from ireval_frames.columns.schema import RETRIEVED_ONLY
from ireval_frames.errors import Hint, MalformedFile, ReadingWarning, listed, warn
from ireval_frames.io.json.document import Document
from ireval_frames.io.text.grammar import Wrong, check_exact

# Query, document, number, and the place of the number in the document.
Row = tuple[Any, Any, Any, tuple[str | int, ...]]
FORMS = (
    'It may be an array of records [{"query_id": "q1", "doc_id": "d1", …}], {"q1": {"d1": 1}}, '
    "a request or response of _rank_eval, or ratings of Quepid."
)


def shape(value: Any) -> str | None:
    """The shape of a document; None for another one."""
    if isinstance(value, list):
        return "records" if value and all(isinstance(v, dict) for v in value) else None
    if not isinstance(value, dict) or not value:
        return None
    if isinstance(value.get("requests"), list):
        return "request"
    if isinstance(value.get("details"), dict) and ("metric_score" in value or "failures" in value):
        return "response"
    queries = value.get("queries")
    if isinstance(queries, list) and all(isinstance(q, dict) for q in queries):
        for name in ("ratings", "relevant_documents"):
            if any(name in q for q in queries):
                return name
    for kind, name in ((dict, "nested"), (list, "lists")):
        if all(isinstance(v, kind) for v in value.values()) and (kind is list or not _records(value)):
            return name
    return None


def _records(value: dict[str, Any]) -> bool:
    """Whether the objects of an object have more than numbers, so that it is neither judgments nor a run."""
    return any(isinstance(n, dict | list) for inner in value.values() for n in inner.values())


def judgments(document: Document, kind: str) -> pl.DataFrame:
    """The judgments of a document of that shape.

    Raises:
        MalformedFile: it is a run, or has an error, reported by its line.
    """
    if kind == "lists":
        hint = "A run comes second: judgments first, then the run."
        raise MalformedFile(f"{document.name} has lists of documents, which are a run and no judgments.", hint)
    out: dict[str, list[Any]] = {"query_id": [], "doc_id": [], "relevance": []}
    unrated, all_integers = 0, True
    for query, doc, grade, at in _ROWS[kind](document):
        if grade is None and kind in ("response", "ratings"):
            unrated += kind == "ratings"
            continue
        _check(document, query, doc, grade, at, "relevance")
        all_integers = all_integers and isinstance(grade, int)
        for column, value in zip(out.values(), (str(query), str(doc), grade), strict=True):
            column.append(value)
    warn_of_unrated(document.name, unrated)
    if kind == "response":
        _warn_of_response(document, len({*document.value["details"]} - {*out["query_id"]}))
    dtype = pl.Int64 if all_integers else pl.Float64
    frame = pl.DataFrame(out, schema={"query_id": pl.String, "doc_id": pl.String, "relevance": dtype}, strict=False)
    return frame.with_columns(pl.lit(value=True).alias(RETRIEVED_ONLY)) if kind == "response" else frame


def run(document: Document, kind: str, *, exact: bool = True) -> pl.DataFrame:
    """The run of a document of that shape: with scores where all documents have one, and with ranks of lists.

    Without `exact`, scores that floats cannot distinguish are tied.

    Raises:
        MalformedFile: it has judgments, or an error, reported by its line.
    """
    if kind in ("request", "ratings", "relevant_documents"):
        what = "a request of _rank_eval" if kind == "request" else "ratings of Quepid"
        raise MalformedFile(
            f"{document.name} is {what}: it holds judgments, and no run.",
            "Judgments come first, then the run" + ("; the run is in the response." if kind == "request" else "."),
        )
    rows = list(_run_of_response(document) if kind == "response" else _ROWS[kind](document))
    scored = kind != "lists" and not (kind == "response" and any(row[2] is None for row in rows))
    for query, doc, score, at in rows:
        _check(document, query, doc, score if scored else 0, at, "score")
        try:
            check_exact("score", score if scored and exact else 0)
        except Wrong as error:
            raise document.wrong(str(error), *at) from None
    frame = pl.DataFrame({"query_id": [str(r[0]) for r in rows], "doc_id": [str(r[1]) for r in rows]})
    ranks = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("query_id").alias("rank")
    if kind == "response":
        failed = document.value.get("failures") or {}
        if failed:
            said = f"of {len(failed)} queries the search failed, so they have no results: {listed(failed, 3)}."
            warn(f"{document.name}: {said}", ReadingWarning)
    if not scored:
        return frame.with_columns(ranks)
    scores = pl.Series("score", [float(row[2]) for row in rows], dtype=pl.Float64)
    return frame.with_columns(scores, *([ranks] if kind == "response" else []))


def warn_of_unrated(name: str, n: int) -> None:
    """Warn of documents without a rating, which are left out."""
    if n:
        rows = "1 row has" if n == 1 else f"{n} rows have"
        warn(f"{name}: {rows} no rating: they are left out, as unjudged documents are.", ReadingWarning)


def _warn_of_response(document: Document, unrated: int) -> None:
    more = f" Of {unrated} queries no hit is rated: they are left out." if unrated else ""
    warn(
        f"{document.name} is a response of _rank_eval, which has the judgments of its own hits only. The number "
        f"of relevant documents is unknown, so measures that need it are refused. The request has all judgments.{more}",
        ReadingWarning,
    )


def _nested(document: Document) -> Iterator[Row]:
    for query, inner in document.value.items():
        for doc, number in inner.items():
            yield query, doc, number, (query, doc)


def _lists(document: Document) -> Iterator[Row]:
    for query, documents in document.value.items():
        for n, doc in enumerate(documents):
            yield query, doc, None, (query, n)


def _of_request(document: Document) -> Iterator[Row]:
    for n, request in enumerate(document.value["requests"]):
        if not isinstance(request, dict) or request.get("id") is None:
            raise document.wrong("a request has no id, which names its query", "requests", n)
        ratings = _list(document, request.get("ratings"), "ratings", "requests", n)
        for m, rated in enumerate(ratings):
            yield request["id"], _of(rated, "_id"), _of(rated, "rating"), ("requests", n, "ratings", m)


def _of_response(document: Document) -> Iterator[Row]:
    return ((query, doc, rating, at) for query, doc, _, rating, at in _hits(document))


def _run_of_response(document: Document) -> Iterator[Row]:
    return ((query, doc, score, at) for query, doc, score, _, at in _hits(document))


def _hits(document: Document) -> Iterator[tuple[Any, Any, Any, Any, tuple[str | int, ...]]]:
    for query, details in document.value["details"].items():
        hits = _list(document, _of(details, "hits"), "hits", "details", query)
        for n, one in enumerate(hits):
            hit = _of(one, "hit")
            yield query, _of(hit, "_id"), _of(hit, "_score"), _of(one, "rating"), ("details", query, "hits", n)


def _ratings(document: Document) -> Iterator[Row]:
    for n, query in enumerate(document.value["queries"]):
        name = query.get("query", query.get("query_text"))
        ratings = query.get("ratings") or {}
        if not isinstance(ratings, dict):
            raise document.wrong("its ratings are no object", "queries", n, "ratings")
        for doc, rating in ratings.items():
            yield name, doc, rating, ("queries", n, "ratings", doc)


def _relevant_documents(document: Document) -> Iterator[Row]:
    for n, query in enumerate(document.value["queries"]):
        placeholders = query.get("placeholders") or {}
        name = next(iter(placeholders.values()), None) if isinstance(placeholders, dict) else None
        for grade, documents in (query.get("relevant_documents") or {}).items():
            at = ("queries", n, "relevant_documents", grade)
            try:
                number: int | float = float(grade) if "." in grade else int(grade)
            except ValueError:
                raise document.wrong(f"relevance {grade!r} is not a number", *at) from None
            for m, doc in enumerate(_list(document, documents, "documents", *at)):
                yield name, doc, number, (*at, m)


_ROWS: dict[str, Callable[[Document], Iterator[Row]]] = {
    "nested": _nested, "lists": _lists, "request": _of_request, "response": _of_response,
    "ratings": _ratings, "relevant_documents": _relevant_documents,
}  # fmt: skip


def _of(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _list(document: Document, value: Any, what: str, *path: str | int) -> list[Any]:
    if not isinstance(value, list):
        raise document.wrong(f"its {what} are no array", *path)
    return value


def _check(document: Document, query: Any, doc: Any, number: Any, at: tuple[str | int, ...], what: str) -> None:
    """Refuse invalid ids, and grades or scores that are not finite numbers.

    Raises:
        MalformedFile: with the line.
    """
    for name, value in (("query_id", query), ("doc_id", doc)):
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            raise document.wrong(f"{name} is {value!r}; an id is text or an integer", *at)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise document.wrong(f"{what} {number!r} is not a number", *at)
    if abs(number) >= 2**63 if isinstance(number, int) else not math.isfinite(number):
        raise document.wrong(f"{what} is too large", *at)


def refused(document: Document) -> MalformedFile:
    """The error for a document of none of the shapes."""
    empty = not document.value
    what = "is empty" if empty else "has JSON of an unknown shape"
    return MalformedFile(f"{document.name} {what}: {document.text.strip()[:60]!r}…", Hint(FORMS))
