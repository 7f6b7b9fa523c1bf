"""What an error advises can be written as it stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import EngineError, InvalidParameter, MissingColumn, UnknownName, WrongType

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
    ("f1", 'Write ir.Labels(…).evaluate("F1").'), ("xyz5", 'List them: ir.measures("ranking")'),
])  # fmt: skip
def test_cutoffs_in_names_are_understood(name: str, meant: str) -> None:
    with pytest.raises(UnknownName) as message:
        ir.evaluate(QRELS, RUN, name)
    assert message.value.hint == meant


@pytest.mark.parametrize("family, name, measure", [
    ("labels", "f1_macro", "F1(average='macro')"), ("labels", "precision_weighted", "Precision(average='weighted')"),
    ("labels", "jaccard_samples", "Jaccard(average='item')"), ("labels", "roc_auc_ovr", "OneVsRestAUC"),
    ("labels", "roc_auc_score", "ROCAUC"), ("labels", "neg_log_loss", "LogLoss"),
    ("labels", "brier_score_loss", "Brier"),
    ("labels", "matthews_corrcoef", "MCC"), ("labels", "accuracy_score", "Accuracy"),
    ("labels", "top_k_accuracy_score", "TopK@2"), ("labels", "cohen_kappa_score", "Kappa"),
    ("clusters", "adjusted_rand_score", "AdjustedRand"), ("clusters", "normalized_mutual_info_score", "NMI"),
    ("points", "silhouette_score", "Silhouette"), ("recommendations", "novelty@2", "MIUF"),
    ("ratings", "cohen_kappa_score", "CohenKappa"),
])  # fmt: skip
def test_names_of_scikit_learn_are_understood(family: str, name: str, measure: str) -> None:
    with pytest.raises(UnknownName) as message:
        SUBJECTS[family][1]().evaluate(name)
    assert message.value.hint == f"Write {measure}."
    assert catalog.parse(measure, family)


def test_measures_of_regression_are_not_guessed() -> None:
    for name in ("RMSE", "r2_score", "mean_squared_error"):
        with pytest.raises(UnknownName, match="Of regression there is only MAE"):
            SUBJECTS["labels"][1]().evaluate(name)


def test_a_family_has_measures_of_a_similar_name() -> None:
    with pytest.raises(UnknownName, match=r"Of ratings there are .*CohenKappa"):
        SUBJECTS["ratings"][1]().evaluate("Kappa")


def test_a_view_that_exists_may_be_replaced() -> None:
    con = duckdb.connect()
    for name, frame in (("qrels", QRELS), ("run", RUN)):
        con.from_arrow(frame.to_arrow()).create(name)
    ev = ir.evaluate("qrels", "run", "AP", con=con)
    ev.per_unit.to_view("kept")
    with pytest.raises(EngineError, match=r'"kept" already exists(.|\n)*Write replace=True'):
        ev.per_unit.to_view("kept")
    ev.per_unit.to_view("kept", replace=True)


def test_scores_become_predictions_as_the_error_writes() -> None:
    frame = pl.DataFrame({"churn": [False, True, True], "p of yes": [0.1, 0.4, 0.8]})
    with pytest.raises(MissingColumn, match="F1 needs a prediction") as message:
        ir.Labels(frame, label="churn", score="p of yes").evaluate("F1").summary()
    line = message.value.hint.partition("threshold of the score: ")[2]
    predicted = eval(line, {"pl": pl, "frame": frame})
    assert ir.Labels(predicted, label="churn").evaluate("F1").summary()["value"].item() == 2 / 3
    with pytest.raises(MissingColumn, match=r'prediction="their_name"$'):
        ir.Labels(frame.with_columns(pl.col("churn").cast(pl.String)), label="churn", score="p of yes").evaluate(
            "F1"
        ).summary()


TRUE, PREDICTED = np.array(["a", "b", "a"]), np.array(["a", "a", "a"])


@pytest.mark.parametrize("convert", [list, np.asarray, pl.Series, pd.Series])
def test_arrays_become_frames_as_the_error_writes(convert: Callable[[object], object]) -> None:
    y_true, y_pred = convert(TRUE), convert(PREDICTED)
    with pytest.raises(WrongType, match="no table") as message:
        ir.Labels(y_true, y_pred).evaluate("Accuracy").summary()
    line = re.search(r"pl\.DataFrame\(\{.*?\}\)", message.value.hint)
    assert line is not None
    frame = eval(line[0], {"pl": pl, "y_true": y_true, "y_pred": y_pred})
    assert ir.Labels(frame).evaluate("Accuracy").summary()["value"].item() == 2 / 3


def test_a_matrix_of_probabilities_becomes_columns_as_the_error_writes() -> None:
    labels = pl.DataFrame({"label": ["cat", "dog"], "prediction": ["cat", "cat"]})
    with pytest.raises(WrongType, match="probabilities table is of type ndarray") as message:
        ir.Labels(labels, probabilities=np.eye(2)).evaluate("LogLoss").summary()
    line = re.search(r"labels\.hstack\(.*?\)\)", message.value.hint)
    assert line is not None
    frame = eval(line[0], {"pl": pl, "labels": labels, "probabilities": np.eye(2)})
    assert ir.Labels(frame, probabilities=["cat", "dog"]).evaluate("LogLoss").summary()["value"].item() < 1e-15


def test_an_array_is_not_written_out() -> None:
    with pytest.raises(InvalidParameter, match="columns are named by text") as message:
        ir.Points(ir.examples.points(), np.arange(1000)).evaluate("Silhouette")
    assert len(message.value.what) < 200


def test_a_column_of_pandas_of_two_types_is_converted_as_the_error_writes() -> None:
    frame = pd.DataFrame({"y_true": ["a", 1, "a"], "y_pred": ["a", "1", "b"]})
    with pytest.raises(WrongType, match="column y_true") as message:
        ir.Labels(frame).evaluate("Accuracy").summary()
    line = re.search(r"frame\.astype\(.*\)", message.value.hint)
    assert line is not None
    converted = eval(line[0], {"frame": frame})
    assert ir.Labels(converted).evaluate("Accuracy").summary()["value"].item() == 2 / 3


@pytest.mark.parametrize("tables", [SUBJECTS["ranking"][1]().evaluate("AP"), 5, object(), {}])
def test_what_is_no_table_is_reported_by_its_type(tables: object) -> None:
    for make in (
        lambda: ir.evaluate(tables, RUN, "AP"),
        lambda: ir.Labels(tables).evaluate("Accuracy"),
        lambda: ir.Clusters(tables).evaluate("Purity"),
    ):
        with pytest.raises(WrongType, match=rf"table is of type {type(tables).__name__}, which is no table"):
            make()
