"""Similarity of rankings: SciPy, the package rbo, and the figures that the papers' authors publish with their programs."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import polars as pl
import pytest
import scipy.stats

import ireval_frames as ir

ENGINES = ("polars", "duckdb")
engines = pytest.mark.parametrize("engine", ENGINES)
Pairs = list[tuple[list[float], list[float]]]


def pairs(seed: int, number: int = 80) -> Pairs:
    """Scores of the same items in two rankings, many of them tied."""
    rng = random.Random(seed)
    made = []
    for _ in range(number):
        n, grades = rng.choice((2, 3, 8, 30)), rng.choice((1, 2, 5, 1000))
        made.append(tuple([float(rng.randint(0, grades)) for _ in range(n)] for _ in "xy"))
    return made


def frames(made: Pairs) -> list[pl.DataFrame]:
    """All first and all second rankings, each pair as a query."""
    rows = [[(q, i, score) for q, pair in enumerate(made) for i, score in enumerate(pair[side])] for side in (0, 1)]
    return [pl.DataFrame(r, schema=["query_id", "doc_id", "score"], orient="row") for r in rows]


def ours(made: Pairs, measure: str, engine: str) -> list[float | None]:
    one, other = frames(made)
    return ir.rank_similarity(one, measure, against=other, engine=engine).per_unit()["value"].to_list()


THEIRS = {
    "Tau": lambda x, y: scipy.stats.kendalltau(x, y).statistic,
    "Spearman": lambda x, y: scipy.stats.spearmanr(x, y).statistic,
    "WeightedTau": lambda x, y: scipy.stats.weightedtau(x, y).statistic,
    "WeightedTau(rank='measured')": lambda x, y: scipy.stats.weightedtau(x, y, rank=None).statistic,
    "WeightedTau(rank='reference')": lambda x, y: scipy.stats.weightedtau(y, x, rank=None).statistic,
    "WeightedTau(additive=False)": lambda x, y: scipy.stats.weightedtau(x, y, additive=False).statistic,
    "WeightedTau(weigher='quadratic')": lambda x, y: scipy.stats.weightedtau(x, y, weigher=lambda r: 1 / (r + 1) ** 2).statistic,
    "WeightedTau(weigher='logarithmic')": lambda x, y: scipy.stats.weightedtau(x, y, weigher=lambda r: 1 / math.log2(r + 2)).statistic,
}


@engines
@pytest.mark.parametrize("measure", THEIRS)
@pytest.mark.filterwarnings("ignore:An input array is constant")
def test_scipy(measure: str, engine: str) -> None:
    made = pairs(1)
    undefined = 0
    for pair, got in zip(made, ours(made, measure, engine), strict=True):
        wanted = THEIRS[measure](*pair)
        if math.isnan(wanted):
            assert got is None
            undefined += 1
        else:
            assert got == pytest.approx(wanted, abs=1e-12)
    assert 2 < undefined < 40


@pytest.mark.parametrize("measure", ["Tau", "WeightedTau", "Spearman"])
def test_a_hundred_thousand_items(measure: str) -> None:
    """In O(n log n): a loop over their pairs would take hours."""
    rng = random.Random(2)
    made: Pairs = [([rng.random() for _ in range(100_000)], [float(rng.randint(0, 50_000)) for _ in range(100_000)])]
    made[0][1][:50_000] = made[0][0][:50_000]
    # Sums of so many terms in another order: SciPy's 64-bit loops and ours differ by 1e-12.
    assert ours(made, measure, "polars")[0] == pytest.approx(THEIRS[measure](*made[0]), abs=1e-11)


RBO = json.loads((Path(__file__).parent / "rbo_0.1.3.json").read_text(encoding="utf-8"))


@engines
def test_rbo(engine: str) -> None:
    """The package's figures are stored, as it cannot be installed beside NumPy 2.  Its p = 1 is the average overlap down to the shorter end."""
    cases = RBO["cases"]
    tables = [pl.concat([ir.similarity.ranking(c[side]).with_columns(query_id=pl.lit(i)) for i, c in enumerate(cases)]) for side in ("one", "other")]
    depths = sorted({min(len(c["one"].split()), len(c["other"].split())) for c in cases})
    names = {c["p"]: (ir.similarity.RBO(p=c["p"], estimate="truncated"), ir.similarity.RBO(p=c["p"])) for c in cases}
    asked = [m for two in names.values() for m in two] + [ir.similarity.AO @ d for d in depths]
    compared = ir.rank_similarity(tables[0], asked, against=tables[1], engine=engine).per_unit()
    got = {(q, m): v for q, m, v in compared.select("query_id", "measure", "value").iter_rows()}
    for i, case in enumerate(cases):
        truncated, extrapolated = map(str, names[case["p"]])
        assert got[i, truncated] == pytest.approx(case["rbo"], abs=1e-12)
        assert got[i, extrapolated] == pytest.approx(case["rbo_ext"], abs=1e-12)
        assert got[i, f"AO@{min(len(case[s].split()) for s in ('one', 'other'))}"] == pytest.approx(case["rbo_p1"], abs=1e-12)


# Rankings, p, and ext, min, max, res for ties w, a and b: from the table that Corsi and Urbano publish with their program (2024).
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
def test_corsi_and_urbano(figures: tuple, engine: str) -> None:
    one, other, p, *wanted = figures
    estimates = ("extrapolated", "minimum", "maximum", "residual")
    measures = [ir.similarity.RBO(p=p, ties=ties, estimate=estimate) for ties in "wab" for estimate in estimates]
    got = ir.rank_similarity(ir.similarity.ranking(one), measures, against=ir.similarity.ranking(other), engine=engine)
    assert got.per_unit()["value"].to_list() == pytest.approx(wanted, abs=2e-14)


# The scores of Urbano and Marrero's own tests (ircor 1.0), and their figures: τ, τ_a with ties in y, τ_b with ties in both, and so for τ_AP.
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
def test_urbano_and_marrero(case: tuple, engine: str) -> None:
    """Their x is the truth, which we are measured against; one decimal makes ties."""
    measure, tied_x, tied_y = case
    for x, y, wanted in zip(X, Y, IRCOR[case], strict=True):
        made = [([round(v, 1) for v in y] if tied_y else list(y), [round(v, 1) for v in x] if tied_x else list(x))]
        assert ours(made, measure, engine)[0] == pytest.approx(wanted, abs=5.1e-5)


def test_formulas_of_a_course() -> None:
    """Spearman's formula and Kendall's τ as lecture slides give them: 1 − 6 Σ d² / (N(N² − 1)), and (C − D) / (N(N−1)/2)."""
    one, other = ir.similarity.ranking("d1 d2 d3 d4 d5"), ir.similarity.ranking("d2 d3 d1 d5 d4")
    # Distances 2, 1, 1, 1, 1; discordant are (d1, d2), (d1, d3), (d4, d5).
    got = ir.rank_similarity(one, "Spearman Spearman(ties='distances') Tau(variant='a')", against=other).per_unit()["value"].to_list()
    assert got == pytest.approx([1 - 6 * 8 / (5 * 24)] * 2 + [(7 - 3) / 10])
