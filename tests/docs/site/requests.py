"""What a page would ask for from elsewhere: scripts, styles, pictures and frames of another address."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

# Attributes that load what they name; links that a reader follows are not among them.
LOADS = {
    "script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"), "object": ("data",),
    "embed": ("src",), "video": ("src", "poster"), "audio": ("src",), "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"), "form": ("action",),
}  # fmt: skip
LINKS = {"stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon", "manifest", "modulepreload"}
ELSEWHERE = re.compile(r"^\s*(?:[a-z]+:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:[a-z]+:)?//[^"')\s]+)""", re.IGNORECASE)


class Page(HTMLParser):
    """Collects what a page loads from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        given = {name: value or "" for name, value in attrs}
        names = LOADS.get(tag, ())
        if tag == "link" and LINKS & set(given.get("rel", "").split()):
            names = ("href",)
        self.found += [given[n] for n in names if ELSEWHERE.match(given.get(n, ""))]
        self.found += IN_STYLE.findall(given.get("style", ""))


def requests(folder: Path) -> list[str]:
    """The pages and styles of a built site that load something from elsewhere, and what."""
    out = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".html":
            page = Page()
            text = path.read_text("utf-8")
            page.feed(text)
            found = page.found + IN_STYLE.findall(" ".join(re.findall(r"<style.*?</style>", text, re.DOTALL)))
        elif path.suffix in (".css", ".svg"):
            found = IN_STYLE.findall(path.read_text("utf-8"))
        else:
            continue
        out += [f"{path.relative_to(folder)}: {what}" for what in found]
    return out
