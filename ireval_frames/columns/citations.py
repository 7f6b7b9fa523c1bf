"""The columns of tables of citations: the sentences of answers, what they cite, and whether that supports them."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.schema import DOC_ID, QUERY_ID, RANK, RUN_ID, Column, Schema

QUERY = replace(QUERY_ID, aliases=(*QUERY_ID.aliases, "example_id"))
SENTENCE_ID = Column(
    "sentence_id", "id", ("sentence", "sent_id", "sent", "sentence_number", "claim_id", "statement_id")
)
CITED = replace(DOC_ID, aliases=(*(a for a in DOC_ID.aliases if a != "item_id"), "segment_id"))
SUPPORT_LABEL = Column(
    "label", "class", ("support", "verdict", "judgment", "judgement", "relevance", "rel", "grade", "entailment")
)
# Which passages a label is about: the cited one, all that the sentence cites, or all but this one.
PASSAGES = Column("passages", "class", ("premise", "set_kind"), required=False)
JUDGE = Column("judge", "id", ("judge_id", "assessor", "assessor_id", "annotator", "rater", "rater_id"), required=False)

SENTENCES = Schema("sentences", (RUN_ID, QUERY, SENTENCE_ID), ("run_id", "query_id", "sentence_id"))
CITATIONS = Schema(
    "citations", (RUN_ID, QUERY, SENTENCE_ID, CITED, RANK), ("run_id", "query_id", "sentence_id", "doc_id", "rank")
)
SUPPORT = Schema(
    "support",
    (RUN_ID, QUERY, SENTENCE_ID, CITED, SUPPORT_LABEL, PASSAGES, JUDGE),
    ("run_id", "query_id", "sentence_id", "doc_id", "passages", "judge"),
)
ANSWERED_QUERIES = Schema("queries", (QUERY,), ("query_id",))
