"""What the theme leaves out for those who read with a keyboard or by ear."""

from __future__ import annotations

import re
from pathlib import Path

# What stands in the pages, and what stands there instead: levels of headings, and boxes that scroll get the focus.
MENDED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    "<pre>": '<pre tabindex="0">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="all pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="on this page">',
    '<th class="head"><p></p></th>': '<td class="head"><p></p></td>',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
}
# Parameters of a signature on lines of their own: descriptions of nothing, which are a list.
PARAMETERS = re.compile(r"<dl>\s*((?:<dd>(?:(?!</?d[dlt]>).)*</dd>\s*)+)</dl>", re.DOTALL)
LIST = '<ul style="list-style: none; margin: 0 0 0 2rem; padding: 0">'
ARTICLE = '<article role="main" id="furo-main-content">'


def mend(folder: Path) -> None:
    """Mend every page."""
    for path in folder.rglob("*.html"):
        text = before = path.read_text("utf-8")
        for theirs, ours in MENDED.items():
            text = text.replace(theirs, ours)
        text = PARAMETERS.sub(_list, text)
        if path == folder / "search.html":
            text = text.replace(ARTICLE, f"{ARTICLE}\n<h1>Search</h1>")
        if text != before:
            path.write_text(text, "utf-8")


def _list(found: re.Match[str]) -> str:
    items = found[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f"{LIST}\n{items}</ul>"
