"""The pages where Sphinx reads them: one folder of all pages, with links among them, menus, and what docstrings tell.

In the repository the pages are plain Markdown.  Here a comment `<!-- api: NAME -->` becomes what the docstring of that
name tells, and the index gets the menu.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.docs import index, llms_page

ROOT = index.ROOT
# Pages that stand outside of `docs/`.
OUTSIDE = ("CHANGELOG.md", "CONTRIBUTING.md", "data/README.md")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
API = re.compile(r"^<!-- api: (\w+) ([\w.]+) -->$", re.MULTILINE)


def places() -> dict[str, str]:
    """Where each page of the repository goes."""
    docs = {p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").rglob("*.md")}
    books = {p.relative_to(ROOT).as_posix() for p in (ROOT / "notebooks").glob("*.ipynb")}
    out = {path: path.removeprefix("docs/") for path in sorted(docs | books | set(OUTSIDE))}
    # The README says what the index says, at other length.
    return out | {"docs/README.md": "index.md", "README.md": "index.md", "data/README.md": "data.md"}


def texts() -> tuple[dict[str, str], set[str]]:
    """The text of every page by its place, its links turned, and the files that are no pages and are linked to."""
    to = places()
    files: set[str] = set()
    out = {}
    for path, place in to.items():
        if path == "README.md":
            continue
        text = (ROOT / path).read_text("utf-8")
        if path.endswith(".ipynb"):
            book = json.loads(text)
            for cell in book["cells"]:
                if cell["cell_type"] == "markdown":
                    cell["source"] = _linked("".join(cell["source"]), path, to, files)
            out[place] = json.dumps(book)
        else:
            out[place] = _linked(text, path, to, files)
    return out, files


def stage(folder: Path) -> tuple[int, dict[str, str]]:
    """Write all pages into the folder, which holds nothing else then: how many, and the Markdown without docstrings."""
    shutil.rmtree(folder, ignore_errors=True)
    made, files = texts()
    below = _below(made)
    for place, text in made.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        menu = _menus() if place == "index.md" else _menu("", below[place]) if place in below else ()
        target.write_text("\n".join([API.sub(_told, text), *menu, ""]) if menu or "<!-- api" in text else text, "utf-8")
    for name in sorted(files):
        target = folder / name.removeprefix("docs/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    plain = {place: text for place, text in made.items() if place.endswith(".md")}
    return len(made), plain | {"llms.txt": _linked(llms_page.page(), "docs/llms.txt", places(), set())}


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
        here = posixpath.dirname(to.get(path, "")) or "."
        return f"{match[1]}{posixpath.relpath(place, here)}{mark}{anchor}{match[3]}"

    # Code is left as it is.
    parts = re.split(r"(^```.*?^```$|`[^`\n]*`)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("`") else LINK.sub(turned, part) for part in parts)


def _told(match: re.Match[str]) -> str:
    """A directive of autodoc instead of its comment."""
    return f"```{{eval-rst}}\n.. auto{match[1]}:: {match[2]}\n```"


def _menus() -> Iterator[str]:
    """The menu: a part for each section of the index."""
    to = places()
    for title, pages in index.sections().items():
        yield from _menu(title, [f"{page.title.replace('`', '')} <{to[page.path]}>" for page in pages])


def _menu(caption: str, entries: list[str]) -> Iterator[str]:
    yield from ("", "```{toctree}", ":hidden:", *([f":caption: {caption}"] if caption else []), "")
    yield from (*entries, "```")


def _below(made: dict[str, str]) -> dict[str, list[str]]:
    """The pages of a folder that the index does not name stand below the page that is called as the folder."""
    to = places()
    named = {to[page.path] for pages in index.sections().values() for page in pages}
    out: dict[str, list[str]] = {}
    for place in made:
        above = f"{posixpath.dirname(place)}.md"
        if place not in named and above in made:
            out.setdefault(above, []).append(
                posixpath.basename(posixpath.dirname(place)) + "/" + posixpath.basename(place)
            )
    # In the order in which the page above names them.
    return {above: sorted(pages, key=lambda p: made[above].find(f"]({p}")) for above, pages in out.items()}
