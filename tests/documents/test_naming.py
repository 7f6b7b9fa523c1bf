"""Names of documents, of columns and of groups that the tables do not have."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, UnknownName

GOLD, PREDICTED = ir.examples.links()
SYSTEMS = pl.concat([PREDICTED.with_columns(run_id=pl.lit(run)) for run in "xy"])
IDS = ["d1", "d2"]


@pytest.mark.parametrize(
    "documents", [np.array(IDS), iter(IDS), dict.fromkeys(IDS).keys(), pl.Series(IDS), pl.Series(IDS).to_pandas()]
)
def test_ids_are_named_by_whatever_holds_them(documents: Any) -> None:
    assert ir.Links(GOLD, PREDICTED, documents=documents).evaluate("F1").summary()["value"].item() == 0.4


def test_ids_of_several_types() -> None:
    with pytest.raises(InvalidParameter, match="several types, or no ids"):
        ir.Links(GOLD, PREDICTED, documents=["d1", 2])


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("documents", [["d1"], pl.DataFrame({"doc_id": ["d1"], "weight": [1]})])
def test_rows_of_other_documents_are_counted_once(engine: str, documents: Any) -> None:
    with pytest.raises(InvalidValue, match="2 rows of the gold table are of documents") as error:
        ir.Links(GOLD, SYSTEMS, documents=documents, engine=engine).evaluate("F1").summary()
    right = str(error.value).partition("leave these rows out: ")[2]
    left = eval(right, {"pl": pl, "gold": GOLD, "documents": documents})
    assert left["doc_id"].unique().to_list() == ["d1"]


@pytest.mark.parametrize(
    "columns, text", [({"kb": "kb_id"}, "names 'kb'"), ({"weight": "w"}, "a table of documents has")]
)
def test_names_of_columns_that_no_table_has(columns: dict[str, str], text: str) -> None:
    with pytest.raises(UnknownName, match=text):
        ir.Links(GOLD, PREDICTED, columns=columns).evaluate("F1").summary()


def test_groups() -> None:
    with pytest.raises(InvalidParameter, match="by='doc_id' is a column of the result"):
        ir.Links(GOLD, PREDICTED, by="doc_id").evaluate("F1").summary()
    with pytest.raises(MissingColumn, match=r"(?s)no column 'genre' of by=.*documents="):
        ir.Links(GOLD.with_columns(genre=pl.lit("news")), PREDICTED, by="genre").evaluate("F1").summary()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values_that_no_row_has(engine: str) -> None:
    with pytest.raises(InvalidParameter, match="where selects links whose 'type' is 'PRE', and no link has it"):
        ir.Links(GOLD, PREDICTED, where={"type": "PRE"}, engine=engine).evaluate("F1").summary()
    some = ir.Links(GOLD, PREDICTED, where={"type": ["PRE", "PER", "ORG", "LOC"]}, engine=engine)
    assert some.evaluate("F1").summary()["value"].item() == 0.4
    none = ir.Links(GOLD.clear(), PREDICTED.clear(), where={"type": "PRE"}, documents=IDS, engine=engine)
    assert none.evaluate("F1").summary()["value"].item() is None
    with pytest.raises(InvalidParameter, match="undirected names 'spose', and no relation has such a label"):
        ir.Relations(*ir.examples.relations(), undirected=["spose"], engine=engine).evaluate("F1").summary()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_equal_rows_are_told(engine: str) -> None:
    twice = ir.Links(pl.concat([GOLD, GOLD]), pl.concat([SYSTEMS, SYSTEMS.head(1)]), engine=engine)
    assert "[5 gold, 1 predicted links more]" in twice.evaluate("F1").explain(counts=True)
    gold, predicted = ir.examples.relations()
    twice = ir.Relations(pl.concat([gold, gold.head(2)]), predicted, engine=engine)
    assert "[2 gold, 0 predicted relations more]" in twice.evaluate("F1").explain(counts=True)


@pytest.mark.parametrize("family", ["links", "spans", "relations"])
def test_a_tag_is_no_run(family: str) -> None:
    """Results have no column run_id, and types are compared."""
    if family == "relations":
        gold, predicted = ir.examples.relations()
        subject: Any = ir.Relations(gold, predicted.with_columns(tag="label"))
    else:
        tables = [t.select("doc_id", "start", "end", tag="type") for t in (GOLD, PREDICTED)]
        subject = ir.Spans(*tables) if family == "spans" else ir.Links(*tables, on="strong_typed_mention_match")
    summary = subject.evaluate("F1").summary()
    assert summary.drop("n_units", "n_undefined").rows() == [("F1", 0.4 if family == "relations" else 0.6)]
