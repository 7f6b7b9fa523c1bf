"""Metrics of an experiment as values: the columns that are summed per unit, and the statistic of the sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import choice, number
from ireval_frames.stats.proportions.unpaired_intervals import INTERVALS


@dataclass(frozen=True)
class Term:
    """A number of a unit: a column, summed over the unit's rows.

    Attributes:
        column: which; none for the number of rows.
        how: "sum", or "any": 1 if it is not 0 in some row.
        lower, upper: the bounds at which it is capped.
        at: the quantile of all units at which it is capped from above.
    """

    column: str | None
    how: str = "sum"
    lower: float | None = None
    upper: float | None = None
    at: float | None = None


@dataclass(frozen=True)
class Metric(ABC):
    """A metric: the columns it reads, a name, and a direction."""

    kind: ClassVar[str] = ""

    @property
    @abstractmethod
    def terms(self) -> tuple[Term, ...]:
        """The numbers of a unit: the value (of a ratio numerator and denominator), then those from before."""

    @property
    def is_ratio(self) -> bool:
        """Whether a sum is divided by another one."""
        return False

    @property
    def adjusted(self) -> bool:
        """Whether it is adjusted by a covariate from before the experiment."""
        return getattr(self, "before", None) is not None

    @property
    def label(self) -> str:
        """The name in results."""
        return getattr(self, "name", None) or str(self)

    @property
    def less_is_better(self) -> bool:
        """Whether less is better."""
        return bool(getattr(self, "lower_is_better", False))

    def __str__(self) -> str:
        fields = [(n, getattr(self, n), f.default) for n, f in self.__dataclass_fields__.items()]
        arguments = [_written(v) for n, v, _ in fields if n in _PLAIN and (v is not None or n != "denominator")]
        arguments += [f"{n}={_written(v)}" for n, v, default in fields if n not in _PLAIN and v != default]
        return f"{type(self).__name__}({', '.join(arguments)})"


# Arguments that are written without their names.
_PLAIN = ("column", "numerator", "denominator", "q")


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value if value.isidentifier() and value not in ("None", "True", "False") else repr(value)
    return f"({', '.join(map(_written, value))})" if isinstance(value, tuple) else repr(value)


@dataclass(frozen=True)
class Mean(Metric):
    """The mean over the units: Σ y / n, y the sum of a column over the rows of a unit.

    Args:
        column: numbers; units without a value are left out.
        before: a column of the same units from before the experiment, by which the difference is adjusted (CUPED).
        lower_is_better: less is better.
        name: the name in results.

    Source: Welch, Biometrika 1947; Deng et al., WSDM 2013, for CUPED.

    Example:
        >>> str(Mean("revenue", before="revenue_before"))
        'Mean(revenue, before=revenue_before)'
    """

    column: str
    before: str | None = None
    lower_is_better: bool = False
    name: str | None = None
    kind: ClassVar[str] = "mean"

    def __post_init__(self) -> None:
        _columns(self.column, before=self.before, name=self.name)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The value, and that from before."""
        return (Term(self.column), *([] if self.before is None else [Term(self.before)]))


@dataclass(frozen=True)
class Ratio(Metric):
    """A ratio of sums over the units: Σ y / Σ x, whose variance is that of the delta method.

    Var(R) = (s_y² − 2 R s_xy + R² s_x²) / (n x̄²), over the randomised units: rows of one unit may depend on each other.

    Args:
        numerator: the column y, summed over the rows of a unit.
        denominator: the column x; by default the number of the unit's rows.
        before: numerator and denominator of the same units from before the experiment (ratio CUPED).
        lower_is_better: less is better.
        name: the name in results.

    Source: Deng et al., KDD 2018; Kohavi, Tang and Xu, Trustworthy Online Controlled Experiments, 2020.

    Example:
        >>> str(Ratio("clicks", "pages", before=("clicks_before", "pages_before")))
        'Ratio(clicks, pages, before=(clicks_before, pages_before))'
    """

    numerator: str
    denominator: str | None = None
    before: tuple[str, str] | None = None
    lower_is_better: bool = False
    name: str | None = None
    kind: ClassVar[str] = "ratio"

    def __post_init__(self) -> None:
        _columns(self.numerator, denominator=self.denominator, name=self.name)
        pair = tuple(self.before) if isinstance(self.before, list) else self.before
        if pair is not None and not (
            isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(c, str) for c in pair)
        ):
            raise InvalidParameter(
                f"before is {self.before!r}; of a ratio it is a numerator and a denominator.",
                Hint("Write ", Argument("before", ["clicks_before", "pages_before"]), "."),
            )
        object.__setattr__(self, "before", pair)

    @property
    def is_ratio(self) -> bool:
        """True."""
        return True

    @property
    def terms(self) -> tuple[Term, ...]:
        """Numerator and denominator, then those from before."""
        return (Term(self.numerator), Term(self.denominator), *(Term(c) for c in self.before or ()))


