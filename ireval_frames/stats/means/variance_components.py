"""Analysis of variance of units × systems, and of units × systems × replicates, and generalizability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from ireval_frames.errors import NotDefined
from ireval_frames.stats.joint import complete
from ireval_frames.stats.rounding import no_residuals
from ireval_frames.stats.sample import Array

TERMS = ("system", "unit", "replicate", "unit:system", "system:replicate", "unit:replicate")


@dataclass(frozen=True)
class Term:
    """A row of the table.

    Attributes:
        term: what varies; "residual" is what nothing explains, "total" all.
        sum_of_squares, df, mean_square: S, its degrees of freedom, and V = S / df.
        statistic, p_value: F = V / V_E and its upper tail; NaN for residual and total, and where V_E is 0.
        omega_squared: df·(F − 1) / (df·(F − 1) + cells), the share of variance explained, less what chance explains.
        eta_squared: S / (S + S_E), partial.
        variance: the component of variance of the term taken as random, not below 0; NaN for total.
    """

    term: str
    sum_of_squares: float
    df: float
    mean_square: float
    statistic: float = np.nan
    p_value: float = np.nan
    omega_squared: float = np.nan
    eta_squared: float = np.nan
    variance: float = np.nan


@dataclass(frozen=True)
class Variance:
    """A table of analysis of variance.

    Attributes:
        terms: its rows.
        units, systems, replicates: their numbers; one replicate without replicates.
        epsilon_gg, epsilon_hf: Greenhouse and Geisser's and Huynh and Feldt's ε, from 1 / (m − 1) to 1, how far all
            differences of systems have one variance; NaN with replicates.
        p_value_gg, p_value_hf: of the systems, with both degrees of freedom times ε.
        status: "ok", or "undefined" where nothing varies beside units and systems.
    """

    terms: tuple[Term, ...]
    units: int
    systems: int
    replicates: int = 1
    epsilon_gg: float = np.nan
    epsilon_hf: float = np.nan
    p_value_gg: float = np.nan
    p_value_hf: float = np.nan
    status: str = "ok"

    def __getitem__(self, term: str) -> Term:
        return next(row for row in self.terms if row.term == term)

    def margin_of_error(self, confidence: float = 0.95) -> float:
        """Half the width of the interval of a system's mean: t · √(V_E / (n·r)), for fixed units."""
        error = self["residual"]
        t = special.stdtrit(error.df, (1.0 + confidence) / 2.0)
        return float(t * np.sqrt(error.mean_square / (self.units * self.replicates)))

    def generalizability(self, units: int | None = None) -> float:
        """Eρ² = σ²_s / (σ²_s + σ²_us / n′): how reliably n′ units order the systems, from 0 to 1.

        NaN where nothing varies, and with replicates.
        """
        return self._reliability(units, alone=0.0)

    def dependability(self, units: int | None = None) -> float:
        """Φ = σ²_s / (σ²_s + (σ²_u + σ²_us) / n′): how reliably n′ units measure the systems' values, from 0 to 1."""
        return self._reliability(units, alone=1.0)

    def _reliability(self, units: int | None, alone: float) -> float:
        if self.replicates > 1:
            return np.nan
        system, unit, error = (self[term].variance for term in ("system", "unit", "residual"))
        total = system + (alone * unit + error) / (self.units if units is None else units)
        return system / total if total > 0 else np.nan


