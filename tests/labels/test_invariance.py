"""What must not matter: the order of the rows, and the names of the classes but where their order counts."""

from __future__ import annotations

import pytest

from tests.contract.kit import ENGINES, assert_same
from tests.labels.cases import WORDS
from tests.labels.suite import CASES, evaluated

engines = pytest.mark.parametrize("engine", ENGINES)


@engines
def test_order_of_classes(engine: str) -> None:
    """Ordered kappa minds the order of the classes, and nothing else of their names."""
    case = CASES["text"]
    order = {c: place for place, c in enumerate(sorted(WORDS))}
    for name in ("Kappa(weights='linear')", "Kappa(weights='quadratic')"):
        before = evaluated(case, name, engine)
        same = case.renamed(lambda c: c if c is None else f"{order[c]:02d} of them")
        assert_same(evaluated(same, name, engine), before, 1e-12)
        other = case.renamed(lambda c: c if c is None else f"{(order[c] * 5) % 12:02d}")
        actual = evaluated(other, name, engine)
        assert any(abs(v - before[k]) > 0.01 for k, v in actual.items() if v is not None)
