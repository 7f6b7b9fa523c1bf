"""Files of many rows are written in groups, and are what files of few rows are."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pyarrow.parquet as pq
from polars.testing import assert_frame_equal

from ireval_frames.store.folder import files, marks
from ireval_frames.store.folder.parquet import ROWS
from ireval_frames.store.tables import TABLES


def test_many_rows_are_written_as_few_are(tmp_path: Path) -> None:
    n = ROWS + 10
    ids = pl.int_range(n, eager=True)
    rows = pl.DataFrame(
        {
            "evaluation_id": pl.repeat("a" * 16, n, eager=True),
            "run_id": pl.repeat("über", n, eager=True),
            "groups": pl.repeat("{}", n, eager=True),
            "unit_id": ids.cast(pl.String),
            "measure": pl.repeat("P@2", n, eager=True),
            "value": (ids % 3 / 2).cast(pl.Float64).set(ids % 7 == 0, None),
            "status": pl.repeat("ok", n, eager=True),
        },
        schema=TABLES["values"].schema,
    )
    (tmp_path / "s").mkdir()
    many = files.write(tmp_path / "s", "values", "a" * 16, rows)
    few = files.write(tmp_path / "s", "values", "b" * 16, rows.head(10))
    listing = files.listing(tmp_path / "s")
    assert listing.problems == {}
    for path, expected in ((many, rows), (few, rows.head(10))):
        assert marks.problem(path, TABLES["values"]) == ""
        assert_frame_equal(listing.only("values", [path]).collect(), expected, check_exact=True)
        assert duckdb.sql(f"FROM read_parquet('{path}')").fetchall() == expected.rows()
    assert pq.ParquetFile(many).metadata.num_row_groups == 2
    # Numbers that repeat are kept once.
    assert many.stat().st_size < 3 * n
