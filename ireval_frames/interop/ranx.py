"""ranx's `Run` and `Qrels` as tables and back, and the values that its `evaluate` stores in a run."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined, WrongType
from ireval_frames.interop import dicts
from ireval_frames.interop.tables import integer_grades, package, qrels_rows, run_rows


def from_run(run: Any) -> pl.DataFrame:
    """A `ranx.Run` as a frame.

    ranx orders equal scores differently from trec_eval and this package, so values may differ where scores are equal.

    Args:
        run: the run; its name, if any, becomes the run_id.

    Returns:
        [run_id,] query_id, doc_id (String), score (Float64).

    Raises:
        WrongType: it is not a `ranx.Run`.

    Source: ranx (Bassani, ECIR 2022).
    """
    return dicts.from_run(_dictionary(run, "run", "Run"), run_id=run.name)


def from_qrels(qrels: Any) -> pl.DataFrame:
    """`ranx.Qrels` as a frame: query_id, doc_id (String), relevance (Int64).

    Args:
        qrels: the judgments.

    Raises:
        WrongType: they are not `ranx.Qrels`.
    """
    return dicts.from_qrels(_dictionary(qrels, "qrels", "Qrels"))


def from_values(*runs: Any) -> pl.DataFrame:
    """The values per query that `ranx.evaluate` stored in the runs, to compare (`ir.compare`) or to plot.

    Args:
        runs: `ranx.Run`s after `ranx.evaluate(qrels, run, …)`.

    Returns:
        run_id (the run's name, else its position from 1), query_id, measure (ranx's name), value.

    Raises:
        WrongType: an argument is not a run.
        NotDefined: a run holds no values.
    """
    rows: list[tuple[str, str, str, float]] = []
    for position, run in enumerate(runs, 1):
        _check(run, "run", "Run")
        if not run.scores:
            raise NotDefined(
                f"The run {run.name!r} holds no values.", 'Evaluate it first: ranx.evaluate(qrels, run, ["ndcg@10"])'
            )
        name = str(position) if run.name is None else run.name
        rows += [(name, q, m, float(v)) for m, values in run.scores.items() for q, v in values.items()]
    types = {"run_id": pl.String, "query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(rows, types, orient="row")


def to_run(run: Any, *, run_id: str | None = None) -> Any:
    """A run as a `ranx.Run` with its name.

    Args:
        run: a frame of any kind, a relation, or a path.
        run_id: which run, where the table has several; the name, where the table has no run_id.

    Raises:
        EngineError: ranx is not installed.
        NotDefined: there are several runs, and `run_id` is missing.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid.
    """
    rows, name = run_rows(run, run_id)
    run_class = package("ranx").Run
    # ranx refuses an empty dictionary.
    return run_class(dicts.nested(rows, "score"), name=name) if rows.height else run_class(name=name)


def to_qrels(qrels: Any, *, name: str | None = None) -> Any:
    """Judgments as `ranx.Qrels`.

    Args:
        qrels: a frame of any kind, a relation, or a path; grades must be integers.
        name: their name.

    Raises:
        EngineError: ranx is not installed.
        NotDefined: the judgments are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is invalid, or grades are not integers.
    """
    rows = integer_grades(qrels_rows(qrels), "ranx")
    qrels_class = package("ranx").Qrels
    return qrels_class(dicts.nested(rows, "relevance"), name=name) if rows.height else qrels_class(name=name)


def _dictionary(value: Any, attribute: str, name: str) -> dict[str, dict[str, float]]:
    _check(value, attribute, name)
    nested: dict[str, dict[str, float]] = value.to_dict()
    return nested


def _check(value: Any, attribute: str, name: str) -> None:
    if not (hasattr(value, attribute) and hasattr(value, "to_dict") and type(value).__module__.startswith("ranx")):
        raise WrongType(
            f"It is of type {type(value).__name__}; a ranx.{name} is needed.",
            "Frames are evaluated as they are, dictionaries are read by ir.interop.dicts.",
        )
