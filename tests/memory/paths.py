"""What takes long on large inputs: how its input is made, what runs, and how much more memory more rows may take.

Where rows are read or drawn in parts, four times the rows take about what fewer take; a path that holds its rows, or
something for each, says how many bytes that is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import ireval_frames as ir
from tests.cli.commands import invoke

Prepare = Callable[[Path, int], object]
Work = Callable[[Path], object]
ROWS = 1_000_000
QUERIES = 1_000


@dataclass(frozen=True)
class Case:
    """A path.

    Attributes:
        prepare: writes its input, as many million rows as the number says, into a folder.
        work: what is measured, in a process of its own.
        bytes_per_row: how many bytes one more row may add to the peak.
        millions: the two sizes, where what is read ahead does not yet fill its room at the smaller ones.
    """

    prepare: Prepare
    work: Work
    bytes_per_row: float
    millions: tuple[int, int] = (1, 4)


def run(rows: int, *, seed: int = 0) -> pl.LazyFrame:
    """A run of a thousand queries with a score for every document, in any order."""
    row, depth = pl.int_range(rows), rows // QUERIES
    mixed = (row * 7919 + seed) % 100_000_007
    return pl.LazyFrame().select(
        query_id=pl.format("q{}", row // depth), doc_id=pl.format("doc-{}", mixed), score=mixed / 7.0 - row % depth
    )


def written(table: pl.LazyFrame, path: Path) -> None:
    """Write a table, in short groups of rows."""
    table.sink_parquet(path, row_group_size=100_000)


def judgments(folder: Path, rows: int) -> None:
    """Ten judged documents of each query."""
    judged = run(rows).filter(pl.int_range(pl.len()) % (rows // QUERIES // 10) == 0)
    written(judged.select("query_id", "doc_id", relevance=pl.int_range(pl.len()) % 3), folder / "qrels.parquet")


def _of_text(folder: Path, millions: int) -> None:
    judgments(folder, millions * ROWS)
    lines = run(millions * ROWS).select(pl.format("{} Q0 {} 1 {} tag", "query_id", "doc_id", "score"))
    lines.sink_csv(folder / "run.txt", include_header=False, quote_style="never")


def _of_csv(folder: Path, millions: int) -> None:
    judgments(folder, millions * ROWS)
    run(millions * ROWS).sink_csv(folder / "run.csv")


def _of_json(folder: Path, millions: int) -> None:
    judgments(folder, millions * ROWS)
    run(millions * ROWS).sink_ndjson(folder / "run.jsonl")


def _of_parquet(folder: Path, millions: int) -> None:
    judgments(folder, millions * ROWS)
    written(run(millions * ROWS), folder / "run.parquet")


def _runs(folder: Path, millions: int) -> None:
    for name in "abcd":
        written(run(millions * ROWS // 4, seed=ord(name)), folder / f"{name}.parquet")


def _items(folder: Path, millions: int) -> None:
    row = pl.int_range(millions * ROWS)
    label, prediction = pl.format("c{}", row * 7 % 5), pl.format("c{}", row * 11 % 13 % 5)
    written(pl.LazyFrame().select(item_id=row, label=label, prediction=prediction), folder / "items.parquet")


def _pages(folder: Path, millions: int) -> None:
    row = pl.int_range(millions * ROWS)
    click = (row * 31 % 17 == 0).cast(pl.Int64)
    ids = {"serp_id": row // 10, "query_id": row // 10 % 100, "doc_id": row * 7919 % 1009}
    written(pl.LazyFrame().select(**ids, position=row % 10 + 1, click=click), folder / "log.parquet")


def _visits(folder: Path, millions: int) -> None:
    row = pl.int_range(millions * ROWS)
    variant = pl.when(row // 4 % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("b"))
    visits = pl.LazyFrame().select(user_id=row // 4, variant=variant, revenue=(row * 31 % 17) / 1.0)
    written(visits, folder / "visits.parquet")


def _tokens(folder: Path, millions: int) -> None:
    row = pl.int_range(millions * ROWS // 4)
    tag = pl.when(row % 9 == 0).then(pl.lit("B-PER")).otherwise(pl.lit("O"))
    lines = pl.LazyFrame().select(pl.format("word{} {}", row, tag))
    lines.sink_csv(folder / "texts.conll", include_header=False, quote_style="never")


def _values(folder: Path, millions: int) -> None:
    """Values of ten systems for a thousand queries; a draw of all of them stands for a hundred rows."""
    row = pl.int_range(10_000)
    value = row * 7919 % 1009 / 1009.0
    of = {"run_id": pl.format("s{}", row // 1000), "query_id": row % 1000, "measure": pl.lit("AP")}
    written(pl.LazyFrame().select(**of, value=value), folder / "values.parquet")
    (folder / "draws").write_text(str(millions * ROWS // 100))


def _few_queries(folder: Path, millions: int) -> None:
    _of_parquet(folder, 1)
    (folder / "draws").write_text(str(millions * ROWS // 100))


def _draws(folder: Path) -> int:
    return int((folder / "draws").read_text())


def _numbers(folder: Path, millions: int) -> None:
    """Points, whose pairs are the rows: at a million 1,414 points."""
    points = math.isqrt(2 * millions * ROWS * 10)
    dice = np.random.default_rng(0)
    xy = dice.normal(size=(points, 2))
    frame = pl.LazyFrame({"x": xy[:, 0], "y": xy[:, 1], "cluster": (xy[:, 0] > 0).astype(int)})
    written(frame, folder / "points.parquet")


def _evaluated(name: str, measures: str = "nDCG@10 AP RR", **options: Any) -> Work:
    return lambda folder: ir.evaluate(folder / "qrels.parquet", folder / name, measures, **options).summary()


def _converted(name: str, target: str) -> Work:
    def work(folder: Path) -> None:
        result = invoke("convert", folder / name, "-o", folder / target)
        assert result.exit_code == 0, result.output

    return work


def _fused(folder: Path) -> None:
    result = invoke("fuse", *(folder / f"{name}.parquet" for name in "abcd"), "-o", folder / "fused.parquet")
    assert result.exit_code == 0, result.output


def _pooled(folder: Path) -> None:
    names = (folder / f"{name}.parquet" for name in "abcd")
    result = invoke("pool", *names, "--depth", "20", "-o", folder / "pool.parquet")
    assert result.exit_code == 0, result.output


def _stored(folder: Path) -> None:
    evaluation = ir.evaluate(folder / "qrels.parquet", folder / "run.parquet", "nDCG@10 AP RR P@5 P@10")
    store = ir.Store(folder / "store")
    store.add(evaluation, collection="c")
    store.leaderboard("c").collect()
    store.compact()
    assert store.check().is_empty()


def _resampled(folder: Path) -> None:
    values = pl.read_parquet(folder / "values.parquet")
    ir.compare(values, test="randomization", n_resamples=_draws(folder)).table()


def _bootstrapped(folder: Path) -> None:
    evaluation = ir.evaluate(folder / "qrels.parquet", folder / "run.parquet", "nDCG@10 AP")
    ir.resampling.bootstrap(evaluation, n_resamples=_draws(folder)).table()


def _points(folder: Path) -> None:
    ir.Points(folder / "points.parquet", ["x", "y"], cluster="cluster").evaluate("Silhouette Dunn").summary()


def _labels(engine: str) -> Work:
    return lambda folder: (
        ir.Labels(folder / "items.parquet", engine=engine).evaluate("Accuracy F1(average='macro')").summary()
    )


def _clicks(engine: str) -> Work:
    return lambda folder: ir.Impressions(folder / "log.parquet", engine=engine).evaluate("CTR MRRFirstClick").summary()


def _fitted(folder: Path) -> None:
    ir.Impressions(folder / "log.parquet").fit("SDBN")


def _analysed(folder: Path) -> None:
    ir.Experiment(folder / "visits.parquet", unit="user_id").analyze("Mean(revenue)").table()


# By the rows of their inputs, of which a row of a run has about 42 bytes in memory.
CASES: dict[str, Case] = {
    "a run of text, evaluated": Case(_of_text, _evaluated("run.txt"), 24, (4, 12)),
    "a run of CSV, evaluated": Case(_of_csv, _evaluated("run.csv"), 28, (4, 12)),
    "a run of JSON lines, evaluated": Case(_of_json, _evaluated("run.jsonl"), 24, (4, 12)),
    "a run of Parquet, evaluated": Case(_of_parquet, _evaluated("run.parquet"), 12, (12, 24)),
    # It sorts runs of up to 20 million rows.
    "a run of Parquet, in DuckDB": Case(_of_parquet, _evaluated("run.parquet", engine="duckdb"), 200),
    "text, converted": Case(_of_text, _converted("run.txt", "out.parquet"), 12),
    # The lines of TREC are sorted.
    "Parquet, converted to lines": Case(_of_parquet, _converted("run.parquet", "out.txt"), 220),
    # What is fused has a rank and a score per run and document.
    # 194 to 266 were measured: the allocator of so few frees is not always as tight.
    "runs, fused": Case(_runs, _fused, 330),
    "runs, pooled": Case(_runs, _pooled, 80),
    "labels of Parquet": Case(_items, _labels("polars"), 20),
    "labels of Parquet, in DuckDB": Case(_items, _labels("duckdb"), 20),
    "clicks of Parquet": Case(_pages, _clicks("polars"), 64),
    "clicks of Parquet, in DuckDB": Case(_pages, _clicks("duckdb"), 64),
    "a click model, fitted": Case(_pages, _fitted, 80),
    # A unit has four rows.
    "an experiment, analysed": Case(_visits, _analysed, 50),
    # Every token is a row in memory.
    "tags of tokens, read": Case(_tokens, lambda folder: ir.io.read_tags(folder / "texts.conll"), 110),
    "a store, filled and packed": Case(_of_parquet, _stored, 90),
    # The interval of each pair is read from all of its draws.
    "systems, permuted": Case(_values, _resampled, 50),
    "queries, resampled": Case(_few_queries, _bootstrapped, 20),
    "distances of points": Case(_numbers, _points, 8),
}
CONTROL = Case(_of_parquet, lambda folder: pl.read_parquet(folder / "run.parquet").height, 0)
