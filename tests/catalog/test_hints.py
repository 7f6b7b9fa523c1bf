"""What an error advises can be written as it stands."""

from __future__ import annotations

import ast

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import EngineError, MissingColumn, UnknownName, WrongType

QRELS, RUN = ir.examples.ranking()
RUNS = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in "ab"])
SUBJECTS = {
    "ranking": ("evaluate", lambda: ir.Rankings(QRELS, RUN)),
    "labels": ("Labels", lambda: ir.Labels(ir.examples.labels())),
    "clusters": ("Clusters", lambda: ir.Clusters(ir.examples.clusters())),
    "points": ("Points", lambda: ir.Points(ir.examples.points(), ["x"], cluster="k3")),
    "organization": ("Organization", lambda: ir.Organization(QRELS, RUN)),
    "ratings": ("Ratings", lambda: ir.Ratings(ir.examples.ratings())),
    "similarity": ("Similarity", lambda: ir.Similarity(RUNS)),
    "coreference": ("Coreference", lambda: ir.Coreference(*ir.examples.coreference())),
    "spans": ("Spans", lambda: ir.Spans(*ir.examples.spans())),
    "links": ("Links", lambda: ir.Links(*ir.examples.links())),
    "relations": ("Relations", lambda: ir.Relations(*ir.examples.relations())),
    "segmentation": ("Segmentation", lambda: ir.Segmentation(ir.examples.segments())),
    "timings": ("Timings", lambda: ir.Timings(ir.examples.timings())),
    "answers": ("Answers", lambda: ir.Answers(*ir.examples.answers())),
    "exposure": ("FairExposure", lambda: ir.FairExposure(**ir.examples.exposure())),
    "recommendations": ("Recommendations", lambda: ir.Recommendations(**ir.examples.recommendations())),
    "nuggets": ("Nuggets", lambda: ir.Nuggets(*ir.examples.nuggets())),
    "citations": ("Citations", lambda: ir.Citations(*ir.examples.citations())),
    "verdicts": ("verdicts.Verdicts", lambda: ir.verdicts.Verdicts(ir.examples.verdicts())),
    "clicks": ("Impressions", lambda: ir.Impressions(ir.examples.click_log())),
}


def only_of(family: str) -> str:
    """A measure that no other family has a name for."""
    taken = {n for d in catalog.definitions() if d.family != family for n in (d.name, *d.aliases)}
    return next(d.name for d in catalog.definitions(family) if d.name not in taken and d.at not in d.parameters)


@pytest.mark.parametrize("family", SUBJECTS)
def test_a_measure_of_another_family_names_its_class(family: str) -> None:
    for other, (kind, _) in SUBJECTS.items():
        if other != family:
            name = only_of(other)
            with pytest.raises(UnknownName, match=rf"{name} is a measure of {other}(.|\n)*Write ir\.{kind}\("):
                SUBJECTS[family][1]().evaluate(name)
            assert hasattr(ir, kind.partition(".")[0])


WITHOUT_COLUMN = {
    "label": lambda **more: ir.Labels(ir.examples.labels().rename({"label": "mine"}), **more).evaluate("Accuracy"),
    "cluster": lambda **more: ir.Clusters(ir.examples.clusters().rename({"cluster_id": "mine"}), **more).evaluate(
        "Rand"
    ),
    "score": lambda **more: ir.Labels(ir.examples.scores().rename({"score": "mine"}), **more).evaluate("ROCAUC"),
}
OF_RANKINGS = [(table, column) for table, frame in (("qrels", QRELS), ("run", RUN)) for column in frame.columns]


@pytest.mark.parametrize("keyword", WITHOUT_COLUMN)
def test_a_column_that_is_not_there_has_a_keyword(keyword: str) -> None:
    with pytest.raises(MissingColumn, match=rf'{keyword}="their_name"'):
        WITHOUT_COLUMN[keyword]()
    assert WITHOUT_COLUMN[keyword](**{keyword: "mine"}).summary().height == 1


@pytest.mark.parametrize("table, column", OF_RANKINGS)
def test_a_frame_without_a_column_is_reported_columns(table: str, column: str) -> None:
    """Not how a file is read: a frame was handed in."""
    tables = {"qrels": QRELS, "run": RUN}
    tables[table] = tables[table].rename({column: "mine"})
    with pytest.raises(MissingColumn, match=rf'columns=\{{"{column}": "(mine|their_name)"\}}') as message:
        ir.evaluate(tables["qrels"], tables["run"], "AP")
    assert "scan_" not in str(message.value)
    named = {"columns": {table: {column: "mine"}}}
    assert ir.evaluate(tables["qrels"], tables["run"], "AP", **named).summary().height == 1


def test_all_columns_that_are_not_there_are_reported_at_once() -> None:
    other = QRELS.select(QRELS.columns).rename({"doc_id": "URL", "relevance": "stars"})
    with pytest.raises(MissingColumn, match=r"no columns 'doc_id', 'relevance' \(it has") as message:
        ir.evaluate(other, RUN, "AP")
    hint = str(message.value).partition("Name them: columns=")[2].partition(", or rename the columns.")[0]
    assert ir.evaluate(other, RUN, "AP", columns={"qrels": ast.literal_eval(hint)}).summary().height == 1
    # A column before the first one that was found is not taken for the document.
    run = RUN.select(pl.lit("a").alias("of_whom"), "query_id", pl.col("doc_id").alias("URL"), "score")
    with pytest.raises(MissingColumn, match=r'columns=\{"doc_id": "URL"\}, or rename the column\.'):
        ir.evaluate(QRELS, run, "AP")


@pytest.mark.parametrize("name, meant", [
    ("P5", "Did you mean P@5?"), ("ndcg_10", "Did you mean nDCG@10?"), ("MAP100", "Did you mean AP@100?"),
    ("f1", 'Write ir.Labels(…).evaluate("F1").'), ("xyz5", "List them: ireval measures"),
])  # fmt: skip
def test_cutoffs_in_names_are_understood(name: str, meant: str) -> None:
    with pytest.raises(UnknownName) as message:
        ir.evaluate(QRELS, RUN, name)
    assert message.value.hint == meant


def test_a_view_that_exists_may_be_replaced() -> None:
    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", RUN)):
        con.from_arrow(frame.to_arrow()).create(name)
    ev = ir.evaluate("qrels", "run", "AP", con=con)
    ev.per_unit.to_view("kept")
    with pytest.raises(EngineError, match=r'"kept" already exists(.|\n)*Write replace=True'):
        ev.per_unit.to_view("kept")
    ev.per_unit.to_view("kept", replace=True)


@pytest.mark.parametrize("tables", [SUBJECTS["ranking"][1]().evaluate("AP"), 5, object(), {}])
def test_what_is_no_table_is_reported_by_its_type(tables: object) -> None:
    for make in (
        lambda: ir.evaluate(tables, RUN, "AP"),
        lambda: ir.Labels(tables).evaluate("Accuracy"),
        lambda: ir.Clusters(tables).evaluate("Purity"),
    ):
        with pytest.raises(WrongType, match=rf"table is of type {type(tables).__name__}, which is no table"):
            make()
