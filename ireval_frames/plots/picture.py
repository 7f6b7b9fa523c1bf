"""A picture: a function that gives its rows, and one that draws them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from ireval_frames.errors import EngineError
from ireval_frames.parameters import choice
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.style import Theme, config

if TYPE_CHECKING:
    import altair as alt

# A third of a page; pictures of several panels have one of this width for all of them.
WIDTH, HEIGHT = 420, 240


@dataclass(frozen=True)
class Sheet:
    """What a picture is drawn on.

    Attributes:
        theme: "image" or "page".
        width: of the plot, in pixels.
        height: of the plot; none is as high as its rows need.
    """

    theme: Theme
    width: int
    height: int | None

    def high(self, needed: float = HEIGHT) -> float:
        """The height given, or what is needed."""
        return self.height or needed


def upwards(alt: Any, title: str, **options: Any) -> dict[str, Any]:
    """The title of an axis upwards, written level above it: turned, a sign of direction would point aside."""
    axis = alt.Axis(titleAngle=0, titleAlign="left", titleAnchor="start", titleX=0, titleY=-10, **options)
    return {"title": title, "axis": axis}


Rows = Callable[..., Drawing]
Draw = Callable[[Drawing, Sheet], Any]


def altair() -> Any:
    """Altair, which takes a second to load.

    Raises:
        EngineError: it is not installed.
    """
    try:
        import altair as alt
    except ImportError as error:
        raise EngineError("Pictures need Altair.", 'pip install "ireval-frames[plots]"') from error
    return alt


class Picture:
    """A picture of results: called it is a chart of Altair; `frame` gives the rows that are drawn.

    All pictures take, besides their own arguments, `theme` ("image": on white; "page": in the colours of the page that
    it stands in), `width` and `height` of the plot in pixels, and `title`.
    """

    def __init__(self, rows: Rows, draw: Draw) -> None:
        self._rows, self._draw = rows, draw
        functools.update_wrapper(self, rows)
        own = inspect.signature(rows)
        common = inspect.signature(self.__call__).parameters
        added = [common[name] for name in ("theme", "width", "height", "title")]
        kinds = [*own.parameters.values(), *added]
        self.__signature__ = own.replace(parameters=sorted(kinds, key=lambda p: p.kind), return_annotation="alt.Chart")

    def __call__(
        self,
        *args: Any,
        theme: Theme = "image",
        width: int | None = None,
        height: int | None = None,
        title: str | None = None,
        **options: Any,
    ) -> alt.Chart:
        """The chart."""
        choice("image", "page").check("theme", theme)
        return self.chart(self.drawing(*args, **options), theme=theme, width=width, height=height, title=title)

    def drawing(self, *args: Any, **options: Any) -> Drawing:
        """What is drawn: the rows, and the words around them."""
        return self._rows(*args, **options)

    def chart(
        self,
        drawing: Drawing,
        *,
        theme: Theme,
        width: int | None = None,
        height: int | None = None,
        title: str | None = None,
    ) -> alt.Chart:
        """The chart of what this picture draws."""
        drawing = drawing.drawable()
        chart = self._draw(drawing, Sheet(theme, width or WIDTH, height))
        heading = altair().TitleParams(title or drawing.title, subtitle=list(drawing.subtitle))
        description = drawing.alt or ". ".join([drawing.title, *drawing.subtitle]).replace("?. ", "? ")
        drawn: alt.Chart = chart.properties(title=heading, description=description, config=config(theme))
        return drawn

    def frame(self, *args: Any, **options: Any) -> pl.DataFrame:
        """The rows that are drawn, one per mark."""
        return self.drawing(*args, **options).frame


def picture(draw: Draw) -> Callable[[Rows], Picture]:
    """Make a picture of a function that gives its rows."""
    return lambda rows: Picture(rows, draw)


def panels(
    alt: Any, frame: pl.DataFrame, by: list[str], make: Callable[[pl.DataFrame], Any], *, columns: int = 2
) -> Any:
    """One picture for each value of some columns, in the order they come in, with the value above it.

    Args:
        alt: Altair.
        frame: the rows.
        by: the columns; one that has one value everywhere is left out of the titles.
        make: draws the rows of one.
        columns: how many stand beside each other.
    """
    parts = frame.partition_by(by, maintain_order=True, as_dict=True)
    if len(parts) == 1:
        return make(frame)
    telling = [i for i, name in enumerate(by) if frame[name].n_unique() > 1]
    charts = []
    for key, part in parts.items():
        title = alt.TitleParams(", ".join(str(key[i]) for i in telling), fontSize=12, anchor="start")
        charts.append(make(part).properties(title=title))
    return alt.concat(*charts, columns=columns)
