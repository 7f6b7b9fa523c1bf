"""The columns of tables of spans: which part of a document has which type."""

from __future__ import annotations

from ireval_frames.columns.documents import DOCUMENT, SYSTEM
from ireval_frames.columns.schema import Column, Schema

START = Column(
    "start", "integer", ("begin", "start_offset", "start_char", "char_start", "startOffset", "start_token", "onset")
)
END = Column("end", "integer", ("end_offset", "end_char", "char_end", "endOffset", "end_token", "stop", "offset"))
TYPE = Column(
    "type", "class", ("label", "entity_type", "entity", "entity_group", "span_type", "class", "tag"), required=False
)
# Rows of one document with equal ids are the fragments of one span.
SPAN_ID = Column("span_id", "id", required=False)

GOLD_SPANS = Schema("gold", (DOCUMENT, START, END, TYPE, SPAN_ID), ("doc_id", "start", "end", "type"))
PREDICTED_SPANS = Schema(
    "predicted", (SYSTEM, DOCUMENT, START, END, TYPE, SPAN_ID), ("run_id", "doc_id", "start", "end", "type")
)
