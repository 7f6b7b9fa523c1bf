"""The list of pages for language models, `docs/llms.txt`, from the index.

The form is that of llmstxt.org: a title, a summary, and lists of links.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs import index

DOCS = index.INDEX.parent


def page() -> str:
    """The text of the list; links are relative to it."""
    summary = index.INDEX.read_text("utf-8").split("\n\n")[1]
    lines = ["# ireval-frames", "", f"> {' '.join(summary.split())}", ""]
    lines += ["All code on these pages is run by the tests. Pages are Markdown, notebooks are JSON (.ipynb)."]
    for title, pages in index.sections().items():
        lines += ["", f"## {title}", ""]
        for one in pages:
            lines.append(f"- [{one.title}]({_from_docs(one.path)}): {one.description}")
            lines += [f"  - [{name}]({path})" for name, path in _below(one)]
    return "\n".join(lines) + "\n"


def _from_docs(path: str) -> str:
    return path.removeprefix("docs/") if path.startswith("docs/") else f"../{path}"


def _below(page: index.Page) -> list[tuple[str, str]]:
    """Titles and paths of the pages in the folder of a page, without those of the index."""
    named = {p.path for pages in index.sections().values() for p in pages}
    folder = DOCS / Path(page.path).stem
    paths = sorted(folder.glob("*.md")) if folder.is_dir() and (DOCS / f"{folder.name}.md").exists() else []
    return [
        (re.sub(r"^# ", "", path.read_text("utf-8").partition("\n")[0]), f"{folder.name}/{path.name}")
        for path in paths
        if f"docs/{folder.name}/{path.name}" not in named and page.path == f"docs/{folder.name}.md"
    ]
