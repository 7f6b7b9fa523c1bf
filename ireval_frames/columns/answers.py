"""The columns of tables of answers: the gold answers of queries, and the predicted ones."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.documents import SYSTEM
from ireval_frames.columns.schema import QUERY_ID, Column, Schema

QUERY = replace(QUERY_ID, aliases=(*QUERY_ID.aliases, "id", "example_id"))
ANSWER = Column("answer", "text", ("answers", "text", "gold", "gold_answer", "reference", "references", "target"))
PREDICTION = Column(
    "prediction",
    "text",
    ("predicted", "predicted_answer", "prediction_text", "response", "output", "generated_text", "answer", "text"),
)

GOLD_ANSWERS = Schema("gold", (QUERY, ANSWER), ("query_id",))
PREDICTED_ANSWERS = Schema("predicted", (SYSTEM, QUERY, PREDICTION), ("run_id", "query_id"))
