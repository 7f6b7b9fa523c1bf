"""A drawing in a page is drawn as it was."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import ireval_frames as ir
from ireval_frames.plots.saving import svg
from ireval_frames.reporting.drawings import within
from tests.reporting import cases

# What browsers take from the groups around a part, and what they then take for granted.
INHERITED = {
    "fill": "black", "fill-opacity": "1", "font-size": "", "font-style": "", "font-weight": "", "stroke": "none",
    "stroke-dasharray": "none", "stroke-miterlimit": "4", "stroke-opacity": "1", "stroke-width": "1",
    "text-anchor": "start",
}  # fmt: skip
OF_TEXTS = {n for n in INHERITED if n.startswith(("font", "text"))}
OWN = ("d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "clip-path", "offset", "stop-color", "href", "id")


def colour(value: str) -> str:
    """A colour as it is written in short; any other value."""
    parts = value.removeprefix("rgb(").removesuffix(")").split(", ")
    return "#" + "".join(f"{int(p):02x}" for p in parts) if value.startswith("rgb(") else value


def drawn(text: str) -> list[tuple[object, ...]]:
    """What is seen: each part with its place, its text, and the look that it and the groups around it give it."""
    out: list[tuple[object, ...]] = []

    def walk(element: ET.Element, look: dict[str, str], place: tuple[str, ...], opacity: float) -> None:
        of = {k.rpartition("}")[2]: colour(v) for k, v in element.attrib.items()}
        look = {n: of.get(n, v) for n, v in look.items()}
        moved = of.get("transform", "translate(0,0)")
        place = place if moved == "translate(0,0)" else (*place, moved)
        opacity *= float(of.get("opacity", 1))
        if of.get("display") == "none" or opacity == 0:
            return
        tag = element.tag.rpartition("}")[2]
        own = tuple((n, of[n]) for n in OWN if n in of)
        if tag not in {"svg", "g", "defs"} and not (tag == "path" and of.get("d") in {"", "M0,0h0v0h0Z"}):
            styles = {n: v for n, v in look.items() if tag == "text" or n not in OF_TEXTS}
            styles = {n: v for n, v in styles.items() if look["stroke"] != "none" or not n.startswith("stroke")}
            styles = {n: v for n, v in styles.items() if tag != "line" or not n.startswith("fill")}
            out.append((tag, own, place, opacity, element.text, *styles.items()))
        elif tag == "g" and "clip-path" in of:
            out.append((tag, own, place))
        for part in element:
            walk(part, look, place, opacity)

    walk(ET.fromstring(text), dict(INHERITED), (), 1.0)
    return out


@pytest.mark.parametrize("name", ["systems", "effects", "matrix", "units", "rank_changes"])
def test_a_drawing_in_a_page_shows_what_it_showed(name: str) -> None:
    ev = cases.evaluation("RR P@1")
    pictures = {
        "systems": lambda: ir.plots.systems(ev, theme="page"),
        "effects": lambda: ir.plots.effects(ev.compare(), theme="page"),
        "matrix": lambda: ir.plots.matrix(ev.compare(), "RR", theme="page"),
        "units": lambda: ir.plots.units(ev, "RR", theme="page"),
        "rank_changes": lambda: ir.plots.rank_changes(ev.diagnose("a", "b", "RR"), "q1", theme="page"),
    }
    full = svg(pictures[name]())
    small = within(full)
    assert drawn(small) == drawn(full)
    assert len(drawn(full)) > 10
    assert len(small) < 0.7 * len(full)
    assert "aria" not in small
