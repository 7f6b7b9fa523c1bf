"""The index of pages, `docs/README.md`, read: its sections, and in each the pages with what they tell.

The site's menu and `docs/llms.txt` are made from it, so a page stands in one list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "docs" / "README.md"
LINK = re.compile(r"\[([^\]]+)\]\(([^)#:]+)\)")


@dataclass(frozen=True)
class Page:
    """A page of the index: its file, from the root of the repository, how the menu calls it, and what it tells."""

    path: str
    title: str
    tells: str


def sections() -> dict[str, list[Page]]:
    """The pages of every section that has a table of pages."""
    out: dict[str, list[Page]] = {}
    for part in re.split(r"^## ", INDEX.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        rows = re.findall(r"^\| (.*?\]\(.*?) \| (.*) \|$", text, re.MULTILINE)
        pages = [page for named, tells in rows for page in _pages(named, tells)]
        if pages:
            out[title.strip()] = pages
    return out


def _pages(named: str, tells: str) -> list[Page]:
    """The pages that a row names; of several, what the row says holds for each."""
    return [Page(_from_root(target), name, tells) for name, target in LINK.findall(named)]


def _from_root(target: str) -> str:
    return (INDEX.parent / target).resolve().relative_to(ROOT).as_posix()
