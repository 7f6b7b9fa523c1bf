"""Tables of citations as users have them, and what is said of bad ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalError, NotDefined
from tests.cli.commands import invoke, lines

SENTENCES, CITATIONS, SUPPORT = ir.examples.citations()
TABLES = {"sentences": SENTENCES, "citations": CITATIONS, "support": SUPPORT}
Change = Callable[[pl.DataFrame], pl.DataFrame]


def values(
    tables: dict[str, Any] = TABLES, measures: str = "CitationPrecision CitationRecall", **options: Any
) -> list[Any]:
    return ir.Citations(**tables, **options).evaluate(measures).summary()["value"].to_list()


def in_words(label: pl.Expr, words: tuple[str, str, str]) -> pl.Expr:
    return label.replace_strict({0: words[0], 1: words[1], 2: words[2]}, return_dtype=pl.String)


@pytest.mark.parametrize(
    "words",
    [("no_support", "partial_support", "full_support"), ("No Support", "Partial-Support", " FULL support"),
     ("0", "1", "2"), ("NS", "PS", "FS")],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_labels_in_words(words: tuple[str, str, str], engine: str) -> None:
    support = SUPPORT.with_columns(in_words(pl.col("label"), words).alias("label"))
    assert values(TABLES | {"support": support}, engine=engine) == [0.25, 0.1875]


def test_labels_of_two_values() -> None:
    """True is full support; so is 1 if the policy says that there are two."""
    supports = pl.col("label") > 0
    of_bool, of_numbers = (SUPPORT.with_columns(supports.cast(t).alias("label")) for t in (pl.Boolean, pl.Int8))
    assert values(TABLES | {"support": of_bool}) == [0.375, 0.25]
    assert values(TABLES | {"support": of_numbers}, policy="labels=binary") == [0.375, 0.25]
    assert values(TABLES | {"support": of_numbers}, policy="labels=graded") == [0.1875, 0.125]
    with pytest.raises(IrevalError, match=r"no 2, which is full support(.|\n)*labels=binary"):
        values(TABLES | {"support": of_numbers})
    # A text file has no types of its own.
    with pytest.raises(IrevalError, match=r"no 2, which is full support(.|\n)*labels=binary"):
        values(TABLES | {"support": of_numbers.cast({"label": pl.String})})
    of_words = of_bool.with_columns(pl.col("label").replace_strict({True: "partial_support", False: "0"}))
    assert values(TABLES | {"support": of_words}) == [0.1875, 0.125]


def test_the_line_that_replaces_a_label_works() -> None:
    support = SUPPORT.with_columns(label=pl.lit(3))
    with pytest.raises(IrevalError, match=r"holds '3' \(4 such rows\)") as error:
        values(TABLES | {"support": support})
    line = str(error.value).split("Replace it: ")[1]
    assert values(TABLES | {"support": eval(line, {"pl": pl, "support": support})}) == [0.0, 0.0]


def test_queries_groups_and_other_names() -> None:
    queries = pl.DataFrame({"query_id": ["q1", "q2", "q3"], "kind": ["x", "x", "y"]})
    summary = ir.Citations(**TABLES, queries=queries, by="kind").evaluate("CitationRecall").summary()
    assert summary.select("kind", "value", "n_units").rows() == [("x", 0.1875, 2), ("y", 0.0, 1)]
    assert values(queries=["q1", "q3"], measures="CitationRecall", policy="missing=skip") == [0.375]
    names = ("topic_id", "qid", "question_id")
    aliases = {t: f.rename({"query_id": n}) for (t, f), n in zip(TABLES.items(), names, strict=True)}
    assert values(aliases, queries=pl.DataFrame({"topic": ["q1", "q2"]})) == [0.25, 0.1875]
    renamed = {name: frame.rename({"query_id": "thema"}) for name, frame in TABLES.items()}
    renamed["support"] = renamed["support"].rename({"doc_id": "passage"})
    renamed["citations"] = renamed["citations"].rename({"rank": "place"})
    assert values(renamed, query="thema", doc="passage", rank="place") == [0.25, 0.1875]


def test_judges() -> None:
    both = pl.concat(
        [SUPPORT.with_columns(judge=pl.lit("a")), SUPPORT.with_columns(judge=pl.lit("b"), label=pl.lit(2, pl.Int64))]
    )
    tables = TABLES | {"support": both}
    assert values(tables, policy="judges=mean") == [(1 + 0.75 + 0.75 + 0.5) / 4 / 2, (1 + 0.75 + 0.5) / 4 / 2]


BAD: list[tuple[str, str, Change, dict[str, Any], str]] = [
    ("label", "support", lambda f: f.with_columns(label=pl.lit("maybe")), {}, r"holds 'maybe' \(4 such rows\)"),
    ("missing label", "support", lambda f: f.head(2), {}, "2 are missing.*passage 'd1'|2 are missing.*passage 'd3'"),
    ("two labels", "support", lambda f: pl.concat([f, f]), {}, "has 2 labels"),
    ("two judges", "support", lambda f: pl.concat([f.with_columns(judge=pl.lit(j)) for j in "ab"]), {}, "judges=mean"),
    ("about", "support", lambda f: f.with_columns(passages=pl.lit("both")), {}, "holds 'both'"),
    ("of nothing", "support", lambda f: f.with_columns(doc_id=pl.lit(None, pl.String)), {}, "labels have no doc_id"),
    ("other answers", "citations", lambda f: f.with_columns(query_id=pl.lit("q9")), {}, "No row of the citations"),
    ("no sentence", "citations", lambda f: f.with_columns(sentence_id=pl.lit(9)), {}, "4 citations are of sentences"),
    ("rank 0", "citations", lambda f: f.with_columns(rank=pl.lit(0)), {}, "numbered from 1"),
    ("one rank", "citations", lambda f: f.with_columns(rank=pl.lit(1)), {}, "2 citations of rank 1"),
    ("cites nothing", "citations", lambda f: f.with_columns(doc_id=pl.lit(None, pl.String)),
     {"policy": "out_of_range=error"}, "4 citations have no doc_id"),
    ("unranked", "citations", lambda f: f.drop("rank"), {"measures": "CitationRecall(first=1)"}, "no column 'rank'"),
    ("twice", "sentences", lambda f: pl.concat([f, f]), {}, "has 2 rows"),
    ("runs", "sentences", lambda f: f.with_columns(run_id=pl.lit("a")), {}, "has a column 'run_id' of runs"),
    ("text", "sentences", lambda f: f.cast({"sentence_id": pl.String}), {}, "so none can be equal"),
    ("alce", "support", lambda f: f, {"measures": "CitationF(convention='alce')"}, "together=any"),
]  # fmt: skip


@pytest.mark.parametrize("table, change, options, match", [b[1:] for b in BAD], ids=[b[0] for b in BAD])
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_bad_tables(table: str, change: Change, options: dict[str, Any], match: str, engine: str) -> None:
    with pytest.raises(IrevalError) as raised:
        values(TABLES | {table: change(TABLES[table])}, engine=engine, **options)
    assert re.search(match, str(raised.value)), raised.value


def test_the_command(tmp_path: Path) -> None:
    for name, frame in TABLES.items():
        frame.write_csv(tmp_path / f"{name}.csv")
    files = [tmp_path / "sentences.csv", tmp_path / "support.csv", "--citations", tmp_path / "citations.csv"]
    assert lines(invoke("citations", *files, "CitationF(first=1)")) == [
        "measure              value",
        "CitationF(first=1)  0.2143",
    ]
    failed = invoke("citations", *files, "CitationF(convention='alce')")
    assert failed.exit_code == 1
    assert "--policy together=any" in failed.stderr
    failed = invoke("citations", *files[:2])
    assert failed.exit_code == 2
    assert "--citations" in failed.stderr


def test_a_panel_has_labels_and_agreement_is_by_runs() -> None:
    judged = pl.concat([SUPPORT.with_columns(judge=pl.lit(j)) for j in "ab"])
    sentences, citations, support = (pl.concat([t.with_columns(run_id=pl.lit(r)) for r in "xy"])
                                     for t in (TABLES["sentences"], TABLES["citations"], judged))  # fmt: skip
    subject = ir.Citations(sentences, citations, support)
    by_run = subject.ratings(by="run").evaluate("PercentAgreement").summary()
    assert by_run.select("run", "value").rows() == [("x", 1.0), ("y", 1.0)]
    assert subject.consensus("majority")["run_id"].unique().sort().to_list() == ["x", "y"]
    with pytest.raises(NotDefined, match=r"mean makes numbers between labels(.|\n)*judges=mean"):
        subject.consensus("mean")


def test_tables_that_are_exchanged() -> None:
    with pytest.raises(IrevalError, match="look exchanged: write the table of sentences first, then that of citations"):
        values({**TABLES, "sentences": CITATIONS, "citations": SENTENCES})
    with pytest.raises(IrevalError, match="look exchanged: write the table of citations first, then that of support"):
        values({**TABLES, "citations": SUPPORT, "support": CITATIONS})
