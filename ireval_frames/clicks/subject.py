"""`ir.Impressions`: a click log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog, results
from ireval_frames.clicks.findings import BOT_PAGES, log_findings
from ireval_frames.clicks.inputs import GIVEN, ClickInputs
from ireval_frames.clicks.modelled import Modelled
from ireval_frames.clicks.rates_and_counts import COUNT_COLUMNS, RATE_COLUMNS, count_rows, counts_query, rate_table
from ireval_frames.clicks.request import ClickRequest
from ireval_frames.columns.user_names import named_columns
from ireval_frames.conventions.rankings import ClickPolicy
from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.parameters import CONFIDENCE, number
from ireval_frames.results import Result, TableQuery
from ireval_frames.subject import RESULT_COLUMNS, Subject


class Impressions(Modelled, Subject[ClickPolicy, Evaluation]):
    """A click log: the results that result pages showed, and which of them were clicked.

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
        engine: "polars", "duckdb" or "spark"; by default where the log is.
        con: a DuckDB connection or a Spark session; strings are then names of its tables (or paths).
        columns: the names of columns, ours → theirs, also those without a keyword: `page_dwell` (seconds that
            the page was looked at), `dwell` (seconds on the clicked document), `click_time` (seconds from the page to
            the click), `propensity`.
        storage_options: options of the stores of remote paths, as in `{"aws_region": "eu-central-1"}`.

    Rows make pages, pages make units: a measure has one value per unit, and is a mean over its pages, or a share of its
    shown results.  `unit="user_id"` gives every user a value, and `summary()` their mean;
    `unit=["user_id", "session_id"]` with `summary(over="user_id")` is the mean over users of the means over their
    sessions.  A weight w counts a page w times, and all rows of a page have it.  A `run_id` column means several
    systems at once, each with its own pages.

    Raises:
        MissingColumn, WrongType, MismatchedTables: the tables lack columns, or have other types.
        InvalidValue, DuplicateRows: with the first result, a position, click, document or weight is not allowed.
        UnknownName, InvalidParameter: an engine, policy or column that does not exist.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("CTR PageCTR MRRFirstClick", by="user_id").wide().rows()
        [('u1', 0.25, 0.5, 0.375), ('u2', 0.5, 1.0, 1.0)]
    """

    family = "clicks"
    _conventions = ClickPolicy
    _requests = ClickRequest
    _evaluations = Evaluation
    _result_columns = (*RESULT_COLUMNS, "n_pages", "n_results", "n_clicks")

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
        self.unit = self._columns_of("unit", unit)
        named = (serp, query, doc, position, click, user, session, time, weight, grade)
        self.columns = named_columns(columns, dict(zip(GIVEN.values(), named, strict=True)))

    @results.table_method
    def rates(
        self,
        *,
        by: str | Sequence[str] | None = None,
        shrinkage: float = 0.0,
        confidence: float = 0.95,
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The click-through rate of every group of shown results: by position, query, document, or other columns.

        Args:
            by: the columns that make the groups, such as "position" or ["query_id", "doc_id"], instead of the
                constructor's.
            shrinkage: clicks, expected and had, that are added to both of COEC.
            confidence: of the interval of the rate, Wilson's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] n_results n_clicks ctr low high expected coec: how many results were shown and clicked (or
            their weights), the rate and its interval, the clicks that the average result at the same positions has, and
            clicks over those.

        Example:
            >>> import ireval_frames as ir
            >>> log = ir.Impressions(ir.examples.click_log())
            >>> log.rates(by="position").select("position", "n_results", "n_clicks", "ctr").rows()
            [(1, 5.0, 3.0, 0.6), (2, 5.0, 1.0, 0.2), (3, 4.0, 1.0, 0.25)]
        """
        CONFIDENCE.check("confidence", confidence)
        number(1.0, low=0.0).check("shrinkage", shrinkage)
        request: ClickRequest = self._request(by=by, policy=policy, unit=(), columns=RATE_COLUMNS)
        return request.table(lambda tables: rate_table(tables, shrinkage, confidence), "rates")

    @results.table_method
    def counts(
        self,
        measures: str | Measure | Iterable[str | Measure],
        *,
        by: str | Sequence[str] | None = None,
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
    ) -> Result:
        """The numerators and denominators of measures, so that days can be added without reading their logs again.

        Sum both over the days for each measure and group: their ratio is the measure over all days, as long as no page,
        and for measures of sessions no session, belongs to two days.

        Args:
            measures: as in `evaluate`.
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            [run_id, by …] [unit] measure numerator denominator; the denominator of counts is null.

        Raises:
            NotDefined: a measure is no ratio of sums: ClickEntropy, SessionsPerUser, a mean over queries, documents or
                positions, or COEC and DebiasedCTR without `rates=` or `examination=` for all days.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> log = ir.examples.click_log()
            >>> days = [ir.Impressions(log.filter(pl.col("timestamp") < 200)).counts("MRRFirstClick")]
            >>> days += [ir.Impressions(log.filter(pl.col("timestamp") >= 200)).counts("MRRFirstClick")]
            >>> sums = pl.concat(days).group_by("measure").sum()
            >>> sums.select(pl.col("numerator") / pl.col("denominator")).item().__round__(4)
            0.5833
        """
        parsed = catalog.parse_all(measures, self.family)
        request: ClickRequest = self._request(parsed, by=by, policy=policy, columns=COUNT_COLUMNS)

        def query(engine: Engine) -> TableQuery:
            tables = request.tables_on(engine)
            rows = count_rows(tables, parsed, lambda measure: request.context(tables, measure))
            return counts_query(tables, rows, request.checks(tables))

        return request.result("counts", query)

    def check(
        self,
        *,
        bot_pages: int = BOT_PAGES,
        everything: bool = False,
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
    ) -> pl.DataFrame:
        """Errors and suspicious rows of the log, counted by its engine; nothing is refused.

        Args:
            bot_pages: users with more pages are reported.
            everything: report checks that find nothing, too.
            policy: the conventions of this call instead of the constructor's.

        Returns:
            check level count of examples message: the name of the check; "error" where evaluating refuses it,
            "warning", or "note"; how many rows, pages, positions, documents, users or sessions there are, the first of
            them, and what it means.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Impressions(ir.examples.click_log()).check().select("check", "count", "of", "examples").rows()
            [('empty', 1, 'pages', '5'), ('no_click', 1, 'pages', '1')]
        """
        number(BOT_PAGES).check("bot_pages", bot_pages)
        inputs = self.inputs((), policy=policy)
        with inputs.engine.scope(), inputs.engine.errors():
            return log_findings(inputs, bot_pages=bot_pages, everything=everything)

    def inputs(
        self,
        by: str | Sequence[str] | None = None,
        *,
        policy: ClickPolicy | str | Mapping[str, Any] | None = None,
        engine: Engine | None = None,
    ) -> ClickInputs:
        """The log under our names, on its engine, for click models and the like (`clicks/inputs.py`).

        Args:
            by: group by these columns instead of the constructor's.
            policy: the conventions of this call instead of the constructor's.
            engine: another engine that the tables are read on.
        """
        request: ClickRequest = self._request(by=by, policy=policy, unit=())
        return request.inputs(engine or self.engine)
