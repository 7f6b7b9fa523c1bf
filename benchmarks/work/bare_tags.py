"""The least work that engines could do to count spans of tags: rows that are in order, nothing checked, one unit."""

from collections.abc import Callable

import polars as pl

from benchmarks.work.database import items_database

Counts = dict[str, float]
KEY = ("sentence_id", "start", "end", "type")


def polars(table: str) -> Callable[[], Counts]:
    """Polars shifts, sums beginnings and groups by them, and joins both sides."""
    frame = pl.read_parquet(table).lazy()
    same = pl.col("sentence_id") == pl.col("sentence_id").shift(1)

    def spans(tag: str) -> pl.LazyFrame:
        before = pl.when(same).then(pl.col(tag).shift(1)).otherwise(pl.lit("O"))
        rows = frame.select("sentence_id", "position", tag=pl.col(tag), before=before)
        rows = rows.filter(pl.col("tag") != "O").with_columns(type=pl.col("tag").str.slice(2))
        begins = (
            pl.col("tag").str.starts_with("B")
            | (pl.col("before") == "O")
            | (pl.col("before").str.slice(2) != pl.col("type"))
        )
        first, position = pl.col("sentence_id", "type").first(), pl.col("position")
        rows = rows.with_columns(number=begins.cum_sum())
        return rows.group_by("number").agg(first, start=position.first(), end=position.last())

    def work() -> Counts:
        gold, predicted = spans("gold"), spans("predicted")
        both = gold.join(predicted, on=KEY)
        return _ratios(*(n.item() for n in pl.collect_all([t.select(pl.len()) for t in (gold, predicted, both)])))

    return work


def duckdb(table: str) -> Callable[[], Counts]:
    """DuckDB numbers beginnings in a window and groups by them."""
    con = items_database(table, "tags", "*")

    def spans(tag: str) -> str:
        near = (
            f"SELECT sentence_id, position, {tag} AS tag, coalesce(lag({tag}) OVER w, 'O') AS before "
            "FROM tags WINDOW w AS (PARTITION BY sentence_id ORDER BY position)"
        )
        begins = "tag[1] = 'B' OR before = 'O' OR before[3:] <> tag[3:]"
        numbered = (
            f"SELECT *, sum(CASE WHEN {begins} THEN 1 ELSE 0 END) OVER (PARTITION BY sentence_id ORDER BY position) AS "
            f"number FROM ({near}) WHERE tag <> 'O'"
        )
        return (
            'SELECT sentence_id, min(position) AS start, max(position) AS "end", any_value(tag[3:]) AS type FROM '
            f"({numbered}) GROUP BY sentence_id, number"
        )

    counts = ", ".join(f"(SELECT count(*) FROM {side})" for side in ("gold", "predicted"))
    text = (
        f"WITH gold AS MATERIALIZED ({spans('gold')}), predicted AS MATERIALIZED ({spans('predicted')}) "
        f'SELECT {counts}, (SELECT count(*) FROM gold JOIN predicted USING (sentence_id, start, "end", type))'
    )
    return lambda: _ratios(*con.sql(text).fetchall()[0])


def _ratios(gold: int, predicted: int, both: int) -> Counts:
    return {"Precision": both / predicted, "Recall": both / gold, "F1": 2 * both / (gold + predicted)}
