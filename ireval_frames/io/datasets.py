"""Judgments, runs, queries and documents of the ir_datasets package, an optional extra."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, get_type_hints

import polars as pl

from ireval_frames.columns.documents import TEXTS
from ireval_frames.columns.schema import resolve
from ireval_frames.errors import FileError, MissingColumn, UnknownName
from ireval_frames.io.lazy import lazy
from ireval_frames.io.storage.source import DATASET_PREFIXES

BATCH = 100_000


def dataset_id(source: object) -> str | None:
    """The dataset's name if the source is one, as in "irds:msmarco-passage/dev"."""
    if isinstance(source, str):
        for prefix in DATASET_PREFIXES:
            if source.startswith(prefix):
                return source[len(prefix) :]
    return None


def scan_judgments(name: str, second: str | None, relevance: type[int | float]) -> pl.LazyFrame:
    """The judgments of a dataset: query_id, doc_id, relevance, and the second field on request."""
    return judgments(_load(name), name, second, relevance)


def judgments(dataset: Any, name: str, second: str | None, relevance: type[int | float]) -> pl.LazyFrame:
    """The same for a dataset object; `name` is for errors."""
    _offers(dataset, "qrels", name)
    grade = pl.Float64 if relevance is float else pl.Int64
    types: dict[str, Any] = {"query_id": pl.String, "doc_id": pl.String, "relevance": grade}
    take = ["query_id", "doc_id", "relevance"]
    fields = dataset.qrels_cls()._fields
    extra = next((f for f in (second, "iteration") if second is not None and f in fields), None)
    if second not in (None, "iteration") and extra is None:
        raise MissingColumn(f"The judgments of {name} have no {second} (they have: {', '.join(fields)}).")
    if extra is None and "subtopic_id" in fields:
        second = extra = "subtopic_id"
    if extra is not None and second is not None:
        types[second] = pl.String
        take.append(extra)
    return _lazy(types, take, dataset.qrels_iter, name)


def scan_scored_documents(name: str, *, run_id: bool) -> pl.LazyFrame:
    """The scored documents of a dataset as a run with its name."""
    frame = scored_documents(_load(name), name)
    return frame.select(pl.lit(name).alias("run_id"), pl.all()) if run_id else frame


def scored_documents(dataset: Any, name: str) -> pl.LazyFrame:
    """The same for a dataset object, without a run_id."""
    _offers(dataset, "scoreddocs", name)
    types: dict[str, Any] = {"query_id": pl.String, "doc_id": pl.String, "score": pl.Float64}
    return _lazy(types, list(types), dataset.scoreddocs_iter, name)


def scan_dataset_queries(name: str) -> pl.LazyFrame:
    """The queries of a dataset with their texts."""
    return queries_of(_load(name), name)


def queries_of(dataset: Any, name: str) -> pl.LazyFrame:
    """The same for a dataset object."""
    _offers(dataset, "queries", name)
    # Some datasets have lists in other fields; only text becomes columns.
    fields = [f for f, kind in get_type_hints(dataset.queries_cls()).items() if kind is str]
    return _lazy(dict.fromkeys(fields, pl.String), fields, dataset.queries_iter, name)


def scan_dataset_documents(name: str) -> pl.LazyFrame:
    """The documents of a dataset with their texts, under our names."""
    dataset = _load(name)
    _offers(dataset, "docs", name)
    fields = [f for f, kind in get_type_hints(dataset.docs_cls()).items() if kind is str]
    ours = {name: our for our, name in resolve(TEXTS, fields).items()}
    names = [ours.get(field, field) for field in fields]
    return _lazy(dict.fromkeys(names, pl.String), fields, dataset.docs_iter, name)


def _load(name: str) -> Any:
    try:
        ir_datasets = importlib.import_module("ir_datasets")
    except ImportError as error:
        raise FileError(
            f"Reading {name!r} needs the package ir_datasets, which is not installed.",
            "Install it: pip install ireval-frames[datasets]",
        ) from error
    try:
        return ir_datasets.load(name)
    except KeyError as error:
        raise UnknownName(f"ir_datasets has no dataset {name!r}.", "Its catalog: https://ir-datasets.com") from error


def _offers(dataset: Any, part: str, name: str) -> None:
    if not getattr(dataset, f"has_{part}")():
        raise MissingColumn(f"The dataset {name!r} has no {part}.", "Its catalog: https://ir-datasets.com")


def _lazy(types: dict[str, Any], take: list[str], rows: Callable[[], Iterable[Any]], name: str) -> pl.LazyFrame:
    def produce(selected: list[str]) -> Iterator[pl.DataFrame]:
        remaining = iter(rows())
        while batch := list(islice(remaining, BATCH)):
            columns = zip(*([getattr(row, field) for field in take] for row in batch), strict=True)
            series = [pl.Series(n, values, dtype=t) for (n, t), values in zip(types.items(), columns, strict=True)]
            yield pl.DataFrame(series).select(selected)

    return lazy(types, produce, f"irds {name}")
