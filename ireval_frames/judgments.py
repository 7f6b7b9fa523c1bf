"""Judgments beside runs, under our names."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames import io
from ireval_frames.columns.schema import QRELS, canonical, resolve
from ireval_frames.columns.user_names import TableNames
from ireval_frames.engines.base import Engine
from ireval_frames.engines.frame import Frame
from ireval_frames.engines.inputs.frames import Read
from ireval_frames.engines.opening import Source, open_source
from ireval_frames.errors import Argument
from ireval_frames.expr import col
from ireval_frames.io.reading import streams
from ireval_frames.overlap import COMPARED_IDS, Side, nothing_in_common

KEYS = ("query_id", "doc_id")


def read_judgments(qrels: Any, engine: Engine, names: TableNames) -> Frame:
    """query_id doc_id relevance of the judged documents: negative grades, and null, are no judgments."""
    own: Any = names.of("qrels")

    def read(path: Any) -> pl.LazyFrame:
        nonlocal own
        frame = io.scan_qrels(path, columns=own)
        own = names.unused("qrels")
        return frame

    frame = open_source(Source(qrels, "qrels", Read(read, lambda _: None, streams)), engine)
    resolved = resolve(QRELS, list(frame.columns), own)
    rows = frame.select(*canonical(QRELS, frame, {c: resolved[c] for c in (*KEYS, "relevance")}))
    return rows.filter(col("relevance") >= 0)


def require_common(rows: Frame, judgments: Frame, engine: Engine) -> None:
    """Refuse judgments of other queries than those of the runs.

    Raises:
        NothingInCommon: no query is in both tables.
    """
    queries = judgments.select("query_id").unique()
    if engine.collect(engine.join(rows.select("query_id"), queries, ("query_id",), "inner").head(1)).height:
        return
    ids = [
        engine.collect(side.select("query_id").unique().sort("query_id").head(COMPARED_IDS))["query_id"]
        for side in (rows, judgments)
    ]
    if not all(map(len, ids)):
        return
    one, other = (Side(name, "query_id", some.to_list()) for name, some in zip(("run", "qrels"), ids, strict=True))
    raise nothing_in_common("No query of the run is judged", one, other, Argument("qrels", None))
