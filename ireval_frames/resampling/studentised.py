"""Standard errors of means of units, and of their replicates."""

from __future__ import annotations

import numpy as np

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.resampling.draws import Counts, unit_weights
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.units import Units


def errors_of_means(population: Population, seed: int, replicates: int) -> tuple[Counts, Counts]:
    """The standard errors of means: √(C/(C − 1) Σ_c (Σ_{u∈c} (x_u − x̄))²) / n over the C clusters that are drawn.

    Returns:
        Of the values, groups × measures; of their replicates, replicates × groups × measures.  NaN with fewer than two
        clusters.

    Raises:
        NotDefined: measures are no means of units.
    """
    if not isinstance(population, Units) or any(m.aggregation != "mean" for m in population.measures):
        raise NotDefined(
            "Studentised intervals need a standard error in every replicate, which means of units have.",
            Hint("Ask for ", Argument("method", "bca"), "."),
        )
    once = np.ones(population.members.n_units)
    values = _errors(population, once)
    each = [_errors(population, unit_weights(population.members, seed, r)) for r in range(replicates)]
    return values, np.stack(each)


def _errors(population: Units, weights: np.ndarray) -> Counts:
    members = population.members
    assert members.unit is not None  # noqa: S101 - units have ids
    x = population.matrix.fill_null(np.nan).to_numpy()
    defined = (~np.isnan(x)).astype(np.float64)
    out = np.full((population.n_groups, x.shape[1]), np.nan)
    for group in range(population.n_groups):
        at = np.flatnonzero(population.group_of_row[members.row] == group)
        unit, here = members.unit[at], members.row[at]
        sums, counts = (np.zeros((members.n_units, x.shape[1])) for _ in range(2))
        np.add.at(sums, unit, np.nan_to_num(x[here]))
        np.add.at(counts, unit, defined[here])
        times = np.where(np.isin(np.arange(members.n_units), unit), weights, 0)[:, None]
        n, clusters = (times * counts).sum(axis=0), (times * (counts > 0)).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (times * sums).sum(axis=0) / n
            squares = (times * (sums - mean * counts) ** 2).sum(axis=0)
            out[group] = np.where(clusters > 1, np.sqrt(clusters / (clusters - 1) * squares) / n, np.nan)
    return out
