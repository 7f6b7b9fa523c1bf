"""A drawing as a part of a page: no more than what is seen, since the page says in words and a table what it shows."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

# What parts take from the group that they are in, and what it says nothing of.
_INHERITED = {
    **dict.fromkeys(("font-size", "font-style", "font-weight", "text-anchor"), "no text"),
    **dict.fromkeys(("fill", "fill-opacity"), "line"),
    **dict.fromkeys(("stroke-dasharray", "stroke-miterlimit", "stroke-opacity", "stroke-width"), "text"),
    "stroke": "nothing",
}
# What is the same without them.
_NOTHING = {"opacity": "1", "transform": "translate(0,0)"}
# The page says the font: one as wide as that with which texts were measured.
_UNSEEN = ("class", "role", "pointer-events", "version", "font-family")
_EMPTY = ("", "M0,0h0v0h0Z")


def within(drawn: str) -> str:
    """The drawing as it stands in a page: without what scripts and files need, and with what parts share said once.

    The texts of single marks go: they are not read to anyone, as the whole is one picture with its own text.

    Args:
        drawn: the SVG that `plots.saving.svg` gives.

    Example:
        >>> marks = "".join(f'<path role="x" aria-label="1" fill="red" d="M0,0h{i}"/>' for i in (1, 2))
        >>> within(f'<svg xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#c)">{marks}</g></svg>')
        '<svg><g clip-path="url(#c)" fill="red"><path d="M0,0h1"/><path d="M0,0h2"/></g></svg>'
    """
    root = ET.fromstring(drawn)  # noqa: S314 - vl-convert's own text
    _cleaned(root)
    _shared(root)
    return ET.tostring(root, "unicode").replace(" />", "/>")


def _cleaned(element: ET.Element) -> None:
    """Leave out attributes and parts that draw nothing, and groups that say nothing."""
    element.tag = element.tag.rpartition("}")[2]
    for key in [*element.attrib]:
        name = key.rpartition("}")[2]
        if name in _UNSEEN or name.startswith("aria-") or _NOTHING.get(name) == element.get(key):
            del element.attrib[key]
        elif name != key:
            element.set(name, element.attrib.pop(key))
    kept: list[ET.Element] = []
    for part in element:
        _cleaned(part)
        if part.tag == "g" and not part.attrib:
            kept.extend(part)
        elif not _invisible(part):
            kept.append(part)
    element[:] = kept


def _invisible(part: ET.Element) -> bool:
    if part.get("display") == "none" or part.get("opacity") == "0":
        return True
    return (part.tag == "path" and part.get("d", "") in _EMPTY) or (part.tag == "g" and not len(part))


def _shared(element: ET.Element) -> None:
    """Say of a group once what most of its parts say, where none of them leaves it open."""
    for part in element:
        _shared(part)
    if element.tag != "g":
        return
    for name, free in _INHERITED.items():
        parts = [p for p in element if not _free(p, free)]
        if not parts or any(name not in p.attrib for p in parts):
            continue
        most, _ = Counter(p.attrib[name] for p in parts).most_common(1)[0]
        element.set(name, most)
        for part in element:
            if part.get(name) == most:
                del part.attrib[name]


def _free(part: ET.Element, of: str) -> bool:
    """Whether an attribute says nothing of a part."""
    if of == "no text":
        return part.tag != "text" and part.find(".//text") is None
    return part.tag == of
