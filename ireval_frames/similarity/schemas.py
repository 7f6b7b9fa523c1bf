"""The columns that tables of rankings have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ireval_frames.columns.schema import DOC_ID, QUERY_ID, RANK, RUN_ID, SCORE, Column, Schema

# What two runs found for the queries, and anything else that is put into an order: systems by a measure, say.
RUNS = Schema("runs", (RUN_ID, QUERY_ID, DOC_ID, SCORE, RANK), ("run_id", "query_id", "doc_id"))
ITEM = Column(
    "item",
    "id",
    ("item_id", *(n for n in (DOC_ID.name, *DOC_ID.aliases) if n != "item_id"), "system", "system_id", "run_id", "run"),
)
RANKING = Column("ranking", "id", ("measure", "run_id", "run", "ranker", "rater_id"), required=False)
VALUE = Column("score", "number", (*SCORE.aliases, "value"), required=False)
ITEMS = Schema(
    "rankings",
    (ITEM, RANKING, Column("query_id", "id", QUERY_ID.aliases, required=False), VALUE, RANK),
    ("ranking", "query_id", "item"),
)
KINDS = {"runs": (RUNS, ITEMS), "against": (RUNS, ITEMS)}


def of_runs(names: Sequence[str], columns: Mapping[str, str]) -> bool:
    """Whether a table of these columns holds rankings of documents for queries; `columns` is what they are called."""
    folded = {n.lower() for n in names}
    return all(
        columns.get(c.name) in names or any(a in folded for a in (c.name, *c.aliases)) for c in (QUERY_ID, DOC_ID)
    )
