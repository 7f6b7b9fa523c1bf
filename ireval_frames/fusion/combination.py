"""From the values of a document in all lists to one score."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ireval_frames.engines.base import Aggregate, Engine
from ireval_frames.engines.frame import Frame, concat
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.expr.functions import max_horizontal, min_horizontal
from ireval_frames.fusion.condorcet import condorcet
from ireval_frames.fusion.lists import Lists
from ireval_frames.fusion.normalization import Column, added, beside_each_other, values_of_lists
from ireval_frames.fusion.options import AVERAGE, OF_SCORES, FusionOptions
from ireval_frames.fusion.reciprocal import reciprocal_rank, summed_reciprocal_ranks
from ireval_frames.judgments import KEYS


def scored(lists: Lists, options: FusionOptions, weights: Sequence[Expr] | None, folds: pl.DataFrame | None) -> Frame:
    """query_id doc_id score of every document that a list has; weights may read `fold`, which `folds` has by query."""
    if options.method == "rrf" and weights is None and options.absent == "skip" and options.ties != AVERAGE:
        # Exact in any order: no list needs a column of its own.
        return lists.grouped([summed_reciprocal_ranks(col("rank").cast(pl.Float64), options.k)])
    rows, n = prepared(lists, options), len(lists.names)
    if options.method == "condorcet":
        return condorcet(rows, lists.engine, n)
    if options.method == "combmed":
        return _medians(rows, lists.engine, n)
    if folds is not None:
        rows = lists.engine.join(rows, lists.engine.from_polars(folds), ("query_id",), "left")
    return rows.select(*KEYS, score=score_of(n, options, weights))


def prepared(lists: Lists, options: FusionOptions) -> Frame:
    """A row per document with what its score is made of, by list."""
    rows = beside_each_other(lists, options)
    return values_of_lists(rows, len(lists.names), options) if options.method in OF_SCORES else rows


def score_of(n: int, options: FusionOptions, weights: Sequence[Expr] | None) -> Expr:
    """The score of a document from its row."""
    return (_of_scores if options.method in OF_SCORES else _of_ranks)(n, options, weights)


def _count(conditions: Sequence[Expr]) -> Expr:
    return added([when(condition).then(1.0).otherwise(0.0) for condition in conditions])


def _of_scores(n: int, options: FusionOptions, weights: Sequence[Expr] | None) -> Expr:
    columns = [Column(i) for i in range(n)]
    x = [column.of("x") for column in columns]
    weighted = x if weights is None else [w * value for w, value in zip(weights, x, strict=True)]
    total, lists_with_it = added(weighted), _count([column.present for column in columns])
    match options.method:
        case "combmnz":
            return lists_with_it * total
        case "combanz":
            return total / _count([~value.is_null() for value in x])
        case "combmax":
            return max_horizontal(*x)
        case "combmin":
            return min_horizontal(*x)
        case "combgmnz":
            return lists_with_it**options.gamma * total
        case "wmnz":
            present = [when(c.present).then(w) for c, w in zip(columns, weights or (), strict=True)]
            return total * added(present)
        case "mixed":
            return lists_with_it.sqrt() * total
    return total


def _of_ranks(n: int, options: FusionOptions, weights: Sequence[Expr] | None) -> Expr:
    columns = [Column(i) for i in range(n)]
    ranks = [column.value for column in columns]
    if options.absent == "last":
        ranks = [
            when(column.present).then(rank).when(column.of("n") > 0).then(column.of("n") + 1.0)
            for column, rank in zip(columns, ranks, strict=True)
        ]
    lists_with_it = _count([column.present for column in columns])
    squares = added([1.0 / (rank * rank) for rank in ranks])
    match options.method:
        case "isr":
            return lists_with_it * squares
        case "logisr":
            return lists_with_it.log() * squares
        case "lognisr":
            return (lists_with_it + options.sigma).log() * squares
        case "rbc":
            return added([(1.0 - options.phi) * lit(options.phi) ** (rank - 1.0) for rank in ranks])
        case "borda":
            candidates = col("candidates")
            absent = [(candidates - c.of("n") + 1.0) / 2.0 for c in columns]
            return added(
                [
                    when(c.present).then(candidates - c.value + 1.0).when(c.of("n") > 0).then(otherwise)
                    for c, otherwise in zip(columns, absent, strict=True)
                ]
            )
    terms = [reciprocal_rank(rank, options.k) for rank in ranks]
    return added(terms if weights is None else [w * term for w, term in zip(weights, terms, strict=True)])


def _medians(rows: Frame, engine: Engine, n: int) -> Frame:
    """The median of the values of each document; of two in the middle their mean."""
    rows = engine.shared(rows)
    values = concat([rows.select(*KEYS, x=col(f"x_{i}")).filter(~col("x").is_null()) for i in range(n)])
    windows = {"place": col("x").cum_count().over(*KEYS, order_by="x"), "of": col("x").count().over(*KEYS)}
    values = values.with_columns(**windows)
    middle = values.filter(2 * col("place") >= col("of"), 2 * col("place") <= col("of") + 2)
    ends = engine.group(middle, KEYS, [Aggregate("low", "min", col("x")), Aggregate("high", "max", col("x"))])
    return ends.select(*KEYS, score=(col("low") + col("high")) / 2.0)
