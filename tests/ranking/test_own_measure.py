"""A user's function is a measure once it is registered by name."""

from __future__ import annotations

from collections.abc import Iterator

import narwhals.stable.v2 as nw
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import UnknownName
from ireval_frames.measure import whole
from tests.contract.asked import ENGINES
from tests.ranking.small import QRELS, RUN


@pytest.fixture
def registered() -> Iterator[ir.Measure]:
    """`MeanRank@k`: the mean rank of the relevant documents down to k; undefined where there is none."""
    before = ({k: dict(v) for k, v in catalog._names.items()}, dict(catalog._definitions))

    @catalog.measure(
        "ranking",
        "MeanRank",
        parameters={"cutoff": whole(None, "how far down")},
        range=(1.0, float("inf")),
        undefined=None,
        higher_is_better=False,
    )
    def mean_rank(q: object, cutoff: int | None) -> nw.Expr:
        """The mean rank of the relevant documents."""
        hit = q.relevant(1.0)
        return q.ratio(q.sum(hit * q.rank, cutoff), q.sum(hit, cutoff))

    yield mean_rank
    catalog._names.clear()
    catalog._names.update(before[0])
    catalog._definitions.clear()
    catalog._definitions.update(before[1])


@pytest.mark.parametrize("engine", ENGINES)
def test_by_name(registered: ir.Measure, engine: str) -> None:
    run = pl.concat([RUN, pl.DataFrame({"query_id": ["3"], "doc_id": ["31"], "score": [1.0]})])
    found = ir.evaluate(QRELS, run, "MeanRank MeanRank@3 AP", engine=engine)
    assert found.per_unit().filter(measure="MeanRank")["value"].to_list() == [3.5, 2.0, None]
    assert found.per_unit().filter(measure="MeanRank@3")["value"].to_list() == [3.0, 2.0, None]
    assert found.summary().row(0) == ("MeanRank", 2.75, 3, 1)
    assert ir.evaluate(QRELS, run, registered(aggregation="max") @ 10, engine=engine).summary()["value"].item() == 3.5


def test_it_is_gone_again() -> None:
    with pytest.raises(UnknownName):
        ir.parse("MeanRank")
