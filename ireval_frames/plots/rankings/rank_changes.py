"""One topic: the documents that two runs rank differently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import InvalidParameter
from ireval_frames.plots import inputs
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, picture
from ireval_frames.plots.series import shapes
from ireval_frames.plots.style import BETTER, CONTEXT, NEITHER

if TYPE_CHECKING:
    from ireval_frames.ranking.diagnosis.result import RankingDiagnosis

SIDES = ("baseline", "run")
KINDS = ("relevant", "not relevant", "not judged")


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    long = pl.concat(
        [
            frame.select("doc_id", "kind", "beyond", side=pl.lit(name), rank=pl.col(c))
            for name, c in zip(SIDES, ("at_a", "at_b"), strict=True)
        ]
    ).with_columns(pl.col("side").replace(dict(zip(SIDES, more["names"], strict=True))))
    colours = alt.Scale(domain=list(KINDS), range=[BETTER, NEITHER, CONTEXT])
    colour = alt.Color("kind:N", scale=colours, title=None)
    x = alt.X(
        "side:N",
        sort=more["names"],
        title=None,
        axis=alt.Axis(labelAngle=0, orient="top"),
        scale=alt.Scale(padding=0.9),
    )
    deepest = more["beyond"]
    axis = alt.Axis(values=list(range(1, deepest)), title="rank", tickCount=deepest, grid=False)
    y = alt.Y("rank:Q", scale=alt.Scale(domain=[deepest + 0.5, 0.5], nice=False), axis=axis)
    base = alt.Chart(long).encode(x=x, y=y, detail="doc_id:N", color=colour)
    tips = [alt.Tooltip("doc_id:N"), alt.Tooltip("rank:Q"), alt.Tooltip("kind:N")]
    dash = alt.StrokeDash("beyond:N", scale=alt.Scale(domain=[False, True], range=[[1, 0], [3, 3]]), legend=None)
    lines = base.mark_line(strokeWidth=1.5).encode(strokeDash=dash, tooltip=tips)
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        shape=alt.Shape("kind:N", scale=shapes(alt, KINDS), title=None), tooltip=tips
    )
    names = alt.Chart(long).encode(x=x, y=y, text="doc_id:N")
    left = names.mark_text(align="right", dx=-10, limit=120).transform_filter(alt.datum.side == more["names"][0])
    right = names.mark_text(align="left", dx=10, limit=120).transform_filter(alt.datum.side == more["names"][1])
    within = f"datum.rank < {deepest}"
    layers = lines + dots + left.transform_filter(within) + right.transform_filter(within)
    return layers.properties(width=sheet.width, height=sheet.high(max(120, 20 * deepest)))


@picture(_draw)
def rank_changes(diagnosis: RankingDiagnosis, query_id: Any, *, top: int = 20, rel: float = 1) -> Drawing:
    """One topic's documents: a line from the rank in the baseline to the rank in the run, dashed from or to beyond.

    Args:
        diagnosis: `evaluation.diagnose(run, baseline, measure)`.
        query_id: the topic.
        top: ranks from 1 to this one are drawn, of either list.
        rel: the lowest grade that counts as relevant.

    Returns:
        a chart; its frame is query_id, doc_id, rank_a (baseline), rank_b (run), relevance, kind, beyond, at_a, at_b:
        rank null is not in the list; `at_` is where it is drawn, and top + 1 is beyond.

    Raises:
        InvalidParameter: it is no diagnosis of rankings.
        UnknownName: there is no such topic.

    Source: slope graphs; the side-by-side views of DiffIR.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> qrels, run = ir.examples.ranking()
        >>> other = run.with_columns(score=-pl.col("score"))
        >>> runs = pl.concat([run.with_columns(run_id=pl.lit("a")), other.with_columns(run_id=pl.lit("b"))])
        >>> d = ir.evaluate(qrels, runs, "AP").diagnose("b", "a")
        >>> ir.plots.rank_changes.frame(d, "q", top=1).select("rank_a", "rank_b", "kind").rows()
        [(1, 5, 'relevant'), (5, 1, 'not relevant')]
    """
    documents = getattr(diagnosis, "documents", None)
    if documents is None:
        raise InvalidParameter(
            f"A {type(diagnosis).__name__} is no diagnosis of rankings.", 'ev.diagnose("run", "baseline", "AP")'
        )
    rows = documents(query_id, top)
    near = [pl.col(c).is_between(1, top) for c in ("rank_baseline", "rank")]
    rows = rows.filter(near[0].fill_null(value=False) | near[1].fill_null(value=False))
    kind = (
        pl.when(pl.col("relevance").is_null())
        .then(pl.lit(KINDS[2]))
        .when(pl.col("relevance") >= rel)
        .then(pl.lit(KINDS[0]))
    )
    at = {
        n: pl.min_horizontal(pl.col(c).fill_null(top + 1), top + 1)
        for n, c in (("at_a", "rank_baseline"), ("at_b", "rank"))
    }
    frame = rows.select(
        inputs.text("doc_id"), rank_a="rank_baseline", rank_b="rank", relevance="relevance",
        kind=kind.otherwise(pl.lit(KINDS[1])), **at,
    ).with_columns(query_id=pl.lit(str(query_id)), beyond=(pl.col("at_a") > top) | (pl.col("at_b") > top))  # fmt: skip
    frame = frame.sort("at_a", "at_b", "doc_id").select(
        "query_id", "doc_id", "rank_a", "rank_b", "relevance", "kind", "beyond", "at_a", "at_b"
    )
    names = [str(diagnosis.baseline), str(diagnosis.system)]
    subtitle = (f"the first {top} of each; dashed: beyond rank {top} in the other",)
    return Drawing(
        frame,
        f"{names[0]} and {names[1]}: topic {query_id}",
        subtitle,
        more={"names": names, "beyond": top + 1},
        fewer=("top", 20),
    )
