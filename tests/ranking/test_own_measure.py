"""Custom measures: functions that are registered by name."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from ireval_frames.expr import Expr
from ireval_frames.parameters import number
from tests.contract.kit import ENGINES
from tests.ranking.small import QRELS, RUN


@pytest.fixture
def restored_catalog() -> Iterator[None]:
    """Registered measures are removed after the test."""
    with catalog.restored():
        yield


@pytest.fixture
def registered(restored_catalog: None) -> ir.Measure:
    """`MeanRank@k`: the mean rank of the relevant documents down to k; undefined without relevant documents."""
    del restored_catalog

    @ir.measure(
        "ranking",
        "MeanRank",
        parameters={"cutoff": ir.parameters.whole(None, "how far down")},
        range=(1.0, float("inf")),
        undefined=None,
        higher_is_better=False,
    )
    def mean_rank(q: object, cutoff: int | None) -> Expr:
        """The mean rank of the relevant documents."""
        hit = q.relevant(1.0)
        return q.ratio(q.sum(hit * q.rank, cutoff), q.sum(hit, cutoff))

    return mean_rank


@pytest.mark.parametrize("engine", ENGINES)
def test_by_name(registered: ir.Measure, engine: str) -> None:
    run = pl.concat([RUN, pl.DataFrame({"query_id": ["3"], "doc_id": ["31"], "score": [1.0]})])
    actual = ir.evaluate(QRELS, run, "MeanRank MeanRank@3 AP", engine=engine)
    assert actual.per_unit().filter(measure="MeanRank")["value"].to_list() == [3.5, 2.0, None]
    assert actual.per_unit().filter(measure="MeanRank@3")["value"].to_list() == [3.0, 2.0, None]
    assert actual.summary().row(0) == ("MeanRank", 2.75, 3, 1)
    assert ir.evaluate(QRELS, run, registered(aggregation="max") @ 10, engine=engine).summary()["value"].item() == 3.5


def test_registered_measures_are_removed() -> None:
    with pytest.raises(UnknownName):
        ir.Measure.parse("MeanRank")


# Query "2" has no document of grade 1.
QRELS_BY_GRADE = pl.DataFrame(
    {"query_id": ["1", "1", "2", "2"], "doc_id": ["a", "b", "c", "d"], "relevance": [2, 0, 0, 0]}
)
LISTS = pl.DataFrame({"query_id": ["1", "1", "2", "2"], "doc_id": ["a", "b", "c", "d"], "score": [1.0, 2.0, 1.0, 2.0]})


@pytest.mark.usefixtures("restored_catalog")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("aggregation", ["sum", "mean"])
def test_declared_relevance(aggregation: str, engine: str) -> None:
    """Relevance is declared, and not derived from the aggregation or the function."""

    @catalog.measure("ranking", "Depth", aggregation=aggregation, relevant=lambda q, rel: q.num_relevant(rel),
                     parameters={"rel": number(1.0)})  # fmt: skip
    def depth(q: object, rel: float) -> Expr:
        """The ranks of judged documents."""
        return q.sum(q.relevant(0.0) * q.rank) + 0.0 * q.sum(q.relevant(rel))

    @catalog.measure("ranking", "Length", aggregation=aggregation, relevant=None)
    def length(q: object) -> Expr:
        """The number of retrieved documents, relevant or not."""
        return q.num_retrieved

    measures = "Depth Depth(rel=3) Length"
    null = ir.evaluate(QRELS_BY_GRADE, LISTS, measures, policy="no_relevant=null", engine=engine)
    assert null.per_unit()["value"].to_list() == [3.0, None, 2.0, None, None, 2.0]
    zero = ir.evaluate(QRELS_BY_GRADE, LISTS, measures, engine=engine)
    assert zero.per_unit()["value"].to_list() == [3.0, 3.0, 2.0] * 2


@pytest.mark.parametrize("engine", ENGINES)
def test_undeclared_relevance(registered: ir.Measure, engine: str) -> None:
    message = r"MeanRank@3 does not declare what is relevant[^\n]*\n[^\n]*relevant=lambda q: q.num_relevant\(1.0\)"
    with pytest.raises(NotDefined, match=message):
        ir.evaluate(QRELS_BY_GRADE, LISTS, registered @ 3, policy="no_relevant=null", engine=engine)
    by_subtopic = QRELS_BY_GRADE.with_columns(subtopic_id=pl.lit("s"))
    with pytest.raises(NotDefined, match="does not declare"):
        ir.evaluate(by_subtopic, LISTS, registered(subtopics="mean"), engine=engine)
    assert (
        ir.evaluate(QRELS_BY_GRADE, LISTS, registered, policy="no_relevant=skip", engine=engine).summary().height == 1
    )


def test_relevance_uses_parameters() -> None:
    with pytest.raises(InvalidParameter, match="relevant= of Depth takes 'grade', which is not one of its parameters"):
        catalog.measure("ranking", "Depth", relevant=lambda q, grade: q.num_relevant(grade))


def test_existing_names() -> None:
    for name in ("AP", "ap", "map", "ndcg_cut", "MAP"):
        with pytest.raises(InvalidParameter, match="already"):
            ir.measure("ranking", name)(lambda q: q.num_relevant)
    with pytest.raises(InvalidParameter, match="another name, or write replace=True"):
        ir.measure("ranking", "AP")(lambda q: q.num_relevant)
    with pytest.raises(InvalidParameter, match=r"measure 'MRR' already: RR"):
        ir.measure("ranking", "Mine", aliases=("MRR",))(lambda q: q.num_relevant)
    with pytest.raises(InvalidParameter, match="not a name for a measure"):
        ir.measure("ranking", "my measure")(lambda q: q.num_relevant)
    assert ir.Measure.parse("map") == ir.AP


def test_replacing_removes_aliases() -> None:
    with catalog.restored():
        ir.measure("ranking", "AP", aliases=("Mean",), replace=True)(lambda q: q.num_relevant(1.0))
        assert ir.Measure.parse("AP", "ranking") == ir.Measure.parse("Mean") != ir.nDCG
        for stale in ("MAP", "map", "map_cut_10"):
            with pytest.raises(UnknownName):
                ir.Measure.parse(stale, "ranking")
        assert ir.evaluate(QRELS, RUN, "AP").summary()["value"].item() > 1
    assert ir.Measure.parse("map") == ir.AP


def test_python_measures_need_a_cost() -> None:
    with pytest.raises(InvalidParameter, match="cost"):
        ir.measure("ranking", "Mine", runs="python")


def test_aliases_are_attributes() -> None:
    assert ir.MAP == ir.AP
    assert ir.labels.AUC == ir.labels.ROCAUC
    with pytest.raises(AttributeError, match="no attribute 'no_such_measure'"):
        _ = ir.no_such_measure