def analysis_of_variance(values: Array) -> Variance:
    """The two-way analysis of variance without replicates, or with all interactions of two where there are some.

    S_system = n·Σ(x̄_i − x̄)², S_unit = m·Σ(x̄_u − x̄)², S_E what is left, with (m − 1)(n − 1) degrees of freedom;
    F = V / V_E.  With r replicates (shards, seeds), y = μ + unit + system + replicate + their interactions of two + ε,
    and V_E has (n − 1)(m − 1)(r − 1).  The F of the systems is that of one factor with repeated measures.

    Args:
        values: units × systems, or units × systems × replicates; NaN where there is none.  Units with
            gaps are left out.

    Returns:
        The table, with components of variance, ε for spheres, and generalisability.

    Raises:
        NotDefined: there are fewer than two units without gaps, or fewer than two systems.

    Source: Tague-Sutcliffe and Blustein, TREC-3; Ferro and Silvello, TOIS 2018; Voorhees, Samarov and Soboroff, TOIS
    2017; Urbano, Marrero and Martín, SIGIR 2013 (generalisability).

    Example:
        >>> import numpy as np
        >>> values = np.array([[0.5, 0.7, 0.9], [0.1, 0.3, 0.3], [0.0, 0.2, 0.4], [0.2, 0.6, 0.7]])
        >>> table = analysis_of_variance(values)
        >>> round(table["system"].statistic, 4), round(table["system"].p_value, 4)
        (25.0, 0.0012)
    """
    cells = _without_gaps(values)
    n, m, r = cells.shape
    named = {"unit": 0, "system": 1, "replicate": 2}
    complete = cells - cells.mean()
    squares: dict[str, tuple[float, float]] = {}
    left = complete
    # Main effects first: interactions are computed from their residuals.
    for term in TERMS if r > 1 else TERMS[:2]:
        factors = [named[name] for name in term.split(":")]
        others = tuple(axis for axis in range(3) if axis not in factors)
        effect = left.mean(axis=others, keepdims=True)
        df = float(np.prod([cells.shape[axis] - 1 for axis in factors]))
        squares[term] = float(np.square(effect).sum() * cells.size / effect.size), df
        left = left - effect
    error, df = float(np.square(left).sum()), float((n - 1) * (m - 1) * max(r - 1, 1))
    if no_residuals(cells.reshape(n, -1), left.reshape(n, -1)):
        error = 0.0
    mean_squares = {term: s / d for term, (s, d) in squares.items()} | {"residual": error / df}
    variances = _components(mean_squares, n, m, r)
    rows = [_row(term, s, d, error, df, cells.size, variances[term]) for term, (s, d) in squares.items()]
    rows += [Term("residual", error, df, error / df, variance=variances["residual"])]
    total = float(np.square(complete).sum())
    rows += [Term("total", total, cells.size - 1.0, total / (cells.size - 1.0))]
    if not error or r > 1:
        return Variance(tuple(rows), n, m, r, status="ok" if error else "undefined")
    gg, hf = sphericity(cells[:, :, 0])
    p = [float(special.fdtrc(e * (m - 1), e * df, rows[0].statistic)) for e in (gg, hf)]
    return Variance(tuple(rows), n, m, r, gg, hf, p[0], p[1])


def sphericity(values: Array) -> tuple[float, float]:
    """Greenhouse and Geisser's ε = (tr C)² / ((m − 1)·tr C²), C the covariances of the systems centred both ways.

    Huynh and Feldt's is (n(m − 1)ε − 2) / ((m − 1)(n − 1 − (m − 1)ε)), at most 1.

    Args:
        values: units × systems without gaps.

    Source: Greenhouse and Geisser, Psychometrika 1959; Huynh and Feldt, Journal of Educational Statistics 1976.
    """
    n, m = values.shape
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    covariance = centred.T @ centred / (n - 1)
    gg = float(np.trace(covariance) ** 2 / ((m - 1) * np.square(covariance).sum()))
    below = (m - 1) * (n - 1 - (m - 1) * gg)
    return gg, min(1.0, (n * (m - 1) * gg - 2.0) / below) if below > 0 else 1.0


def _without_gaps(values: Array) -> Array:
    cells = np.asarray(values, dtype=np.float64)
    if cells.ndim == 2:
        cells = cells[:, :, None]
    shape = cells.shape
    cells = complete(cells.reshape(len(cells), -1)).reshape(-1, *shape[1:])
    if len(cells) < 2 or shape[1] < 2:
        raise NotDefined(
            f"An analysis of variance of {len(cells)} units and {shape[1]} systems has nothing to compare.",
            "It needs two systems, and two units that all systems have.",
        )
    return cells


def _row(term: str, squares: float, df: float, error: float, error_df: float, cells: int, variance: float) -> Term:
    """A term with its test."""
    if not error:
        return Term(term, squares, df, squares / df, variance=variance)
    f = (squares / df) / (error / error_df)
    gain = df * (f - 1.0)
    omega, eta = gain / (gain + cells), squares / (squares + error)
    return Term(term, squares, df, squares / df, f, float(special.fdtrc(df, error_df, f)), omega, eta, variance)


def _components(v: dict[str, float], n: int, m: int, r: int) -> dict[str, float]:
    """Components of variance of random effects, from what mean squares are expected to be; none is below 0."""
    error = v["residual"]
    if r == 1:
        components = {"system": (v["system"] - error) / n, "unit": (v["unit"] - error) / m, "residual": error}
    else:
        us, sr, ur = v["unit:system"], v["system:replicate"], v["unit:replicate"]
        components = {
            "system": (v["system"] - us - sr + error) / (n * r),
            "unit": (v["unit"] - us - ur + error) / (m * r),
            "replicate": (v["replicate"] - sr - ur + error) / (n * m),
            "unit:system": (us - error) / r,
            "system:replicate": (sr - error) / n,
            "unit:replicate": (ur - error) / m,
            "residual": error,
        }
    return {term: max(0.0, value) for term, value in components.items()}
