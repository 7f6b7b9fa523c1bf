"""Copies the pages for Sphinx into one folder, with links among them, menus, and docstrings.

In the repository the pages are plain Markdown.  Here a comment `<!-- api: NAME -->` becomes a directive of autodoc, and
the index gets the menu.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.docs import index
from tests.docs.generators import llms_page

ROOT = index.ROOT
# Pages outside of `docs/`.
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "data/README.md")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
# The page for the browser where it has been built, and where a text links to it.
PAGE = ROOT / "build" / "page"
TO_PAGE = "<!-- page -->"
API = re.compile(r"^<!-- api: (\w+) ([\w.]+) -->$", re.MULTILINE)


def page_is_built() -> bool:
    """Whether the page for the browser is there."""
    return (PAGE / "index.html").is_file()


def targets() -> dict[str, str]:
    """The target of each page of the repository."""
    docs = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")}
    books = {p.relative_to(ROOT).as_posix() for p in (ROOT / "notebooks").glob("*.ipynb")}
    out = {path: path.removeprefix("docs/") for path in sorted(docs | books | set(OUTSIDE))}
    # The README is replaced by the index.
    return out | {"docs/README.md": "index.md", "README.md": "index.md", "data/README.md": "data.md"}


def texts() -> tuple[dict[str, str], set[str]]:
    """The text of every page by its target, with rewritten links, and other files that are linked to."""
    to = targets()
    files: set[str] = set()
    out = {}
    for path, target in to.items():
        if path == "README.md":
            continue
        text = (ROOT / path).read_text("utf-8")
        if path.endswith(".ipynb"):
            book = json.loads(text)
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = _linked("".join(cell["source"]), path, to, files)
            out[target] = json.dumps(book)
        else:
            open_it = '<p><a href="page/index.html">Open the page</a></p>' if page_is_built() else ""
            out[target] = _linked(text, path, to, files).replace(TO_PAGE, open_it)
    return out, files


def stage(folder: Path) -> tuple[int, dict[str, str]]:
    """Write all pages into the folder, emptied before: their number, and the Markdown without docstrings."""
    shutil.rmtree(folder, ignore_errors=True)
    pages, files = texts()
    children = _children(pages)
    for place, text in pages.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        menu = _menus() if place == "index.md" else _menu("", children[place]) if place in children else ()
        target.write_text(
            "\n".join([API.sub(_directive, text), *menu, ""]) if menu or "<!-- api" in text else text, "utf-8"
        )
    for name in sorted(files):
        target = folder / name.removeprefix("docs/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    plain = {place: text for place, text in pages.items() if place.endswith(".md")}
    return len(pages), plain | {"llms.txt": _linked(llms_page.page(), "docs/llms.txt", targets(), set())}


def _linked(text: str, path: str, to: dict[str, str], files: set[str]) -> str:
    """The text with rewritten links; `files` collects targets that are not pages."""

    def rewrite(match: re.Match[str]) -> str:
        target, mark, anchor = match[2].partition("#")
        if not target or ":" in target:
            return match[0]
        named = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if (ROOT / named).is_dir():
            named = f"{named}/README.md"
        if named not in to:
            files.add(named)
        place = to.get(named, named.removeprefix("docs/"))
        here = posixpath.dirname(to.get(path, "")) or "."
        return f"{match[1]}{posixpath.relpath(place, here)}{mark}{anchor}{match[3]}"

    # Not in code.
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("`") else LINK.sub(rewrite, part) for part in parts)


def _directive(match: re.Match[str]) -> str:
    """The directive of autodoc for a comment."""
    return f"```{{eval-rst}}\n.. auto{match[1]}:: {match[2]}\n```"


def _menus() -> Iterator[str]:
    """The menu, with a part for each section of the index."""
    to = targets()
    for title, pages in index.sections().items():
        yield from _menu(title, [f"{page.title.replace('`', '')} <{to[page.path]}>" for page in pages])


def _menu(caption: str, entries: list[str]) -> Iterator[str]:
    yield from ("", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), "")
    yield from (*entries, "```")


def _children(pages: dict[str, str]) -> dict[str, list[str]]:
    """Pages of a folder that are not in the index, by the page with the name of the folder."""
    to = targets()
    named = {to[page.path] for section in index.sections().values() for page in section}
    out: dict[str, list[str]] = {}
    for place in pages:
        above = f"{posixpath.dirname(place)}.md"
        if place not in named and above in pages:
            out.setdefault(above, []).append(
                posixpath.basename(posixpath.dirname(place)) + "/" + posixpath.basename(place)
            )
    # In the order of the page above.
    return {above: sorted(names, key=lambda p: pages[above].find(f"]({p}")) for above, names in out.items()}
