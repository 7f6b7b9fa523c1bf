"""How several systems are distinguished: four by colour and dash, more as grey lines with one or some of them named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.errors import UnknownName, nearest
from ireval_frames.plots.style import CONTEXT, DASHES, SERIES, SHAPES


def channels(alt: Any, names: Sequence[str], highlight: Sequence[str] = (), *, title: str = "run") -> dict[str, Any]:
    """The colour and the dash of each system of the column run_id, with a legend.

    Args:
        alt: Altair.
        names: the systems, in the order of the legend.
        highlight: those drawn in colour where there are more than four; by default the first.
        title: of the legend.

    Raises:
        UnknownName: a system to be highlighted is not there.
    """
    names = list(names)
    for name in highlight:
        if name not in names:
            raise UnknownName(f"There is no system {name!r}.", nearest(name, names))
    chosen = _chosen(names, highlight)
    place = {n: i for i, n in enumerate(chosen)}
    colours = [SERIES[place[n]] if n in place else CONTEXT for n in names]
    dashes = [list(DASHES[place[n]]) if n in place else [1, 0] for n in names]
    legend = alt.Legend(title=title, symbolType="stroke", values=chosen) if len(names) > 1 else None
    return {
        "color": alt.Color("run_id:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        "strokeDash": alt.StrokeDash("run_id:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
    }


def bands(alt: Any, rows: pl.DataFrame, names: Sequence[str], **encoded: Any) -> list[Any]:
    """The intervals of few systems as bands, in the colours of their lines; a layer each, which has no legend.

    Args:
        alt: Altair.
        rows: with run_id, low and high.
        names: the systems, in the order of the legend.
        encoded: x and y of the bands, and the column that distinguishes their parts.
    """
    kinds = zip(names, SERIES, strict=False)
    areas = [alt.Chart(rows.filter(pl.col("run_id") == n)).mark_area(opacity=0.15, color=c) for n, c in kinds]
    return [area.encode(y2="high:Q", **encoded) for area in areas]


def front_last(rows: pl.DataFrame, names: Sequence[str], highlight: Sequence[str]) -> pl.DataFrame:
    """Rows of highlighted systems after all others, in their order: what is drawn last is on top."""
    if len(names) <= len(SERIES):
        return rows
    return rows.sort(pl.col("run_id").is_in(_chosen(names, highlight)), maintain_order=True)


def _chosen(names: Sequence[str], highlight: Sequence[str]) -> list[str]:
    """The systems in colour."""
    return list(names) if len(names) <= len(SERIES) else list(highlight)[: len(SERIES)] or list(names)[:1]


def shapes(alt: Any, names: Sequence[str]) -> Any:
    """The shape of each of a few names."""
    some = [SHAPES[i % len(SHAPES)] for i in range(len(names))]
    return alt.Scale(domain=list(names), range=some)


def highlight_text(names: Sequence[str], highlight: Sequence[str]) -> list[str]:
    """That other systems are grey, where they are."""
    if len(names) <= len(SERIES):
        return []
    shown = _chosen(names, highlight)
    return [f"in colour: {', '.join(shown)}; grey: {len(names) - len(shown)} others"]
