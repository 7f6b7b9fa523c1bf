"""Tables of the pages are whole: a stroke that is not escaped ends a cell, also inside of code."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

from tests.together import each_of

ROOT = Path(__file__).parents[2]
TEXTS = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")))
}


def tables(text: str) -> Iterator[list[str]]:
    """The rows of each table outside of code blocks."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for is_table, lines in itertools.groupby(prose.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            yield list(lines)


def cells(row: str) -> int:
    """The number of cells, as GitHub and the site count them."""
    return len(re.findall(r"(?<!\\)\|", row)) - 1


@each_of(list(TEXTS))
def test_rows_have_the_cells_of_their_header(page: str) -> None:
    for header, *rows in tables(TEXTS[page]):
        assert [row for row in rows if cells(row) != cells(header)] == []
