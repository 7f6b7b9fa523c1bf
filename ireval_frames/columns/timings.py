"""The columns of tables of timings: a row per request."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.schema import QUERY_ID, RUN_ID, WEIGHT, Column, Schema

REQUEST_QUERY = replace(QUERY_ID, required=False)
SECONDS = Column("seconds", "number", ("latency_seconds", "elapsed_seconds", "duration_seconds", "latency_s"))

TIMINGS = Schema(
    "timings",
    (
        RUN_ID,
        REQUEST_QUERY,
        Column("repetition", "class", ("repeat", "trial", "iteration"), required=False),
        SECONDS,
        Column("started", "time", ("started_at", "start", "start_time", "timestamp", "sent_at"), required=False),
        Column("scheduled", "time", ("scheduled_at", "intended_start", "intended_start_time"), required=False),
        Column("status", "class", ("status_code", "success", "ok", "outcome"), required=False),
        Column("cost", "number", (), required=False),
        replace(WEIGHT, aliases=("n_requests", "requests", "count")),
    ),
    ("run_id", "query_id", "repetition"),
)
