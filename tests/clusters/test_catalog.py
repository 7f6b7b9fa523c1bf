"""Every declaration is complete: names, a sentence, formula, source, range, an example that runs, and an oracle of the same name."""

from __future__ import annotations

import pickle

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.errors import UnknownName
from ireval_frames.measure import Definition
from tests.clusters.asked import ALL, DEFINITIONS
from tests.declarations import example_runs, says_what_it_is
from tests.oracles.clusters import ORACLES

every = pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda d: d.name)
CANONICAL = (
    "Purity InversePurity PurityF ClusterF Rand AdjustedRand Jaccard FowlkesMallows PairF Entropy MI NMI AMI Homogeneity Completeness V VI "
    "SplitJoin EditDistance ClusteringAccuracy BCubedP BCubedR BCubedF"
)


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == set(ORACLES)
    assert set(CANONICAL.split()) <= set(ORACLES)


@every
def test_says_what_it_is(definition: Definition) -> None:
    says_what_it_is(definition)


@every
def test_the_example_runs(definition: Definition) -> None:
    example_runs(definition)


@every
def test_names(definition: Definition) -> None:
    assert getattr(ir.clusters, definition.name).definition is definition
    for name in (definition.name, *definition.aliases, definition.name.lower()):
        assert catalog.parse(name, "clusters").definition is definition


def test_no_name_stands_for_two_measures() -> None:
    names = [n for d in DEFINITIONS for n in {n.lower() for n in (d.name, *d.aliases)}]
    assert len(names) == len(set(names))


def test_values_survive_text_and_pickle() -> None:
    for measure in ALL:
        assert catalog.parse(str(measure), "clusters") == measure
        assert pickle.loads(pickle.dumps(measure)) == measure


def test_a_name_of_several_families_says_so() -> None:
    with pytest.raises(UnknownName, match=r"ir\.clusters\.Jaccard or ir\.labels\.Jaccard|ir\.labels\.Jaccard or ir\.clusters\.Jaccard"):
        catalog.parse("Jaccard")
