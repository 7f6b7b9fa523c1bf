"""Curves of scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from ireval_frames.parameters import choice
from ireval_frames.plots import inputs, words
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Sheet, altair, panels, picture, upwards
from ireval_frames.plots.series import channels, front_last, highlight_text
from ireval_frames.plots.style import SERIES, ink
from ireval_frames.plots.thinning import thinned

# Of each kind: across, upwards, and what the axes are called.
KINDS = {
    "roc": ("fpr", "tpr", "false positive rate", "true positive rate"),
    "precision-recall": ("recall", "precision", "recall", "precision"),
    "det": ("fpr", "fnr", "false positive rate (probit scale)", "false negative rate (probit scale)"),
    "gain": ("share", "gain", "share of items taken", "share of positive items found"),
    "risk-coverage": (
        "coverage",
        "risk",
        "coverage: the share of items, the surest first",
        "risk: the share of wrong predictions",
    ),
}
_FALLING = dict.fromkeys(KINDS, "from the highest score down") | {"risk-coverage": "from the surest down"}
# The rates that an axis of normal deviates marks; 0 and 1 are infinitely far.
RATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)


def _draw(drawing: Drawing, sheet: Sheet) -> Any:
    alt = altair()
    frame, more = drawing.frame, drawing.more
    kinds = channels(alt, more["names"], more["highlight"])
    _, _, across, up = KINDS[more["kind"]]
    det = more["kind"] == "det"
    if det:
        ticks = [float(t) for t in _probit(np.array(RATES))]
        label = (
            " : ".join(f"abs(datum.value - ({t})) < 1e-6 ? '{r:g}'" for t, r in zip(ticks, RATES, strict=True))
            + " : ''"
        )
        ticked: dict[str, Any] = {"values": ticks, "labelExpr": label}
        scale = alt.Scale(domain=[ticks[0], ticks[-1]], nice=False)
    else:
        ticked, scale = {}, alt.Scale(domain=[0, 1])
    x = alt.X("x:Q", title=across, scale=scale, axis=alt.Axis(labelOverlap="greedy", labelSeparation=6, **ticked))
    y = alt.Y("y:Q", scale=scale, **upwards(alt, up, **ticked))
    tips = [alt.Tooltip("run_id:N"), *(alt.Tooltip(f"{c}:Q", format=".4g") for c in ("threshold", "x", "y"))]
    straight = more["kind"] in ("roc", "gain", "det")
    several = "group" in frame.columns
    side = sheet.height or (220 if several else 320)

    def of_one(rows: pl.DataFrame) -> Any:
        lines = alt.Chart(front_last(rows, more["names"], more["highlight"])).mark_line(
            strokeWidth=2, clip=True, interpolate="linear" if straight else "step-before"
        )
        curve = lines.encode(x=x, y=y, detail="run_id:N", tooltip=tips, order=alt.Order("place:Q"), **kinds)
        ends = more["line"].get(rows["group"][0] if several else "")
        if ends is not None:
            dashed = alt.Chart(pl.DataFrame({"x": ends[0], "y": ends[1]}))
            mark = dashed.mark_line(color=ink(sheet.theme), strokeDash=[4, 3], strokeWidth=1)
            curve = mark.encode(x=x, y=y) + curve
        return curve.properties(width=side, height=side)

    return panels(alt, frame, ["group"], of_one, columns=3) if several else of_one(frame)


@picture(_draw)
def curve(labels: Any, kind: str = "roc", *, highlight: tuple[str, ...] = (), **options: Any) -> Drawing:
    """A curve of scores: "roc", "precision-recall", "det", "gain" or "risk-coverage", a line per classifier or class.

    A dashed line is what chance gives: the diagonal, or the share of positive items.  Axes of "det" are normal
    deviates, on which rates of 0 and 1 have no place.  Where there are more than four lines, classes, groups or units
    have panels of their own, up to twelve.

    Args:
        labels: `Labels` with scores, or an evaluation of such.
        kind: which.
        highlight: lines in colour, where there are more than four in one picture.
        options: those of `Labels.curve`: score, by, policy, per_unit.

    Returns:
        a chart; its frame is run_id, place, x, y, threshold: the points that a screen shows, in their order; of panels
        also group.

    Raises:
        InvalidParameter: there is no such kind.

    Source: as `Labels.curve`; thinned by M4 (Jugel et al., VLDB 2014).

    Example:
        >>> import ireval_frames as ir
        >>> ir.plots.curve.frame(ir.Labels(ir.examples.scores())).select("x", "y").head(3).rows()
        [(0.0, 0.0), (0.0, 0.25), (0.25, 0.5)]
    """
    choice(*KINDS).check("kind", kind)
    across, up, _, _ = KINDS[kind]
    table = inputs.result_of(labels, "curve", kind, table_name=f"{kind} curve", **options)
    rows, items = table.collect(), table.counted()
    known = {"threshold", "fpr", "tpr", "fnr", "precision", "recall", "share", "gain", "lift"}
    known |= {"coverage", "risk"}
    frame = inputs.in_panels(rows, known, len(SERIES), highlight)
    groups = ["group"] if "group" in frame.columns else []
    keys_of_curves = [*groups, "run_id"] if inputs.curve_keys(rows, known) else []
    frame = frame.select(*groups, "run_id", x=across, y=up, threshold="threshold")
    dropped = 0
    if kind == "det":
        ends = pl.col("x").is_between(0, 1, closed="none") & pl.col("y").is_between(0, 1, closed="none")
        dropped = frame.height
        frame = frame.filter(ends).with_columns(
            pl.col("x", "y").map_batches(lambda s: pl.Series(_probit(s.to_numpy())), return_dtype=pl.Float64)
        )
        dropped -= frame.height
    # Of millions of points the names of one line are not looked at.
    runs = (frame if keys_of_curves else frame.head(1))["run_id"].unique().sort().to_list()
    names = frame["group"].unique(maintain_order=True).to_list() if groups else [""]
    pixels = max(20, min(400, 4_600 // 4 // max(1, len(runs) * len(names))))
    points = frame
    frame = thinned(frame, "x", "y", keys_of_curves, pixels).with_columns(
        place=pl.int_range(pl.len()).over(*groups, "run_id")
    )
    diagonal = ([0.0, 1.0], [0.0, 1.0])
    line = dict.fromkeys(names, diagonal) if kind in ("roc", "gain") else {}
    subtitle = [words.counted_items(items, weighted=table.weighted())] if items else []
    subtitle += [f"{len(runs)} lines" if len(runs) > 1 else _FALLING[kind]]
    subtitle += [f"a panel for each of {len(names)} {_of_what(rows, known)}"] if groups else []
    if kind == "precision-recall":
        of = {name: points.filter(group=name) if groups else points for name in names}
        shares = {name: _prevalence(some, keys_of_curves) for name, some in of.items()}
        line = {name: ([0.0, 1.0], [share, share]) for name, share in shares.items() if share is not None}
        one = f", {shares[names[0]]:.3f}" if line and not groups else ""
        subtitle += [f"dashed: the share of positive items{one}"] if line else []
    elif kind == "risk-coverage":
        of = {name: points.filter(group=name) if groups else points for name in names}
        line = {name: ([0.0, 1.0], [risk, risk]) for name, some in of.items() if (risk := _risk(some)) is not None}
        subtitle += ["dashed: the share of all that is wrong"] if line else []
    elif line:
        subtitle += ["dashed: chance"]
    if dropped:
        subtitle += [f"{dropped:,} points with a rate of 0 or 1 have no place on these axes"]
    title = {
        "roc": "ROC curve",
        "precision-recall": "Precision and recall",
        "det": "Detection error tradeoff",
        "gain": "Cumulative gain",
        "risk-coverage": "Risk and coverage",
    }
    more = {"names": runs, "highlight": highlight, "kind": kind, "line": line}
    order = [*groups, "run_id", "place", "x", "y", "threshold"]
    return Drawing(frame.select(order), title[kind], ("; ".join(subtitle), *highlight_text(runs, highlight)), more=more)


def _of_what(rows: pl.DataFrame, known: set[str]) -> str:
    """What panels are of."""
    keys = [k for k in inputs.curve_keys(rows, known) if k != "run_id"]
    return "classes" if keys == ["class_id"] else "groups"


def _probit(rates: Any) -> Any:
    from scipy.special import ndtri

    return ndtri(rates)


def _risk(points: pl.DataFrame) -> float | None:
    """The share of all items that is wrong, where all lines have the same; it is what chance gives."""
    shares = points.group_by("run_id", maintain_order=True).agg(pl.col("y").sort_by("x").last())["y"].unique()
    return float(shares[0]) if len(shares) == 1 else None


def _prevalence(points: pl.DataFrame, keys_of_curves: list[str]) -> float | None:
    """The share of positive items, where all lines have the same: the precision of all items together."""
    lowest = pl.col("threshold") == pl.col("threshold").min()
    last = points.filter(lowest.over(keys_of_curves) if keys_of_curves else lowest).filter(pl.col("x") == 1)
    shares = last["y"].drop_nulls().unique()
    return float(shares[0]) if len(shares) == 1 else None
