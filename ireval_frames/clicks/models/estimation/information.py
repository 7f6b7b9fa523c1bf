"""Intervals from the observed information: how sharply the likelihood falls from its maximum, for all parameters.

The gradient of the log-likelihood in logits is hits − n θ of the E-step (Fisher's identity; Louis, JRSS B 1982), exact
for every model here.  Its differences at places beside the maximum are the matrix of second derivatives.  Pairs of
different queries do not meet on a page, so that one E-step serves a pair of every query; what all pages of a group
share (examination, continuation) is taken into account through the rest of the matrix (a Schur complement).  An
interval is θ̂ ± z standard errors in logits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ireval_frames.clicks.models.declared import PAIR, Array, Codes, Estimate, Estimates, Mask, Parameter
from ireval_frames.clicks.models.estimation.ascent import Peak
from ireval_frames.clicks.models.estimation.iteration import Step
from ireval_frames.clicks.models.options import Options
from ireval_frames.errors import InvalidParameter
from ireval_frames.kernels.progress import Progress

# The distance of a difference, in logits.
STEP_SIZE = 1e-4
# There is no interval where the information is less.
MIN_INFORMATION = 1e-6
# The most entries of the matrix in memory.
MAX_ENTRIES = 200_000_000


@dataclass(frozen=True)
class Blocks:
    """Which pairs share pages.

    Attributes:
        block: the number of the block of each pair, ascending.
        slot: its number within the block.
        size: the number of pairs of its block.
        group: the number of its group.
        groups: how many there are.
    """

    block: Codes
    slot: Codes
    size: Codes
    group: Codes
    groups: int


def blocks_of(block: Codes, group: Codes, groups: int) -> Blocks:
    """The blocks of pairs, which are in order."""
    first = np.flatnonzero(np.r_[True, block[1:] != block[:-1]]) if len(block) else np.empty(0, dtype=np.int64)
    sizes = np.diff(np.r_[first, len(block)])
    return Blocks(block, np.arange(len(block)) - np.repeat(first, sizes), np.repeat(sizes, sizes), group, groups)


@dataclass
class _Errors:
    """Variances in logits by parameter; for products of two parameters by pair their covariance."""

    variance: dict[str, Array]
    together: Array


def informed(
    step: Step,
    peak: Peak,
    options: Options,
    parameters: tuple[Parameter, ...],
    frozen: Mapping[str, Mask],
    blocks: Blocks,
    confidence: float,
) -> tuple[Estimates, tuple[Array, Array] | None]:
    """The estimates with intervals, and those of the product where two parameters have pairs.

    Args:
        step: one E-step over all data.
        peak: the maximum.
        options: the prior, and the parameters that are fixed.
        parameters: those of the model.
        frozen: by parameter, the values that stay.
        blocks: which pairs meet.
        confidence: of the intervals.

    Raises:
        InvalidParameter: the queries have too many documents.
    """
    from scipy import special

    z = float(special.ndtri((1.0 + confidence) / 2.0))
    errors = _errors(step, peak, options, parameters, frozen, blocks)
    out: Estimates = {}
    for name, value in peak.values.items():
        out[name] = Estimate(*peak.counts[name], value, *_around(value, np.sqrt(errors.variance[name]), z))
    pairs = [p.name for p in parameters if p.keys == PAIR]
    if len(pairs) < 2:
        return out, None
    (a, b), (va, vb) = ([of[name] for name in pairs] for of in (peak.values, errors.variance))
    ratio = (1 - a) ** 2 * va + 2 * (1 - a) * (1 - b) * errors.together + (1 - b) ** 2 * vb
    with np.errstate(invalid="ignore", divide="ignore"):
        return out, _around(a * b, np.sqrt(ratio) / (1.0 - a * b), z)


def _around(value: Array, error: Array, z: float) -> tuple[Array, Array]:
    """Both ends of an interval in logits, as shares."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        odds = value / (1.0 - value)
        low, high = (1.0 / (1.0 + np.exp(-sign * z * error) / odds) for sign in (-1.0, 1.0))
    known = np.isfinite(error) & (value > 0.0) & (value < 1.0)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _errors(
    step: Step,
    peak: Peak,
    options: Options,
    parameters: tuple[Parameter, ...],
    frozen: Mapping[str, Mask],
    blocks: Blocks,
) -> _Errors:
    free = {name: inside(name, peak, options, frozen) for name in peak.values}
    pairs = [p.name for p in parameters if p.keys == PAIR]
    shared = [p.name for p in parameters if p.keys != PAIR]
    widths = [int(np.prod(peak.values[name].shape[1:])) for name in shared]
    sizes = np.unique(blocks.size)
    cells = float(blocks.size.sum()) * len(pairs) ** 2 + float(len(blocks.block)) * sum(widths) * len(pairs)
    if cells > MAX_ENTRIES:
        raise InvalidParameter(
            f"{len(blocks.block)} pairs of queries with up to {sizes[-1]} documents are too many for their information "
            f"({cells:.3g} numbers).",
            "Draw the pages anew: model.bootstrap(100)",
        )

    def slope(name: str, where: Mask) -> dict[str, Array]:
        """Minus the second derivatives of all values along one of each block or group."""
        shifted = where & free[name]
        ends = []
        for sign in (1.0, -1.0):
            at = peak.values[name]
            odds = at[shifted] / (1.0 - at[shifted]) * np.exp(sign * STEP_SIZE)
            changed = at.copy()
            changed[shifted] = odds / (1.0 + odds)
            values = {**peak.values, name: changed}
            ends.append((values, step(values)[0]))
        return {
            k: np.where(free[k], (_score(*ends[1], k, options) - _score(*ends[0], k, options)) / (2 * STEP_SIZE), 0.0)
            for k in peak.values
        }

    def flat(of: Mapping[str, Array] | Mapping[str, Mask]) -> Array:
        """What groups share, a row per group."""
        return np.concatenate([of[name].reshape(blocks.groups, -1).astype(np.float64) for name in shared], axis=1)

    deepest = int(sizes[-1]) if len(sizes) else 0
    used = [np.flatnonzero(free[name].reshape(blocks.groups, -1).any(axis=0)) for name in shared]
    shared_block = np.zeros((blocks.groups, sum(widths), sum(widths)))
    cross = np.zeros((len(pairs), len(blocks.block), sum(widths)))
    own = {m: np.zeros((int((blocks.size == m).sum()) // m, len(pairs), m, len(pairs), m)) for m in sizes.tolist()}
    with Progress("derivatives") as progress:
        progress.expect(sum(len(u) for u in used) + deepest * len(pairs))
        for i, name in enumerate(shared):
            for place in used[i].tolist():
                where = np.zeros((blocks.groups, widths[i]), dtype=np.bool_)
                where[:, place] = True
                derivatives, column = slope(name, where.reshape(free[name].shape)), sum(widths[:i]) + place
                shared_block[:, :, column] = flat(derivatives)
                for j, pair in enumerate(pairs):
                    cross[j, :, column] = derivatives[pair]
                progress.done(1)
        for j, pair in enumerate(pairs):
            for slot in range(deepest):
                derivatives = slope(pair, blocks.slot == slot)
                for m in sizes[sizes > slot].tolist():
                    for k, other in enumerate(pairs):
                        own[m][:, k, :, j, slot] = derivatives[other][blocks.size == m].reshape(-1, m)
                progress.done(1)
    at = np.stack([free[name] for name in pairs]) if pairs else np.zeros((0, 0), dtype=np.bool_)
    return _inverted(own, cross, shared_block, at, flat(free) > 0, blocks, pairs, shared, peak)


def inside(name: str, peak: Peak, options: Options, frozen: Mapping[str, Mask]) -> Mask:
    """The values with data that are strictly between 0 and 1."""
    value, n = peak.values[name], peak.counts[name][1]
    if name in options.fixed:
        return np.zeros(value.shape, dtype=np.bool_)
    with np.errstate(invalid="ignore"):
        out: Mask = (n > 0) & ((n + sum(options.prior)) * value * (1.0 - value) > MIN_INFORMATION)
    return out & ~frozen[name] if name in frozen else out


def _score(
    values: Mapping[str, Array], counts: Mapping[str, tuple[Array, Array]], name: str, options: Options
) -> Array:
    """The derivative of the objective in logits."""
    a, b = options.prior
    hits, n = counts[name]
    return np.asarray(hits + a - (n + a + b) * values[name])


def _inverted(
    own: Mapping[int, Array],
    cross: Array,
    shared_block: Array,
    at: Mask,
    at_shared: Mask,
    blocks: Blocks,
    pairs: list[str],
    shared: list[str],
    peak: Peak,
) -> _Errors:
    """The diagonal of the inverse of the matrix, block by block."""
    width, kinds = shared_block.shape[1], len(pairs)
    parts = []
    rest = shared_block.copy()
    for m, matrix in own.items():
        of = np.flatnonzero(blocks.size == m)
        group = blocks.group[of].reshape(-1, m)[:, 0]
        known = at[:, of].reshape(kinds, -1, m).transpose(1, 0, 2).reshape(-1, kinds * m)
        side = cross[:, of].reshape(kinds, -1, m, width).transpose(1, 0, 2, 3).reshape(-1, kinds * m, width)
        inverse, unknown = _inverse(matrix.reshape(-1, kinds * m, kinds * m), known)
        through = inverse @ side
        np.subtract.at(rest, group, side.transpose(0, 2, 1) @ through)
        parts.append((of, m, group, inverse, through, known & ~unknown))
    shares, unknown = _inverse(rest, at_shared)
    variance: dict[str, Array] = {name: np.full(len(blocks.block), np.nan) for name in pairs}
    together = np.full(len(blocks.block), np.nan)
    for of, m, group, inverse, through, known in parts:
        full = inverse + through @ shares[group] @ through.transpose(0, 2, 1)
        diagonal = np.where(known, np.einsum("qii->qi", full), np.nan)
        for j, name in enumerate(pairs):
            variance[name][of] = diagonal[:, j * m : (j + 1) * m].ravel()
        if kinds == 2:
            both = known[:, :m] & known[:, m:]
            together[of] = np.where(both, np.einsum("qii->qi", full[:, :m, m:]), np.nan).ravel()
    of_shared = np.where(at_shared & ~unknown, np.einsum("gii->gi", shares), np.nan)
    start = 0
    for name in shared:
        shape = peak.values[name].shape
        size = int(np.prod(shape[1:]))
        variance[name] = of_shared[:, start : start + size].reshape(shape)
        start += size
    return _Errors(variance, together)


def _inverse(matrix: Array, known: Mask) -> tuple[Array, Mask]:
    """The inverses of symmetric matrices, 0 for what is not known; and what lies in a direction without curvature."""
    if not matrix.shape[1]:
        return matrix, np.zeros(known.shape, dtype=np.bool_)
    both = known[:, :, None] & known[:, None, :]
    even = np.where(both, (matrix + matrix.transpose(0, 2, 1)) / 2.0, 0.0)
    # Logits of rare values have little curvature without being unclear: each is measured by its own.
    scale = np.sqrt(np.maximum(np.einsum("qii->qi", even), 1e-300))
    scale = np.where(known, scale, 1.0)
    even = even / (scale[:, :, None] * scale[:, None, :])
    index = np.arange(even.shape[1])
    even[:, index, index] = np.where(known, even[:, index, index], 1.0)
    size, direction = np.linalg.eigh(even)
    clear = size > MIN_INFORMATION
    inverse = (direction * np.where(clear, 1.0 / np.where(clear, size, 1.0), 0.0)[:, None, :]) @ direction.transpose(
        0, 2, 1
    )
    unclear = ((direction**2) * ~clear[:, None, :]).sum(axis=2) > MIN_INFORMATION
    return np.where(both, inverse / (scale[:, :, None] * scale[:, None, :]), 0.0), unclear
