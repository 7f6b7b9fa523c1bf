"""A page as HTML: one file without scripts, which asks nothing of the network."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from ireval_frames.errors import EngineError, InvalidParameter
from ireval_frames.reporting.page import Figure, Folded, Page, Section, Table, Text

# Larger pages are not mailed, and browsers are slow with them.
MOST_BYTES = 5_000_000


def rendered(page: Page, most: int = MOST_BYTES) -> str:
    """The page as HTML, the same text for the same page.

    Raises:
        EngineError: Jinja2 is not installed.
        InvalidParameter: the page is larger than `most` bytes.
    """
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError as error:
        raise EngineError("A report needs Jinja2.", 'pip install "ireval-frames[report]"') from error
    folder = resources.files("ireval_frames.reporting")
    template, style = ((folder / n).read_text("utf-8") for n in ("page.html.jinja", "page.css"))
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.tests |= {
        name: lambda block, kind=kind: isinstance(block, kind)
        for name, kind in {"table": Table, "figure": Figure, "folded": Folded, "lines": Text}.items()
    }

    def drawing(figure: Figure) -> Any:
        """What follows `<svg `: vl-convert escapes all texts of a drawing itself."""
        return Markup(figure.svg.removeprefix("<svg "))  # noqa: S704

    environment.filters["drawing"] = drawing
    made = environment.from_string(template)
    style_digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")

    def text_of(sections: tuple[Section, ...]) -> str:
        png = any(isinstance(b, Figure) and b.png for s in sections for b in s.blocks)
        style_text = Markup(style)  # noqa: S704 - our own file
        return made.render(
            page=page, sections=sections, style=style_text, digest=style_digest, images="; img-src data:" if png else ""
        )

    text = text_of(page.sections)
    if (size := len(text.encode())) > most:
        empty = len(text_of(()).encode())
        sizes = {s.title: len(text_of((s,)).encode()) - empty for s in page.sections}
        largest = max(sizes, key=lambda title: sizes[title])
        raise InvalidParameter(
            f"The report would have {size:,} bytes, more than {most:,}; its largest section is "
            f"“{largest}” with {sizes[largest]:,}.",
            "Evaluate fewer measures or runs, or group by fewer columns.",
        )
    return text
