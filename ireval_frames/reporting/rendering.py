"""A page as HTML: one file, which loads nothing from the network."""

from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Iterable
from importlib import resources
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import EngineError, InvalidParameter
from ireval_frames.plots.saving import bundle
from ireval_frames.reporting.page import Figure, Folded, Page, Section, Table, Text

if TYPE_CHECKING:
    import jinja2

# Larger pages are too large for mail, and slow in browsers.
MOST_BYTES = 5_000_000
_KINDS = {"table": Table, "figure": Figure, "folded": Folded, "lines": Text}


def render(page: Page, most: int = MOST_BYTES, sql: str = "") -> str:
    """The page as HTML, the same text for the same page; with a link to the page `sql`, if there is one.

    Raises:
        EngineError: Jinja2 is not installed.
        InvalidParameter: the page is larger than `most` bytes.
    """
    figures = [b for s in page.sections for b in s.blocks if isinstance(b, Figure)]
    live = any(figure.spec for figure in figures)
    script = bundle(_file("page.js")) if live else ""
    style = style_of("table.css", "page.css", *(["live.css"] if live else []), tables=_tables(page))
    sources = "; img-src data:" if any(figure.png for figure in figures) else ""
    sources += f"; script-src '{_digest(script)}'" if live else ""
    values = {"page": page, "style": style, "digest": _digest(style), "script": script, "sources": sources, "sql": sql}

    def render_sections(sections: tuple[Section, ...]) -> str:
        return render_template("page.html.jinja", sections=sections, **values)

    text = render_sections(page.sections)
    if (size := len(text.encode())) > most:
        empty = len(render_sections(()).encode())
        sizes = {s.title: len(render_sections((s,)).encode()) - empty for s in page.sections}
        largest = max(sizes, key=lambda title: sizes[title])
        raise InvalidParameter(
            f"The report would have {size:,} bytes, more than {most:,}; its largest section is "
            f"“{largest}” with {sizes[largest]:,}.",
            "Evaluate fewer measures or runs, or group by fewer columns.",
        )
    return text


def _digest(text: str) -> str:
    """The hash by which a content security policy allows a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"


def render_template(template: str, **values: Any) -> str:
    """A template of this folder with values.

    Raises:
        EngineError: Jinja2 is not installed.
    """
    return str(_templates().get_template(template).render(**values))


def style_of(*files: str, tables: Iterable[Table]) -> str:
    """The style of these files, and of the columns of numbers of tables."""
    tables = list(tables)
    places = sorted({i for t in tables for i, is_number in enumerate(t.numbers, 1) if is_number})
    columns, cells = (", ".join(f".n{i} {part}:nth-child({i})" for i in places) for part in (":is(th, td)", "td"))
    numbers = f"{columns} {{ text-align: right; }}\n{cells} {{ white-space: nowrap; }}\n" if columns else ""
    rooms = sorted({t.room for t in tables} - {0})
    marks = "".join(f".m{n} sup {{ display: inline-block; min-width: {n}ch; text-align: left; }}\n" for n in rooms)
    return numbers + marks + "".join(map(_file, files))


def _tables(page: Page) -> list[Table]:
    blocks = [b for s in page.sections for b in s.blocks if not isinstance(b, Text)]
    return [b if isinstance(b, Table) else b.table for b in blocks]


def _file(name: str) -> str:
    return (resources.files("ireval_frames.reporting") / "templates" / name).read_text("utf-8")


@functools.cache
def _templates() -> jinja2.Environment:
    try:
        import jinja2
        from markupsafe import Markup, escape
    except ImportError as error:
        raise EngineError("A report needs Jinja2.", 'pip install "ireval-frames[report]"') from error
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests |= {name: lambda block, kind=kind: isinstance(block, kind) for name, kind in _KINDS.items()}
    # vl-convert escapes all texts in drawings and Vega; styles are our own.
    filters = {"drawing": lambda figure: Markup(figure.svg.removeprefix("<svg ")), "ours": Markup}  # noqa: S704
    # Lines break behind underlines.
    filters["breaking"] = lambda text: Markup(str(escape(text)).replace("_", "_<wbr>"))  # noqa: S704
    environment.filters |= filters
    return environment
