"""Digests of large tables tell rows apart and not their order; those of a part are those of it alone."""

from __future__ import annotations

import polars as pl
import pytest

from ireval_frames.engines.digests import FEW, digested
from ireval_frames.engines.polars import PolarsEngine

N = FEW + 3
ROWS = pl.DataFrame({"doc_id": pl.int_range(N, eager=True).cast(pl.String), "score": pl.int_range(N, eager=True) / 7})


def digest(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    engine = PolarsEngine()
    return digested(engine, engine.from_polars(rows), by)


def test_the_order_of_rows_is_in_no_digest() -> None:
    wanted = digest(ROWS)
    assert wanted["digest_kind"].item().startswith("polars-")
    assert digest(ROWS.reverse()).equals(wanted)
    assert digest(ROWS.sample(fraction=1.0, shuffle=True, seed=1)).equals(wanted)


@pytest.mark.parametrize(
    "changed",
    [
        ROWS.head(N - 1),
        ROWS.with_columns(score=pl.col("score") + pl.when(pl.col("doc_id") == "7").then(1e-9).otherwise(0.0)),
        ROWS.with_columns(score=pl.col("score").reverse()),
        ROWS.rename({"doc_id": "query_id"}),
        pl.concat([ROWS, ROWS.head(1)]),
    ],
)
def test_a_changed_table_has_another_digest(changed: pl.DataFrame) -> None:
    assert changed.height > FEW
    assert digest(changed)["digest"].item() != digest(ROWS)["digest"].item()


def test_a_part_has_the_digest_that_it_has_alone() -> None:
    other = ROWS.with_columns(pl.col("score") * 2)
    both = pl.concat([ROWS.with_columns(run=pl.lit("a")), other.with_columns(run=pl.lit("b"))])
    found = digest(both.sample(fraction=1.0, shuffle=True, seed=2), "run").sort("run")
    assert found["digest"].to_list() == [digest(rows)["digest"].item() for rows in (ROWS, other)]
