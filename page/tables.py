"""What the page knows of tables: their kinds, columns and other names, layouts of lines, and files of other kinds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ireval_frames.columns.schema import (
    CLICK_MODEL,
    CLUSTERS,
    ITEM_ID,
    LABEL,
    LABELS,
    QRELS,
    QUERY_ID,
    RUN,
    RUN_ID,
    Column,
)
from ireval_frames.io.detect.layouts import LAYOUTS
from ireval_frames.io.storage.other_kinds import BEGINNINGS, HINTS
from ireval_frames.organization.tasks import GOLD, SYSTEM

UNIT = Column("unit_id", "id", ("unit",), required=False)
# Units have a column of their own here.
ITEM = replace(ITEM_ID, aliases=tuple(a for a in ITEM_ID.aliases if a != UNIT.name))
PROBABILITY = Column("probability", "number", ("prob", "score", "y_score", "confidence"))
KINDS: dict[str, tuple[str, tuple[Column, ...]]] = {
    "qrels": ("judgments", QRELS.columns),
    "run": ("run", RUN.columns),
    "labels": ("labels", (*(ITEM if c.name == "item_id" else c for c in LABELS.columns), UNIT)),
    "clusters": ("clusters", (*(ITEM if c.name == "item_id" else c for c in CLUSTERS.columns), UNIT)),
    "probabilities": (
        "probabilities of classes",
        (RUN_ID, replace(ITEM, required=True), replace(LABEL, required=True), PROBABILITY),
    ),
    "hierarchy": (
        "classes and their parents",
        (Column("label", "class", ("class", "child")), Column("parent", "class", ("parent_id",))),
    ),
    "gold": ("classes and grades of documents", (replace(QUERY_ID, required=True), *GOLD.columns)),
    "system": ("clusters and scores of documents", (replace(QUERY_ID, required=True), *SYSTEM.columns)),
    "click_model": ("parameters of a click model", CLICK_MODEL.columns),
    "table": ("table", ()),
}
# What to do with files of other kinds, where the page differs from the readers.
HERE = {"unpack": "Unpack it first; of packed text only gzip is read.", "name": "Write it as Parquet."}


def tables() -> dict[str, Any]:
    """The kinds of tables, layouts and files, as JSON has them."""
    return {
        "kinds": {
            kind: {
                "words": words,
                "columns": [
                    {"name": c.name, "kind": c.kind, "aliases": c.aliases, "required": c.required} for c in columns
                ],
            }
            for kind, (words, columns) in KINDS.items()
        },
        "layouts": [
            {
                "format": one.format,
                "kind": one.table,
                "columns": one.columns,
                "words": one.words,
                "text": one.text,
                "score_from": one.score_from,
            }
            for one in LAYOUTS
            if one.table in ("qrels", "run")
        ],
        "others": [
            {"mark": list(mark), "words": words, "hint": {**HINTS, **HERE}.get(todo, "")}
            for mark, words, todo in BEGINNINGS
        ],
    }
