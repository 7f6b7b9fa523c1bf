"""The columns of tables of verdicts on contexts, claims and statements of generated answers."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.citations import QUERY
from ireval_frames.columns.schema import RANK, RUN_ID, Column, Schema

KIND = Column("kind", "class", ("judged", "item_kind"), required=False)
VERDICT = Column("verdict", "class", ("label", "score", "judgment", "judgement", "value"))
CONTEXT_RANK = replace(RANK, aliases=("position", "context_rank", "node_index"))
VERDICTS = Schema("verdicts", (RUN_ID, QUERY, KIND, CONTEXT_RANK, VERDICT), ("run_id", "query_id", "kind", "rank"))
