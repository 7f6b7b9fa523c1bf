"""Tables of verdicts as users have them, the suites' own values, and what is said of bad tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalError

VERDICTS = ir.examples.verdicts()


def values(frame: Any, measures: str, **options: Any) -> list[Any]:
    return ir.verdicts.Verdicts(frame, **options).evaluate(measures).per_unit()["value"].to_list()


def contexts(*verdicts: Any) -> pl.DataFrame:
    return pl.DataFrame({"query_id": "q", "rank": range(1, len(verdicts) + 1), "verdict": verdicts})


def test_as_the_suites_compute_them() -> None:
    """[1, 0, 1]: ragas divides by 2 + 1e-10, DeepEval by 2; claims that are unsure count for DeepEval alone."""
    assert values(contexts(1, 0, 1), "ContextPrecision(epsilon=1e-10)") == [(1 + 2 / 3) / (2 + 1e-10)]
    assert values(contexts(1, 0, 1), "ContextualPrecision") == [(1 + 2 / 3) / 2]
    assert values(contexts(1, 0, 0), "ContextPrecision(epsilon=1e-10)")[0] < 1.0
    claims = contexts("yes", "idk", "no").drop("rank")
    assert values(claims, "Faithfulness Faithfulness(unsure=1, empty='one')") == [1 / 3, 2 / 3]
    assert values(contexts(3, 1, 2).with_columns(pl.col("verdict") / 3), "Groundedness") == [2 / 3]


def test_average_precision_is_ours_where_all_relevant_passages_were_retrieved() -> None:
    """The name says precision; with judgments of the retrieved passages only it is AP."""
    verdicts = [0, 1, 1, 0, 1]
    ids = [f"d{i}" for i in range(5)]
    qrels = pl.DataFrame({"query_id": "q", "doc_id": ids, "relevance": verdicts})
    run = pl.DataFrame({"query_id": "q", "doc_id": ids, "score": range(5, 0, -1)})
    assert (
        values(contexts(*verdicts), "ContextPrecision") == ir.evaluate(qrels, run, "AP").per_unit()["value"].to_list()
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_files_and_other_names(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "verdicts.csv"
    renamed = VERDICTS.rename({"query_id": "question_id", "verdict": "judged_as"})
    renamed.with_columns(pl.col("judged_as").replace({"yes": "1", "no": "0.0"})).write_csv(path)
    assert values(path, "ContextRecall Faithfulness", verdict="judged_as", engine=engine) == [0.5, 2 / 3, 1.0, 0.5]


BAD: list[tuple[str, pl.DataFrame, str, str]] = [
    ("word", VERDICTS.with_columns(verdict=pl.lit("perhaps")), "Faithfulness", r"holds 'perhaps' \(21 such rows\)"),
    ("score", contexts(3, 0), "ContextRelevance", r"holds '3' \(1 such rows\)(.|\n)*/ 3"),
    ("null", contexts(1, None), "ContextRelevance", "holds None"),
    ("kind", VERDICTS.with_columns(kind=pl.lit("claims")), "Faithfulness", "holds 'claims'"),
    ("kinds", contexts(1, 0), "ContextPrecision Faithfulness", "verdicts of several kinds"),
    ("unranked", contexts(1, 0).drop("rank"), "ContextPrecision", "no column 'rank'"),
    ("rank 0", contexts(1, 0).with_columns(pl.col("rank") - 1), "ContextPrecision", "numbered from 1"),
    ("ranks", contexts(1, 0).with_columns(rank=pl.lit(1)), "ContextPrecision", "2 passages of rank 1"),
    ("lists", contexts([1], [0]), "ContextRelevance", "must hold numbers from 0 to 1"),
    ("query", contexts(1, 0).with_columns(query_id=None), "ContextRelevance", "query_id"),
]


@pytest.mark.parametrize("frame, measures, match", [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_tables(frame: pl.DataFrame, measures: str, match: str) -> None:
    with pytest.raises(IrevalError) as raised:
        values(frame, measures)
    assert re.search(match, str(raised.value)), raised.value


@pytest.mark.parametrize(
    "frame",
    [
        VERDICTS.with_columns(verdict=pl.lit("perhaps")),
        contexts(3, 0),
        contexts(7, 0),
        contexts(250, 0),
        contexts(1, None),
        contexts(1.0, float("nan")),
        contexts(1, -1),
        contexts("3", "0"),
    ],
)
def test_the_line_to_write_works(frame: pl.DataFrame) -> None:
    with pytest.raises(IrevalError) as raised:
        values(frame, "ContextRelevance")
    line = str(raised.value).split(": ", 1)[1].rstrip(".")
    values(eval(line, {"pl": pl, "verdicts": frame}), "ContextRelevance")


def test_the_nearest_kind_is_proposed() -> None:
    with pytest.raises(IrevalError, match=r"holds 'claims'(.|\n)*replace\(\{'claims': \"answer_claim\"\}\)"):
        values(pl.DataFrame({"query_id": "q", "kind": ["claims"], "verdict": [1]}), "Faithfulness")
