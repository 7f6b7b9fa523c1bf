"""The columns of tables about fair exposure: lists, the groups of documents, targets, and judgments."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.documents import SYSTEM
from ireval_frames.columns.schema import DOC_ID, QUERY_ID, RANK, RELEVANCE, SCORE, WEIGHT, Column, Schema

QUERY = replace(QUERY_ID, aliases=(*QUERY_ID.aliases, "user_id", "user", "id"))
DOCUMENT = replace(DOC_ID, aliases=(*DOC_ID.aliases, "item", "page_id"))
GROUP = Column("group", "class", ("group_id", "attribute", "protected", "category", "provider", "provider_id"))
SHARE = Column("share", "number", ("weight", "alignment", "proportion", "probability"), required=False)
SAMPLE = Column("sample", "id", ("sample_id", "seq_no", "iteration", "sequence"), required=False)

RUN = Schema("run", (SYSTEM, QUERY, SAMPLE, DOCUMENT, SCORE, RANK), ("run_id", "query_id", "sample", "doc_id"))
GROUPS = Schema("groups", (DOCUMENT, replace(GROUP, required=False), SHARE), ("doc_id", "group"))
TARGET = Schema(
    "target",
    (replace(QUERY, required=False), replace(GROUP, required=False), replace(SHARE, required=True)),
    ("query_id", "group"),
)
RELEVANT = Schema(
    "relevant",
    (QUERY, DOCUMENT, replace(RELEVANCE, aliases=(*RELEVANCE.aliases, "utility"), required=False)),
    ("query_id", "doc_id"),
)
QUERIES = Schema("queries", (QUERY, WEIGHT), ("query_id",))
# By the names of the arguments that tables are passed as.
TABLES = {schema.name: (schema,) for schema in (RUN, GROUPS, TARGET, RELEVANT, QUERIES)}
