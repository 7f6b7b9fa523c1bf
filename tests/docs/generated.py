"""The generated pages: `python -m tests.docs.generated` writes them (`make docs`)."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

from tests.docs.generators import (
    api_pages,
    benchmark_page,
    coming_from_pages,
    command_page,
    constraint_page,
    context_pages,
    convention_page,
    dialect_page,
    llms_page,
    measure_pages,
    peer_page,
    plot_page,
    scale_page,
    schema_pages,
    significance_page,
)

DOCS = Path(__file__).parents[2] / "docs"
# Folders of generated pages only.
FOLDERS = ("api", "contexts", "measures")


@functools.cache
def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    more = {
        Path("benchmarks.md"): benchmark_page.page(),
        Path("commands.md"): command_page.page(),
        Path("constraints.md"): constraint_page.page(),
        Path("conventions.md"): convention_page.page(),
        Path("dialects.md"): dialect_page.page(),
        Path("llms.txt"): llms_page.page(),
        Path("peers.md"): peer_page.page(),
        Path("plots.md"): plot_page.page(),
        Path("scale.md"): scale_page.page(),
        Path("significance.md"): significance_page.page(),
        Path("store.md"): schema_pages.store(),
        Path("tables.md"): schema_pages.tables(),
    }
    return measure_pages.pages() | context_pages.pages() | api_pages.pages() | coming_from_pages.pages() | more


def write() -> None:
    """Write the pages and the figures, and remove pages of families that no longer exist."""
    texts = pages()
    for folder in FOLDERS:
        (DOCS / folder).mkdir(exist_ok=True)
        for old in (DOCS / folder).glob("*.md"):
            if old.relative_to(DOCS) not in texts:
                old.unlink()
    for path, text in texts.items():
        (DOCS / path).write_text(text, encoding="utf-8", newline="\n")
    # It has the titles of the pages that were just written.
    (DOCS / "llms.txt").write_text(llms_page.page(), encoding="utf-8", newline="\n")
    from tests.docs.generators import scale_figure

    scale_figure.write()
    plot_page.write()


if __name__ == "__main__":
    write()
    sys.exit(0)
