"""Impressions: a click log, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import narwhals.stable.v2 as nw

from ireval_frames import catalog
from ireval_frames.clicks.checks import declared
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.inputs import GIVEN, ClickInputs
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.engines.checking import hold
from ireval_frames.evaluation import Evaluation
from ireval_frames.inputs import Names, named_columns
from ireval_frames.plan import Plan
from ireval_frames.policy import ClickPolicy
from ireval_frames.subject import ItemBuild, Subject


class Impressions(Subject[ClickPolicy, Evaluation]):
    """A click log: what was shown on which result page, and what of it was clicked.

    Args:
        impressions: a table with a row per shown result.  A page that shows nothing is a row without document and
            position, or a row of `pages`.
        pages: a table with a row per result page, for those that show nothing, with the columns of pages that
            `impressions` has (query, user, session, time, weight, and those of `by` and `unit`).
        serp, query, doc, position, click, user, session, time, weight, grade: the names of the columns where they
            differ from serp_id, query_id, doc_id, position, click, user_id, session_id, timestamp, weight, grade (and
            the names other tools use).  A position counts from 1 (policy `positions`); a click is true or false, 0 or
            1, or how many there were, of which the first counts.
        unit: columns whose groups of pages are units of their own, such as the user; by default all pages are one.
        by: columns that group units.
        policy: the conventions (see `ClickPolicy`), such as `policy="positions=zero"`.
        engine: "polars" or "duckdb"; by default where the log is.
        con: a DuckDB connection; strings are then names of its tables (or paths).
        columns: what the columns are called, ours → theirs, also those without a keyword: `page_dwell` (seconds that
            the page was looked at), `dwell` (seconds on the clicked document), `click_time` (seconds from the page to
            the click), `propensity`.
        storage_options: what the stores of remote paths are told, as in `{"aws_region": "eu-central-1"}`.

    Rows make pages, pages make units: a measure has one value per unit, and is a mean over its pages, or a share of its
    shown results.  `unit="user_id"` gives every user a value, and `summary()` their mean;
    `unit=["user_id", "session_id"]` with `summary(over="user_id")` is the mean over users of the means over their
    sessions.  A weight counts a page so many times, and all rows of a page have it.  A `run_id` column means several
    systems at once, each with its own pages.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        InvalidValue, DuplicateRows: with the first result, a position, click, document or weight cannot be meant.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("CTR PageCTR MRRFirstClick", by="user_id").wide().rows()
        [('u1', 0.25, 0.5, 0.375), ('u2', 0.5, 1.0, 1.0)]
    """

    family = "clicks"
    conventions = ClickPolicy
    result = Evaluation
    result_columns = (*Subject.result_columns, "n_pages", "n_results", "n_clicks")

    def __init__(
        self,
        impressions: Any,
        pages: Any = None,
        *,
        serp: str | None = None,
        query: str | None = None,
        doc: str | None = None,
        position: str | None = None,
        click: str | None = None,
        user: str | None = None,
        session: str | None = None,
        time: str | None = None,
        weight: str | None = None,
        grade: str | None = None,
        unit: str | Sequence[str] = (),
        by: str | Sequence[str] = (),
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
        engine: str | Engine | None = None,
        con: Any = None,
        columns: Mapping[str, str] | None = None,
        storage_options: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            {"impressions": impressions, "pages": pages},
            first="impressions",
            by=by,
            policy=policy,
            engine=engine,
            con=con,
            storage_options=storage_options,
        )
        self.unit = self.grouping("unit", unit)
        named = (serp, query, doc, position, click, user, session, time, weight, grade)
        self.columns = named_columns(columns, dict(zip(GIVEN.values(), named, strict=True)))

    def inputs(
        self,
        by: str | Sequence[str] | None = None,
        *,
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
        engine: Engine | None = None,
    ) -> ClickInputs:
        """The log under our names, on its engine: what click models and the like are made of (`clicks/inputs.py`).

        Args:
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            engine: another engine that the tables are read on.
        """
        grouped, conventions = self.options(by, policy)
        return ClickBuild(self, conventions, grouped, ()).inputs(engine or self.engine)

    def build(
        self, policy: ClickPolicy | None = None, by: tuple[str, ...] | None = None, asked: Sequence[Measure] = ()
    ) -> ClickBuild:
        """What makes the plans of this subject."""
        del asked
        return ClickBuild(self, policy or self.policy, self.by if by is None else by, self.unit)


class ClickBuild(ItemBuild[Impressions, ClickPolicy, ClickTables]):
    """Makes the plan of one evaluation on any engine."""

    def __init__(self, subject: Impressions, policy: ClickPolicy, by: tuple[str, ...], unit: tuple[str, ...]) -> None:
        super().__init__(subject, policy, by)
        self.unit = unit

    def inputs(self, engine: Engine, given: Mapping[str, Any] | None = None) -> ClickInputs:
        """The tables as handed in; `given` replaces some."""
        names = Names(self.subject.columns, self.by, self.unit)
        return ClickInputs({**self.subject.given, **(given or {})}, names, engine, self.policy)

    def made(
        self, engine: Engine, measures: Sequence[Measure], given: Mapping[str, Any] | None, *, ordered: bool = False
    ) -> ClickTables:
        """The tables for the measures; `given` replaces the tables that were handed in."""
        del measures
        return ClickTables(Plan(engine, ordered=ordered), self.inputs(engine, given), self.policy)

    def context(self, tables: ClickTables, measure: str) -> ClickContext:
        """What the functions of measures are handed."""
        return ClickContext(tables, measure)

    def checks(self, tables: ClickTables) -> list[Callable[[], None]]:
        """What the data must not hold."""
        return [lambda: hold(tables.plan.engine, declared(tables.inputs)), tables.plan.check]

    def counts(self, tables: ClickTables) -> dict[str, str]:
        """How many pages the policies touched."""
        clicks = tables.log.sum(nw.col("click"), into=tables.pages)
        told = {"empty": tables.shown == 0, "no_click": clicks == 0}
        columns = {name: tables.pages.sum(which.cast(nw.Float64)) for name, which in told.items()}
        row = tables.plan.engine.collect(tables.units.frame().select(**columns)).sum()
        return {name: f"{int(row[name].item() or 0)} pages" for name in told}

    def count_measures(self) -> dict[str, Measure]:
        """What `per_unit(counts=True)` adds."""
        named = {"n_pages": "NumPages", "n_results": "NumResults", "n_clicks": "NumClicks"}
        return {column: catalog.parse(name, "clicks") for column, name in named.items()}
