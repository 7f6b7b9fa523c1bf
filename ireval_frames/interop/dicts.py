"""Dictionaries `{query: {document: number}}`, as pytrec_eval, BEIR, MTEB and ranx's constructors use them."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from itertools import chain
from numbers import Integral, Real
from typing import Any

import polars as pl

from ireval_frames.errors import InvalidValue, WrongType
from ireval_frames.interop.tables import qrels_rows, run_rows

Nested = Mapping[str, Mapping[str, float]]


def from_run(run: Nested, *, run_id: str | None = None) -> pl.DataFrame:
    """A frame of a run that is a dictionary.

    Args:
        run: `{query_id: {doc_id: score}}`.  A query without documents has no row: it has no results.
        run_id: the name of the system; without it, the frame has no column run_id.

    Returns:
        [run_id,] query_id, doc_id, score (Float64), in the order of the dictionary.

    Raises:
        WrongType: it is not a dictionary of dictionaries, or ids are neither all text nor all integers.
        InvalidValue: a score is not a number.

    Source: pytrec_eval (Van Gysel and de Rijke, SIGIR 2018); BEIR (Thakur and others, NeurIPS 2021).

    Example:
        >>> from_run({"q1": {"a": 2.5, "b": 1}}).rows()
        [('q1', 'a', 2.5), ('q1', 'b', 1.0)]
    """
    frame = _rows(run, "run", "score")
    return frame if run_id is None else frame.select(pl.lit(run_id).alias("run_id"), pl.all())


def from_qrels(qrels: Nested) -> pl.DataFrame:
    """A frame of judgments that are a dictionary.

    Args:
        qrels: `{query_id: {doc_id: grade}}`.  A query without documents has no row: it is not judged.

    Returns:
        query_id, doc_id, relevance: Int64 where all grades are integers, else Float64.

    Raises:
        WrongType: it is not a dictionary of dictionaries, or ids are neither all text nor all integers.
        InvalidValue: a grade is not a number.

    Example:
        >>> import ireval_frames as ir
        >>> qrels = from_qrels({"q1": {"a": 0, "b": 1}})
        >>> ir.evaluate(qrels, from_run({"q1": {"a": 2.5, "b": 1}}), "RR").wide().row(0)
        (0.5,)
    """
    return _rows(qrels, "qrels", "relevance")


def to_run(run: Any, *, run_id: str | None = None) -> dict[str, dict[str, float]]:
    """A run as a dictionary `{query_id: {doc_id: score}}`, the best documents first.

    Args:
        run: a frame of any kind, a relation, or a path; without scores, the score is the negative rank.
        run_id: which run, where the table has several.

    Raises:
        NotDefined: there are several runs, and `run_id` is missing.
        UnknownName: there is no run of that name.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.

    Example:
        >>> import ireval_frames as ir
        >>> to_run(ir.examples.ranking()[1].head(2))
        {'q': {'d1': 5.0, 'd2': 4.0}}
    """
    return nested(run_rows(run, run_id)[0], "score")


def to_qrels(qrels: Any) -> dict[str, dict[str, float]]:
    """Judgments as a dictionary `{query_id: {doc_id: grade}}`; the grades are int where all are integers.

    Args:
        qrels: a frame of any kind, a relation, or a path.

    Raises:
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.

    Example:
        >>> import ireval_frames as ir
        >>> to_qrels(ir.examples.ranking()[0].head(2))
        {'q': {'d1': 1, 'd2': 0}}
    """
    return nested(qrels_rows(qrels), "relevance")


def _rows(nested: Nested, name: str, number: str) -> pl.DataFrame:
    """A frame of a dictionary, without a list of rows in between."""
    example = f'Pass {name} as {{"q1": {{"d1": 1.0}}}}; frames are evaluated as they are.'
    if not isinstance(nested, Mapping):
        raise WrongType(f"{name} is of type {type(nested).__name__}; it must be a dictionary.", example)
    for query, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise WrongType(
                f"The value of query {query!r} in {name} is of type {type(inner).__name__}; it must be a dictionary of "
                "documents.",
                example,
            )
    queries = _ids(list(nested), "query_id", name)
    sizes = pl.Series([len(inner) for inner in nested.values()], dtype=pl.UInt32)
    documents = _ids(list(chain.from_iterable(nested.values())), "doc_id", name)
    positions = pl.int_range(len(nested), eager=True).repeat_by(sizes).explode(empty_as_null=False)
    numbers = list(chain.from_iterable(inner.values() for inner in nested.values()))
    return pl.DataFrame([queries.gather(positions), documents, _numbers(numbers, number, name, nested)])


def _ids(values: list[Any], column: str, name: str) -> pl.Series:
    # Subclasses, such as NumPy's str_, count too.
    types = {type(v) for v in values}
    if all(issubclass(t, str) for t in types):
        return pl.Series(column, values if types <= {str} else list(map(str, values)), dtype=pl.String)
    if all(_is_integer(t) for t in types):
        return pl.Series(column, list(map(int, values)), dtype=pl.Int64)
    raise WrongType(
        f"{name} has keys of the types {', '.join(sorted(t.__name__ for t in types))} for {column}; ids are all text "
        "or all integers.",
        "Convert them to text: {str(query): documents …}",
    )


def _numbers(values: list[Any], number: str, name: str, nested: Nested) -> pl.Series:
    try:
        if number == "relevance" and all(_is_integer(t) for t in {type(v) for v in values}):
            return pl.Series(number, list(map(int, values)), dtype=pl.Int64)
        # Unlike float(), an array takes no text.
        return pl.Series(number, memoryview(array("d", values)), dtype=pl.Float64)
    except (TypeError, OverflowError):
        bad = next(
            (query, document, value)
            for query, documents in nested.items()
            for document, value in documents.items()
            if not isinstance(value, Real) or abs(value) >= 2**63
        )
        raise InvalidValue(
            f"The {number} of query {bad[0]!r} and document {bad[1]!r} in {name} is {bad[2]!r}; it must be a number.",
            "Drop or convert it.",
        ) from None


def _is_integer(cls: type) -> bool:
    return issubclass(cls, Integral) and not issubclass(cls, bool)


def nested(rows: pl.DataFrame, number: str) -> dict[str, dict[str, float]]:
    """Rows as a dictionary of dictionaries, in the order of the rows."""
    parts = rows.group_by("query_id", maintain_order=True).agg("doc_id", number)
    return {
        query: dict(zip(documents, numbers, strict=True))
        for query, documents, numbers in zip(*(parts[c].to_list() for c in parts.columns), strict=True)
    }
