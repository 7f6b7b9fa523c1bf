"""The columns of tables of mentions: where they are, and the entity that each refers to."""

from __future__ import annotations

from ireval_frames.columns.documents import DOCUMENT, SYSTEM
from ireval_frames.columns.schema import Column, Schema

START = Column("start", "integer", ("begin", "start_offset", "start_char", "start_token", "from"), required=False)
END = Column("end", "integer", ("stop", "end_offset", "end_char", "end_token", "to"), required=False)
MENTION_ID = Column("mention_id", "id", ("mention", "span_id", "markable_id", "id"), required=False)
ENTITY = Column(
    "cluster_id",
    "class",
    ("cluster", "entity_id", "entity", "chain_id", "chain", "coref_id", "coreference", "set_id", "label"),
)
HEAD = Column("head", "integer", ("head_index", "head_token", "head_start"), required=False)

MENTIONS = Schema(
    "gold", (SYSTEM, DOCUMENT, START, END, MENTION_ID, ENTITY, HEAD), ("doc_id", "start", "end", "mention_id")
)
PREDICTED_MENTIONS = Schema("predicted", MENTIONS.columns, ("run_id", *MENTIONS.key))
