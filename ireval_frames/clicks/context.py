"""The context of measures of click logs: columns and sums under the names of the field."""

from __future__ import annotations

from typing import Literal

from ireval_frames import per
from ireval_frames.clicks.tables import ClickTables
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.plan import Table
from ireval_frames.ratios import constant_of, indicator, ratio, ratio_of

ONE = lit(1.0)


class ClickContext:
    """The columns and sums that measures of a click log are made of.

    Args:
        tables: the tables of the plan.
        measure: the measure's name, for errors.
    """

    def __init__(self, tables: ClickTables, measure: str) -> None:
        self.tables, self.measure, self.policy = tables, measure, tables.policy
        self._ratio = ratio_of(self.policy.undefined)
        self.parts: tuple[Expr, Expr] | None = None

    def ratio(self, numerator: Expr, denominator: Expr) -> per.Same:
        """The ratio; where the denominator is 0, the value that the policy has for undefined ones."""
        self.parts = numerator, denominator
        return self._ratio(numerator, denominator)

    @property
    def undefined(self) -> per.Same:
        """The value that the policy has for undefined ones."""
        return constant_of(self.policy.undefined)

    # ---- of shown results

    def satisfied(self, dwell: float, *, unknown: bool = False) -> per.Row:
        """1 for a click with at least this dwell time in seconds; `unknown`: also for clicks without a known dwell."""
        self.tables.inputs.needs("dwell")
        stayed = col("dwell") >= dwell
        stayed = col("dwell").is_null() | stayed if unknown else stayed
        return indicator((col("click") > 0) & stayed)

    def over_log(self, term: per.Row, cutoff: int | None = None) -> per.Unit:
        """The weighted sum of a term over the shown results, or over those of the top k positions."""
        tables = self.tables
        return tables.log.sum(tables.weight * col("shown") * tables.within(term, cutoff))

    # ---- of pages

    @property
    def pages(self) -> Table:
        """The table of result pages."""
        return self.tables.pages

    @property
    def num_pages(self) -> per.Unit:
        """The number of pages that count."""
        return self.over_pages(ONE)

    @property
    def shown(self) -> per.Page:
        """How many results the page shows."""
        return self.tables.shown

    @property
    def clicks(self) -> per.Page:
        """How many results of the page were clicked."""
        return self.tables.log.sum(col("click"), into=self.pages, name="clicks")

    @property
    def first_click(self) -> per.Page:
        """The position of the uppermost click; null without one."""
        return self.tables.log.min(when(col("click") > 0).then(col("position")), into=self.pages)

    @property
    def last_click(self) -> per.Page:
        """The position of the lowest click; null without one."""
        return self.tables.log.max(when(col("click") > 0).then(col("position")), into=self.pages)

    @property
    def reciprocals(self) -> per.Page:
        """The sum of the reciprocal positions of the clicks."""
        return self.tables.log.sum(when(col("click") > 0).then(1.0 / col("position")), into=self.pages)

    @staticmethod
    def reciprocal(position: per.Page) -> per.Page:
        """The reciprocal of a position; null without one."""
        return when(~position.is_null()).then(1.0 / position)

    def click_time(self, which: Literal["min", "max"], satisfied: per.Row | None = None) -> per.Page:
        """The seconds until the earliest or latest click of the page, or of its satisfied clicks; null without one."""
        self.tables.inputs.needs("click_time")
        counts = col("click") > 0 if satisfied is None else satisfied > 0
        log = self.tables.log
        return (log.min if which == "min" else log.max)(when(counts).then(col("click_time")), into=self.pages)

    def over_pages(self, term: per.Page, where: per.Page | None = None) -> per.Unit:
        """The weighted sum of a term over the pages that count, without null terms."""
        weighed = self.tables.page_weight * term.fill_null(0.0)
        for condition in (self.tables.counted, where):
            weighed = weighed if condition is None else when(condition).then(weighed).otherwise(0.0)
        return self.pages.sum(weighed)

    def share_of_pages(self, which: per.Page, where: per.Page | None = None) -> per.Unit:
        """The share of the pages for which a condition holds, among those that count."""
        return self.ratio(self.over_pages(indicator(which), where), self.over_pages(ONE, where))

    def mean_of_pages(self, value: per.Page) -> per.Unit:
        """The mean of a value over the pages that have one."""
        return self.ratio(self.over_pages(value), self.over_pages(ONE, ~value.is_null()))

    def mean_reciprocal(self, value: per.Page) -> per.Unit:
        """The mean of reciprocals over the pages; the policy decides whether pages without clicks count."""
        where = self.clicks > 0 if self.policy.no_click == "skip" else None
        return self.ratio(self.over_pages(value), self.over_pages(ONE, where))

    def empty_share(self) -> per.Unit:
        """The share of the pages that show nothing, under every policy."""
        weight = self.tables.page_weight
        return self.ratio(self.pages.sum(weight * indicator(self.shown == 0)), self.pages.sum(weight))

    def abandoned(self, dwell: float, *, satisfied: bool) -> per.Unit:
        """The share of the pages without a click that were viewed for at least `dwell` seconds, or for less."""
        self.tables.inputs.needs("page_dwell")
        page_dwell = self.tables.log.max(col("page_dwell"), into=self.pages)
        nothing = self.clicks == 0
        return self.share_of_pages(
            nothing & (page_dwell >= dwell if satisfied else page_dwell < dwell), ~nothing | ~page_dwell.is_null()
        )

    # ---- of positions

    def over_places(self, term: per.Place, cutoff: int | None = None) -> per.Unit:
        """The sum of a term over the positions of a unit, or over the top k."""
        return self.tables.places.sum(self.tables.within(term.fill_null(0.0), cutoff))

    @property
    def shown_there(self) -> per.Place:
        """How many results were shown at the position."""
        return self.tables.shown_in(self.tables.places)

    @property
    def clicked_there(self) -> per.Place:
        """How many results were clicked at the position."""
        return self.tables.clicked_in(self.tables.places)

    @property
    def rate_there(self) -> per.Place:
        """The click-through rate of the position over all units of the log."""
        return self.tables.places.lookup(self.tables.rate, of=self.tables.positions)

    @property
    def first_rate_there(self) -> per.Place:
        """The click-through rate of the first position over all units of the log."""
        return self.tables.first_rate(self.tables.places)

    @property
    def first_rate(self) -> per.Unit:
        """The same, for each unit."""
        return self.tables.first_rate(self.tables.units)

    def at_positions(self, values: tuple[float, ...]) -> per.Place:
        """A number from a list of one for each position.

        Raises:
            InvalidParameter: with the first result, results were shown beyond them.
        """
        return self.tables.at_positions(values)

    # ---- of queries and documents

    def mean_rate(self, of: str, cutoff: int | None) -> per.Unit:
        """The mean of the click-through rates of pages (by weight), or of queries, documents or positions."""
        tables = self.tables
        if of == "query":
            tables.inputs.needs("query_id")
        column = {"page": "serp_id", "query": "query_id", "document": "doc_id", "position": "position"}[of]
        name = {"page": "pages", "query": "queries", "document": "documents", "position": "places"}[of]
        table = tables.grouped(name, column)
        rate = ratio(tables.clicked_in(table, cutoff), tables.shown_in(table, cutoff))
        if of == "page":
            return self.mean_of_pages(rate)
        return self.ratio(table.sum(rate.fill_null(0.0)), table.sum(indicator(~rate.is_null())))

    def click_entropy(self) -> per.Unit:
        """The mean over the queries that have clicks of the entropy of their documents, in bits."""
        tables = self.tables
        tables.inputs.needs("query_id")
        queries = tables.grouped("queries", "query_id")
        pairs = tables.grouped("pairs", "query_id", "doc_id")
        clicks, total = tables.clicked_in(pairs), tables.clicked_in(queries)
        of_query = pairs.lookup(total, of=queries)
        inverse = pairs.column(when(clicks > 0).then(ratio(of_query, clicks)).otherwise(1.0), "inverse_share")
        bits = ratio(pairs.sum(clicks * inverse.log(2), into=queries), total)
        return self.ratio(queries.sum(bits.fill_null(0.0)), queries.sum(indicator(total > 0)))

    # ---- of sessions

    def reformulated(self, within: float | None) -> per.Unit:
        """The share of the pages that another query follows in their session, within some seconds."""
        table, following, seconds = _requests(self.tables)
        changed = ~following.is_null() & (following != col("query"))
        changed = changed if within is None else changed & (seconds <= within)
        weight = col("page_weight")
        return self.ratio(table.sum(weight * indicator(changed)), table.sum(weight))

    def unweighted(self) -> None:
        """Refuse weights.

        Raises:
            NotDefined: the pages have weights.
        """
        if self.tables.weighted:
            raise NotDefined(
                f"{self.measure} counts sessions, which have no weights; pages have.", 'Drop them: frame.drop("weight")'
            )

    def pages_per_session(self) -> per.Unit:
        """The mean number of pages of a session."""
        self.unweighted()
        rows = _in_sessions(self.tables)
        pages = _count_distinct(self.tables, rows, "pages_of_sessions", "session_id", "serp_id")
        return self.ratio(pages, _count_distinct(self.tables, rows, "sessions", "session_id"))

    def sessions_per_user(self) -> per.Unit:
        """The mean number of sessions of a user."""
        self.unweighted()
        rows = _in_sessions(self.tables, "user_id")
        sessions = _count_distinct(self.tables, rows, "sessions_of_users", "user_id", "session_id")
        return self.ratio(sessions, _count_distinct(self.tables, rows, "users", "user_id"))

    def share_of_sessions(self, which: per.Row) -> per.Unit:
        """The share of the sessions with a result for which this is more than 0."""
        self.unweighted()
        rows = _in_sessions(self.tables)
        sessions = self.tables.plan.grouped("sessions", rows, *self.tables.keys, "session_id")
        return self.ratio(sessions.sum(indicator(rows.sum(which, into=sessions) > 0)), sessions.count())


