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
    """The scores of tasks: a row per task, split, subset and score.

    Units are tasks: `ir.compare(frame, unit=["task", "subset"], by="split")` compares models over tasks; its default,
    `missing="error"`, names tasks that a model lacks.

    Args:
        results: paths of MTEB's JSON, folders of them, its `TaskResult`s, or their dictionaries.
        run_id: the name of the model.

    Returns:
        run_id, task, split, subset, measure (MTEB's name, `main_score` among them), value (Float64).

    Raises:
        FileError: a path cannot be read, or a folder holds no results.
        MalformedFile: a file is not the JSON of a task.
        WrongType: an argument is none of these.

    Source: MTEB (Muennighoff and others, EACL 2023), the results of its version 1.11 and later.

    Example:
        >>> scores = {"hf_subset": "default", "languages": ["eng-Latn"], "main_score": 0.5, "ndcg_at_10": 0.5}
        >>> from_results({"task_name": "NFCorpus", "scores": {"test": [scores]}}, run_id="bm25").rows()[0]
        ('bm25', 'NFCorpus', 'test', 'default', 'main_score', 0.5)
    """
    rows = [
        (run_id, *row) for source in results for result, origin in _results(source) for row in _scores(result, origin)
    ]
    return pl.DataFrame(rows, _SCHEMA, orient="row")


def _results(source: Any) -> Iterator[tuple[Mapping[str, Any], str]]:
    if isinstance(source, Mapping):
        yield source, "The dictionary"
    elif hasattr(source, "to_dict") and hasattr(source, "task_name"):
        yield source.to_dict(), "The result"
    elif isinstance(source, str | os.PathLike):
        root = Path(source).expanduser()
        # MTEB writes the description of the model beside the results.
        files = sorted(p for p in root.rglob("*.json") if p.name != "model_meta.json") if root.is_dir() else [root]
        if not files:
            raise FileError(f"{root} holds no JSON.", "Name the folder of a model's results.")
        for file in files:
            try:
                yield json.loads(file.read_text("utf-8")), str(file)
            except OSError as error:
                raise FileError(f"{file} cannot be opened: {error.strerror}.", "Check the path.") from error
            except (ValueError, RecursionError) as error:
                raise MalformedFile(f"{file} is not JSON: {error}.") from error
    else:
        raise WrongType(
            f"It is of type {type(source).__name__}, which is not a result of a task.",
            "Pass a path, a folder, a TaskResult, or its dictionary.",
        )


def _scores(result: Any, origin: str) -> Iterator[tuple[str, str, str, str, float]]:
    try:
        for split, subsets in result["scores"].items():
            for scores in subsets:
                for name, value in scores.items():
                    if isinstance(value, int | float) and not isinstance(value, bool):
                        yield result["task_name"], split, scores["hf_subset"], name, float(value)
    except (AttributeError, KeyError, TypeError) as error:
        raise MalformedFile(
            f"{origin} is not a result of a task: {error!r}.",
            "It has a task_name and scores, by split a list of dictionaries with an hf_subset.",
        ) from error
