"""`columns=` names the columns in every family, and the keywords are short forms of it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn, UnknownName

QRELS, RUN = ir.examples.ranking()
LABELS, CLUSTERS, POINTS = ir.examples.labels(), ir.examples.clusters(), ir.examples.points()
PLAIN = {
    "Labels": (LABELS.select("item_id", "label", "prediction"), "Accuracy", {"label": "label"}),
    "Clusters": (CLUSTERS, "NMI", {"cluster": "cluster_id"}),
    "Points": (POINTS.select("item_id", "x", "y", cluster_id="k3"), "SSE", {"cluster": "cluster_id"}),
    "Organization": (QRELS.join(RUN, on=["query_id", "doc_id"], how="left").drop("query_id"), "RS", {"score": "score"}),
}
family = pytest.mark.parametrize("schema", PLAIN)


def table(schema: str, frame: pl.DataFrame, **given: Any) -> Any:
    return getattr(ir, schema)(frame, *([["x", "y"]] if schema == "Points" else []), **given)


@family
def test_columns_of_any_name(schema: str) -> None:
    frame, measure, _ = PLAIN[schema]
    expected = table(schema, frame).evaluate(measure).summary()
    renamed = {c: f"their {c}" for c in frame.columns if c not in ("x", "y")}
    odd = frame.rename(renamed).with_columns(model=pl.lit("m"))
    ours = {"item_id" if c == "doc_id" else c: t for c, t in renamed.items()}
    actual = table(schema, odd, columns=ours | {"run_id": "model"}).evaluate(measure).summary()
    assert actual["run_id"].to_list() == ["m"]
    assert_frame_equal(actual.drop("run_id"), expected, rel_tol=1e-12)


@family
def test_keywords_are_short_forms(schema: str) -> None:
    frame, measure, short = PLAIN[schema]
    ((keyword, column),) = short.items()
    odd = frame.rename({column: "k"})
    one = table(schema, odd, **{keyword: "k"}).evaluate(measure).summary()
    for short in ({}, {keyword: "k"}):
        other = table(schema, odd, columns={column: "k"}, **short).evaluate(measure).summary()
        assert_frame_equal(other, one, rel_tol=1e-12)
    with pytest.raises(InvalidParameter, match=f"'{column}' is 'k' in columns="):
        table(schema, odd, columns={column: "k"}, **{keyword: "other"})


@family
@pytest.mark.parametrize("columns, error", [({"nosuch": "x"}, UnknownName), ({"item_id": "nosuch"}, MissingColumn)])
def test_wrong_mappings_are_refused(schema: str, columns: dict[str, str], error: type[Exception]) -> None:
    frame, measure, _ = PLAIN[schema]
    with pytest.raises(error, match="nosuch"):
        table(schema, frame, columns=columns).evaluate(measure)


def test_calls_that_cannot_name_columns_have_them_renamed() -> None:
    """Judges and the chain of nuggets take several tables, and no `columns=`."""
    nuggets, labels, _ = ir.examples.nuggets()
    passages = labels.with_columns(doc_id=pl.format("d{}", "nugget_id"), label=pl.lit("support"))
    of_answers, of_passages = ir.Nuggets(nuggets, labels), ir.Nuggets(nuggets, passages, run="doc_id")
    lists = passages.select("query_id", "doc_id").unique().with_columns(score=1.0)
    named = RUN.rename({"doc_id": "passage"})
    for call in (
        lambda: ir.judging.judges(QRELS.rename({"doc_id": "passage"}), QRELS),
        lambda: ir.judging.judges(QRELS, QRELS, named).systems("nDCG@5"),
        lambda: ir.nuggets.chain(of_answers, of_passages, lists.rename({"doc_id": "passage"})),
        lambda: ir.nuggets.chain(of_answers, of_passages, lists, lists.rename({"doc_id": "passage"})),
    ):
        with pytest.raises(MissingColumn, match=r"Rename: frame.rename\(\{\"passage\": \"doc_id\"\}\)"):
            call()


def test_columns_of_logs_of_generated_answers() -> None:
    names = {"query_id": "question_id", "doc_id": "passage_id"}
    ev = ir.evaluate(QRELS.rename(names), RUN.rename(names), "nDCG@5 RR")
    assert ev.summary()["value"].to_list() == ir.evaluate(QRELS, RUN, "nDCG@5 RR").summary()["value"].to_list()
