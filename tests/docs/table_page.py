"""The page of tables, `docs/tables.md`: after the hand-written part, the columns and aliases of the schemas."""

from __future__ import annotations

from pathlib import Path

from ireval_frames.columns.schema import (
    CLICK_MODEL,
    CLUSTERS,
    IMPRESSIONS,
    LABELS,
    PAGES,
    PAIRED,
    QRELS,
    RATINGS,
    RUN,
    Schema,
)  # fmt: skip
from ireval_frames.organization.tasks import ONE
from ireval_frames.points.inputs import POINTS
from ireval_frames.points.precomputed import DISTANCES
from ireval_frames.similarity.inputs import ITEMS
from tests.docs.markdown import escaped

PAGE = Path(__file__).parents[2] / "docs" / "tables.md"
MARK = "<!-- Generated from the schemas: make docs -->\n"
TABLES: dict[str, tuple[Schema, str]] = {
    "Judgments (`ir.evaluate`, `ir.Rankings`)": (
        QRELS,
        "A row per query and document.  Measures are over the queries of this table.",
    ),
    "Runs (`ir.evaluate`, `ir.Rankings`, `ir.Similarity`)": (
        RUN,
        "A row per query and retrieved document, with a score or a rank.",
    ),
    "Labels (`ir.Labels`)": (
        LABELS,
        "A row per item; labels and predictions may be lists.  A second table may hold the predictions.",
    ),
    "Clusters (`ir.Clusters`)": (
        CLUSTERS,
        "A row per item; for items in several clusters, lists, or several rows with `overlapping=True`.",
    ),
    "Points (`ir.Points`)": (
        POINTS,
        "A row per point.  `features=` names the columns of coordinates, or one column of vectors.",
    ),
    "Distances of points (`distances=` of `ir.Points`)": (
        DISTANCES,
        "Instead of features: a row per pair of points, in either order or in both.",
    ),
    "Document organization (`ir.Organization`)": (
        ONE,
        "A row per item, in one table or in two: the gold's relevance and label, the system's score and cluster.",
    ),
    "Click logs (`ir.Impressions`)": (
        IMPRESSIONS,
        "A row per shown result, or a row per page with lists of documents and clicks in the order of positions.",
    ),
    "Result pages (`ir.Impressions`)": (PAGES, "A row per result page, also of pages without results."),
    "Parameters of click models (`click_model=`)": (
        CLICK_MODEL,
        "A row per value of a parameter: by query and document or by grade, and by position where it depends on that.",
    ),
    "Ratings (`ir.Ratings`)": (
        RATINGS,
        "A row per unit and rater.  A table with a row per unit names its columns of raters: `raters=`.",
    ),
    "Paired comparisons (`ir.ratings.PairedComparisons`)": (
        PAIRED,
        "A row per comparison of two items; the winner is one of them, `a`, `b`, or a tie.",
    ),
    "Orders of anything (`ir.Similarity`)": (ITEMS, "A row per item of a ranking."),
}
KINDS = {"id": "id", "number": "number", "integer": "integer", "class": "class", "time": "time, or seconds"}


def page() -> str:
    """The text of the page."""
    lines = [PAGE.read_text("utf-8").partition(MARK)[0] + MARK]
    for title, (schema, text) in TABLES.items():
        lines += [f"## {title}", "", escaped(text), "", "| column | type | aliases |", "|---|---|---|"]
        for column in schema.columns:
            needed = ", required" if column.required else ""
            aliases = ", ".join(f"`{a}`" for a in column.aliases)
            lines.append(f"| `{column.name}` | {KINDS[column.kind]}{needed} | {aliases} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
