"""Finds what a page loads from other servers: scripts, styles, images and frames."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

# Attributes that load their URL; links that a reader follows do not.
LOADS = {
    "script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"), "object": ("data",),
    "embed": ("src",), "video": ("src", "poster"), "audio": ("src",), "image": ("href", "xlink:href"),
    "use": ("href", "xlink:href"), "form": ("action",),
}  # fmt: skip
LINKS = {"stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon", "manifest", "modulepreload"}
ELSEWHERE = re.compile(r"^\s*(?:[a-z]+:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:[a-z]+:)?//[^"')\s]+)""", re.IGNORECASE)


class Page(HTMLParser):
    """Collects what a page loads from other servers."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Check one element."""
        attributes = {name: value or "" for name, value in attrs}
        names = LOADS.get(tag, ())
        if tag == "link" and LINKS & set(attributes.get("rel", "").split()):
            names = ("href",)
        self.urls += [attributes[n] for n in names if ELSEWHERE.match(attributes.get(n, ""))]
        self.urls += IN_STYLE.findall(attributes.get("style", ""))


def requests(folder: Path) -> list[str]:
    """The pages and styles of a built site that load from other servers, with the URLs."""
    out = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".html":
            page = Page()
            text = path.read_text("utf-8")
            page.feed(text)
            urls = page.urls + IN_STYLE.findall(" ".join(re.findall(r"<style.*?</style>", text, re.DOTALL)))
        elif path.suffix in (".css", ".svg"):
            urls = IN_STYLE.findall(path.read_text("utf-8"))
        else:
            continue
        out += [f"{path.relative_to(folder)}: {url}" for url in urls]
    return out
