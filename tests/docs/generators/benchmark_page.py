"""The page of benchmarks, `docs/benchmarks.md`: after the hand-written part, every row that was recorded.

`python -m benchmarks --record docs` records; as long as nothing is, the page has its hand-written part alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.groups import GROUPS
from benchmarks.recording import recorded
from tests.docs.generators.markdown import escaped

PAGE = Path(__file__).parents[3] / "docs" / "benchmarks.md"
MARK = "<!-- Generated from docs/benchmarks.json: make docs -->\n"


def page() -> str:
    """The text of the page."""
    by_hand = PAGE.read_text("utf-8").partition(MARK)[0]
    groups = recorded(PAGE.parent)
    return by_hand + MARK + "\n".join(_groups(groups)) + "\n" if groups else by_hand


def _groups(groups: Mapping[str, Any]) -> Iterator[str]:
    """A table per group, in the order in which they run, with the day and the machine where these change."""
    before = ""
    for name in (name for name in GROUPS if name in groups):
        group = groups[name]
        yield from ("", f"## {name}", "", escaped(GROUPS[name].__doc__ or ""))
        if (of_run := measured(group)) != before:
            yield of_run
        before = of_run
        yield from ("", "| case | ireval-frames | peer | ratio | goal |", "|---|---|---|---|---|")
        yield from (f"| {' | '.join(map(escaped, row))} |" for row in group["rows"])


def measured(group: Mapping[str, Any]) -> str:
    """The day, the machine and the versions of a group, and whether other processes disturbed it."""
    peers = ", ".join(f"{name} {version}" for name, version in group["peers"].items())
    text = f"Measured on {group['date']}: {'; '.join(group['machine'])}; peers: {peers or 'none'}."
    return f"{text} {group['disturbed']}".rstrip()
