"""`columns=` of rankings: a mapping for all tables or for each; its columns must exist."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, IrevalError, MissingColumn, UnknownName
from tests.contract.kit import ENGINES
from tests.ranking.small import MEASURES, QRELS, RUN, assert_values

engines = pytest.mark.parametrize("engine", ENGINES)
# Each table has a column of the name that the other table uses.
GRADED = QRELS.rename({"relevance": "how good"}).with_columns(points=pl.lit(0.0))
SCORED = RUN.rename({"score": "points"}).with_columns(pl.lit(7).alias("how good"))
NAMES = {"relevance": "how good", "score": "points"}
BY_TABLE = {"qrels": {"relevance": "how good"}, "run": {"score": "points"}}


@engines
@pytest.mark.parametrize("columns", [NAMES, BY_TABLE, {"run": {"score": "points"}, "relevance": "how good"}])
def test_names_for_all_tables_or_one(columns: Any, engine: str) -> None:
    evaluation = ir.evaluate(GRADED, SCORED, MEASURES, columns=columns, engine=engine)
    assert_values(evaluation)
    con = duckdb.connect()
    con.register("qrels", GRADED)
    con.register("run", SCORED)
    assert con.sql(evaluation.per_unit.sql(wide=True)).pl()["AP"].sum() == pytest.approx(
        evaluation.per_unit().filter(measure="AP")["value"].sum()
    )


@engines
@pytest.mark.parametrize("file_format", ["csv", "parquet", "ndjson"])
@pytest.mark.parametrize("columns", [NAMES, BY_TABLE])
def test_names_in_files(columns: Any, file_format: str, engine: str, tmp_path: Path) -> None:
    for name, table in (("qrels", GRADED), ("run", SCORED)):
        getattr(table, f"write_{file_format}")(tmp_path / f"{name}.{file_format}")
    paths = (tmp_path / f"qrels.{file_format}", tmp_path / f"run.{file_format}")
    evaluation = ir.evaluate(*paths, MEASURES, columns=columns, engine=engine)
    assert_values(evaluation)
    if file_format != "ndjson":
        assert (
            duckdb.sql(evaluation.per_unit.sql(wide=True)).pl().height == evaluation.per_unit()["query_id"].n_unique()
        )


@engines
def test_a_file_without_a_header_and_a_table(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in RUN.rows()))
    assert_values(ir.evaluate(GRADED, path, MEASURES, columns={"relevance": "how good"}, engine=engine))
    judged = tmp_path / "qrels.txt"
    judged.write_text("".join(f"{q} s{i % 2} {d} {g}\n" for i, (q, d, g) in enumerate(QRELS.rows())))
    ev = ir.evaluate(judged, RUN, "StRecall AP(subtopics='mean')", columns={"subtopic_id": "iteration"}, engine=engine)
    assert ev.summary().height == 2


@engines
def test_names_for_one_table_have_precedence(engine: str) -> None:
    qrels = QRELS.rename({"query_id": "a"}).with_columns(b=pl.lit("none"))
    run = RUN.rename({"query_id": "b"})
    assert_values(
        ir.evaluate(qrels, run, MEASURES, columns={"query_id": "b", "qrels": {"query_id": "a"}}, engine=engine)
    )


INVALID: list[tuple[Any, type[IrevalError], str]] = [
    ({"nosuch": "x"}, UnknownName, r"'nosuch', which these tables do not have"),
    ({"scores": "points"}, UnknownName, r"'scores'(.|\n)*Did you mean score\?"),
    ({"run": {"relevance": "how good"}}, UnknownName, r"'relevance', which the run table does not have"),
    ({"rum": {"score": "points"}}, UnknownName, r"a table .rum.; the tables are .*queries, click_model.\n.*mean run\?"),
    ({**NAMES, "score": "point"}, MissingColumn, r"no column 'point' to read (.|\n)*how good\)\.\n.*mean points\?"),
    ({**NAMES, "rank": "place"}, MissingColumn, r"no column 'place' to read (.|\n)*columns=\{.rank.: .their_name.\}"),
    ({**NAMES, "run": {"score": "point"}}, MissingColumn, r"run table has no column 'point'(.|\n)*mean points"),
    ({**NAMES, "queries": {"query_id": 3}}, InvalidParameter, r"'query_id' is called 3"),
    ({**NAMES, "score": None}, InvalidParameter, r"'score' is called None"),
    (["score"], InvalidParameter, r"columns is \['score'\], which is no mapping"),
    ({3: "x"}, UnknownName, r"names 3, which"),
]  # fmt: skip


@engines
@pytest.mark.parametrize("columns, error, message", INVALID, ids=[str(w[0]) for w in INVALID])
def test_invalid_names(columns: Mapping[str, Any], error: type[IrevalError], message: str, engine: str) -> None:
    with pytest.raises(error, match=message):
        ir.evaluate(GRADED, SCORED, "AP", columns=columns, engine=engine)
