"""Corrections of the theme for users of keyboards and screen readers."""

from __future__ import annotations

import re
from pathlib import Path

# Headings get levels, and boxes that scroll can have the focus.
REPLACEMENTS = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="all pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="on this page">',
    '<th class="head"><p></p></th>': '<td class="head"><p></p></td>',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
# Parameters of a signature on separate lines are a list, not descriptions.
PARAMETERS = re.compile(r"<dl>\s*((?:<dd>(?:(?!</?d[dlt]>).)*</dd>\s*)+)</dl>", re.DOTALL)
LIST = '<ul style="list-style: none; margin: 0 0 0 2rem; padding: 0">'
ARTICLE = '<article role="main" id="furo-main-content">'


def correct(folder: Path) -> None:
    """Correct every page."""
    for path in folder.rglob("*.html"):
        text = original = path.read_text("utf-8")
        for old, new in REPLACEMENTS.items():
            text = text.replace(old, new)
        text = PARAMETERS.sub(_list, text)
        if path == folder / "search.html":
            text = text.replace(ARTICLE, f"{ARTICLE}\n<h1>Search</h1>")
        if text != original:
            path.write_text(text, "utf-8")


def _list(match: re.Match[str]) -> str:
    items = match[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f"{LIST}\n{items}</ul>"
