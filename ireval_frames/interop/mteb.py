"""Results of MTEB: a file or dictionary for each task, as a table to compare."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from ireval_frames.errors import FileError, MalformedFile, WrongType

_SCHEMA = {
    "run_id": pl.String, "task": pl.String, "split": pl.String, "subset": pl.String, "measure": pl.String,
    "value": pl.Float64,
}  # fmt: skip
MAIN = "main_score"


def from_results(*results: Any, run_id: str) -> pl.DataFrame:
    """The scores of tasks, a row per task, split, subset and score.

    Tasks take the place of units: `ir.compare(frame, unit=["task", "subset"], by="split")` compares models over the
    tasks that all of them have, and `missing="error"`, its default, tells which are missing.

    Args:
        results: paths of MTEB's JSON, folders of them, its `TaskResult`s, or their dictionaries.
        run_id: the model.

    Returns:
        run_id, task, split, subset, measure (MTEB's name, `main_score` among them), value (Float64).

    Raises:
        FileError: a path cannot be read, or a folder holds no results.
        MalformedFile: a file is no JSON of a task.
        WrongType: it is something else.

    Source: MTEB (Muennighoff and others, EACL 2023), the results of its version 1.11 and later.

    Example:
        >>> scores = {"hf_subset": "default", "languages": ["eng-Latn"], "main_score": 0.5, "ndcg_at_10": 0.5}
        >>> from_results({"task_name": "NFCorpus", "scores": {"test": [scores]}}, run_id="bm25").rows()[0]
        ('bm25', 'NFCorpus', 'test', 'default', 'main_score', 0.5)
    """
    rows = [(run_id, *row) for one in results for said, where in _each(one) for row in _scores(said, where)]
    return pl.DataFrame(rows, _SCHEMA, orient="row")


def _each(given: Any) -> Iterator[tuple[Mapping[str, Any], str]]:
    if isinstance(given, Mapping):
        yield given, "The dictionary"
    elif hasattr(given, "to_dict") and hasattr(given, "task_name"):
        yield given.to_dict(), "The result"
    elif isinstance(given, str | os.PathLike):
        place = Path(given).expanduser()
        # Beside the results of tasks MTEB writes what it knows of the model.
        files = sorted(p for p in place.rglob("*.json") if p.name != "model_meta.json") if place.is_dir() else [place]
        if not files:
            raise FileError(f"{place} holds no JSON.", "Name the folder of a model's results.")
        for file in files:
            try:
                yield json.loads(file.read_text("utf-8")), str(file)
            except OSError as error:
                raise FileError(f"{file} cannot be opened: {error.strerror}.", "Check the path.") from error
            except (ValueError, RecursionError) as error:
                raise MalformedFile(f"{file} is no JSON: {error}.") from error
    else:
        raise WrongType(
            f"It is of type {type(given).__name__}, and no result of a task.",
            "Hand in a path, a folder, a TaskResult, or its dictionary.",
        )


def _scores(said: Any, where: str) -> Iterator[tuple[str, str, str, str, float]]:
    try:
        for split, subsets in said["scores"].items():
            for scores in subsets:
                for name, value in scores.items():
                    if isinstance(value, int | float) and not isinstance(value, bool):
                        yield said["task_name"], split, scores["hf_subset"], name, float(value)
    except (AttributeError, KeyError, TypeError) as error:
        raise MalformedFile(
            f"{where} is no result of a task: {error!r}.",
            "It has a task_name and scores, by split a list of dictionaries with an hf_subset.",
        ) from error
