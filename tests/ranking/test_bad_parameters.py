"""Invalid parameters are errors, with the nearest name or the allowed values."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from ireval_frames.catalog import parse
from ireval_frames.declaration import Definition
from ireval_frames.errors import InvalidParameter, InvalidValue, UnknownName
from ireval_frames.parameters import REQUIRED
from tests.ranking.suite import DEFINITIONS, VARIANTS
from tests.together import each_of

each_definition = each_of(DEFINITIONS, lambda d: d.name)


class Unsupported:
    """A value that no parameter accepts."""


@each_definition
def test_misspelt_parameters(definition: Definition) -> None:
    first = VARIANTS[definition.name][0]
    for name in (*definition.parameters, "aggregation"):
        with pytest.raises(UnknownName, match=rf"{definition.name} has no parameter '{name}x'(.|\n)*{name}"):
            first(**{name + "x": 1})


# Grades and gains can be any finite number.
ANY_NUMBER = {"rel", "unjudged", "hit", "noise", "miss", "rest"}


@each_definition
def test_invalid_values(definition: Definition) -> None:
    first = VARIANTS[definition.name][0]
    for name in definition.parameters:
        for value in (Unsupported(), "no such word", float("nan"), -7.5):
            if name in ANY_NUMBER and value == -7.5:
                continue
            try:
                message = f"{first(**{name: value})} is accepted: declare {name} with low=, or enter it in ANY_NUMBER"
            except InvalidParameter as error:
                message = str(error)
            assert f"{name} of {definition.name}" in message, message


@each_definition
def test_unknown_aggregations(definition: Definition) -> None:
    with pytest.raises(InvalidParameter, match=r"allowed: mean, sum, geometric, median, min, max, std"):
        VARIANTS[definition.name][0](aggregation="average")


@each_of(
    [d for d in DEFINITIONS if any(p.default is REQUIRED for p in d.parameters.values())],
    lambda d: d.name,
)
def test_required_parameters(definition: Definition) -> None:
    with pytest.raises(InvalidParameter, match=rf"{definition.name} needs a \w+(.|\n)*Write {definition.name}"):
        ir.evaluate(*tables(), definition.name)


@each_of([d for d in DEFINITIONS if d.at not in d.parameters], lambda d: d.name)
def test_measures_without_at(definition: Definition) -> None:
    with pytest.raises(UnknownName, match="takes nothing after @"):
        parse(f"{definition.name}@10", definition.family)


@pytest.mark.parametrize(
    "text, message",
    [
        ("nDGC@10", "(?i)did you mean nDCG"),
        ("Precison@10", "Precision"),
        ("ndcg_cutt_10", "ndcg_cut"),
        ("mapp", "map"),
        ("", "no measure"),
    ],
)
def test_unknown_names(text: str, message: str) -> None:
    with pytest.raises(UnknownName, match=message):
        parse(text)


@each_of(
    [
        "P@0",
        "P@-1",
        "P@2.5",
        "P@ten",
        "P@'5'",
        "P@True",
        "P(rel=2",
        "P(rel=2))@5",
        "P(2)@5",
        "P(rel=two)@5",
        "P(**{})@5",
        "P@",
        "nDCG(dcg='ln')",
        "RBP(p=1)",
        "RBP(p=0)",
        "RBP(max_rel=0)",
        "SetF(beta=-1)",
        "IPrec@1.5",
        "IAP(recalls=[])",
        "IAP(recalls=[2])",
        "P(rel='1')@5",
        "P(judged_only=1)@5",
        "nDCG(gains=3)",
        "nDCG(gains={1: 'a'})",
        "DCG(base=1)",
        "ERR(max_rel=2.5)",
        "P(rel=__import__('os').getpid())@5",
        "P_0",
        "P_x",
        "ndcg_cut_-3",
    ],
)
def test_invalid_texts(text: str) -> None:
    with pytest.raises((InvalidParameter, UnknownName)):
        parse(text)


@pytest.mark.parametrize("measures", ["", [], " , ", ()])
def test_no_measures(measures: object) -> None:
    with pytest.raises(InvalidParameter, match="There is no measure"):
        ir.evaluate(*tables(), measures)


def tables() -> tuple:
    from tests.ranking.suite import CASES

    return CASES["text"].qrels_frame(), CASES["text"].run_frame()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_collections_smaller_than_their_tables(engine: str) -> None:
    qrels, run = ir.examples.ranking()
    with pytest.raises(InvalidValue, match=r"n_docs is 3(.|\n)*FallOut\(n_docs="):
        ir.evaluate(qrels, run, "FallOut(n_docs=3)", engine=engine).summary()
    assert ir.evaluate(qrels, run, "FallOut(n_docs=103)", engine=engine).summary()["value"].item() == 0.03
