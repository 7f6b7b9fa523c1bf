"""The list of pages for programs that read, `docs/llms.txt`: every page with a sentence, made from the index.

The form is that of llmstxt.org: a title, what it is, and lists of links.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs import index

DOCS = index.INDEX.parent


def page() -> str:
    """The text of the list; links are relative to it."""
    says = index.INDEX.read_text("utf-8").split("\n\n")[1]
    lines = ["# ireval-frames", "", f"> {' '.join(says.split())}", ""]
    lines += ["All code on these pages is run by the tests. Pages are Markdown, notebooks are JSON (.ipynb)."]
    for title, pages in index.sections().items():
        lines += ["", f"## {title}", ""]
        for one in pages:
            lines.append(f"- [{one.title}]({_from_docs(one.path)}): {one.tells}")
            lines += [f"  - [{name}]({path})" for name, path in _below(one)]
    return "\n".join(lines) + "\n"


def _from_docs(path: str) -> str:
    return path.removeprefix("docs/") if path.startswith("docs/") else f"../{path}"


def _below(page: index.Page) -> list[tuple[str, str]]:
    """The pages of the folder that is called as a page, by their titles, where the index does not name them."""
    named = {p.path for pages in index.sections().values() for p in pages}
    folder = DOCS / Path(page.path).stem
    there = sorted(folder.glob("*.md")) if folder.is_dir() and (DOCS / f"{folder.name}.md").exists() else []
    return [
        (re.sub(r"^# ", "", path.read_text("utf-8").partition("\n")[0]), f"{folder.name}/{path.name}")
        for path in there
        if f"docs/{folder.name}/{path.name}" not in named and page.path == f"docs/{folder.name}.md"
    ]
