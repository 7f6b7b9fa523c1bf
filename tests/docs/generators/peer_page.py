"""The page of other tools, `docs/peers.md`: after the hand-written part, what the tests compared with each."""

from __future__ import annotations

from pathlib import Path

from tests.docs.generators.coming_from_pages import TOOLS
from tests.docs.generators.markdown import escaped
from tests.docs.generators.measure_pages import families
from tests.reference.agreement import agreements, versions
from tests.reference.differences import DIFFERENCES

PAGE = Path(__file__).parents[3] / "docs" / "peers.md"
MARK = "<!-- Generated from the comparisons: make docs -->\n"


def page() -> str:
    """The text of the page."""
    pages = {tool.partition(" ")[0]: name for name, tools in TOOLS.items() for tool in tools}
    agreeing = agreements()
    lines = [
        *(PAGE.read_text("utf-8").partition(MARK)[0] + MARK, "## Numbers that were compared", ""),
        "The tests run these tools, or read outputs of theirs that are stored. A measure counts if its values agree,",
        "under conventions that the tests set; where a number differs on purpose, the page of the measure shows it.",
        *("", "| tool | version | measures that agree | differences shown |", "|---|---|---|---|"),
    ]
    for tool, version in versions().items():
        by_family = {f: sum(d.family == f and tool in by for d, by in agreeing.items()) for f in families()}
        counts = ", ".join(f"{n} of [{f}](measures/{f}.md)" for f, n in by_family.items() if n)
        name = f"[{escaped(tool)}](coming_from/{pages[tool]}.md)" if tool in pages else escaped(tool)
        lines.append(f"| {name} | {escaped(version)} | {counts} | {sum(d.tool == tool for d in DIFFERENCES)} |")
    return "\n".join(lines) + "\n"
