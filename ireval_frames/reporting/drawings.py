"""A drawing as part of a page: only what is visible, since the page describes it in words and in a table."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree as ET

# The attributes that parts inherit from their group, and the parts to which they do not apply.
_INHERITED = {
    **dict.fromkeys(("font-size", "font-style", "font-weight", "text-anchor"), "no text"),
    **dict.fromkeys(("fill", "fill-opacity"), "line"),
    **dict.fromkeys(("stroke-dasharray", "stroke-miterlimit", "stroke-opacity", "stroke-width"), "text"),
    "stroke": "nothing",
}
# Attributes at their defaults.
_DEFAULTS = {"opacity": "1", "transform": "translate(0,0)"}
# The page sets the font, one as wide as that with which texts were measured.
_INVISIBLE = ("class", "role", "pointer-events", "version", "font-family")
_RGB = re.compile(r"^rgb\((\d+), (\d+), (\d+)\)$")
_EMPTY = ("", "M0,0h0v0h0Z")


def within(drawn: str) -> str:
    """The drawing as part of a page: without what scripts and files need, and with shared attributes on groups.

    The labels of single marks are removed, since the drawing is one picture with a description of its own.

    Args:
        drawn: the SVG of `plots.saving.svg`.

    Example:
        >>> marks = "".join(f'<path role="x" aria-label="1" fill="red" d="M0,0h{i}"/>' for i in (1, 2))
        >>> within(f'<svg xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#c)">{marks}</g></svg>')
        '<svg><g clip-path="url(#c)" fill="red"><path d="M0,0h1"/><path d="M0,0h2"/></g></svg>'
    """
    root = ET.fromstring(drawn)  # noqa: S314 - vl-convert's own text
    _clean(root)
    _share(root)
    return ET.tostring(root, "unicode").replace(" />", "/>")


def _clean(element: ET.Element) -> None:
    """Remove attributes and parts that draw nothing, and groups without attributes."""
    element.tag = element.tag.rpartition("}")[2]
    for key in [*element.attrib]:
        name = key.rpartition("}")[2]
        if name in _INVISIBLE or name.startswith("aria-") or _DEFAULTS.get(name) == element.get(key):
            del element.attrib[key]
        else:
            value = element.attrib.pop(key)
            element.set(name, _RGB.sub(lambda c: "#" + "".join(f"{int(part):02x}" for part in c.groups()), value))
    visible: list[ET.Element] = []
    for part in element:
        _clean(part)
        if part.tag == "g" and not part.attrib:
            visible.extend(part)
        elif not _invisible(part):
            visible.append(part)
    element[:] = visible


def _invisible(part: ET.Element) -> bool:
    if part.get("display") == "none" or part.get("opacity") == "0":
        return True
    return (part.tag == "path" and part.get("d", "") in _EMPTY) or (part.tag == "g" and not len(part))


def _share(element: ET.Element) -> None:
    """Move the most frequent value of an attribute to the group, if all parts that it applies to set it."""
    for part in element:
        _share(part)
    if element.tag != "g":
        return
    for name, exempt in _INHERITED.items():
        parts = [p for p in element if not _is_exempt(p, exempt)]
        if not parts or any(name not in p.attrib for p in parts):
            continue
        most, _ = Counter(p.attrib[name] for p in parts).most_common(1)[0]
        element.set(name, most)
        for part in element:
            if part.get(name) == most:
                del part.attrib[name]


def _is_exempt(part: ET.Element, exempt: str) -> bool:
    """Whether an attribute does not apply to a part."""
    if exempt == "no text":
        return part.tag != "text" and part.find(".//text") is None
    return part.tag == exempt
