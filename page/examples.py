"""The files of the page's examples: rankings, labels and clusters."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl

import ireval_frames as ir

DATA = Path(__file__).resolve().parents[1] / "data"
# The systems of the examples, and how many documents of a query they take for relevant.
SYSTEMS = ("bm25", "tfidf", "lsa")
TAKEN = 20


def write(folder: Path) -> None:
    """Write the files into a folder."""
    folder.mkdir(exist_ok=True)
    demo = DATA / "stdlib"
    shutil.copy(demo / "qrels.txt", folder / "qrels.txt")
    for run in sorted((demo / "runs").iterdir()):
        shutil.copy(run, folder / run.name)
    labels(demo).write_csv(folder / "labels.csv")
    shutil.copy(DATA / "worked" / "clusters_items.csv", folder / "clusters.csv")


def labels(demo: Path) -> pl.DataFrame:
    """The judged documents as items of two classes, which systems tell apart by their first documents of a query."""
    keys = ["query_id", "doc_id"]
    judged = ir.read_qrels(demo / "qrels.txt")
    runs = ir.read_run([demo / "runs" / f"{name}.txt" for name in SYSTEMS], rank=True)
    top = pl.col("score").max().over("run_id")
    names = pl.DataFrame({"run_id": SYSTEMS})
    items = names.join(judged, how="cross").join(runs.with_columns(pl.col("score") / top), ["run_id", *keys], "left")
    class_of = {True: "relevant", False: "other"}
    return items.select(
        "run_id",
        item_id=pl.concat_str(keys, separator=":"),
        label=(pl.col("relevance") > 0).replace_strict(class_of),
        prediction=(pl.col("rank") <= TAKEN).fill_null(value=False).replace_strict(class_of),
        score=pl.col("score").fill_null(0).clip(0, 1).round(4),
    )
