"""What the theme leaves out for those who read with a keyboard or by ear."""

from __future__ import annotations

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


def mend(folder: Path) -> None:
    """Mend every page."""
    for path in folder.rglob("*.html"):
        text = before = path.read_text("utf-8")
        for theirs, ours in MENDED.items():
            text = text.replace(theirs, ours)
        if text != before:
            path.write_text(text, "utf-8")
