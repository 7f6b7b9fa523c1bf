"""RBO with ties: the figures that Corsi and Urbano publish with their program (2024)."""

from __future__ import annotations

import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES

engines = pytest.mark.parametrize("engine", ENGINES)

# Rankings, p, and ext, min, max, res for ties w, a and b.
CORSI_URBANO = [
    ("i3 (i1 i5 i7) i9", "(i1 i9) i7 i3 i4", 0.930093081332594,
     0.697096710334179, 0.35176094170816, 0.836304027811629, 0.484543086103469,
     0.678580739450433, 0.333244970824414, 0.817788056927883, 0.484543086103469,
     0.684614956129899, 0.339279187503881, 0.82382227360735, 0.484543086103469),
    ("(i2 i4 i5) (i9 i11)", "i7 (i1 i2 i3 i4 i5)", 0.945785260564493,
     0.562374879224653, 0.267964008723162, 0.852742380492738, 0.584778371769576,
     0.510040933443038, 0.223885712864094, 0.80866408463367, 0.584778371769576,
     0.534789526096388, 0.2431196196332, 0.827897991402776, 0.584778371769576),
    ("i4 (i2 i7) i10 i5", "i1 i3 (i6 i7 i9 i10)", 0.968432720355691,
     0.363709313737383, 0.114541210834554, 0.855925827210154, 0.7413846163756,
     0.344495350581105, 0.104361690568615, 0.845746306944215, 0.7413846163756,
     0.350296441316573, 0.106557360310577, 0.847941976686177, 0.7413846163756),
    ("i13 (i1 i4 i5 i6)", "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2", 0.92238320668128,
     0.117578490431637, 0.0763135264223449, 0.53999366118093, 0.463680134758586,
     0.114619469221414, 0.0733545052121218, 0.537945108035391, 0.464590602823269,
     0.11474835409049, 0.0734833900811979, 0.538589532380772, 0.465106142299574),
]  # fmt: skip


@engines
@pytest.mark.parametrize("figures", CORSI_URBANO, ids=lambda f: f[0])
def test_corsi_and_urbano(figures: tuple, engine: str, agrees) -> None:
    one, other, p, *expected = figures
    estimates = ("extrapolated", "minimum", "maximum", "residual")
    measures = [ir.similarity.RBO(p=p, ties=ties, estimate=estimate) for ties in "wab" for estimate in estimates]
    values = ir.Similarity(ir.similarity.ranking(one), against=ir.similarity.ranking(other), engine=engine).evaluate(
        measures
    )
    assert values.per_unit()["value"].to_list() == pytest.approx(expected, abs=2e-14)
    agrees("sigir2024-rbo", *measures, family="similarity")
