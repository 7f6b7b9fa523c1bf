"""The tables of results of links: counts, report, and each link with its error."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.documents import compared_results
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col
from ireval_frames.links.context import On
from ireval_frames.links.inputs import POSITIONS
from ireval_frames.links.request import LinkRequest
from ireval_frames.links.tables import Judged, LinkTables
from ireval_frames.results import Result

TYPE = "type"


def request_of(request: LinkRequest, on: On, where: str | None) -> tuple[LinkRequest, On, str | None]:
    """The request with the columns that are compared, and what is compared in its one spelling."""
    measure = catalog.parse("F1", "links")(on=on, where=where)
    arguments = measure.arguments()
    return request.of([measure]), arguments["on"], arguments["where"]


def counts(request: LinkRequest, on: Any, where: str | None, *, per_unit: bool) -> Result:
    """The numbers of each document and type."""
    request, on, where = request_of(request, on, where)

    def more(tables: LinkTables) -> dict[str, Expr]:
        judged = tables.compared(on, where)
        wrong = judged.counts.predicted - judged.counts.correct - judged.redundant - judged.inexact
        return {"redundant": judged.redundant, "inexact": judged.inexact, "wrong": wrong}

    return compared_results.counts(request, _select(on, where), TYPE, per_unit=per_unit, more=more)


def report(request: LinkRequest, on: Any, where: str | None) -> Result:
    """Precision, recall and F1 of each type."""
    request, on, where = request_of(request, on, where)
    return compared_results.report(request, _select(on, where), TYPE)


def errors(request: LinkRequest, on: Any, where: str | None) -> Result:
    """Each link with its error."""
    request, on, where = request_of(request, on, where)

    def columns(tables: LinkTables) -> dict[str, Expr]:
        inputs = tables.inputs
        if inputs.assessed:
            raise NotDefined(
                "Answers of one class are one, so there is no row for each.", "Call counts(), which counts them."
            )
        names = {inputs.user_name("gold", c) if c in inputs.of_user.values() else c: c for c in tables.columns_of(on)}
        return {n: col(c).cast(pl.Int64) if c in POSITIONS else col(c) for n, c in names.items()}

    return compared_results.errors(request, _select(on, where), columns)


def _select(on: On, where: str | None) -> compared_results.Select:
    def select(tables: LinkTables) -> Judged:
        return tables.compared(on, where)

    return select
