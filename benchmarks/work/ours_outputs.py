"""Stores and plots in this project."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.work.means import Means
from ireval_frames.store.adding import ORDER, Occasion, add_rows
from ireval_frames.store.evaluations import Rows, complete, identify, values_of
from ireval_frames.store.folder import files
from ireval_frames.store.tables import TABLES

QUERIES = 10_000
# Cutoffs of measures that have few values, and one whose values all differ.
CUTOFFS = (1, 3, 5, 10, 15, 20, 30, 50, 100)
NAMES = [*(f"P@{k}" for k in CUTOFFS), "AP"]
ID = "0" * 16


def _units(runs: int) -> pl.DataFrame:
    random, n = np.random.default_rng(0), runs * QUERIES
    hard = random.beta(1, 3, n)
    values = {f"m{i}": random.binomial(k, hard) / k for i, k in enumerate(CUTOFFS)} | {f"m{len(CUTOFFS)}": hard}
    names = {"run_id": [f"run_{i:04d}" for i in range(runs)], "unit_id": [f"q{i:05d}" for i in range(QUERIES)]}
    places = {"run_id": np.repeat(np.arange(runs), QUERIES), "unit_id": np.tile(np.arange(QUERIES), runs)}
    keys = {name: pl.Series(texts).gather(places[name]) for name, texts in names.items()}
    return pl.DataFrame({**keys, **values}).with_columns(groups=pl.lit("{}"), n_retrieved=pl.lit(1_000))


def _rows(units: pl.DataFrame) -> Rows:
    wide = units.group_by("run_id", "groups").agg(pl.col(f"m{i}").mean().alias(n) for i, n in enumerate(NAMES))
    counts = pl.lit(QUERIES).alias("n_units"), pl.lit(0).alias("n_undefined")
    measures = {"measure": NAMES, "place": range(len(NAMES)), "name": NAMES, "parameters": "{}"}
    tables: dict[str, pl.DataFrame | pl.LazyFrame] = {
        "values": values_of(units, NAMES),
        "summaries": wide.unpivot(NAMES, index=["run_id", "groups"], variable_name="measure").with_columns(counts),
        "measures": pl.DataFrame(measures).with_columns(higher_is_better=pl.lit(value=True)),
        "evaluations": pl.DataFrame({"policy": ["{}"], "unit_columns": '["query_id"]', "n_values": units.height * 10}),
    }
    empty = {name: pl.DataFrame(schema=TABLES[name].schema) for name in ORDER}
    return Rows(ID, empty | {name: complete(name, ID, frame) for name, frame in tables.items()})


def _occasion() -> Occasion:
    return Occasion.of(collection="c", tags=None, at=None, who=False, command=None)


def fill(folder: Path, runs: int) -> None:
    """A store of so many runs of 10,000 queries and 10 measures."""
    store = ir.Store(folder)
    add_rows(store.path, files.listing(store.path), _rows(_units(runs)), _occasion())


def add(runs: int) -> Callable[[], Means]:
    """Values of runs, written; the size is of a value, in bytes."""
    units = _units(runs)

    def work() -> Means:
        with tempfile.TemporaryDirectory() as folder:
            store = ir.Store(Path(folder) / "s")
            add_rows(store.path, files.listing(store.path), _rows(units), _occasion())
            (path,) = files.listing(store.path).files["values"]
            return {"bytes": path.stat().st_size / (units.height * len(NAMES))}

    return work


def sql(folder: str, query: str) -> Callable[[], Means]:
    """A query of one number."""
    store = ir.Store(folder)
    return lambda: {"value": float(store.sql(query).item())}


def leaderboard(folder: str) -> Callable[[], Means]:
    """The mean of every run and measure, as they are kept."""
    store = ir.Store(folder)
    return lambda: {"value": store.leaderboard("c").select(pl.col("value").mean()).collect().item()}


def compare(folder: str) -> Callable[[], Means]:
    """Two runs compared."""
    store = ir.Store(folder)
    return lambda: {"p": store.compare("run_0000", "run_0001", "AP").table()["p_value"].item()}


def evaluated(qrels: str, run: str, measures: Sequence[str], *, digests: bool) -> Callable[[], Means]:
    """An evaluation, with digests of its tables as a store adds it, or without; tables of Parquet are loaded before."""
    judgments, rows = (pl.read_parquet(p) if p.endswith(".parquet") else p for p in (qrels, run))

    def work() -> Means:
        ev = ir.evaluate(judgments, rows, measures)
        if digests:
            identify(ev)
        return dict(ev.summary().select("measure", "value").rows())

    return work


def listed(evaluations: int) -> Callable[[], Means]:
    """Evaluations listed after packing."""
    store, occasion = ir.Store(tempfile.mkdtemp()), _occasion()
    qrels, run = ir.examples.ranking()
    first = store.add(ir.evaluate(qrels, run, "AP"), run="one")
    names = [f"{i:016x}" for i in range(evaluations)]
    for name in ("evaluations", "summaries", "runs"):
        rows = store.table(name).filter(pl.col("evaluation_id") == first).collect().drop("evaluation_id")
        many = rows.join(pl.DataFrame({"evaluation_id": names}), how="cross")
        files.write(store.path, name, "pack-many", many)
    files.write(store.path, "occasions", "pack-many", pl.concat([occasion.row(name) for name in names]))
    store.compact()
    return lambda: {"runs": float(ir.Store(store.path).runs().collect().height)}


def of_labels(table: str, name: str, *, drawn: bool) -> Callable[[], Means]:
    """A picture of scored items, or the table that it shows."""
    frame = pl.read_parquet(table, columns=["positive", "score"]).with_columns(
        prediction=pl.col("positive"), score=1 / (1 + (-pl.col("score")).exp())
    )
    picture, _, kind = name.partition(" ")
    options = {"kind": kind} if kind else {}

    def work() -> Means:
        subject = ir.Labels(frame, label="positive", score="score")
        if drawn:
            rows = getattr(ir.plots, picture).frame(subject, **options)
        elif picture == "confusion":
            rows = subject.confusion()
        elif picture == "reliability":
            # Bins of as many items each, as the picture has them.
            rows = subject.curve("calibration", binning="mass")
        else:
            rows = subject.curve(kind or picture)
        return _text(rows)

    return work


def of_runs(qrels: str, run: str, name: str, *, drawn: bool) -> Callable[[], Means]:
    """A picture of two runs, or the values that it shows."""
    judgments, rows = pl.read_parquet(qrels), pl.read_parquet(run)
    runs = pl.concat([rows.with_columns(run_id=pl.lit("a")), rows.with_columns(-pl.col("score"), run_id=pl.lit("b"))])

    def work() -> Means:
        evaluation = ir.evaluate(judgments, runs, "AP")
        if drawn:
            return _text(getattr(ir.plots, name).frame(evaluation))
        return _text(ir.Rankings(judgments, runs).curve() if name == "precision_recall" else evaluation.per_unit())

    return work


def _text(rows: pl.DataFrame) -> Means:
    """Pictures show other numbers than tables do: whether there are any."""
    return {"some": float(rows.height > 0)}
