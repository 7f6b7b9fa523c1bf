"""Pictures as files: SVG, PNG, PDF or a page without scripts."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ireval_frames.errors import EngineError, InvalidParameter
from ireval_frames.escaping import plain
from ireval_frames.io.storage.atomic import replacing

if TYPE_CHECKING:
    import altair as alt

_PARTS = re.compile(r'(id="|url\(#)(gradient_|clip)(\d+)("|\))')
# Escapes in titles of axes come back as the signs themselves where Vega describes a mark.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
_TAG = re.compile(r"<[^>]*>")
_PLACES = re.compile(r' (?:d|transform|x|y|x1|x2|y1|y2|width|height)="[^"]*"')
_DESCRIBED = re.compile(r' aria-label\x3d"[^"]*"')
_LONG = re.compile(r"-?\d+\.\d{4,}(?:e-?\d+)?|-?\d+(?:\.\d+)?e-\d+")
_WHOLE = re.compile(r"-?\d+\.\d{12,}(?:e-?\d+)?")
# Nothing that a picture does may ask the network.
_NOTHING: dict[str, Any] = {"allowed_base_urls": []}


def save(chart: alt.Chart, path: str | os.PathLike[str], *, scale: float = 2.0) -> Path:
    """Write a picture as .svg, .png, .pdf or .html; the page holds the SVG, no script and no link.

    Args:
        chart: a chart of Altair, of `ir.plots` or your own.
        path: the file; its ending says the kind.
        scale: pixels of a PNG per pixel of the picture.

    Returns:
        the path.

    Raises:
        InvalidParameter: the ending is another one.
        FileError: it cannot be written; an older one at its place stays as it was.
        EngineError: vl-convert is not installed.

    Example:
        >>> import tempfile, ireval_frames as ir
        >>> ev = ir.evaluate(*ir.examples.ranking(), "P@1 P@2 P@4")
        >>> chart = ir.plots.cutoffs(ev)
        >>> ir.plots.save(chart, tempfile.mkdtemp() + "/cutoffs.svg").read_text()[:4]
        '<svg'
    """
    path = Path(path)
    if path.suffix not in (".svg", ".png", ".pdf", ".html"):
        raise InvalidParameter(f"{path.name!r} ends in {path.suffix!r}.", "Pictures are .svg, .png, .pdf or .html.")
    content = _content(chart, path.suffix, scale)
    with replacing(path) as stream:
        stream.write(content)
    return path


def _content(chart: alt.Chart, suffix: str, scale: float) -> bytes:
    if suffix == ".png":
        return bytes(_converted("png", chart, scale=scale))
    if suffix == ".pdf":
        return bytes(_converted("pdf", chart))
    drawn = svg(chart)
    return (drawn if suffix == ".svg" else _page(chart, drawn)).encode()


def svg(chart: alt.Chart | Mapping[str, Any], prefix: str = "") -> str:
    """The picture as SVG, the same text for the same picture.

    Args:
        chart: a chart of Altair, or its specification.
        prefix: before the names of its parts, which must differ among the pictures of one page.
    """
    names: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        kind, number = match[2], names.setdefault(match[2] + match[3], str(len(names)))
        return f"{match[1]}{prefix}{kind}{number}{match[4]}"

    # The names of gradients and clips count on for as long as the process lives.
    drawn = _PARTS.sub(named, _rounded(str(_converted("svg", chart))))
    return _UNSEEN.sub(lambda sign: plain(sign[0]), drawn)


def _converted(kind: str, chart: alt.Chart | Mapping[str, Any], **options: Any) -> Any:
    vl_convert, version = _converter()
    convert: Callable[..., Any] = getattr(vl_convert, f"vegalite_to_{kind}")
    spec = chart if isinstance(chart, Mapping) else chart.to_dict()
    return convert(spec, vl_version=version, **_NOTHING, **options)


def bundle(code: str) -> str:
    """A module in JavaScript that holds Vega, Vega-Lite and vega-embed, and then this code, which may use `vegaEmbed`.

    Args:
        code: without imports.

    Raises:
        EngineError: vl-convert is not installed.
    """
    vl_convert, version = _converter()
    return str(vl_convert.javascript_bundle(code, vl_version=version))


def _converter() -> tuple[Any, str]:
    """vl-convert, and the version of Vega-Lite in which Altair writes.

    Raises:
        EngineError: it is not installed.
    """
    try:
        import altair as alt
        import vl_convert
    except ImportError as error:
        raise EngineError("Pictures as files need vl-convert.", 'pip install "ireval-frames[plots]"') from error
    return vl_convert, ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def _rounded(drawn: str) -> str:
    """The drawing with its places to a thousandth of a pixel, and the descriptions of marks without the last bits.

    Sums of an engine may differ in these from one run to the next.

    Example:
        >>> _rounded('<path d="M0.30000000000000004,1e-17" aria-label="0.30000000000000004"/>')
        '<path d="M0.3,0" aria-label="0.3"/>'
    """

    def place(match: re.Match[str]) -> str:
        return f"{round(float(match[0]), 3) + 0.0:.3f}".rstrip("0").rstrip(".")

    def value(match: re.Match[str]) -> str:
        return f"{float(match[0]):.9g}"

    def tag(match: re.Match[str]) -> str:
        placed = _PLACES.sub(lambda places: _LONG.sub(place, places[0]), match[0])
        return _DESCRIBED.sub(lambda text: _WHOLE.sub(value, text[0]), placed)

    return _TAG.sub(tag, drawn)


def _page(chart: alt.Chart, drawn: str) -> str:
    description = chart.to_dict().get("description", "A picture")
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
        f"<title>{html.escape(str(description))}</title>\n{drawn}\n</html>\n"
    )
