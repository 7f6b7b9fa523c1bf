"""The columns of tables of segmentations: positions with their segments, or boundaries."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.documents import DOCUMENT, SYSTEM
from ireval_frames.columns.schema import Column, Schema

POSITION = Column(
    "position",
    "number",
    ("pos", "boundary", "index", "offset", "start", "sentence", "sentence_id", "token", "token_id", "paragraph"),
)
GOLD_SEGMENT = Column("gold_segment", "class", ("gold", "reference", "segment_gold", "true_segment"))
SEGMENT = Column("segment", "class", ("segment_id", "predicted_segment", "predicted", "hypothesis", "prediction"))
# Of documents: the number of their positions.
LENGTH = Column("length", "number", ("n_positions", "n_units", "n_sentences", "n_tokens", "size"), required=False)
SEGMENTS = Schema("segments", (SYSTEM, DOCUMENT, POSITION, GOLD_SEGMENT, SEGMENT), ("run_id", "doc_id", "position"))
# One table of positions is read once for each side.
GOLD_OF_ONE = Schema("segments", (DOCUMENT, POSITION, GOLD_SEGMENT), ("doc_id", "position"))
PREDICTED_OF_ONE = Schema("segments", (SYSTEM, DOCUMENT, POSITION, SEGMENT), ("run_id", "doc_id", "position"))
# Two tables have positions with their segments, or boundaries, which may have labels of their own.
GOLD = Schema(
    "gold",
    (
        DOCUMENT,
        POSITION,
        replace(GOLD_SEGMENT, aliases=("segment", "segment_id"), required=False),
    ),
    ("doc_id", "position"),
)
PREDICTED = Schema(
    "predicted",
    (SYSTEM, DOCUMENT, POSITION, replace(SEGMENT, aliases=("segment_id", "predicted_segment"), required=False)),
    ("run_id", "doc_id", "position"),
)
