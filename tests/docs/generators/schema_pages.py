"""The pages `docs/tables.md` and `docs/store.md`: schemas after the hand-written parts."""

from __future__ import annotations

from pathlib import Path

from ireval_frames.columns import recommendations
from ireval_frames.columns.answers import GOLD_ANSWERS, PREDICTED_ANSWERS
from ireval_frames.columns.citations import CITATIONS, SENTENCES, SUPPORT
from ireval_frames.columns.coreference import MENTIONS
from ireval_frames.columns.links import GOLD as LINKS
from ireval_frames.columns.nuggets import ANSWERS, ASSIGNMENTS, NUGGETS
from ireval_frames.columns.paired import PAIRED
from ireval_frames.columns.relations import GOLD as RELATIONS
from ireval_frames.columns.schema import (
    CLICK_MODEL,
    CLUSTERS,
    IMPRESSIONS,
    LABELS,
    PAGES,
    QRELS,
    RATINGS,
    RUN,
    Schema,
)  # fmt: skip
from ireval_frames.columns.segmentation import SEGMENTS
from ireval_frames.columns.spans import PREDICTED_SPANS
from ireval_frames.columns.tags import TAGS
from ireval_frames.columns.timings import TIMINGS
from ireval_frames.columns.verdicts import VERDICTS
from ireval_frames.organization.tasks import ONE
from ireval_frames.points.inputs import POINTS
from ireval_frames.points.precomputed import DISTANCES
from ireval_frames.similarity.inputs import ITEMS
from ireval_frames.store.tables import TABLES as STORE_TABLES
from ireval_frames.store.views import MACROS, sql_type
from tests.docs.generators.markdown import escaped

DOCS = Path(__file__).parents[3] / "docs"
MARK = "<!-- Generated from the schemas: make docs -->\n"
STORE_MARK = "<!-- Generated from the schema: make docs -->\n"
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
    "Mentions (`ir.Coreference`)": (
        MENTIONS,
        "A row per mention, in a gold and a predicted table: its span or its id, and the entity that it refers to.",
    ),
    "Relations and events (`ir.Relations`)": (
        RELATIONS,
        "A row per relation, or per argument of an event, in a gold and a predicted table.",
    ),
    "Links and slots (`ir.Links`)": (
        LINKS,
        "A row per link or answer, in a gold and a predicted table; `on=` names further columns that must be equal.",
    ),
    "Gold answers (`ir.Answers`)": (
        GOLD_ANSWERS,
        "A row per query and gold answer, or per query with a list of them; null is no answer.",
    ),
    "Predicted answers (`ir.Answers`)": (PREDICTED_ANSWERS, "A row per query, and per system; null is no answer."),
    "Lists of recommended items (`ir.Recommendations`)": (
        recommendations.RECOMMENDATIONS,
        "A row per user and recommended item; what users used before, and relevant items, have the same names.",
    ),
    "Features of items (`ir.Recommendations`)": (
        recommendations.FEATURES,
        "A row per item and feature, such as a genre.",
    ),
    "Distances of items (`ir.Recommendations`)": (
        recommendations.DISTANCES,
        "A row per two items, in either direction.",
    ),
    "Timings (`ir.Timings`)": (TIMINGS, "A row per request to a system; numbers are seconds, or of `time_unit=`."),
    "Nuggets (`ir.Nuggets`)": (NUGGETS, "A row per query and nugget; importance is vital or okay."),
    "Labels of nuggets (`ir.Nuggets`)": (
        ASSIGNMENTS,
        "A row per nugget and answer, and per judge: support, partial_support or not_support.",
    ),
    "Answers with lengths (`ir.Nuggets`)": (ANSWERS, "A row per query, and per system: its length or its text."),
    "Sentences of answers (`ir.Citations`)": (SENTENCES, "A row per sentence of an answer."),
    "Citations (`ir.Citations`)": (CITATIONS, "A row per citation of a sentence; a null doc_id cites nothing."),
    "Labels of support (`ir.Citations`)": (
        SUPPORT,
        "A row per label: whether a passage supports a sentence, all of them together do, or all but one.",
    ),
    "Verdicts (`ir.verdicts.Verdicts`)": (VERDICTS, "A row per verdict; kind says what it is about."),
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
    "Segmentations (`ir.Segmentation`)": (
        SEGMENTS,
        "A row per position of a document; or two tables of boundaries, and one of documents with their `length`.",
    ),
    "Spans (`ir.Spans`)": (
        PREDICTED_SPANS,
        "A row per span, in a gold and in a predicted table; with `rater=` in one table of several annotators.",
    ),
    "Tags (`ir.Spans.from_tags`)": (
        TAGS,
        "A row per token; or a row per sentence with lists of tags, whose positions are those in the list.",
    ),
    "Orders of anything (`ir.Similarity`)": (ITEMS, "A row per item of a ranking."),
}
KINDS = {
    "id": "id",
    "number": "number",
    "integer": "integer",
    "class": "class",
    "time": "time, or seconds",
    "text": "text",
}


def tables() -> str:
    """The text of the page of tables."""
    lines = [_by_hand("tables.md", MARK)]
    for title, (schema, text) in TABLES.items():
        lines += [f"## {title}", "", escaped(text), "", "| column | type | aliases |", "|---|---|---|"]
        for column in schema.columns:
            needed = ", required" if column.required else ""
            aliases = ", ".join(f"`{a}`" for a in column.aliases)
            lines.append(f"| `{column.name}` | {KINDS[column.kind]}{needed} | {aliases} |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def store() -> str:
    """The text of the page of the store."""
    lines = [_by_hand("store.md", STORE_MARK)]
    for table in STORE_TABLES.values():
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


def _by_hand(name: str, mark: str) -> str:
    """The hand-written part of a page, and the mark after it."""
    return (DOCS / name).read_text("utf-8").partition(mark)[0] + mark
