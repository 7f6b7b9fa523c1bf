"""The engine of draws: resamples in fixed blocks, each with a generator of its own, shared by threads.

Draw number b is the same for any number of threads, and any number of draws: a block of 1,024 draws is seeded
with the seed and its number.  Where many units make a block large it is drawn in parts, one after another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from ireval_frames.stats.sample import Alternative, Array, Options

BLOCK = 1024
# The number of values of a block in memory at once.
CELLS = 2_000_000

Generator = np.random.Generator
Part = TypeVar("Part")


@dataclass(frozen=True)
class Block:
    """Draws from `start` to `stop`, and what draws them."""

    start: int
    stop: int
    generator: Generator

    @property
    def draws(self) -> slice:
        """Their slice among all draws."""
        return slice(self.start, self.stop)

    def parts(self, width: int) -> Iterator[slice]:
        """Some of the draws at a time, by number within the block, for `width` numbers each."""
        step = max(1, CELLS // max(1, width))
        for start in range(0, self.stop - self.start, step):
            yield slice(start, min(start + step, self.stop - self.start))


def generator(seed: int, number: int) -> Generator:
    """What draws the block of that number."""
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, number])))


def each_block(options: Options, do: Callable[[Block], Part]) -> list[Part]:
    """What `do` makes of every block, in their order.

    Args:
        options: draws, seed and threads.
        do: is called in several threads at a time.

    Example:
        >>> each_block(Options(n_resamples=2000, threads=1), lambda block: block.stop - block.start)
        [1024, 976]
    """
    draws, seed, workers = options.n_resamples, options.seed, options.threads or os.cpu_count() or 1

    def run(number: int) -> Part:
        start = number * BLOCK
        return do(Block(start, min(start + BLOCK, draws), generator(seed, number)))

    numbers = range(-(-draws // BLOCK))
    # Products of matrices in one thread each: beside ours theirs would be too many.
    with _libraries().limit(limits=1, user_api="blas"):
        if min(workers, len(numbers)) == 1:
            return [run(number) for number in numbers]
        with ThreadPoolExecutor(min(workers, len(numbers))) as pool:
            return list(pool.map(run, numbers))


def reached(drawn: Array, observed: Array, allowed: Array, alternative: Alternative) -> Array:
    """How many draws are at least as extreme as the data.

    Args:
        drawn: statistics, pairs × draws.
        observed: the statistics of the data, by pair.
        allowed: by how much two statistics may differ and still be one, by pair.
        alternative: which way is extreme.
    """
    data, beside = observed[:, None], allowed[:, None]
    if alternative == "two-sided":
        counts = np.abs(drawn) >= np.abs(data) - beside
    else:
        counts = drawn >= data - beside if alternative == "greater" else drawn <= data + beside
    return np.asarray(counts.sum(axis=1, dtype=np.float64))


def share(count: Array, draws: int) -> Array:
    """The Monte Carlo p-value (1 + count) / (1 + draws): the data are one more draw."""
    return np.asarray((1.0 + count) / (1.0 + draws))


def error_of(p: Array, draws: int) -> Array:
    """The standard error that p has because draws are few: √(p(1 − p) / draws)."""
    return np.asarray(np.sqrt(p * (1.0 - p) / draws))


@cache
def _libraries() -> ThreadpoolController:
    """What multiplies matrices; to look for it takes longer than a small test."""
    return ThreadpoolController()
