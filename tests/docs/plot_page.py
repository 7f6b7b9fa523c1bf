"""The page about pictures, and the pictures on it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import ireval_frames as ir

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"

INTRODUCTION = """# Pictures

`ir.plots.NAME(result, …)` is a chart of Altair, and `ir.plots.NAME.frame(result, …)` the small frame that it draws: a row per mark.
Nothing is computed in the browser: means, intervals, shares and bins are ours, the frames are tested against plain loops, and no picture has more than 5,000 marks, however many rows stand behind it.
They need the extra `plots`: `pip install "ireval-frames[plots]"`.

```python
import ireval_frames as ir

ev = ir.evaluate("data/stdlib/qrels.txt", "data/stdlib/runs/*.txt", "AP nDCG@10")
chart = ir.plots.systems(ev, "AP")
print(ir.plots.systems.frame(ev, "AP").select("run_id", "value", "low", "high", "n_units").row(0))
```

```text
{row}
```

`ir.plots.save(chart, "systems.svg")` writes .svg, .png, .pdf, or a page (.html) without scripts; `ireval plot systems QRELS RUN… -o systems.svg` does so from a shell.
`result.plot()` is the natural picture of an evaluation (`systems`), a comparison (`effects`), a store (`history`), and of tables: `labels.confusion.plot()`, `labels.curve.plot("roc")`, `clusters.contingency.plot()`, `points.silhouettes.plot()`, `rankings.curve.plot()`.

Every picture takes `theme=` ("image": on white, the default; "page": in the colours of the page that the SVG stands in), `width=`, `height=` and `title=`.
Titles say the measure, its direction, the number of units, and what a bar is.
Blue is better and vermillion worse, in the measure's direction; colours differ for all eyes, and shapes or dashes say the same again.
Of more than four systems those of `highlight=` are in colour.
Names from data are drawn as text: control characters are written out (`\\n`), and no link, script or request comes of them.

## All of them
"""
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
    row = ir.plots.systems.frame(_evaluation(), "AP").select("run_id", "value", "low", "high", "n_units").row(0)
    parts = [INTRODUCTION.format(row=row).replace("{{", "{").replace("}}", "}")]
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
