"""How wide a picture is beside its plots, so that on a page it fills the line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# The width of a line of the page in pixels, and of a sign of text; axes without names, and the gap between two plots.
PAGE, SIGN, AXIS, GAP = 1024, 6.2, 36, 28
# Vega cuts longer texts.
LIMIT = 240
# Pictures that are small on purpose, such as a matrix, are not blown up to a page.
MOST, LEAST = 2.6, 0.85
_SYMBOL, _GRADIENT, _OFFSET = 30, 70, 18

Spec = Mapping[str, Any]


def filled(spec: Spec, across: int = PAGE) -> Spec:
    """The picture with plots so wide that it fills the line, or a part of it.

    Squares stay squares, and no picture gets much smaller.

    Args:
        spec: the picture in Vega-Lite.
        across: the width of the line, or of the part of it.
    """
    data = spec.get("datasets", {})
    beside, plots = _across(spec, data)
    sizes = [(view.get("width"), view.get("height")) for view in _views(spec)]
    if plots <= 0 or any(wide is not None and wide == high for wide, high in sizes):
        return spec
    beside += _legend(spec, data)
    # What does not fit a part of the line has all of it.
    factor = next((f for f in ((across - beside) / plots, (PAGE - beside) / plots) if f >= LEAST), 1.0)
    return _widened(spec, min(factor, MOST))


def _widened(spec: Spec, factor: float) -> Spec:
    """The picture with all its plots wider by a factor."""
    parts = {
        kind: [_widened(part, factor) for part in spec[kind]]
        for kind in ("layer", "concat", "hconcat", "vconcat")
        if kind in spec
    }
    own = {"width": round(spec["width"] * factor)} if "width" in spec else {}
    return {**spec, **parts, **own}


def _across(spec: Spec, data: Spec) -> tuple[float, float]:
    """The widest row of plots: the width of all that is beside them, and their own."""
    if "vconcat" in spec:
        return max((_across(part, data) for part in spec["vconcat"]), key=sum)
    if "concat" in spec:
        n = min(spec.get("columns", len(spec["concat"])), len(spec["concat"]))
        parts = [_across(part, data) for part in spec["concat"]]
        # Plots below each other are aligned.
        columns = [max(parts[i::n], key=sum) for i in range(n)]
    elif "hconcat" in spec:
        columns = [_across(part, data) for part in spec["hconcat"]]
    else:
        titled = spec.get("title") or {}
        aside = isinstance(titled, Mapping) and titled.get("orient") == "left"
        return (_text([titled["text"]]) if aside else _axis(spec, data)), float(spec.get("width", 0))
    return sum(b for b, _ in columns) + GAP * (len(columns) - 1), sum(p for _, p in columns)


def _axis(spec: Spec, data: Spec) -> float:
    """The width of the axis at the left."""
    for view in _views(spec):
        channel = view.get("encoding", {}).get("y")
        if channel is None or ("axis" in channel and channel["axis"] is None):
            continue
        if channel.get("type") in ("nominal", "ordinal"):
            return 12 + _text(_values(spec, view, channel, data))
        return AXIS
    return 0.0


def _legend(spec: Spec, data: Spec) -> float:
    """The width of the widest legend at the right."""
    widths = [0.0]
    for view in _views(spec):
        for name in ("color", "shape", "strokeDash"):
            channel = view.get("encoding", {}).get(name, {})
            if "field" not in channel or ("legend" in channel and channel["legend"] is None):
                continue
            title = channel.get("title", channel["field"])
            title = (channel.get("legend") or {}).get("title", title)
            if channel.get("type") == "quantitative":
                widths.append(_OFFSET + max(_GRADIENT, _text([title])))
            else:
                names = channel["legend"].get("values") if channel.get("legend") else None
                names = names or (channel.get("scale") or {}).get("domain") or _values(spec, view, channel, data)
                widths.append(_OFFSET + max(_SYMBOL + _text(names), _text([title])))
    return max(widths)


def _views(spec: Spec) -> Iterator[Spec]:
    yield spec
    for kind in ("layer", "concat", "hconcat", "vconcat"):
        for part in spec.get(kind, ()):
            yield from _views(part)


def _values(spec: Spec, view: Spec, channel: Spec, data: Spec) -> Sequence[object]:
    """The values of the field of a channel."""
    named = (view.get("data") or spec.get("data") or {}).get("name", "")
    rows: Sequence[Spec] = data.get(named, ())
    return list({row.get(channel.get("field", "")) for row in rows})


def _text(texts: Sequence[object]) -> float:
    """The width of the longest of some texts."""
    return min(LIMIT, SIGN * max((len(str(t or "")) for t in texts), default=0))