@dataclass(frozen=True)
class Proportion(Metric):
    """The share of the units for which a column of 0 and 1 is 1, in any of their rows.

    Test and interval hold where hits are none or all.  The test is that of the pooled share, whose square is χ²; the
    interval `"score"` inverts this test, so that both agree.  With `before` that varies, both are
    Welch's.

    Args:
        column: 0 and 1, or booleans.
        before: a column of the same units from before the experiment (CUPED).
        lower_is_better: less is better.
        name: the name in results.
        interval: of the difference: "newcombe" (hybrid score), "score", "miettinen-nurminen" or "agresti-caffo".

    Source: Newcombe, Statistics in Medicine 1998; Mee, Biometrics 1984; Miettinen and Nurminen, Statistics in Medicine
    1985; Agresti and Caffo, American Statistician 2000; Pearson, Philosophical Magazine 1900, for the test.

    Example:
        >>> str(Proportion("converted"))
        'Proportion(converted)'
    """

    column: str
    before: str | None = None
    lower_is_better: bool = False
    name: str | None = None
    interval: str = "newcombe"
    kind: ClassVar[str] = "proportion"

    def __post_init__(self) -> None:
        _columns(self.column, before=self.before, name=self.name)
        choice(*INTERVALS).check("interval", self.interval)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Whether the value is 1, and the value from before."""
        return (Term(self.column, "any"), *([] if self.before is None else [Term(self.before)]))


@dataclass(frozen=True)
class Capped(Metric):
    """The winsorised mean: values are capped, so that a few huge ones do not dominate.

    Args:
        column: numbers, summed over the rows of a unit before they are capped.
        at: the quantile of all units, of every variant, above which values count as that quantile.
        upper: a number above which values count as it, instead of `at`.
        lower: a number below which values count as it.
        before: a column from before the experiment (CUPED); it is not capped.
        lower_is_better: less is better.
        name: the name in results.

    Source: Tukey, Annals of Mathematical Statistics 1962.

    Example:
        >>> str(Capped("revenue", at=0.99))
        'Capped(revenue, at=0.99)'
    """

    column: str
    at: float | None = None
    upper: float | None = None
    lower: float | None = None
    before: str | None = None
    lower_is_better: bool = False
    name: str | None = None
    kind: ClassVar[str] = "capped"

    def __post_init__(self) -> None:
        _columns(self.column, before=self.before, name=self.name)
        for name, value in (("upper", self.upper), ("lower", self.lower)):
            number(None, example=100.0).check(name, value)
        number(None, low=0.0, high=1.0, open_ends=True, example=0.99).check("at", self.at)
        ends = [e is not None for e in (self.at, self.upper, self.lower)]
        if not any(ends) or (ends[0] and ends[1]):
            raise InvalidParameter(
                "Capped needs a quantile, or bounds.",
                Hint("Write ", Argument("at", 0.99), ", or ", Argument("upper", 100.0), "."),
            )
        if self.upper is not None and self.lower is not None and self.lower > self.upper:
            raise InvalidParameter(
                f"lower is {self.lower!r}, which is above upper, {self.upper!r}.",
                Hint("Write ", Argument("lower", self.upper), " at most."),
            )

    @property
    def terms(self) -> tuple[Term, ...]:
        """The capped value, and that from before."""
        own = Term(self.column, lower=self.lower, upper=self.upper, at=self.at)
        return (own, *([] if self.before is None else [Term(self.before)]))


@dataclass(frozen=True)
class Quantile(Metric):
    """A quantile: of the units' sums, or of the rows, of which a unit has many.

    Args:
        column: numbers.
        q: which quantile, from 0 to 1, interpolated linearly between values.
        of: "units", or "rows": the quantile of all rows (the latency of pages); the randomised units are clusters.
        lower_is_better: less is better.
        name: the name in results.

    Source: Deng et al., KDD 2018: the quantile lies between those at q ± z · se, se that of the share of values below.

    Example:
        >>> str(Quantile("latency", 0.95, of="rows"))
        'Quantile(latency, 0.95, of=rows)'
    """

    column: str
    q: float = 0.5
    of: str = "units"
    lower_is_better: bool = False
    name: str | None = None
    kind: ClassVar[str] = "quantile"

    def __post_init__(self) -> None:
        _columns(self.column, name=self.name)
        number(0.95, low=0.0, high=1.0, open_ends=True).check("q", self.q)
        choice("units", "rows").check("of", self.of)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The value."""
        return (Term(self.column),)


KINDS = {kind.__name__: kind for kind in (Mean, Ratio, Proportion, Capped, Quantile)}


def _columns(first: Any, **others: Any) -> None:
    for argument, name in {"column": first, **others}.items():
        if (argument == "column" or name is not None) and (not isinstance(name, str) or not name):
            raise InvalidParameter(
                f"{argument} is {name!r}; columns and metrics are named by text.",
                Hint("Write ", Argument(argument, "clicks"), "."),
            )
