"""What holds of any documents: swapped sides exchange precision and recall, equal sides have 1, names do not count."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir

KINDS = ("MUC", "B3", "CEAFm", "CEAFe", "LEA", "Mention")
MEASURES = " ".join(f"{kind}{side}" for kind in KINDS for side in "PR") + " BLANCF CoNLL"
SCHEMA = {"doc_id": pl.Int64, "mention_id": pl.Int64, "cluster_id": pl.Int64}
# Up to three documents: the entities of six mentions on both sides, or none.
ENTITY = st.one_of(st.none(), st.integers(0, 3))
DOCUMENTS = st.lists(st.lists(st.tuples(ENTITY, ENTITY), max_size=6), min_size=1, max_size=3)
Documents = list[list[tuple[int | None, int | None]]]


def table(documents: Documents, side: int) -> pl.DataFrame:
    rows = [
        (d, m, e[side]) for d, mentions in enumerate(documents) for m, e in enumerate(mentions) if e[side] is not None
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def values(gold: pl.DataFrame, predicted: pl.DataFrame) -> dict[str, float]:
    summary = ir.Coreference(gold, predicted, policy="overlap=allow").evaluate(MEASURES).summary()
    return dict(zip(summary["measure"], summary["value"], strict=True))


@settings(max_examples=10)
@given(DOCUMENTS)
def test_sides_and_names(documents: Documents) -> None:
    gold, predicted = (table(documents, side) for side in (0, 1))
    forth, back = values(gold, predicted), values(predicted, gold)
    for kind in KINDS:
        assert back[f"{kind}P"] == pytest.approx(forth[f"{kind}R"], abs=1e-12)
        assert back[f"{kind}R"] == pytest.approx(forth[f"{kind}P"], abs=1e-12)
    assert back["CoNLL"] == pytest.approx(forth["CoNLL"], abs=1e-12)
    renamed = gold.reverse().with_columns(7 - pl.col("cluster_id")), predicted.with_columns(9 - pl.col("mention_id"))
    again = values(renamed[0].with_columns(9 - pl.col("mention_id")), renamed[1].reverse())
    assert again == {name: pytest.approx(value, abs=1e-12) for name, value in forth.items()}


@settings(max_examples=10)
@given(DOCUMENTS)
def test_equal_sides(documents: Documents) -> None:
    """Only MUC has no links where all mentions are alone, and BLANC none where there is one mention."""
    gold = table(documents, 0)
    for name, value in values(gold, gold).items():
        links = gold.group_by("doc_id", "cluster_id").len()["len"].max() or 0
        if not name.startswith(("MUC", "BLANC", "CoNLL")):
            assert value == pytest.approx(float(gold.height > 0))
        elif links > 1:
            assert value == pytest.approx(1.0)
