"""A page as HTML: one file, which asks nothing of the network."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterable
from importlib import resources
from typing import Any

from ireval_frames.errors import EngineError, InvalidParameter
from ireval_frames.plots.saving import bundle
from ireval_frames.reporting.page import Figure, Folded, Page, Section, Table, Text

# Larger pages are not mailed, and browsers are slow with them.
MOST_BYTES = 5_000_000
_KINDS = {"table": Table, "figure": Figure, "folded": Folded, "lines": Text}


def rendered(page: Page, most: int = MOST_BYTES) -> str:
    """The page as HTML, the same text for the same page.

    Raises:
        EngineError: Jinja2 is not installed.
        InvalidParameter: the page is larger than `most` bytes.
    """
    figures = [b for s in page.sections for b in s.blocks if isinstance(b, Figure)]
    live = any(figure.spec for figure in figures)
    script = bundle(_file("page.js")) if live else ""
    style = styled("table.css", "page.css", *(["live.css"] if live else []), tables=_tables(page))
    others = "; img-src data:" if any(figure.png for figure in figures) else ""
    others += f"; script-src '{_digest(script)}'" if live else ""
    given = {"page": page, "style": style, "digest": _digest(style), "script": script, "others": others}

    def text_of(sections: tuple[Section, ...]) -> str:
        return part("page.html.jinja", sections=sections, **given)

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


def _digest(text: str) -> str:
    """What a policy calls a text that it lets in."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def part(template: str, **given: Any) -> str:
    """What a template of this folder makes of what it is given.

    Raises:
        EngineError: Jinja2 is not installed.
    """
    return str(_templates().get_template(template).render(**given))


def styled(*files: str, tables: Iterable[Table]) -> str:
    """The style of these files, and that of the columns of numbers that tables have."""
    places = sorted({i for t in tables for i, is_number in enumerate(t.numbers, 1) if is_number})
    columns = ", ".join(f".n{i} :is(th, td):nth-child({i})" for i in places)
    numbers = f"{columns} {{ text-align: right; white-space: nowrap; }}\n" if columns else ""
    return numbers + "".join(map(_file, files))


def _tables(page: Page) -> list[Table]:
    blocks = [b for s in page.sections for b in s.blocks if not isinstance(b, Text)]
    return [b if isinstance(b, Table) else b.table for b in blocks]


def _file(name: str) -> str:
    return (resources.files("ireval_frames.reporting") / "templates" / name).read_text("utf-8")


@functools.cache
def _templates() -> Any:
    try:
        import jinja2
        from markupsafe import Markup
    except ImportError as error:
        raise EngineError("A report needs Jinja2.", 'pip install "ireval-frames[report]"') from error
    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.tests |= {name: lambda block, kind=kind: isinstance(block, kind) for name, kind in _KINDS.items()}
    # Drawings and Vega are vl-convert's, which escapes all texts itself; styles are our own.
    made.filters |= {"drawing": lambda figure: Markup(figure.svg.removeprefix("<svg ")), "ours": Markup}  # noqa: S704
    return made
