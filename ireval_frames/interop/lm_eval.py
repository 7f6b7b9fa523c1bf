"""Samples of lm-evaluation-harness as values to compare: a model's `samples_TASK_DATE.jsonl` (`--log_samples`)."""

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
# What a sample holds besides its metrics, where it does not name these itself.
_OTHER = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
}  # fmt: skip


def from_samples(*paths: str | os.PathLike[str], run_id: str, task: str | None = None) -> pl.DataFrame:
    """The metrics of each sample, a row per task, sample, filter and metric.

    Units are samples of tasks: `ir.compare(frame, unit=["task", "doc_id"])` tests the paired differences that the
    harness itself does not pair; where a task is filtered in several ways, with `by="filter"`.  Metrics that have no
    number for a sample, such as those of whole corpora, are left out.

    Args:
        paths: files of samples, or folders that hold them; of a task in several the latest date alone is right.
        run_id: the model.
        task: what the task is called, for files of other names.

    Returns:
        run_id, task, doc_id (Int64), filter (null where there is none), measure, value (Float64).

    Raises:
        FileError: a path cannot be read, a folder holds no samples, or two files of one task are given.
        MalformedFile: a line is no sample.
        NotDefined: no sample has a number.

    Source: lm-evaluation-harness (Gao and others, 2023), its `--log_samples`.
    """
    rows: list[tuple[Any, ...]] = []
    seen: dict[str, Path] = {}
    for file in _files(paths):
        found = _NAME.fullmatch(file.name)
        name = task if task is not None else found["task"] if found else as_text(file.stem)
        if name in seen:
            raise FileError(f"{seen[name]} and {file} are both of the task {name!r}.", "Hand in one of them.")
        seen[name] = file
        rows += [(run_id, name, *row) for row in _samples(file)]
    if not rows:
        raise NotDefined("No sample has a metric that is a number.", "Log samples: lm_eval --log_samples")
    return pl.DataFrame(rows, _SCHEMA, orient="row")


def _files(paths: tuple[str | os.PathLike[str], ...]) -> Iterator[Path]:
    for path in paths:
        place = Path(path).expanduser()
        found = sorted(place.rglob("samples_*.jsonl")) if place.is_dir() else [place]
        if not found:
            raise FileError(f"{place} holds no samples_*.jsonl.", "Log samples: lm_eval --log_samples")
        yield from found


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
                f"{file}, line {number}: {line[:60]!r} is no sample ({error!r}).", "A sample has a doc_id, an integer."
            ) from error


def _metrics(sample: Mapping[str, Any]) -> Iterator[tuple[int, str | None, str, float]]:
    unit = sample["doc_id"]
    if type(unit) is not int:
        raise TypeError(f"doc_id is {unit!r}")
    for name in sample["metrics"] if "metrics" in sample else [n for n in sample if n not in _OTHER]:
        value = sample[name]
        if isinstance(value, int | float):
            yield unit, sample.get("filter"), name, float(value)
