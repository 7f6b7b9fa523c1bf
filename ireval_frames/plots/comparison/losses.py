"""What of the nuggets is answered, and at which step from retrieval to the answer the others are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import whole
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.style import CONTEXT, SERIES
from ireval_frames.plots.verdicts import turn

if TYPE_CHECKING:
    from ireval_frames.nuggets.steps import Chain

# From the answer back to the collection: a bar up to the end of a part is what a perfect later step would reach.
PARTS = {
    "answered": SERIES[0],
    "not_stated": "#F0A36B",
    "not_cited": SERIES[3],
    "not_retrieved": SERIES[1],
    "not_in_passages": CONTEXT,
}


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, runs = drawing.frame, drawing.more["runs"]
    present = {part.replace("_", " "): colour for part, colour in PARTS.items() if part in frame["part"]}
    scale = alt.Scale(domain=list(present), range=list(present.values()))
    shown = frame.with_columns(pl.col("part").str.replace_all("_", " ", literal=True), place=turn("part", list(PARTS)))
    x = alt.X(
        "share:Q",
        title="mean share of the nuggets over queries",
        axis=alt.Axis(format="%"),
        scale=alt.Scale(domain=[0, 1]),
    )
    tips = [alt.Tooltip("run_id:N"), alt.Tooltip("part:N"), alt.Tooltip("share:Q", format=".1%")]
    bars = alt.Chart(shown).mark_bar()
    bars = bars.encode(
        x=x,
        y=alt.Y("run_id:N", sort=runs, title=None),
        color=alt.Color("part:N", title=None, sort=list(present), scale=scale),
        order=alt.Order("place:Q"),
        tooltip=tips,
    )
    return bars.properties(width=sheet.width, height=sheet.high(max(60, 28 * len(runs))))


@picture(_draw)
def losses(chain: Chain, *, top: int = 20) -> Drawing:
    """What share of the nuggets the answers of each run state, and at which step the others are lost.

    Parts stand from the answer back to the collection: up to the end of each part is what the run would state if no
    later step lost anything.

    Args:
        chain: what `ir.nuggets.chain` gives.
        top: the number of runs drawn, those that state most.

    Returns:
        a chart; its frame is run_id, part (answered not_stated not_cited not_retrieved not_in_passages), share,
        n_queries.

    Raises:
        InvalidParameter: it is no chain.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> nuggets, assignments, _ = ir.examples.nuggets()
        >>> passages = assignments.with_columns(doc_id=pl.format("d{}", "nugget_id"), label=pl.lit("support"))
        >>> run = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["d1", "d3", "d1"], "rank": [1, 2, 1]})
        >>> subjects = ir.Nuggets(nuggets, assignments), ir.Nuggets(nuggets, passages, run="doc_id")
        >>> ir.plots.losses.frame(ir.nuggets.chain(*subjects, run)).select("part", "share").rows()[:2]
        [('answered', 0.5625), ('not_stated', 0.375)]
    """
    whole(1).check("top", top)
    if not isinstance(getattr(chain, "queries", None), pl.DataFrame):
        raise InvalidParameter(
            f"A {type(chain).__name__} has no losses from retrieval to the answer.",
            "Pass a chain: ir.nuggets.chain(answers, passages, run)",
        )
    means = chain.summary().filter(pl.col("n_queries") > 0)
    run = inputs.text("run_id") if "run_id" in means.columns else pl.lit("all").alias("run_id")
    parts = [part for part in PARTS if part in means.columns]
    means = means.select(run, *parts, "n_queries").sort("answered", "run_id", descending=[True, False])
    best = means.head(top)
    frame = best.unpivot(parts, index=["run_id", "n_queries"], variable_name="part", value_name="share")
    runs = best["run_id"].to_list()
    frame = frame.sort(turn("run_id", runs), turn("part", parts)).select("run_id", "part", "share", "n_queries")
    subtitle = [f"mean over {words.counted_range(means['n_queries'], 'query')}; each loss at its first step"]
    if means.height > top:
        subtitle.append(f"drawn: {top} of {means.height:,} runs, those with most answered")
    title = "What is answered, and where the rest is lost"
    return Drawing(frame, title, tuple(subtitle), more={"runs": runs}, fewer=("top", 10))
