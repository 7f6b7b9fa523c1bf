"""Texts of measures are parsed to the measure, and so are trec_eval's names."""

from __future__ import annotations

import pytest

from ireval_frames import catalog
from ireval_frames.catalog import parse
from ireval_frames.declaration import Measure
from tests.ranking.suite import DEFINITIONS, allowed


@pytest.mark.parametrize("definition", [d for d in DEFINITIONS if d.at in d.parameters], ids=lambda d: d.name)
def test_at_sets_its_parameter(definition: catalog.Definition) -> None:
    for value in allowed(definition, definition.at):
        measure = definition() @ value
        assert measure == definition(**{definition.at: value})
        if value is not None:
            assert parse(f" {definition.name} @ {value} ", definition.family) == measure


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("AP( rel = 2 )@100", "AP(rel=2)@100"),
        ("P (rel=2) @ 5", "P(rel=2)@5"),
        ("AP(rel=2.0)", "AP(rel=2)"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ('nDCG(dcg="exp-log2")@10', "nDCG(dcg='exp-log2')@10"),
        ("nDCG(gains={1: 1, 2: 5})", "nDCG(gains={2.0: 5})"),
        ("MAP", "AP"),
        ("ndcg@10", "nDCG@10"),
        ("SetF(beta=1)", "SetF"),
        ("AP(aggregation='mean')", "AP"),
    ],
)
def test_spellings(text: str, canonical: str) -> None:
    assert parse(text) == parse(canonical)
    assert str(parse(text)) == canonical


def test_lists_of_measures() -> None:
    expected = [parse("nDCG(gains={1: 1, 2: 5})@10"), parse("AP"), parse("P(rel=2)@5")]
    assert catalog.parse_all("nDCG(gains={1: 1, 2: 5})@10 AP P (rel=2) @ 5") == expected
    assert catalog.parse_all("nDCG(gains={1: 1, 2: 5})@10, AP; P(rel=2)@5,") == expected
    assert catalog.parse_all([expected[0], "AP P(rel=2)@5"]) == expected
    assert catalog.parse_all("AP MAP AP(rel=1)") == [parse("AP")]


@pytest.mark.parametrize("trec", [t for d in DEFINITIONS for t in d.trec], ids=lambda t: t.name)
def test_trec_names_with_suffixes(trec: catalog.TrecName) -> None:
    definition, _ = catalog.trec_names()[trec.name]
    for value in trec.defaults or ((3.0,) if trec.parameter == "cutoff" else ()):
        expected = Measure.of(definition, {**trec.fixed, trec.parameter: trec.convert(value)})
        printed = trec.pattern.format(name=trec.name, value=value)
        assert parse(printed) == expected
        assert parse(f"{trec.name}.{value:g}") == expected
    if not trec.defaults:
        assert parse(trec.name).definition is definition


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("map", "AP"),
        ("gm_map", "AP(aggregation='geometric')"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg", "nDCG"),
        ("P_5", "P@5"),
        ("recall_100", "R@100"),
        ("recip_rank", "RR"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("set_relative_P", "SetP(relative=True)"),
        ("num_rel_ret", "NumRelRet"),
        ("11pt_avg", "IAP"),
        ("success_1", "Success@1"),
    ],
)
def test_trec_names(text: str, canonical: str) -> None:
    assert parse(text) == parse(canonical)
