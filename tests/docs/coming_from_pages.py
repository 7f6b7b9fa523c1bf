"""The pages for those who come from another tool, `docs/coming_from/`.

After what is written there by hand stand the measures whose numbers agree, and those that differ on purpose, each with
its example.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.docs.measure_pages import differing, families
from tests.reference.agreement import TREC_EVAL, agreements, versions
from tests.reference.differences import DIFFERENCES

FOLDER = Path(__file__).parents[2] / "docs" / "coming_from"
MARK = "<!-- What follows is made from the comparisons: make docs -->\n"
# The tools of each page, as the comparisons call them.
TOOLS = {
    "trec_eval": (TREC_EVAL, "pytrec-eval-terrier"),
    "ir_measures": ("ir-measures",),
    "ranx": ("ranx 0.3.21",),
    "scikit-learn": ("scikit-learn",),
    "scipy": ("scipy",),
}


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    out = {}
    for name, tools in TOOLS.items():
        by_hand = (FOLDER / f"{name}.md").read_text("utf-8").partition(MARK)[0].rstrip()
        lines = [by_hand, "", MARK, *_agreeing(tools), *_differing(tools)]
        out[Path("coming_from") / f"{name}.md"] = "\n".join(lines).rstrip() + "\n"
    return out


def _agreeing(tools: tuple[str, ...]) -> Iterator[str]:
    held = agreements()
    known = versions()
    for tool in tools:
        found = {f: [d.name for d, by in held.items() if d.family == f and tool in by] for f in families()}
        if any(found.values()):
            yield from (f"## Numbers that agree with {tool}", "")
            yield from (f"Compared with {tool} {known[tool]}, under the conventions that the tests name.", "")
            yield from ("| family | measures |", "|---|---|")
            yield from (
                f"| [{family}](../measures/{family}.md) | {', '.join(f'`{n}`' for n in sorted(names, key=str.lower))} |"
                for family, names in found.items()
                if names
            )
            yield ""


def _differing(tools: tuple[str, ...]) -> Iterator[str]:
    found = [d for d in DIFFERENCES if d.tool in tools]
    if found:
        yield from ("## Numbers that differ on purpose", "")
        yield from ("An empty cell is a document that was not retrieved, or has no judgment.", "")
        for difference in found:
            yield from differing(difference)
