"""The columns of a table of tags: a row per token, or a row per sentence with lists."""

from __future__ import annotations

from ireval_frames.columns.documents import DOCUMENT
from ireval_frames.columns.schema import Column, Schema

SENTENCE = Column("sentence_id", "id", ("sentence", "sent_id", "sentence_idx"), required=False)
TOKEN_POSITION = Column("position", "integer", ("token_id", "token_index", "index"), required=False)
GOLD_TAG = Column("gold", "class", ("gold_tag", "ner_tags", "label", "labels", "tags", "y_true"))
PREDICTED_TAG = Column("predicted", "class", ("predicted_tag", "prediction", "predictions", "y_pred"))
TAGS = Schema(
    "tags", (DOCUMENT, SENTENCE, TOKEN_POSITION, GOLD_TAG, PREDICTED_TAG), ("doc_id", "sentence_id", "position")
)
