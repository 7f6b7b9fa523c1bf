"""The tables, made once: `python -m benchmarks.tables FOLDER full|quick NAME …`.

Every table has a folder with `run.parquet` or `run.txt` (or both) and, unless it repeats another's, its judgments.  A
folder gets its name when all of it is written.
"""

import contextlib
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.arenas_tables import battles
from benchmarks.click_tables import clicks, retrieved
from benchmarks.coreference_tables import mentions
from benchmarks.nugget_tables import answered
from benchmarks.pools_tables import pooled
from benchmarks.recommender_tables import recommended
from benchmarks.sizes import DOCUMENTS, PASSAGES, QUERIES, SIZES, Sizes
from benchmarks.spans_tables import marked
from benchmarks.tags_tables import tagged

# Of six judged documents per query one stands in each of these stretches of its list, and two were not retrieved.
STRETCHES = np.array([0, 10, 50, 250])
GRADES = (0.4, 0.3, 0.2, 0.1)
PIECE = 5_000_000
FILE = 20_000_000
PART = 5_000_000

Array = np.ndarray[Any, Any]


def lists(rng: np.random.Generator, query_ids: Array, depth: int, collection: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A list of documents per query, best first, with scores of six decimals; and judgments."""
    shape = (len(query_ids), depth)
    # A list takes one document of each part of the collection, so that none comes twice; the last part is in no list.
    part = collection // (depth + 1)
    doc_id = rng.permuted(np.tile(np.arange(depth) * part, (len(query_ids), 1)), axis=1) + rng.integers(0, part, shape)
    score = np.sort(rng.gamma(2, 5, shape), axis=1)[:, ::-1].round(6)
    run = pl.DataFrame({"query_id": query_ids.repeat(depth), "doc_id": doc_id.ravel(), "score": score.ravel()})

    # Lists that are shorter than the last stretch are cut into equal ones.
    starts = STRETCHES if depth > STRETCHES[-1] else np.arange(len(STRETCHES)) * depth // len(STRETCHES)
    ranks = rng.integers(starts, np.append(starts[1:], depth), (len(query_ids), len(starts)))
    absent = depth * part + rng.integers([0, part // 2], [part // 2, part], (len(query_ids), 2))
    judged = np.hstack([np.take_along_axis(doc_id, ranks, axis=1), absent])
    grades = rng.choice(len(GRADES), judged.size, p=GRADES)
    qrels = pl.DataFrame({"query_id": query_ids.repeat(judged.shape[1]), "doc_id": judged.ravel(), "relevance": grades})
    return run, qrels


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Ids as text."""
    return frame.with_columns(pl.col("query_id", "doc_id").cast(pl.String))


def write_trec(run: pl.DataFrame, qrels: pl.DataFrame, folder: Path) -> None:
    """Both tables as TREC text with single blanks, behind what the files have."""
    rank = pl.int_range(1, pl.len() + 1).over("query_id").alias("rank")
    lines = {
        "run": run.select("query_id", pl.lit("Q0").alias("q0"), "doc_id", rank, "score", pl.lit("bm25").alias("tag")),
        "qrels": qrels.select("query_id", pl.lit("0").alias("zero"), "doc_id", "relevance"),
    }
    for name, table in lines.items():
        with (folder / f"{name}.txt").open("ab") as file:
            table.write_csv(file, separator=" ", include_header=False, quote_style="never", float_precision=6)


def passages(folder: Path, shape: tuple[int, int]) -> None:
    """Text ids, as Parquet and as text."""
    queries, depth = shape
    rng = np.random.default_rng(queries)
    run, qrels = map(as_text, lists(rng, rng.choice(QUERIES, queries, replace=False), depth, PASSAGES))
    run.write_parquet(folder / "run.parquet")
    qrels.write_parquet(folder / "qrels.parquet")
    write_trec(run, qrels, folder)


def documents(folder: Path, shape: tuple[int, int]) -> None:
    """Integer ids, as Parquet."""
    queries, depth = shape
    rng = np.random.default_rng(queries)
    ids = np.arange(queries) * 7 + 13
    write_pieces(folder, (lists(rng, some, depth, DOCUMENTS) for some in _pieces(ids, PIECE // depth)))


def parts(folder: Path, shape: tuple[int, int]) -> None:
    """Integer ids, as a folder of Parquet files."""
    queries, depth = shape
    rng = np.random.default_rng(queries)
    run_folder = folder / "run.parquet"
    run_folder.mkdir()
    qrels = []
    for number, ids in enumerate(_pieces(np.arange(queries) * 7 + 13, FILE // depth)):
        run, judged = lists(rng, ids, depth, DOCUMENTS)
        run.write_parquet(run_folder / f"part-{number:05d}.parquet", row_group_size=1_000_000)
        qrels.append(judged)
    pl.concat(qrels).write_parquet(folder / "qrels.parquet")


def texts(folder: Path, shape: tuple[int, int]) -> None:
    """Text ids, as Parquet and as text."""
    queries, depth = shape
    rng = np.random.default_rng(queries)

    def pieces() -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        for ids in _pieces(rng.choice(QUERIES, queries, replace=False), PIECE // depth):
            run, qrels = map(as_text, lists(rng, ids, depth, PASSAGES))
            write_trec(run, qrels, folder)
            yield run, qrels

    write_pieces(folder, pieces())


def write_pieces(folder: Path, pieces: Iterable[tuple[pl.DataFrame, pl.DataFrame]]) -> None:
    """Runs and judgments, one after another, as Parquet: the whole run may not fit in memory."""
    qrels = []
    with contextlib.ExitStack() as open_until_the_end:
        parquet = None
        for run, judged in pieces:
            rows = run.to_arrow(compat_level=pl.CompatLevel.oldest())
            if parquet is None:
                writer = pq.ParquetWriter(folder / "run.parquet", rows.schema, compression="zstd")
                parquet = open_until_the_end.enter_context(writer)
            parquet.write_table(rows, row_group_size=1_000_000)
            qrels.append(judged)
    pl.concat(qrels).write_parquet(folder / "qrels.parquet")


def runs(folder: Path, shape: tuple[int, int, int]) -> None:
    """So many runs in one table: each has the same documents, with scores of its own."""
    number, queries, depth = shape
    rng = np.random.default_rng(queries)
    run, qrels = lists(rng, np.arange(queries) * 7 + 13, depth, DOCUMENTS)
    schema = pa.schema({"run_id": pa.string(), **{c: run.to_arrow().schema.field(c).type for c in run.columns}})
    with pq.ParquetWriter(folder / "run.parquet", schema, compression="zstd") as parquet:
        for i in range(number):
            score = (run["score"] * rng.gamma(2, 0.5, run.height)).round(6)
            one = run.select(pl.lit(f"run_{i:03d}").alias("run_id"), "query_id", "doc_id", score=score)
            one = one.sort("query_id", "score", descending=[False, True])
            parquet.write_table(one.to_arrow().cast(schema))
    qrels.write_parquet(folder / "qrels.parquet")


def skewed(folder: Path, shape: tuple[int, int]) -> None:
    """Integer ids; one query holds a third of the rows."""
    queries, depth = shape
    rng = np.random.default_rng(queries)
    long = queries * depth // 3
    parts = [
        lists(rng, np.arange(queries - queries // 3) * 7 + 13, depth, DOCUMENTS),
        lists(rng, np.array([5]), long, long * 10),
    ]
    for name, frames in zip(("run", "qrels"), zip(*parts, strict=True), strict=True):
        pl.concat(frames).write_parquet(folder / f"{name}.parquet", row_group_size=1_000_000)


def labels(folder: Path, rows: int) -> None:
    """Items with a label, a prediction and a group; binary items with scores, of which one set has ties."""
    rng = np.random.default_rng(rows)
    label = rng.integers(0, 20, rows)
    prediction = np.where(rng.random(rows) < 0.7, label, rng.integers(0, 20, rows))
    names = pl.Series([f"class_{i:02d}" for i in range(20)])
    positive = rng.random(rows) < 0.2
    score = rng.normal(positive * 1.0, 1.0)
    frame = pl.DataFrame(
        {
            "label": names.gather(label),
            "prediction": names.gather(prediction),
            "segment": rng.integers(0, 1000, rows),
            "positive": positive.astype(np.int64),
            "score": score,
            "rounded": ((score + 5) * 1000).round() / 1000,
        }
    )
    frame.with_columns(pl.col("rounded").clip(0.0, 9.999)).write_parquet(folder / "run.parquet")


def users(folder: Path, shape: tuple[int, int]) -> None:
    """Items of users, in random order, written in parts."""
    rows, number = shape
    rng = np.random.default_rng(rows)
    users = rng.permutation(number)
    schema = pa.schema({"user_id": pa.int64(), "label": pa.string(), "prediction": pa.string()})
    names = pl.Series([f"class_{i}" for i in range(5)])
    with pq.ParquetWriter(folder / "run.parquet", schema, compression="zstd") as parquet:
        for start in range(0, rows, PART):
            n = min(PART, rows - start)
            label = rng.integers(0, len(names), n)
            prediction = np.where(rng.random(n) < 0.7, label, rng.integers(0, len(names), n))
            part = {"user_id": users[np.arange(start, start + n) % number], "label": names.gather(label)}
            table = pl.DataFrame(part | {"prediction": names.gather(prediction)}).to_arrow()
            parquet.write_table(table.cast(schema), row_group_size=1_000_000)


def clusters(folder: Path, shape: tuple[int, int, int]) -> None:
    """Items with a class, a cluster that is right for two thirds, and a group."""
    rows, classes, assigned = shape
    rng = np.random.default_rng(rows)
    label = rng.integers(0, classes, rows)
    cluster = np.where(rng.random(rows) < 0.67, label * assigned // classes, rng.integers(0, assigned, rows))
    frame = pl.DataFrame({"label": label, "cluster_id": cluster, "segment": rng.integers(0, 1000, rows)})
    # A sixth of the classes, for groups in which not every cell is a row of its own; and both as text.
    few = {"few_labels": pl.col("label") // 6, "few_clusters": pl.col("cluster_id") // 5}
    text = {"label_name": pl.format("class_{}", "label"), "cluster_name": pl.format("cluster_{}", "cluster_id")}
    frame.with_columns(**few, **text).write_parquet(folder / "run.parquet")


def points(folder: Path, shape: tuple[int, int, int]) -> None:
    """Points of so many groups, each of ten clusters that overlap."""
    rows, dimensions, groups = shape
    rng = np.random.default_rng(rows)
    cluster = rng.integers(0, 10, rows)
    middles = rng.normal(size=(10, dimensions))
    columns = {f"x{i}": rng.normal(middles[cluster, i], 1.0) for i in range(dimensions)}
    pl.DataFrame(columns | {"cluster_id": cluster, "segment": np.arange(rows) * groups // rows}).write_parquet(
        folder / "run.parquet"
    )


def within(folder: Path, source: Path, depth: int) -> None:
    """The run of another table, in random order inside each query."""
    run = pl.read_parquet(source / "run.parquet")
    order = np.random.default_rng(depth).permuted(np.arange(run.height).reshape(-1, depth), axis=1)
    run[order.ravel()].write_parquet(folder / "run.parquet")


def shuffled(folder: Path, source: Path) -> None:
    """The run of another table in random order."""
    pl.read_parquet(source / "run.parquet").sample(fraction=1.0, shuffle=True, seed=1).write_parquet(
        folder / "run.parquet"
    )


def blanks(folder: Path, source: Path) -> None:
    """The run text of another table with two blanks where it has one."""
    with (source / "run.txt").open("rb") as single, (folder / "run.txt").open("wb") as double:
        while block := single.read(1 << 24):
            double.write(block.replace(b" ", b"  "))


def experiment(folder: Path, shape: tuple[int, int]) -> None:
    """A row per user, who saw one of two variants: so many metrics, and each of them before."""
    import duckdb

    users, metrics = shape
    # The hash combines its arguments poorly, so that each column has a text of its own.
    before = ", ".join(f"hash(i || '_{k}') % 7 * 1e0 AS m{k}_before" for k in range(metrics))
    now = ", ".join(f"m{k}_before, m{k}_before / 2 + hash(i || '+{k}') % 5 * 1e0 AS m{k}" for k in range(metrics))
    target = str(folder / "run.parquet").replace("'", "''")
    duckdb.sql(
        f"COPY (SELECT variant, {now} FROM (SELECT i, CASE WHEN hash(i) % 2 = 0 THEN 'new' ELSE 'old' END AS variant, "
        f"{before} FROM range({users}) t(i))) TO '{target}' (FORMAT parquet)"
    )


def ratings(folder: Path, shape: tuple[int, int, int]) -> None:
    """So many ratings of units by raters of unequal skill, in classes; five of every unit."""
    rows, raters, classes = shape
    rng = np.random.default_rng(11)
    truth = rng.integers(0, classes, rows // 5)
    unit = np.repeat(np.arange(rows // 5), 5)
    # Raters of one unit are different ones.
    rater = (np.repeat(rng.integers(0, raters, rows // 5), 5) + np.tile(np.arange(5), rows // 5) * 7_919) % raters
    right = rng.random(unit.size) < rng.beta(6, 2, raters)[rater]
    rating = np.where(right, truth[unit], rng.integers(0, classes, unit.size))
    pl.DataFrame({"item_id": unit, "rater_id": rater, "rating": rating}).write_parquet(folder / "run.parquet")


def store(folder: Path, shape: tuple[int]) -> None:
    """A store of values of so many runs."""
    # What else is made here needs nothing of the package.
    from benchmarks.work.ours_outputs import fill

    fill(folder / "s", *shape)


SHAPED: dict[str, Callable[[Path, Any], None]] = {
    "lists": documents,
    "runs": runs,
    "battles": battles,
    "pooled": pooled,
    "recommended": recommended,
    "answered": answered,
    "store": store,
    "clicks": clicks,
    "retrieved": retrieved,
    "experiment": experiment,
    "ratings": ratings,
}


def make(tables: Path, sizes: Sizes, name: str) -> None:
    """Make one table, unless it is there."""
    if (tables / name).exists():
        return
    recipes: dict[str, Callable[[Path], None]] = {
        "passages": lambda folder: passages(folder, sizes.passages),
        "small": lambda folder: passages(folder, sizes.small),
        "big": lambda folder: documents(folder, sizes.big),
        "billion": lambda folder: parts(folder, sizes.billion),
        "texts": lambda folder: texts(folder, sizes.texts),
        "spark": lambda folder: documents(folder, sizes.spark),
        "skewed": lambda folder: skewed(folder, sizes.spark),
        "million": lambda folder: documents(folder, sizes.million),
        "labels": lambda folder: labels(folder, sizes.labels),
        "users": lambda folder: users(folder, sizes.users),
        "clusters": lambda folder: clusters(folder, (sizes.labels, 60, 50)),
        "many_clusters": lambda folder: clusters(folder, (50_000, 2_000, 2_000)),
        "points": lambda folder: points(folder, (sizes.labels // 200, 32, 1)),
        "point_groups": lambda folder: points(folder, (sizes.labels // 10, 8, sizes.labels // 10_000)),
        "many_points": lambda folder: points(folder, (sizes.labels // 10, 32, 1)),
        "marked": lambda folder: marked(folder, sizes.labels // 10),
        "mentions": lambda folder: mentions(folder, sizes.labels // 1000),
        "tagged": lambda folder: tagged(folder, sizes.labels),
        "within": lambda folder: within(folder, tables / "passages", sizes.passages[1]),
        "shuffled": lambda folder: shuffled(folder, tables / "passages"),
        "blanks": lambda folder: blanks(folder, tables / "passages"),
    }
    partial = tables / f"{name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    kind, _, shape = name.partition("_of_")
    if shape:  # of sizes that the name tells
        SHAPED[kind](partial, tuple(map(int, shape.split("_"))))
    else:
        recipes[name](partial)
    partial.rename(tables / name)


def _pieces(ids: Array, size: int) -> Iterator[Array]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


if __name__ == "__main__":
    for table in sys.argv[3:]:
        make(Path(sys.argv[1]), SIZES[sys.argv[2]], table)
