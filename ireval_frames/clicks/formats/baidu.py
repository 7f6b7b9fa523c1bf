"""Baidu-ULTR's session files: a line for the query, then one for each document that was shown."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from ireval_frames.clicks.formats.lines import FIELDS, LINE, field, fields, is_whole, refuse, whole

# A line of a document has more fields than one of a query: position, URL, title, abstract, type and click come first.
MIN_FIELDS = 6


def read(path: str | Path) -> pl.DataFrame:
    """`Qid Query Reformulation`, and below it a line per document: `Pos Url_md5 Title Abstract Type Click …`, by tabs.

    What follows the click is not read.
    """
    lines = fields(path)
    document = pl.col(FIELDS).list.len() >= MIN_FIELDS
    valid = pl.when(document).then(is_whole(0) & is_whole(5)).otherwise(field(0) != "")
    refuse(
        lines,
        ~valid.fill_null(value=False),
        path,
        "Write Qid Query Reformulation, then Pos Url_md5 Title Abstract Type Click …",
    )
    of_query = {"serp_id": pl.col(LINE), "query_id": field(0), "query_text": field(1)}
    columns = {name: pl.when(~document).then(e).forward_fill() for name, e in of_query.items()}
    rows = lines.with_columns(**columns).with_columns(
        is_document=document, follows=document.shift(-1).fill_null(value=False)
    )
    refuse(
        rows.filter(pl.col("is_document") & pl.col("serp_id").is_null()).select(LINE, FIELDS),
        pl.lit(value=True),
        path,
        "A line of a query comes before those of its documents.",
    )
    # A query of no documents is a page that shows nothing.
    shown = pl.col("is_document")
    return (
        rows.filter(shown | ~pl.col("follows"))
        .select(
            *of_query,
            doc_id=pl.when(shown).then(field(1)),
            position=pl.when(shown).then(whole(0)),
            click=pl.when(shown).then(whole(5)).otherwise(0),
            result_type=pl.when(shown).then(field(4)),
        )
        .collect()
    )
