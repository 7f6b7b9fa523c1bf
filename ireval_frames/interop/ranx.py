"""ranx's `Run` and `Qrels` as tables, and back, and the values that its `evaluate` leaves in a run."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import NotDefined, WrongType
from ireval_frames.interop import dicts
from ireval_frames.interop.packages import package
from ireval_frames.interop.tables import qrels_rows, run_rows, whole_grades


def from_run(run: Any) -> pl.DataFrame:
    """A `ranx.Run` as a frame.

    ranx orders equal scores otherwise than trec_eval and this package do, so values may differ where there are any.

    Args:
        run: the run; its name becomes the run_id, where it has one.

    Returns:
        [run_id,] query_id, doc_id (String), score (Float64).

    Raises:
        WrongType: it is no such run.

    Source: ranx (Bassani, ECIR 2022).
    """
    return dicts.from_run(_dictionary(run, "run", "Run"), run_id=run.name)


def from_qrels(qrels: Any) -> pl.DataFrame:
    """`ranx.Qrels` as a frame: query_id, doc_id (String), relevance (Int64).

    Args:
        qrels: the judgments.

    Raises:
        WrongType: they are no such judgments.
    """
    return dicts.from_qrels(_dictionary(qrels, "qrels", "Qrels"))


def from_values(*runs: Any) -> pl.DataFrame:
    """What `ranx.evaluate` found per query and left in the runs, to compare (`ir.compare`) or to plot.

    Args:
        runs: `ranx.Run`s after `ranx.evaluate(qrels, run, …)`.

    Returns:
        run_id (the run's name, or its place among them from 1), query_id, measure under ranx's name, value.

    Raises:
        WrongType: something is no run.
        NotDefined: a run holds no values.
    """
    found: list[tuple[str, str, str, float]] = []
    for place, run in enumerate(runs, 1):
        _checked(run, "run", "Run")
        if not run.scores:
            raise NotDefined(
                f"The run {run.name!r} holds no values.", 'Evaluate it first: ranx.evaluate(qrels, run, ["ndcg@10"])'
            )
        name = str(place) if run.name is None else run.name
        found += [(name, q, m, float(v)) for m, values in run.scores.items() for q, v in values.items()]
    types = {"run_id": pl.String, "query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    return pl.DataFrame(found, types, orient="row")


def to_run(run: Any, *, run_id: str | None = None) -> Any:
    """A run as a `ranx.Run` of its name.

    Args:
        run: a frame of any kind, a relation, or a path.
        run_id: which run, where the table has several; where it has no such column, what the run is called.

    Raises:
        EngineError: ranx is not installed.
        NotDefined: there are several runs, and none is named.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is at fault.
    """
    rows, name = run_rows(run, run_id)
    made = package("ranx").Run
    # ranx makes none of an empty dictionary.
    return made(dicts.nested(rows, "score"), name=name) if rows.height else made(name=name)


def to_qrels(qrels: Any, *, name: str | None = None) -> Any:
    """Judgments as `ranx.Qrels`.

    Args:
        qrels: a frame of any kind, a relation, or a path; the grades are whole numbers.
        name: what they are called.

    Raises:
        EngineError: ranx is not installed.
        NotDefined: they are by subtopic or by assessor.
        MissingColumn, WrongType, InvalidValue, DuplicateRows: the table is at fault, or grades are no whole numbers.
    """
    rows = whole_grades(qrels_rows(qrels), "ranx")
    made = package("ranx").Qrels
    return made(dicts.nested(rows, "relevance"), name=name) if rows.height else made(name=name)


def _dictionary(given: Any, attribute: str, kind: str) -> dict[str, dict[str, float]]:
    _checked(given, attribute, kind)
    made: dict[str, dict[str, float]] = given.to_dict()
    return made


def _checked(given: Any, attribute: str, kind: str) -> None:
    if not (hasattr(given, attribute) and hasattr(given, "to_dict") and type(given).__module__.startswith("ranx")):
        raise WrongType(
            f"It is of type {type(given).__name__}; a ranx.{kind} is needed.",
            "Frames are evaluated as they are, dictionaries are read by ir.interop.dicts.",
        )
