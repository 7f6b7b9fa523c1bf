"""The figure of the page of scale, `docs/scale.svg`: time by what grows, a panel each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import altair as alt

from tests.docs.generators.scale_page import FIGURE, GROWS, LINES, mark, record

GREY = "#767676"


def chart() -> Any:
    """The four panels."""
    results = record()
    seconds = [p["seconds"] for title in GROWS for line in results[title].values() for p in line["points"]]
    domain = 10.0 ** math.floor(math.log10(min(seconds))), 10.0 ** math.ceil(math.log10(max(seconds)))
    panels = [_panel(title, results[title], domain) for title in GROWS]
    return (
        alt.concat(*panels, columns=2, spacing={"row": 28, "column": 36})
        .configure(background="white", padding=12, font="sans-serif")
        .configure_axis(labelFontSize=14, titleFontSize=15, titleFontWeight="normal", gridColor="#e4e4e4")
        .configure_title(fontSize=16, anchor="start", offset=8)
        .configure_legend(labelFontSize=15, symbolSize=90, symbolStrokeWidth=0, columnPadding=24, labelLimit=300)
        .configure_view(stroke="#cccccc")
    )


def _panel(title: str, lines: Mapping[str, Any], domain: tuple[float, float]) -> Any:
    points = [{"line": name, **point} for name, line in lines.items() for point in line["points"]]
    steps = sorted({point["n"] for point in points})
    low, high = domain
    x = alt.X("n:Q").scale(type="log", domain=[steps[0], steps[-1]], nice=False, padding=14)
    label = "replace(format(datum.value, '~s'), /([kM])/, ' $1')"
    x = x.axis(labelExpr=label, values=steps, title=f"{title}, {GROWS[title]}", labelOverlap=False)
    values = [10.0**i for i in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    y = alt.Y("seconds:Q").scale(type="log", domain=[low, high]).axis(format="~g", values=values, title="seconds")
    names = list(LINES)
    colours, dashes, shapes = (list(column) for column in zip(*LINES.values(), strict=True))
    legend = alt.Legend(title=None, orient="top", columns=len(names))
    base = alt.Chart(alt.Data(values=points)).encode(
        x=x,
        y=y,
        color=alt.Color("line:N", legend=legend).scale(domain=names, range=colours),
    )
    drawn = base.mark_line(strokeWidth=2.5).encode(
        strokeDash=alt.StrokeDash("line:N", legend=None).scale(domain=names, range=dashes)
    )
    marks = base.mark_point(filled=True, size=70, opacity=1).encode(
        shape=alt.Shape("line:N", legend=legend).scale(domain=names, range=shapes)
    )
    return alt.layer(_linear(steps, domain), drawn, marks).properties(
        width=350, height=260, title=title[0].upper() + title[1:]
    )


def _linear(steps: list[int], domain: tuple[float, float]) -> Any:
    """A labelled line of linear growth across the panel."""
    low, high = domain
    first = max(steps[0], steps[-1] * low / high)
    ends = [{"n": n, "seconds": high * n / steps[-1]} for n in (first, steps[-1])]
    grey = alt.Chart(alt.Data(values=ends)).encode(x="n:Q", y="seconds:Q").mark_line(color=GREY, strokeDash=[2, 4])
    named = {"n": steps[-1] / 6, "seconds": high / 6, "name": "linear"}
    name = (
        alt.Chart(alt.Data(values=[named]))
        .encode(x="n:Q", y="seconds:Q", text="name:N")
        .mark_text(color=GREY, fontSize=14, align="right", dx=-10, dy=-9)
    )
    return alt.layer(grey, name)


def svg() -> str:
    """The figure."""
    import vl_convert as vlc

    return str(vlc.vegalite_to_svg(chart().to_dict()))


def write() -> None:
    """Draw the figure."""
    FIGURE.write_text(svg().rstrip() + "\n" + mark(), encoding="utf-8", newline="\n")
