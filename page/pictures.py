"""The pictures of the page: what `ir.plots` draws, with places for rows, titles and orders that the page fills in.

A place is a text such as «title».  Numbers that follow from the rows, such as heights, are the page's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from ireval_frames import plots
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Picture
from ireval_frames.plots.style import CONTEXT, DASHES, SERIES
from ireval_frames.stats.distributions.tails import t_quantile, upper_level
from ireval_frames.stats.sample import Options

# Beyond these degrees of freedom the page has the quantiles by an expansion.
DEGREES = 300
CONFIDENCE = 0.95


def pictures() -> dict[str, Any]:
    """The specifications of Vega-Lite by name, and what the page needs to fill them in."""
    measure = {"directions": {_place("measure"): _place("direction")}}
    pair = {"up": _place("up"), "across": _place("across")}
    unit = {"order": [_place("order")], "across": _place("across"), "measure": _place("measure")}
    corners = {"domain": [_place("low"), _place("high")]}
    distribution = {"names": [_place("names"), "other"], "highlight": (), "measure": _place("measure")}
    return {
        "systems": _specification(plots.systems, {"run_id": _place("order"), "measure": _place("measure")}, measure),
        "effects": _specification(
            plots.effects, {"pair": _place("order"), "measure": _place("measure")}, {**measure, "margin": None}
        ),
        "differences": _specification(plots.differences, {}, {**pair, "mean": _place("mean")}),
        "scatter": _specification(plots.scatter, {}, {**pair, **corners, "binned": False}),
        "scatter_binned": _specification(plots.scatter, {}, {**pair, **corners, "binned": True}),
        "distribution": _of_series(_specification(plots.distribution, {}, distribution)),
        "history": _of_series(
            _specification(plots.history, {"verdict": ""}, {**distribution, "bars": False, "floor": None})
        ),
        "matrix": _specification(plots.matrix, {}, {"order": [_place("order")], "of": "difference", "largest": 1.0}),
        "units": _specification(plots.units, {}, {**unit, "domain": [_place("domain")], "binned": False}),
        "units_binned": _specification(plots.units, {}, {**unit, "domain": [_place("domain")], "binned": True}),
        "style": {"series": SERIES, "dashes": DASHES, "context": CONTEXT},
        "quantiles": t_quantile(upper_level(Options(confidence=CONFIDENCE)), np.arange(1.0, DEGREES + 1)).tolist(),
    }


def _place(name: str) -> str:
    return f"«{name}»"


def _specification(picture: Picture, texts: dict[str, str], more: dict[str, Any]) -> dict[str, Any]:
    """The specification of one row, whose columns are there for the functions that read them."""
    columns = {**dict.fromkeys(("run_id", "group", "measure", "pair", "unit"), ""), "place": 1}
    frame = pl.DataFrame({**columns, **texts, "rows": _place("rows")})
    drawing = Drawing(frame, _place("title"), (_place("subtitle"),), _place("description"), more=more)
    return dict(picture.chart(drawing, theme="page").to_dict())


def _of_series(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification with places for the colours and dashes of systems, and for those that have a legend."""
    for channel, range_place in (("color", "colours"), ("strokeDash", "dashes")):
        encoding = specification.get("layer", [specification])[0]["encoding"][channel]
        encoding["scale"] = {"domain": [_place("names")], "range": [_place(range_place)]}
        encoding["legend"]["values"] = [_place("chosen")]
    return specification
