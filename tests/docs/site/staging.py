"""The pages where Sphinx reads them: one folder of all pages, with links among them, menus, and what docstrings tell.

In the repository the pages are plain Markdown.  Here a comment `<!-- api: NAME -->` becomes what the docstring of that
name tells, and the index gets the menu.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.docs import index

ROOT = index.ROOT
# Pages that stand outside of `docs/`.
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "data/README.md")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
API = re.compile(r"^<!-- api: (\w+) ([\w.]+)( .*)? -->$", re.MULTILINE)


def places() -> dict[str, str]:
    """Where each page of the repository goes."""
    docs = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")}
    books = {p.relative_to(ROOT).as_posix() for p in (ROOT / "notebooks").glob("*.ipynb")}
    out = {path: path.removeprefix("docs/") for path in sorted(docs | books | set(OUTSIDE))}
    # The README says what the index says, at other length.
    return out | {"docs/README.md": "index.md", "README.md": "index.md", "data/README.md": "data.md"}


def stage(folder: Path) -> int:
    """Write all pages into the folder, which holds nothing else then; how many there are."""
    shutil.rmtree(folder, ignore_errors=True)
    to = places()
    files: set[str] = set()
    for path, place in to.items():
        if path == "README.md":
            continue
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / path).read_text("utf-8")
        if path.endswith(".ipynb"):
            book = json.loads(text)
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = _linked("".join(cell["source"]), path, to, files)
            text = json.dumps(book)
        else:
            text = _linked(API.sub(_told, text), path, to, files)
        target.write_text(text + ("\n".join(_menu(to)) if place == "index.md" else ""), "utf-8")
    for name in sorted(files):
        target = folder / name.removeprefix("docs/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    return len(set(to.values()))


def _linked(text: str, path: str, to: dict[str, str], files: set[str]) -> str:
    """The text with its links to files turned to where these are; `files` gets those that are no pages."""

    def turned(match: re.Match[str]) -> str:
        target, mark, anchor = match[2].partition("#")
        if not target or ":" in target:
            return match[0]
        named = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if (ROOT / named).is_dir():
            named = f"{named}/README.md"
        if named not in to:
            files.add(named)
        place = to.get(named, named.removeprefix("docs/"))
        return f"{match[1]}{os.path.relpath(place, posixpath.dirname(to[path]) or '.')}{mark}{anchor}{match[3]}"

    # Code is left as it is.
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("`") else LINK.sub(turned, part) for part in parts)


def _told(match: re.Match[str]) -> str:
    """A directive of autodoc instead of its comment."""
    kind, name, more = match[1], match[2], (match[3] or "").split()
    return "\n".join(["```{eval-rst}", f".. auto{kind}:: {name}", *(f"   :{option}:" for option in more), "```"])


def _menu(to: dict[str, str]) -> Iterator[str]:
    """The menu: a part for each section of the index."""
    for title, pages in index.sections().items():
        yield from ("", "```{toctree}", ":hidden:", f":caption: {title}", "")
        yield from (f"{page.title} <{to[page.path]}>" for page in pages if "/" not in _below(page, pages, to))
        yield from ("```", "")


def _below(page: index.Page, pages: list[index.Page], to: dict[str, str]) -> str:
    """The path of a page whose folder has a page of that name in the menu; else nothing."""
    folder = posixpath.dirname(to[page.path])
    return to[page.path] if f"{folder}.md" in {to[p.path] for p in pages} else ""
