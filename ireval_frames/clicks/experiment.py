"""A click log as an A/B test: result pages of users who saw one of several variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.clicks.checks import check
from ireval_frames.clicks.inputs import ClickInputs
from ireval_frames.clicks.judged import ndcg_of_pages
from ireval_frames.columns.suggestions import likely
from ireval_frames.columns.user_names import columns_named
from ireval_frames.engines.base import Aggregate
from ireval_frames.errors import Argument, Hint, InvalidParameter, MissingColumn, NotDefined, listed
from ireval_frames.experiments import Experiment, Mean, Metric, Ratio
from ireval_frames.expr import col, lit, when
from ireval_frames.parameters import whole
from ireval_frames.ratios import indicator

if TYPE_CHECKING:
    from ireval_frames.clicks.modelled import Modelled

# The columns of a row per page besides the user's.
COLUMNS = ("serp_id", "pages", "shown", "clicks", "clicked", "abandoned", "first_click", "ndcg", "judged")


def metrics(*, pages_with: str = "pages", cutoff: int | None = None) -> tuple[Metric, ...]:
    """The metrics of search, over users: ratios of sums over their pages, and sums of a user.

    Args:
        pages_with: the column that counts the pages over which the reciprocal of the first click is averaged.
        cutoff: of nDCG, where there are judgments.
    """
    judged = () if cutoff is None else (Ratio("ndcg", "judged", name=f"nDCG@{cutoff}"),)
    return (
        Ratio("clicks", "shown", name="CTR"),
        Ratio("clicked", "pages", name="PageCTR"),
        Ratio("abandoned", "pages", lower_is_better=True, name="Abandonment"),
        Ratio("clicks", "pages", name="ClicksPerPage"),
        Ratio("first_click", pages_with, name="MRRFirstClick"),
        Mean("pages", name="PagesPerUser"),
        Mean("clicks", name="ClicksPerUser"),
        *judged,
    )


def experiment(
    log: Modelled,
    variant: str,
    unit: str | None,
    baseline: Any,
    time: str | None,
    by: str | Sequence[str],
    left_out: Mapping[str, str],
    *,
    judgments: Any = None,
    cutoff: int = 10,
) -> Experiment:
    """The experiment of `Impressions.experiment`: a row per page, made by the log's engine."""
    whole(10).check("cutoff", cutoff)
    groups = columns_named(by, "by")
    known = log.inputs(()).user_columns
    name = unit or known.get("user_id")
    if name is None:
        present = list(log.inputs(()).frame.columns)
        (guess,) = likely(["user_id"], [n for n in present if n not in known.values()])
        raise MissingColumn(
            f"The log has no column of users, which are what is randomised (it has: {listed(present, 20)}).",
            Hint("Name it: ", Argument("unit", guess), "."),
        )
    by_page = name == known.get("serp_id")
    read = [variant, *([] if by_page else [name]), *([] if time is None else [time]), *groups]
    named = columns_named(read, "variant, unit, time or by")
    if reserved := [n for n in named if n in COLUMNS]:
        raise InvalidParameter(
            f"{reserved[0]!r} is a column of pages already.",
            f"Rename it: frame.rename({{{reserved[0]!r}: {f'{reserved[0]}_group'!r}}})",
        )
    inputs: ClickInputs = log.inputs(named)
    if "weight" in inputs.columns:
        raise NotDefined("The experiment is about users, and the log has weights.", "Pass a log without weights.")
    engine = inputs.engine
    with engine.errors():
        check(inputs)
    clicked = when(col("click") > 0).then(col("position").cast(pl.Float64))
    pages = engine.group(
        inputs.log,
        [*inputs.keys, "serp_id"],
        [
            Aggregate("shown", "plain_sum", col("shown")),
            Aggregate("clicks", "plain_sum", col("click").cast(pl.Float64)),
            Aggregate("first", "min", clicked),
        ],
    )
    if log.policy.empty == "skip":
        pages = pages.filter(col("shown") > 0)
    more = {}
    if judgments is not None:
        with engine.errors():
            ndcg = ndcg_of_pages(inputs, inputs.keys, judgments, cutoff)
            pages = engine.join(pages, ndcg, (*inputs.keys, "serp_id"), "left")
        value = col("ndcg")
        more = {"ndcg": value.fill_null(0.0), "judged": indicator(~value.is_null())}
    any_click = col("clicks") > 0
    rows = pages.select(
        **{own: col(alias) for alias, own in inputs.by_names.items()},
        serp_id=col("serp_id"),
        pages=lit(1.0),
        shown=col("shown"),
        clicks=col("clicks"),
        clicked=indicator(any_click),
        abandoned=indicator(~any_click),
        first_click=when(any_click).then(1.0 / col("first")).otherwise(0.0),
        **more,
    )
    result = Experiment(
        rows.to_native(), variant, "serp_id" if by_page else name, baseline=baseline, time=time, by=groups,
        one_row=by_page, engine=engine, units=left_out["units"], several_variants=left_out["several_variants"],
    )  # fmt: skip
    clicked_with = "clicked" if log.policy.no_click == "skip" else "pages"
    default = metrics(pages_with=clicked_with, cutoff=None if judgments is None else cutoff)
    result._data.default_metrics = default  # noqa: SLF001 - no option of users
    return result
