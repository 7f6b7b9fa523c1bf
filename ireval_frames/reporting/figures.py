"""Pictures for a page, each with the table of what it draws."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import Any

from ireval_frames import plots
from ireval_frames.errors import EngineError, IrevalError
from ireval_frames.escaping import plain
from ireval_frames.plots.picture import Picture
from ireval_frames.plots.saving import svg
from ireval_frames.reporting.cells import table
from ireval_frames.reporting.drawings import within
from ireval_frames.reporting.page import Block, Figure

# A larger drawing is put in as pixels.
MOST_SVG = 100_000


class Figures:
    """The pictures of a page: they are numbered, and what cannot be drawn is noted.

    Args:
        live: whether they answer to their reader.
    """

    def __init__(self, *, live: bool = False) -> None:
        self._live = live
        self.drawn: list[Block] = []
        self.notes: list[str] = []
        self._count = 0

    def add(self, name: str, result: Any, *given: Any, **options: Any) -> None:
        """Draw a picture of `ir.plots`; where the result does not have it, note why.

        Args:
            name: of the picture.
            result: what it is of.
            given: its further arguments.
            options: its options.
        """
        picture: Picture = getattr(plots, name)
        try:
            frame = picture.frame(result, *given, **options)
            self._count += 1
            drawn = self._drawn(picture, result, *given, **options)
        except IrevalError as error:
            self.notes.append(plain(f"The picture {name.replace('_', ' ')} is not here: {error.what}"))
            return
        if "group" in frame.columns and not (frame["group"] != "").any():
            frame = frame.drop("group")
        self.drawn.append(Figure(**drawn, table=table(frame, f"What the picture draws: {drawn['says']}")))

    def _drawn(self, picture: Picture, *given: Any, **options: Any) -> dict[str, Any]:
        """The drawing as SVG or else as PNG, and what it shows."""
        try:
            chart = picture(*given, theme="page", **options)
            spec = chart.to_dict()
            says = plain(spec["description"])
            made = {"says": says, "svg": "", "png": "", "spec": spec if self._live else None}
            drawn = within(svg(chart, f"p{self._count}-"))
            if len(drawn.encode()) <= MOST_SVG:
                return made | {"svg": drawn}
            with tempfile.TemporaryDirectory() as folder:
                # Pixels do not take the colours of the page.
                file = plots.save(picture(*given, theme="image", **options), Path(folder) / "x.png", scale=1)
                return made | {"png": base64.b64encode(file.read_bytes()).decode("ascii")}
        except EngineError as error:
            if (note := f"{error.what} {error.hint}") not in self.notes:
                self.notes.append(note)
            says = picture.__doc__.partition("\n")[0] if picture.__doc__ else ""
            return {"says": says, "svg": "", "png": ""}

    def taken(self) -> tuple[tuple[Block, ...], tuple[str, ...]]:
        """What was drawn and noted since the last time."""
        drawn, notes = tuple(self.drawn), tuple(self.notes)
        self.drawn, self.notes = [], []
        return drawn, notes
