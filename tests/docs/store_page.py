"""The page of the store, `docs/store.md`: after the hand-written part, every table and column of the schema."""

from __future__ import annotations

from pathlib import Path

from ireval_frames.store.tables import TABLES
from ireval_frames.store.views import MACROS, sql_type
from tests.docs.markdown import escaped

PAGE = Path(__file__).parents[2] / "docs" / "store.md"
MARK = "<!-- Generated from the schema: make docs -->\n"


def page() -> str:
    """The text of the page."""
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for table in TABLES.values():
        lines += [f"### {table.name}", "", f"A row is {escaped(table.description)}.", ""]
        lines += ["| column | type | description |", "|---|---|---|"]
        lines += [
            f"| `{name}` | {sql_type(t)} | {escaped(description)} |" for name, (t, description) in table.columns.items()
        ]
        lines.append("")
    lines += ["### Macros", "", "| macro | result |", "|---|---|"]
    lines += [
        f"| `{name}{text.partition(' AS TABLE')[0]}` | {escaped(description)} |"
        for name, (description, text) in MACROS.items()
    ]
    return "\n".join(lines).rstrip() + "\n"
