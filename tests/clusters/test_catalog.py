"""Names of the family, and names of several families."""

from __future__ import annotations

import pytest

from ireval_frames import catalog
from ireval_frames.errors import UnknownName
from tests.clusters.asked import DEFINITIONS
from tests.oracles.clusters import ORACLES

CANONICAL = (
    "Purity InversePurity PurityF ClusterF Rand AdjustedRand Jaccard FowlkesMallows PairF Entropy MI NMI AMI "
    "Homogeneity Completeness V VI SplitJoin EditDistance ClusteringAccuracy BCubedP BCubedR BCubedF"
)


def test_oracles_and_measures_are_the_same() -> None:
    assert {d.name for d in DEFINITIONS} == set(ORACLES)
    assert set(CANONICAL.split()) <= set(ORACLES)


def test_a_name_of_several_families_says_so() -> None:
    with pytest.raises(
        UnknownName, match=r"ir\.clusters\.Jaccard or ir\.labels\.Jaccard|ir\.labels\.Jaccard or ir\.clusters\.Jaccard"
    ):
        catalog.parse("Jaccard")
