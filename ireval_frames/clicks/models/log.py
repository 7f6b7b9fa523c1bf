"""The logs of click models: impressions, or lists of results without clicks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ireval_frames.clicks.checks import declared, known
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.columns.schema import number
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.opening import Source, open_engine, open_source
from ireval_frames.engines.row_checks import run_checks
from ireval_frames.errors import InvalidParameter, MismatchedTables, MissingColumn, NotDefined, WrongType, listed
from ireval_frames.expr import col, lit
from ireval_frames.io.reading import TABLE

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled
    from ireval_frames.clicks.models.graded_log import GradedLog

# The columns of lists.
PLACE = ("serp_id", "query_id", "doc_id", "position")
# The columns of results of click models besides those of groups.
OWN = frozenset(
    (
        "parameter",
        "query_id",
        "doc_id",
        "position",
        "last_click",
        "after",
        "value",
        "n",
        "low",
        "high",
        "status",
        "measure",
        "relevance",
        "serp_id",
        "click",
        "weight",
        "run_id",
        "score",
        "n_rows",
        "n_outside",
        "n_unseen",
    )
)


@dataclass(frozen=True)
class Rows:
    """The rows of a log under our names.

    Attributes:
        engine: where they are.
        frame: a row per shown result: the aliases of groups, serp_id query_id doc_id position click, and weight.
        groups: the user's names of the columns of groups, by alias.
        checks: raise the errors of single rows.
    """

    engine: Engine
    frame: Frame
    groups: Mapping[str, str]
    checks: Callable[[], None] = lambda: None


def rows_of(log: Modelled | GradedLog, by: str | Sequence[str] | None) -> Rows:
    """The rows of a click log, an `ir.Impressions`.

    Raises:
        WrongType: it is none.
        InvalidParameter: a column of groups has a name that results have.
    """
    if not hasattr(log, "inputs") or getattr(log, "family", None) != "clicks":
        raise WrongType(
            f"Click models take a click log; this is of type {type(log).__name__}.", "Write ir.Impressions(frame)."
        )
    inputs: ClickInputs = log.inputs(by)
    groups = {k: inputs.by_names.get(k, k) for k in inputs.keys if k not in inputs.unit_names}
    for name in (n for n in groups.values() if n in OWN and n != "run_id"):
        raise InvalidParameter(
            f"by names {name!r}, which is a column of the results.", f'Rename it: frame.rename({{"{name}": "group"}})'
        )

    def check_rows() -> None:
        queries = [known(inputs, "query_id")] if "query_id" in inputs.columns else []
        run_checks(inputs.engine, [*declared(inputs), *queries])

    return Rows(inputs.engine, inputs.impressions, groups, check_rows)


def lists_of(pages: Any, groups: Mapping[str, str], con: Any) -> Rows:
    """Lists of results: a log, or a table with `serp_id query_id doc_id position` and the columns of groups.

    Raises:
        MissingColumn: a column is not there.
    """
    if hasattr(pages, "inputs"):
        return rows_of(pages, [name for alias, name in groups.items() if alias != "run_id"])
    engine = open_engine(pages, None, con)
    frame = open_source(Source(pages, "pages", TABLE), engine)
    for column in (*groups.values(), *PLACE):
        if column not in frame.columns:
            raise MissingColumn(
                f"The pages table has no column {column!r} (it has: {listed(frame.columns, 20)}).",
                f'Rename one: frame.rename({{"their_name": "{column}"}})',
            )
    named = {alias: col(name) for alias, name in groups.items()}
    place = number("pages", "position", frame.collect_schema()["position"])
    ids = {c: col(c) for c in PLACE if c != "position"}
    return Rows(engine, frame.lazy().select(**ids, position=place, **named, click=lit(0)), groups)


def of_documents(what: str, *, graded: bool) -> None:
    """Refuse a model by grade, which knows no documents.

    Raises:
        NotDefined: it is one.
    """
    if graded:
        raise NotDefined(
            f"The click model is by grade, and has no {what} of documents.", "Fit one to the log itself: log.fit."
        )


def same_documents(log: Any, *, graded: bool) -> None:
    """Refuse a log of documents for a model by grade, and the other way.

    Raises:
        MismatchedTables: they do not go together.
    """
    if graded != getattr(log, "by_grade", False):
        raise MismatchedTables(
            f"The click model is by {'grade' if graded else 'document'}, and the log is not.",
            "Write log.graded(qrels)." if graded else "Pass the log itself.",
        )
