"""Names of the family, and names of several families."""

from __future__ import annotations

import pytest

from ireval_frames import catalog
from ireval_frames.errors import UnknownName


def test_a_name_of_several_families_says_so() -> None:
    with pytest.raises(
        UnknownName, match=r"ir\.clusters\.Jaccard or ir\.labels\.Jaccard|ir\.labels\.Jaccard or ir\.clusters\.Jaccard"
    ):
        catalog.parse("Jaccard")
