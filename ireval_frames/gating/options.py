"""The options of a gate: the segments, and how rules are tested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from ireval_frames.columns.user_names import columns_named
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, Parameter, choice, option
from ireval_frames.stats.sample import N_RESAMPLES

# The t test from N units on; below, the randomization test, which is exact there.
MANY = 30


def _columns(value: Any) -> tuple[str, ...] | None:
    return None if value is None else columns_named(value, "by")


def _column(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ValueError("the name of a column")


def _measures(value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
    if not all(isinstance(name, str) for name in names):
        raise ValueError("a measure, or a list of measures")
    return names


BY = Parameter(None, "columns that make segments", _columns, kind=None)
CLUSTER = Parameter(None, "a column of units whose groups are compared by their means", _column, example="user_id")
LOWER_IS_BETTER = Parameter((), "measures of which less is better", _measures, kind=None, example="latency")


@dataclass(frozen=True)
class GateOptions(BaseOptions):
    """How rules are tested: the arguments of `ir.gate` of these names."""

    by: tuple[str, ...] | None = option(BY)
    cluster: str | None = option(CLUSTER)
    test: str = option(choice("auto", "t", "randomization", what="the test of rules: auto is t from 30 units on"))
    confidence: float = option(CONFIDENCE)
    n_resamples: int = option(N_RESAMPLES)
    seed: int = option(SEED)
    lower_is_better: tuple[str, ...] = option(LOWER_IS_BETTER)

    def or_else(self, values: Mapping[str, Any]) -> Self:
        """The options with other values in place of defaults."""
        own = {n: v for n, v in self.arguments().items() if v != self.parameters()[n].default}
        return type(self)(**{**values, **own})

    def test_name(self, n: int) -> str:
        """The test of n units."""
        return self.test if self.test != "auto" else "t" if n >= MANY else "randomization"
