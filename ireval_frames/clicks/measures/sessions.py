"""Measures of sessions: what users did after a page, and how much they asked for."""

from __future__ import annotations

from ireval_frames.catalog import measure
from ireval_frames.clicks.context import ClickContext
from ireval_frames.clicks.measures.parameters import DWELL, FOX, UNKNOWN
from ireval_frames.expr import Expr
from ireval_frames.parameters import UPWARDS, number

RADLINSKI = "Radlinski, Kurup and Joachims, CIKM 2008"


@measure(
    "clicks",
    "ReformulationRate",
    at="",
    parameters={"within": number(None, "seconds in which the next query must come; none is the session", low=0.0)},
    higher_is_better=False,
    undefined=None,
    formula="pages followed by one of another query / pages",
    source=RADLINSKI,
)
def ReformulationRate(u: ClickContext, within: float | None) -> Expr:
    """The share of the pages that are followed by a page of another query in the same session.

    The log needs sessions, times and queries.  Pages follow each other by time, and at one time by the id of the page,
    over the whole session, whatever `by=` and `unit=` say.  Pages without session, time or query are left out, and so
    nothing follows the last page of a session.

    Range: 0 to 1, lower is better.  Undefined without such pages.

    Example:
        >>> import ireval_frames as ir
        >>> log = ir.Impressions(ir.examples.click_log())
        >>> log.evaluate("ReformulationRate ReformulationRate(within=25)").summary()["value"].round(4).to_list()
        [0.3333, 0.1667]
    """
    return u.reformulated(within)


@measure(
    "clicks",
    "QueriesPerSession",
    at="",
    aliases=("PagesPerSession",),
    range=UPWARDS,
    higher_is_better=None,
    undefined=None,
    formula="pages / sessions",
    source=RADLINSKI,
)
def QueriesPerSession(u: ClickContext) -> Expr:
    """The mean number of pages of a session: of queries that were sent, and of further pages of them.

    The log needs sessions; pages without one are left out, and weights are refused, as sessions have none.

    Range: 0 and more.  Undefined without sessions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("QueriesPerSession").summary()["value"].item()
        2.0
    """
    return u.pages_per_session()


@measure(
    "clicks",
    "SessionsPerUser",
    at="",
    range=UPWARDS,
    higher_is_better=True,
    undefined=None,
    formula="sessions / users",
    source="Kohavi, Deng, Frasca, Longbotham, Walker and Xu, KDD 2012",
)
def SessionsPerUser(u: ClickContext) -> Expr:
    """The mean number of sessions of a user.

    The log needs sessions and users; a session is one of a user's.  Pages that lack one are left out, and weights are
    refused.

    Range: 0 and more.  Undefined without users.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("SessionsPerUser").summary()["value"].item()
        1.5
    """
    return u.sessions_per_user()


@measure(
    "clicks",
    "SessionSuccess",
    at="",
    parameters={"dwell": DWELL, "unknown": UNKNOWN},
    undefined=None,
    formula="sessions with a click of dwell ≥ t / sessions",
    source=FOX,
)
def SessionSuccess(u: ClickContext, dwell: float, *, unknown: bool) -> Expr:
    """The share of the sessions with a satisfied click.

    The log needs sessions and the column `dwell`; pages without a session are left out, and weights are refused.

    Range: 0 to 1.  Undefined without sessions.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Impressions(ir.examples.click_log()).evaluate("SessionSuccess").summary()["value"].round(4).item()
        0.6667
    """
    return u.share_of_sessions(u.satisfied(dwell, unknown=unknown))
