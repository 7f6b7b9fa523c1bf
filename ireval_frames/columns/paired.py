"""The columns of comparisons of two items, such as battles of models."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.schema import Column, Schema

PAIRED = Schema(
    "comparisons",
    (
        Column("item_a", "id", ("model_a", "system_a", "a", "left")),
        Column("item_b", "id", ("model_b", "system_b", "b", "right")),
        Column("winner", "class", ("preferred", "outcome", "preference")),
        Column("unit_id", "id", ("unit", "query_id", "prompt", "prompt_id", "question_id"), required=False),
        Column("length_a", "number", ("len_a",), required=False),
        Column("length_b", "number", ("len_b",), required=False),
        Column("order", "number", ("tstamp", "time"), required=False),
    ),
    (),
)
# The first item's share of a win instead of a winner, and whether a tie is one of two bad items.
SCORED_PAIRS = replace(
    PAIRED,
    columns=(
        *(Column("score", "number", ()) if c.name == "winner" else c for c in PAIRED.columns),
        Column("both_bad", "class", (), required=False),
    ),
)
