"""The pages for users of other tools, `docs/coming_from/`.

After the hand-written part come the measures whose numbers agree, and those that differ on purpose, with an example.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.docs.generators.measure_pages import differing, families
from tests.reference.agreement import TREC_EVAL, agreements, versions
from tests.reference.differences import DIFFERENCES

FOLDER = Path(__file__).parents[3] / "docs" / "coming_from"
MARK = "<!-- Generated from the comparisons: make docs -->\n"
# The tools of each page, by their names in the comparisons.
TOOLS = {
    "trec_eval": (TREC_EVAL, "pytrec-eval-terrier"),
    "ir_measures": ("ir-measures",),
    "ranx": ("ranx 0.3.21",),
    "scikit-learn": ("scikit-learn",),
    "scipy": ("scipy",),
    "squad": ("rouge-score", "sacrebleu"),
    "extraction": ("seqeval", "nervaluate", "scorch", "neleval", "segeval", "nltk"),
    "pyevall": ("PyEvALL", "RBU"),
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
    agreeing, versions_of_tools = agreements(), versions()
    for tool in tools:
        measures = {f: [d.name for d, by in agreeing.items() if d.family == f and tool in by] for f in families()}
        if any(measures.values()):
            yield from (f"## Numbers that agree with {tool}", "")
            yield from (f"Compared with {tool} {versions_of_tools[tool]}, under conventions that the tests set.", "")
            yield from ("| family | measures |", "|---|---|")
            yield from (
                f"| [{family}](../measures/{family}.md) | {', '.join(f'`{n}`' for n in sorted(names, key=str.lower))} |"
                for family, names in measures.items()
                if names
            )
            yield ""


def _differing(tools: tuple[str, ...]) -> Iterator[str]:
    differences = [d for d in DIFFERENCES if d.tool in tools]
    if differences:
        yield from ("## Numbers that differ on purpose", "")
        yield from ("An empty cell is a document that was not retrieved or not judged.", "")
        for difference in differences:
            yield from differing(difference)
