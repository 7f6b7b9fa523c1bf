"""The pages of measures, `docs/measures.md` and one per family in `docs/measures/`, from the catalog.

Agreement with tools is recorded from comparisons that passed (`tests/reference/recording.py`); deliberate differences
are in `tests/reference/differences.py`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
from collections.abc import Iterator
from pathlib import Path

from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.parameters import REQUIRED
from tests.docs.generators.markdown import escaped
from tests.reference.agreement import TREC_EVAL, agreements, versions
from tests.reference.difference import Difference, Value
from tests.reference.differences import DIFFERENCES

# This family comes first, others by name.
FIRST = "ranking"
# What the symbols of a family's formulas are.
SYMBOLS = {
    "ranking": r"H(k) is the number of relevant documents among the first k, H that in the list, R that of the query, "
    r"and n the number of retrieved documents. g\_i is the gain of the document at rank i, g\*\_i that in "
    r"the best order; sums without limits are over ranks down to the cutoff. R\_i is the probability that "
    r"the document at rank i satisfies. C\_i and W\_i are those of [user models](../user_models.md). s is "
    r"a subtopic, A the number of subtopics, and c\_is how many documents above rank i are relevant to s. "
    r"R̂ is R estimated from a [sample](../sampled.md). Parameters of click models have [a "
    r"page](../click_measures.md).",
    "labels": "tp counts the items of a class that are predicted as such, fp others that are, fn items of the class "
    "that are not, and tn all others. support = tp + fn, predicted = tp + fp, negatives = fp + tn; n is "
    "the number of items, K that of classes. TPR = tp / support, FPR = fp / negatives, FNR = 1 − TPR, TNR "
    "= 1 − FPR. y is the label of an item as 0 or 1, p its probability, and s its score.",
    "clusters": r"n\_ij is the number of items of class i in cluster j, a\_i that of class i, b\_j that of cluster j, "
    r"and n that of all. TP, FP, FN and TN count pairs of items: in one class and one cluster, in one "
    r"cluster only, in one class only, in neither. H(G) and H(X) are the entropies of classes and of "
    r"clusters.",
    "points": r"n is the number of points, K that of clusters, n\_k that of the points of cluster k. T, B and W are "
    r"the scatter matrices of all points, between clusters and within them; TSS, BSS and WSS are their "
    r"traces. N\_W and N\_B are the numbers of pairs of points within clusters and between them, and N\_T "
    r"that of all pairs. a is the mean distance of a point to the others of its cluster, b the smallest "
    r"mean distance to another cluster.",
}
DEFINITION = "`ireval measures NAME` has the full definition of a measure, with its symbols, parameters and an example."


def pages() -> dict[Path, str]:
    """The text of every page, by its path under `docs/`."""
    agreeing = agreements()
    out = {Path("measures.md"): _index(agreeing)}
    return out | {Path("measures") / f"{family}.md": _page(family, agreeing) for family in families()}


def families() -> list[str]:
    names = {d.family for d in catalog.definitions()}
    return sorted(names, key=lambda family: (family != FIRST, family))


def _index(agreeing: dict[Definition, list[str]]) -> str:
    lines = [
        "# Measures", "",
        "Every measure, with its formula, range and source, the tools that give the same number,",
        "and the tools that differ on purpose, with an example of at most three rows.",
        "`ireval measures NAME` shows a measure with its parameters and an example;",
        "`ir.measures()` is the catalog as a frame.",
        "These pages are generated from the catalog and from the tests against other tools.", "",
        "| family | measures | compared with another tool | differences shown |", "|---|---|---|---|",
    ]  # fmt: skip
    for family in families():
        definitions = catalog.definitions(family)
        shown = sum(d.family == family for d in DIFFERENCES)
        lines.append(
            f"| [{family}](measures/{family}.md) | {len(definitions)} "
            f"| {sum(d in agreeing for d in definitions)} | {shown} |"
        )
    lines += ["", "## Tools", "", "| tool | compared version |", "|---|---|"]
    lines += [f"| {tool} | {version} |" for tool, version in versions().items()]
    lines += [
        "", f"`{TREC_EVAL}` is the output of the command;",
        "[`ireval trec-eval`](trec_eval.md) prints the same bytes.",
        "Tools are compared under their own conventions, set by a policy or a parameter.", "",
    ]  # fmt: skip
    return "\n".join(lines)


def _page(family: str, agreeing: dict[Definition, list[str]]) -> str:
    module = importlib.import_module(f"ireval_frames.{family}")
    lines = [f"# Measures: {family}", "", _first(module.__doc__), "", "[All families](../measures.md)", ""]
    lines += [f"{SYMBOLS[family]} {DEFINITION}" if family in SYMBOLS else DEFINITION, ""]
    for title, definitions in _groups(family).items():
        lines += [
            f"## {title}",
            "",
            "| measure | formula | range | source | in Python | agrees with | differs from |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_row(d, agreeing.get(d, [])) for d in definitions]
        lines.append("")
    different = [d for d in DIFFERENCES if d.family == family]
    if different:
        lines += [
            "## Differences on purpose",
            "",
            "An empty cell is a document that was not retrieved or not judged.",
            "",
        ]
        for difference in different:
            lines += differing(difference)
    return "\n".join(lines).rstrip() + "\n"


def _groups(family: str) -> dict[str, list[Definition]]:
    """The measures by the file that declares them, under its first sentence."""
    out: dict[str, list[Definition]] = {}
    for definition in catalog.definitions(family):
        title = re.split(r"[:.] ", _first(inspect.getdoc(inspect.getmodule(definition.function))))[0].rstrip(".")
        out.setdefault(title, []).append(definition)
    return out


def _first(text: str | None) -> str:
    """The first sentence of a docstring."""
    return re.split(r"(?<=\.)\s", (text or "").strip())[0].replace("\n", " ")


def _row(d: Definition, tools: list[str]) -> str:
    name = f"`{d.name}{_required(d)}`"
    against = dict.fromkeys(x.tool for x in DIFFERENCES if (x.family, x.measure) == (d.family, d.name))
    cells = [
        f"{name} {escaped(d.sentence)}", escaped(d.formula), _range(d), escaped(d.source), escaped(d.cost),
        ", ".join(tools), ", ".join(f"[{tool}](#{_anchor(d.name, tool)})" for tool in against),
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def _required(d: Definition) -> str:
    """The required parameters after the name, as in `P@k` and `SDCG(max_rel)@k`."""
    required = [name for name, p in d.parameters.items() if p.default is REQUIRED]
    inner = ", ".join(name for name in required if name != d.at)
    return (f"({inner})" if inner else "") + (
        "@k" if d.at in required and d.at == "cutoff" else f"@{d.at}" if d.at in required else ""
    )


def _range(d: Definition) -> str:
    low, high = (f"{end:g}".replace("inf", "∞").replace("-", "−") for end in d.range)
    better = {True: "higher is better", False: "lower is better", None: "neither is better"}[d.higher_is_better]
    changed = " unless a parameter changes it" if any(p.ranges for p in d.parameters.values()) else ""
    return f"{low} to {high}{changed}, {better}"


def _anchor(measure: str, tool: str) -> str:
    return re.sub(r"[^a-z0-9_-]", "", f"{measure} and {tool}".lower().replace(" ", "-"))


def differing(x: Difference) -> Iterator[str]:
    """The lines of a difference: the reason, the rows, and both numbers."""
    several = [d for d in DIFFERENCES if (d.family, d.measure, d.tool) == (x.family, x.measure, x.tool)]
    if x is several[0]:
        yield from (f"### {x.measure} and {x.tool}", "")
    yield from (escaped(x.why), "")
    yield "| " + " | ".join(x.columns) + " |"
    yield "|" + "---|" * len(x.columns)
    yield from ("| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |" for row in x.rows)
    version = versions().get(x.tool, "")
    yield from ("", f"| | | {'value' if not x.stored else 'value, as printed'} |", "|---|---|---|")
    yield f"| ireval-frames | `{_escaped_code(x.ours)}` | {_value(x.our_value)} |"
    yield (
        f"| {x.tool} {version if re.match(r'[0-9]', version) else ''}".split(";")[0].rstrip()
        + f" | `{_escaped_code(x.theirs)}` | {_value(x.their_value)} |"
    )
    yield ""


def _escaped_code(text: str) -> str:
    return text.replace("|", "\\|")


def _value(value: Value) -> str:
    if value is None:
        return "undefined"
    return value if isinstance(value, str) else f"{value:.4f}" if math.isfinite(value) else str(value)
