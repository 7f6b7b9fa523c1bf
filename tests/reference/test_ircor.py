"""τ and τ_AP with ties: the figures in the tests of Urbano and Marrero's package ircor 1.0."""

from __future__ import annotations

import pytest

from tests.contract.kit import ENGINES
from tests.reference.rankings import ours

engines = pytest.mark.parametrize("engine", ENGINES)

# Scores, and their figures: τ, τ_a with ties in y, τ_b with ties in both, and so for τ_AP.
X = (
    (0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992),
    (0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38),
    (0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445),
)
Y = (
    (0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988),
    (0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644),
    (0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25),
)
IRCOR = {
    ("Tau(variant='a')", False, False): (0.9111, 0.2889, -0.6889),
    ("Tau(variant='a')", False, True): (0.8889, 0.3333, -0.6222),
    ("Tau", True, True): (0.9398, 0.3765, -0.6510),
    ("TauAP", False, False): (0.8519, 0.2504, -0.6971),
    ("TauAP", False, True): (0.7454, 0.2692, -0.5558),
    ("TauAP(variant='b')", False, False): (0.8333, 0.2880, -0.668),
    ("TauAP(variant='b')", True, True): (0.7321, 0.297, -0.7047),
}  # fmt: skip


@engines
@pytest.mark.parametrize("case", IRCOR)
def test_urbano_and_marrero(case: tuple, engine: str, agrees) -> None:
    """Their x is the truth, which we are measured against; one decimal makes ties."""
    measure, tied_x, tied_y = case
    lists = [
        ([round(v, 1) for v in y] if tied_y else list(y), [round(v, 1) for v in x] if tied_x else list(x))
        for x, y in zip(X, Y, strict=True)
    ]
    assert ours(lists, measure, engine) == pytest.approx(list(IRCOR[case]), abs=5.1e-5)
    agrees("ircor", measure, family="similarity")
