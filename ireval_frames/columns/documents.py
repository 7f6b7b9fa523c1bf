"""The columns of a table of documents: which there are, and how much each counts."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.schema import DOC_ID, RUN_ID, WEIGHT, Column, Schema

# The documents of a gold and of a predicted table; families that compare something else in queries name these.
DOCUMENT = replace(DOC_ID, aliases=tuple(a for a in DOC_ID.aliases if a != "item_id"))
DOCUMENTS = Schema("documents", (DOCUMENT, WEIGHT), ("doc_id",))
# In tables of what is in documents a tag is a type of it, not that of a run.
SYSTEM = replace(RUN_ID, aliases=tuple(a for a in RUN_ID.aliases if a != "tag"))
# The documents of a collection: their texts.
TEXTS = Schema(
    "documents",
    (
        replace(DOCUMENT, aliases=(*DOCUMENT.aliases, "_id", "id")),
        Column("title", "text", ("headline",), required=False),
        Column("text", "text", ("contents", "body", "passage", "abstract"), required=False),
    ),
    ("doc_id",),
)
