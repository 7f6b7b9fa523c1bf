"""Samples of lm-evaluation-harness, `samples_TASK_DATE.jsonl` (`--log_samples`), as values to compare."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import FileError, MalformedFile, NotDefined
from ireval_frames.io.storage.places import as_text

_NAME = re.compile(r"samples_(?P<task>.+)_\d{4}-\d{2}-\d{2}T[\d.\-:]+\.jsonl")
_SCHEMA = {
    "run_id": pl.String, "task": pl.String, "doc_id": pl.Int64, "filter": pl.String, "measure": pl.String,
    "value": pl.Float64,
}  # fmt: skip
# Fields that are not metrics, in samples without a list of their metrics.
_NOT_METRICS = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
}  # fmt: skip


def from_samples(*paths: str | os.PathLike[str], run_id: str, task: str | None = None) -> pl.DataFrame:
    """The metrics of each sample: a row per task, sample, filter and metric.

    Units are samples of tasks: `ir.compare(frame, unit=["task", "doc_id"])` tests paired differences, which the
    harness itself does not; add `by="filter"` where a task has several filters.  Metrics without a number per sample,
    such as those of a corpus, are left out.

    Args:
        paths: files of samples, or folders of them; pass one file per task, the latest.
        run_id: the name of the model.
        task: the name of the task, for files of other names.

    Returns:
        run_id, task, doc_id (Int64), filter (null where there is none), measure, value (Float64).

    Raises:
        FileError: a path cannot be read, a folder holds no samples, or two files are of one task.
        MalformedFile: a line is not a sample.
        NotDefined: no sample has a number.

    Source: lm-evaluation-harness (Gao and others, 2023), its `--log_samples`.
    """
    rows: list[tuple[Any, ...]] = []
    files: dict[str, Path] = {}
    for file in _files(paths):
        match = _NAME.fullmatch(file.name)
        name = task if task is not None else match["task"] if match else as_text(file.stem)
        if name in files:
            raise FileError(f"{files[name]} and {file} are both of the task {name!r}.", "Pass one of them.")
        files[name] = file
        rows += [(run_id, name, *row) for row in _samples(file)]
    if not rows:
        raise NotDefined("No sample has a metric that is a number.", "Log samples: lm_eval --log_samples")
    return pl.DataFrame(rows, _SCHEMA, orient="row")


def _files(paths: tuple[str | os.PathLike[str], ...]) -> Iterator[Path]:
    for path in paths:
        root = Path(path).expanduser()
        files = sorted(root.rglob("samples_*.jsonl")) if root.is_dir() else [root]
        if not files:
            raise FileError(f"{root} holds no samples_*.jsonl.", "Log samples: lm_eval --log_samples")
        yield from files


def _samples(file: Path) -> Iterator[tuple[int, str | None, str, float]]:
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise FileError(f"{file} cannot be opened: {error.strerror}.", "Check the path.") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield from _metrics(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise MalformedFile(
                f"{file}, line {number}: {line[:60]!r} is not a sample ({error!r}).", "A sample has an integer doc_id."
            ) from error


def _metrics(sample: Mapping[str, Any]) -> Iterator[tuple[int, str | None, str, float]]:
    unit = sample["doc_id"]
    if type(unit) is not int:
        raise TypeError(f"doc_id is {unit!r}")
    for name in sample["metrics"] if "metrics" in sample else [n for n in sample if n not in _NOT_METRICS]:
        value = sample[name]
        if isinstance(value, int | float):
            yield unit, sample.get("filter"), name, float(value)
