"""Pictures for a page, each with the table of its data."""

from __future__ import annotations

import base64
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from ireval_frames import plots
from ireval_frames.errors import EngineError, IrevalError
from ireval_frames.escaping import plain
from ireval_frames.plots.drawing import Drawing
from ireval_frames.plots.picture import Picture
from ireval_frames.plots.saving import svg
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.drawings import within
from ireval_frames.reporting.page import Block, Figure
from ireval_frames.reporting.widths import PAGE, filled

# A larger drawing becomes a PNG.
MOST_SVG = 150_000


class Figures:
    """The pictures of a page: they are numbered, and those that cannot be drawn are noted.

    Args:
        live: whether they are interactive.
    """

    def __init__(self, *, live: bool = False) -> None:
        self._live = live
        self.drawn: list[Block] = []
        self.notes: list[str] = []
        self._count = 0

    def add(self, name: str, result: Any, *arguments: Any, beside: int = 1, **options: Any) -> None:
        """Draw a picture of `ir.plots`; if the result does not have it, note why.

        Args:
            name: of the picture.
            result: its result.
            arguments: further arguments.
            beside: how many pictures stand side by side, if they can be so small.
            options: its options.
        """
        picture: Picture = getattr(plots, name)
        try:
            drawing = picture.drawing(result, *arguments, **options)
            self._count += 1
            drawn = self._draw(picture, drawing, PAGE // beside)
        except IrevalError as error:
            self.notes.append(plain(f"The picture {name.replace('_', ' ')} is missing: {error.what}"))
            return
        frame = drawing.frame
        if "group" in frame.columns and not (frame["group"] != "").any():
            frame = frame.drop("group")
        if {"pair", "system", "baseline"} <= {*frame.columns}:
            frame = frame.drop("pair")
        data = table(frame, f"Data of the picture: {drawn['description']}")
        self.drawn.append(Figure(**drawn, table=replace(data, name=name)))

    def _draw(self, picture: Picture, drawing: Drawing, across: int) -> dict[str, Any]:
        """The drawing as SVG or PNG, and its description."""
        try:
            spec = filled(picture.chart(drawing, theme="page").to_dict(validate=False), across)
            description = plain(spec["description"])
            figure = {"description": description, "svg": "", "png": "", "spec": spec if self._live else None}
            drawn = within(svg(spec, f"p{self._count}-"))
            if len(drawn.encode()) <= MOST_SVG:
                return figure | {"svg": drawn}
            with tempfile.TemporaryDirectory() as folder:
                # Pixels do not follow the colours of the page.
                file = plots.save(picture.chart(drawing, theme="image"), Path(folder) / "x.png", scale=2)
                return figure | {"png": base64.b64encode(file.read_bytes()).decode("ascii")}
        except EngineError as error:
            if (note := f"{error.what} {error.hint}") not in self.notes:
                self.notes.append(note)
            description = picture.__doc__.partition("\n")[0] if picture.__doc__ else ""
            return {"description": description, "svg": "", "png": ""}

    def take(self) -> tuple[tuple[Block, ...], tuple[str, ...]]:
        """The pictures and notes since the last call."""
        drawn, notes = tuple(self.drawn), tuple(self.notes)
        self.drawn, self.notes = [], []
        return drawn, notes
