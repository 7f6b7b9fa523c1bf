"""Conversions to objects of other tools and back, as JSON, in a process of its own.

`python -m tests.interop.with_packages NAME FOLDER`, where NAME is a function here.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from tests.interop.cases import make_case

MEASURES = "nDCG@10 P(rel=2, judged_only=True)@5 AP(rel=9)"


def evaluation() -> Any:
    """Two runs."""
    qrels, run = make_case()
    runs = [run.with_columns(run_id=pl.lit(n), score=pl.col("score") * sign) for n, sign in (("a", 1), ("b", -1))]
    return ir.evaluate(qrels, pl.concat(runs), MEASURES)


def mlflow(folder: Path) -> dict[str, Any]:
    """A run that is logged to a folder and read back."""
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    import mlflow

    mlflow.set_tracking_uri(folder.as_uri())
    mlflow.set_experiment("tests")
    ev = evaluation()
    with mlflow.start_run() as active:
        ir.interop.mlflow.log(ev, units="units.parquet", report="page.html", run_id="b")
        mlflow.log_metric("loss", 1.0)
    logged = mlflow.get_run(active.info.run_id)
    artifacts = Path(logged.info.artifact_uri.removeprefix("file://"))
    return {
        "back": ir.interop.mlflow.from_run(logged).sort("measure").rows(),
        "ours": ev.summary().filter(run_id="b").sort("measure").select("measure", "value").rows(),
        "units": pl.read_parquet(artifacts / "units.parquet").rows(),
        "our_units": ev.per_unit().filter(run_id="b").rows(),
        "page": (artifacts / "page.html").read_text("utf-8")[:15],
        "tags": {k: v for k, v in logged.data.tags.items() if k in ("ireval.run_id", "ireval.policy.ties")},
    }


def datasets(_: Path) -> dict[str, Any]:
    """Labels as a dataset: complete, selected, shuffled and by splits."""
    import datasets

    labels = ir.examples.labels()
    dataset = ir.interop.huggingface.to_dataset(labels.lazy())
    shuffled = dataset.shuffle(seed=1)
    refused = ""
    try:
        ir.interop.huggingface.from_dataset(datasets.DatasetDict({"train": dataset, "test": dataset}))
    except ir.errors.WrongType as error:
        refused = str(error)
    return {
        "kind": type(dataset) is datasets.Dataset,
        "back": ir.interop.huggingface.from_dataset(dataset).equals(labels),
        "chosen": ir.interop.huggingface.from_dataset(dataset.select([3, 1]))["item_id"].to_list(),
        "shuffled": ir.interop.huggingface.from_dataset(shuffled).rows() == [tuple(r.values()) for r in shuffled],
        "value": ir.Labels(ir.interop.huggingface.from_dataset(shuffled)).evaluate("MCC").summary()["value"][0],
        "ours": ir.Labels(labels).evaluate("MCC").summary()["value"][0],
        "refused": refused,
    }


def wandb(_: Path) -> dict[str, Any]:
    """Values per unit as a table of Weights & Biases."""
    import wandb

    frame = evaluation().per_unit()
    table = ir.interop.wandb.to_table(frame)
    return {
        "kind": type(table) is wandb.Table,
        "columns": table.columns,
        "data": table.data,
        "ours": [list(row) for row in frame.rows()],
    }


def trackio(_: Path) -> dict[str, Any]:
    """Values per unit as a table of Trackio."""
    import trackio

    frame = evaluation().per_unit()
    table = ir.interop.trackio.to_table(frame)
    return {"kind": isinstance(table, trackio.Table), "ours": frame.to_dicts(), "data": table.data}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](Path(sys.argv[2]))))  # noqa: T201 - the test reads it
