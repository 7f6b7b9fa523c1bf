"""The page of pictures, `docs/plots.md`: after what is written there by hand, every picture."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import ireval_frames as ir

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"

PAGE = ROOT / "docs" / "plots.md"
MARK = "<!-- What follows is made from the pictures: make docs -->\n"
FAMILIES = {
    "Rankings, and whatever has values per unit": ("systems", "cutoffs", "units", "distribution"),
    "Rankings": ("precision_recall", "judged"),
    "Comparisons": ("differences", "scatter", "effects", "matrix", "moved"),
    "Labels": ("confusion", "curve", "thresholds", "reliability"),
    "Clusters and points": ("contingency", "silhouettes", "elbow"),
    "A store": ("history",),
}


def _evaluation() -> Any:
    runs = [str(ROOT / "data/stdlib/runs" / f"{name}.txt") for name in ("bm25", "lsa", "tfidf")]
    return ir.evaluate(str(ROOT / "data/stdlib/qrels.txt"), runs, "AP nDCG@1 nDCG@5 nDCG@10 nDCG@20")


def drawn() -> dict[str, Any]:
    """The pictures that the page shows."""
    ev = _evaluation()
    pair: dict[str, Any] = {"system": "lsa", "baseline": "bm25"}
    return {
        "systems": ir.plots.systems(ev, "AP nDCG@10"),
        "cutoffs": ir.plots.cutoffs(ev),
        "units": ir.plots.units(ev, "AP"),
        "distribution": ir.plots.distribution(ev, "AP"),
        "precision_recall": ir.plots.precision_recall(ev),
        "judged": ir.plots.judged(ev, depth=50),
        "differences": ir.plots.differences(ev, "AP", **pair),
        "scatter": ir.plots.scatter(ev, "AP", **pair),
        "effects": ir.plots.effects(ev, "AP nDCG@10", baseline="bm25", margin=0.02),
        "matrix": ir.plots.matrix(ev, "AP"),
        "moved": ir.plots.moved(ev.diagnose("lsa", "bm25", "AP"), "115", top=10),
        "confusion": ir.plots.confusion(ir.Labels(ir.examples.labels())),
        "curve": ir.plots.curve(ir.Labels(ir.examples.scores())),
        "contingency": ir.plots.contingency(ir.Clusters(ir.examples.clusters())),
        "silhouettes": ir.plots.silhouettes(ir.Points(ir.examples.points(), ["x", "y"], cluster="k3")),
    }


# Those that are shown; the others need more than the demo collection.
SHOWN = (
    "systems", "cutoffs", "units", "distribution", "precision_recall", "judged", "differences", "scatter", "effects",
    "matrix", "moved", "confusion", "curve", "contingency", "silhouettes",
)  # fmt: skip


def page() -> str:
    """The text of the page."""
    parts = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for family, names in FAMILIES.items():
        parts.append(f"### {family}\n")
        for name in names:
            text = inspect.getdoc(getattr(ir.plots, name)) or ""
            sentence = text.split("\n\n")[0].replace("\n", " ")
            frame = re.search(r"its frame is (.*?)(?:[.:;,]? of |[.:;]|\n\n)", text, re.DOTALL)
            columns = " ".join(frame[1].split()) if frame else ""
            parts.append(f"**`{name}`** {sentence}\n")
            parts.append(f"Its frame: {columns}.\n")
            if name in SHOWN:
                parts.append(f"![{sentence.rstrip('.').replace('|', '')}](pictures/{name}.svg)\n")
    return "\n".join(parts)


def write() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    made = drawn()
    for old in FOLDER.glob("*.svg"):
        if old.stem not in made:
            old.unlink()
    for name, chart in made.items():
        ir.plots.save(chart, FOLDER / f"{name}.svg")
