"""The kit reports what is missing and where to write it, and differences with measure, unit and both values."""

from __future__ import annotations

import dataclasses

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition
from ireval_frames.parameters import number
from tests.contract.kit import NoValues, all_suites, assert_same, differences, suites
from tests.contract.test_measures import test_has_an_oracle as has_an_oracle

FAMILIES = {
    "timings": (ir.timings.MeanLatency, "tests/oracles/timings.py", "tests/timings/suite.py"),
    "exposure": (ir.exposure.AWRF, "tests/oracles/exposure.py", "tests/exposure/suite.py"),
    "ranking": (ir.RR, "tests/oracles/measures.py", "tests/ranking/suite.py"),
    "labels": (ir.labels.Recall, "tests/oracles/labels_of_a_class.py", "tests/labels/suite.py"),
    "clusters": (ir.clusters.Purity, "tests/oracles/clusters.py", "tests/clusters/suite.py"),
    "coreference": (ir.coreference.MUCF, "tests/oracles/coreference.py", "tests/coreference/suite.py"),
    "ratings": (ir.ratings.FleissKappa, "tests/oracles/ratings.py", "tests/ratings/suite.py"),
    "recommendations": (
        ir.recommendations.ARP,
        "tests/oracles/recommendations.py",
        "tests/recommendations/suite.py",
    ),
    "answers": (ir.answers.TokenF1, "tests/oracles/answers.py", "tests/answers/suite.py"),
    "nuggets": (ir.nuggets.NuggetRecall, "tests/oracles/nuggets.py", "tests/nuggets/suite.py"),
    "citations": (ir.citations.CitationF, "tests/oracles/citations.py", "tests/citations/suite.py"),
    "verdicts": (ir.verdicts.Faithfulness, "tests/oracles/verdicts.py", "tests/verdicts/suite.py"),
    "clicks": (ir.clicks.CTR, "tests/oracles/clicks.py", "tests/clicks/suite.py"),
    "points": (ir.points.SSE, "tests/oracles/points.py", "tests/points/suite.py"),
    "segmentation": (ir.segmentation.Pk, "tests/oracles/segmentation.py", "tests/segmentation/suite.py"),
    "organization": (ir.organization.RS, "tests/oracles/organization.py", "tests/organization/suite.py"),
    "links": (ir.links.F1, "tests/oracles/links.py", "tests/links/suite.py"),
    "relations": (ir.relations.F1, "tests/oracles/relations.py", "tests/relations/suite.py"),
    "spans": (ir.spans.F, "tests/oracles/spans.py", "tests/spans/suite.py"),
    "similarity": (ir.similarity.Tau, "tests/oracles/similarity.py", "tests/similarity/suite.py"),
}
families = pytest.mark.parametrize("family", FAMILIES)


@families
def test_error_for_a_measure_without_an_oracle(family: str) -> None:
    definition = dataclasses.replace(FAMILIES[family][0].definition, name="Novel", aliases=(), trec=())
    with catalog.restored():
        catalog.register(definition)
        with pytest.raises(AssertionError, match=rf"Novel of {family} has no oracle(.|\n)*{FAMILIES[family][1]}"):
            has_an_oracle(definition)


@families
def test_error_for_a_parameter_without_values(family: str) -> None:
    original = FAMILIES[family][0].definition
    parameters = {**original.parameters, "novel": number(0.5, "how novel", low=0.0)}
    definition = dataclasses.replace(original, parameters=parameters)
    suite = next(k for k in all_suites() if k.family == family and original.name in k.oracles)
    with pytest.raises(NoValues, match=rf"novel of {original.name}(.|\n)*{FAMILIES[family][2]}"):
        suite.variants(definition, next(iter(suite.cases.values())))


def test_every_family_has_suites() -> None:
    assert {d.family for d in catalog.definitions()} == set(FAMILIES)
    if len(suites()) == len(all_suites()):
        assert {k.family for k in suites()} == set(FAMILIES)


def test_differences_are_reported() -> None:
    assert differences({("AP", "r", "q"): 0.5}, {("AP", "r", "q"): 0.5 + 1e-13}) == []
    assert differences({("AP", "r", "q"): 0.5}, {("AP", "r", "q"): None}) == [
        "AP of ('r', 'q'): expected None, got 0.5"
    ]
    assert differences({("AP", "q"): float("nan")}, {("AP", "q"): 1.0}) == ["AP of ('q',): expected 1.0, got nan"]
    with pytest.raises(AssertionError, match=r"2 of 1 differ \(on DuckDB\)(.|\n)*is missing(.|\n)*is not expected"):
        assert_same({("AP", "x"): 0.5}, {("AP", "q"): 0.5}, context="on DuckDB")


def test_a_name_in_several_families() -> None:
    """`--measure` selects a name in every family that has it."""
    jaccard: list[Definition] = [d for d in catalog.definitions() if d.name == "Jaccard"]
    assert {d.family for d in jaccard} == {"clusters", "labels"}