def _requests(tables: ClickTables) -> tuple[Table, Expr, Expr]:
    """The pages with session, time and query: the table, the next query of the session, and the seconds until it."""
    tables.inputs.needs("session_id", "timestamp", "query_id")
    log, pages = tables.log, tables.pages
    session, query = (log.any(col(c), into=pages) for c in ("session_id", "query_id"))
    time = log.min(col("timestamp"), into=pages)
    known = ~session.is_null() & ~query.is_null() & ~time.is_null()
    known = known if tables.counted is None else known & tables.counted
    table = tables.plan.selected(
        "requests",
        (*tables.keys, "serp_id"),
        pages,
        known,
        session=session,
        query=query,
        time=time,
        page_weight=tables.page_weight,
    )
    within, order = (*tables.several, "session"), ("time", "serp_id")
    following, later = (table.over(col(c).shift(-1), within, order, f"next_{c}") for c in ("query", "time"))
    return table, following, tables.inputs.seconds(later, col("time"))


def _in_sessions(tables: ClickTables, *columns: str) -> Table:
    """The rows of the log with a session and further columns, of pages that count."""
    tables.inputs.needs("session_id", *columns)
    known = ~col("session_id").is_null()
    for column in columns:
        known &= ~col(column).is_null()
    if tables.policy.empty == "skip":
        known &= col("shown") > 0
    name = "_".join(["in_sessions", *columns])
    return tables.plan.selected(name, (*tables.log.keys, "session_id", *columns), tables.log, known)


def _count_distinct(tables: ClickTables, rows: Table, name: str, *columns: str) -> Expr:
    """The number of distinct values of columns in a unit."""
    return tables.plan.grouped(name, rows, *tables.keys, *columns).count()
