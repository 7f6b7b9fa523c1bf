"""The columns of tables of nuggets: what good answers say, whether each answer says it, and how long answers are."""

from __future__ import annotations

from ireval_frames.columns.documents import SYSTEM
from ireval_frames.columns.schema import QUERY_ID, Column, Schema

QUERY = QUERY_ID
NUGGET = Column("nugget_id", "id", ("nugget", "nugget_number"))
IMPORTANCE = Column("importance", "text", ("vitality",), required=False)
# Tables of documents have weights, too: those of queries.
NUGGET_WEIGHT = Column("nugget_weight", "number", ("weight", "pyramid_weight"), required=False)
LABEL = Column("label", "text", ("assignment", "support", "judgment", "verdict"))
JUDGE = Column("judge", "id", ("judge_id", "assessor_id", "assessor", "rater_id", "rater"), required=False)
LENGTH = Column("length", "number", ("answer_length", "num_characters"), required=False)
TEXT = Column("answer", "text", ("answer_text", "text", "response", "output", "prediction"), required=False)

NUGGETS = Schema("nuggets", (QUERY, NUGGET, IMPORTANCE, NUGGET_WEIGHT), ("query_id", "nugget_id"))
ASSIGNMENTS = Schema("assignments", (SYSTEM, QUERY, NUGGET, LABEL, JUDGE), ("run_id", "query_id", "nugget_id", "judge"))
ANSWERS = Schema("answers", (SYSTEM, QUERY, LENGTH, TEXT), ("run_id", "query_id"))
