"""Colours, signs and themes of all pictures."""

from __future__ import annotations

from typing import Any, Literal

Theme = Literal["image", "page"]

# Of Okabe and Ito's palette those that differ for every eye and stand out on white and on dark grounds.
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")
BETTER, WORSE, NEITHER = SERIES[0], SERIES[1], "#8a8a8a"
VERDICT = (BETTER, NEITHER, WORSE)
CONTEXT = "#b0b0b0"
SEQUENTIAL, DIVERGING = "viridis", "blueorange"
FONT = "system-ui, sans-serif"
# Above it marks are not named one by one for screen readers: the picture is described as a whole.
NAMED_MARKS = 200


def config(theme: Theme) -> dict[str, Any]:
    """The settings of a theme: "image" on white, "page" in the colours of the page around it."""
    ink = "#1a1a1a" if theme == "image" else "currentColor"
    axis = {
        "labelColor": ink,
        "titleColor": ink,
        "tickColor": ink,
        "domainColor": ink,
        "gridColor": ink,
        "gridOpacity": 0.15,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 240,
    }
    words = {"labelColor": ink, "titleColor": ink, "labelLimit": 240, "titleFontWeight": "normal"}
    return {
        "background": "white" if theme == "image" else "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": axis,
        # Labels stand below their ticks, at the ends too, and apart.
        "axisX": {"labelFlush": False, "labelSeparation": 4},
        "legend": words,
        "header": words,
        "title": {
            "color": ink,
            "subtitleColor": ink,
            "anchor": "start",
            "fontSize": 14,
            "fontWeight": 600,
            "subtitleFontSize": 12,
            "offset": 10,
        },
        "text": {"color": ink, "fontSize": 11},
        "rule": {"color": ink},
        "concat": {"spacing": 28},
    }


def ink(theme: Theme) -> str:
    """The colour of text and lines."""
    return str(config(theme)["text"]["color"])
