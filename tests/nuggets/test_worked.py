"""Numbers worked out by hand, and what nuggetizer gives."""

from __future__ import annotations

import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)
NUGGETS, ASSIGNMENTS, ANSWERS = ir.examples.nuggets()
ALL = "A A_strict V V_strict W W_strict"


@engines
def test_two_vital_and_two_okay_nuggets(engine: str) -> None:
    """vital: support, partial; okay: not, support."""
    rows = ir.Nuggets(NUGGETS, ASSIGNMENTS, engine=engine).evaluate(ALL).per_unit().filter(query_id="q1")
    assert rows["value"].to_list() == pytest.approx([0.625, 0.5, 0.75, 0.5, 2 / 3, 0.5], abs=1e-12)


@engines
def test_f_of_2003(engine: str) -> None:
    """Two of three vital nuggets and one okay in 400 characters: R 2/3, P 1 - 100/400."""
    nuggets = pl.DataFrame({"qid": 1, "nugget": [*"abcd"], "importance": ["vital"] * 3 + ["okay"]})
    labels = pl.DataFrame({"qid": 1, "nugget": [*"abd"], "label": "support"})
    answers = pl.DataFrame({"qid": [1], "text": ["ab c\td\u3000" * 100]})
    ev = ir.Nuggets(nuggets, labels, answers, engine=engine).evaluate("NuggetF NuggetF(beta=5) NuggetPrecision")
    p, r = 0.75, 2 / 3
    f3, f5 = ((1 + b * b) * p * r / (b * b * p + r) for b in (3, 5))
    assert ev.summary()["value"].to_list() == pytest.approx([f3, f5, p], abs=1e-12)
    short = ir.Nuggets(nuggets, labels, answers.with_columns(length=300), engine=engine)
    assert short.evaluate("NuggetPrecision").summary()["value"].item() == 1.0


@engines
def test_pyramids(engine: str) -> None:
    """Three of four votes are the most of the query: weights 1, 1/3 and 0."""
    votes = pl.DataFrame({
        "query_id": "q", "nugget_id": [n for n in "abc" for _ in range(4)], "judge": [0, 1, 2, 3] * 3,
        "importance": ["vital"] * 3 + ["okay"] + ["okay"] * 3 + ["vital"] + ["okay"] * 4,
    })  # fmt: skip
    weighed = ir.nuggets.pyramid(votes)
    assert weighed.sort("nugget_id").rows() == [
        ("q", "a", "vital", 1.0, 4), ("q", "b", "okay", 1 / 3, 4), ("q", "c", "okay", 0.0, 4),
    ]  # fmt: skip
    labels = pl.DataFrame({"query_id": "q", "nugget_id": ["b", "c"], "label": "support"})
    values = ir.Nuggets(weighed, labels, engine=engine).evaluate("NuggetRecall(level='pyramid') V A").summary()["value"]
    assert values.to_list() == pytest.approx([1 / 4, 0.0, 2 / 3], abs=1e-12)
    assert ir.nuggets.pyramid(votes.drop("judge").rename({"nugget_id": "fact"}), nugget="fact")["weight"][1] == 1 / 3


@engines
def test_the_conventions_of_nuggetizer(engine: str) -> None:
    """Vital recall without vital nuggets is 0; only the nuggets and queries of a run's records count."""
    nuggets = pl.DataFrame({
        "query_id": ["q1", "q1", "q2", "q3"], "nugget_id": [1, 2, 1, 1],
        "importance": ["vital", "vital", "okay", "vital"],
    })  # fmt: skip
    labels = pl.DataFrame({"query_id": ["q1", "q2"], "nugget_id": [1, 1], "label": ["support", "failed"]})
    ours = ir.Nuggets(nuggets, labels, policy="failed=not_support", engine=engine).evaluate("V A")
    assert ours.per_unit()["value"].to_list() == [0.5, 0.5, None, 0.0, 0.0, 0.0]
    theirs = ir.Nuggets(nuggets, labels, policy="nuggetizer", engine=engine).evaluate("V A")
    assert theirs.per_unit()["value"].to_list() == [1.0, 1.0, 0.0, 0.0, None, None]
    assert "unassigned = skip  [2 nuggets]" in theirs.explain(counts=True) or "unassigned = skip" in theirs.explain()
