"""Reads the index of pages, `docs/README.md`: its sections, and the pages of each with their descriptions.

The menu of the site and `docs/llms.txt` are made from it.
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
    """A page of the index: its file from the root of the repository, its title and its description."""

    path: str
    title: str
    description: str


def sections() -> dict[str, list[Page]]:
    """The pages of every section that has a table of pages."""
    out: dict[str, list[Page]] = {}
    for part in re.split(r"^## ", INDEX.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, text = part.partition("\n")
        rows = re.findall(r"^\| (.*?\]\(.*?) \| (.*) \|$", text, re.MULTILINE)
        pages = [page for links, description in rows for page in _pages(links, description)]
        if pages:
            out[title.strip()] = pages
    return out


def _pages(links: str, description: str) -> list[Page]:
    """The pages of a row."""
    return [Page(_from_root(target), title, description) for title, target in LINK.findall(links)]


def _from_root(target: str) -> str:
    return (INDEX.parent / target).resolve().relative_to(ROOT).as_posix()
