"""The tests and the effect sizes by name, each declared once where it is written."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ireval_frames import stats
from ireval_frames.errors import Argument, Code, Hint, UnknownName, is_one, nearest
from ireval_frames.parameters import Parameter
from ireval_frames.stats.sample import Alternative, Array, Options, Outcome, Sample

Design = Literal["paired", "unpaired", "all"]
Tester = Callable[[Sample, Options], Outcome]
Estimator = Callable[[Sample, Options], tuple[Array, Array, Array]]


def first_sentence(function: Callable[..., object]) -> str:
    """The first sentence of its docstring."""
    return " ".join((function.__doc__ or "").strip().partition("\n\n")[0].split())


@dataclass(frozen=True)
class SignificanceTest:
    """A test of differences between systems.

    Attributes:
        name: what `test=` calls it.
        function: what runs it.
        design: "paired" on the units that both systems have, "unpaired" on different ones, "all" on the units that all
            systems have, all systems at once.
        effect: the effect size that goes with it; empty where its estimate is one.
        adjusted: its p-values hold for all its pairs together, so no correction follows.
        reads: the further options it reads.
        one_sided: whether `alternative` may be one-sided.
        alternative: the side of a test that has only one, whatever the option is.
        of_moments: it needs only the moments of each system.
        p_values: whether it gives p-values; Bayesian ones give probabilities instead, in `more`.
        differs: whether a small p means that the systems of the pair differ, and not that they are alike, or that any
            of all systems differ.
        nothing: what the estimate is where systems do not differ.
        statistic: the symbol of the statistic in the literature, and its definition.
        source: where it is from.
    """

    name: str
    function: Tester
    design: Design
    effect: str
    adjusted: bool
    reads: dict[str, Parameter]
    one_sided: bool
    alternative: Alternative
    of_moments: bool
    p_values: bool
    differs: bool
    nothing: float
    statistic: str
    source: str

    @property
    def distinguishes(self) -> bool:
        """Whether it finds pairs of systems that differ, by a p-value."""
        return self.p_values and self.differs

    @property
    def description(self) -> str:
        """The first sentence of its docstring."""
        return first_sentence(self.function)


@dataclass(frozen=True)
class EffectSize:
    """An effect size with its interval."""

    name: str
    function: Estimator
    design: Design
    of_moments: bool
    source: str

    @property
    def description(self) -> str:
        """The first sentence of its docstring."""
        return first_sentence(self.function)


_TESTS: dict[str, SignificanceTest] = {}
_EFFECTS: dict[str, EffectSize] = {}


def significance_test(
    name: str,
    *,
    design: Design = "paired",
    effect: str = "d_z",
    adjusted: bool = False,
    reads: Mapping[str, Parameter] | None = None,
    one_sided: bool = True,
    alternative: Alternative = "two-sided",
    of_moments: bool = False,
    p_values: bool = True,
    differs: bool = True,
    nothing: float = 0.0,
    statistic: str,
    source: str,
) -> Callable[[Tester], Tester]:
    """Declare a test; the arguments are those of `SignificanceTest`."""

    def declared(function: Tester) -> Tester:
        run = _with_defaults(function, reads or {})
        _TESTS[name] = SignificanceTest(
            name,
            run,
            design,
            effect,
            adjusted,
            dict(reads or {}),
            one_sided,
            alternative,
            of_moments,
            p_values,
            differs,
            nothing,
            statistic,
            source,
        )
        return run

    return declared


def _with_defaults(function: Tester, reads: Mapping[str, Parameter]) -> Tester:
    """The function, which finds in `options.more` all that it reads, checked."""

    @functools.wraps(function)
    def run(sample: Sample, options: Options) -> Outcome:
        return function(sample, dataclasses.replace(options, more={**options.more, **checked(reads, options.more)}))

    return run


def checked(reads: Mapping[str, Parameter], more: Mapping[str, object]) -> dict[str, object]:
    """The further options of a test, or their defaults.

    Raises:
        UnknownName, InvalidParameter: one has a value that it must not have.
    """
    return {
        name: parameter.check(name, more.get(name, parameter.default), option=("set", {name: parameter.example}))
        for name, parameter in reads.items()
    }


def effect_size(
    name: str, *, design: Design = "paired", of_moments: bool = False, source: str
) -> Callable[[Estimator], Estimator]:
    """Declare an effect size: its function gives the values, and both ends of their intervals."""

    def declared(function: Estimator) -> Estimator:
        _EFFECTS[name] = EffectSize(name, function, design, of_moments, source)
        return function

    return declared


def significance_tests() -> dict[str, SignificanceTest]:
    """All tests by name."""
    _load()
    return dict(_TESTS)


def effect_sizes() -> dict[str, EffectSize]:
    """All effect sizes by name."""
    _load()
    return dict(_EFFECTS)


# An option within the brackets of a test.
_GIVEN = re.compile(r"(\w+)\s*=\s*['\"]?([^,'\")]+)")


def find_test(name: str) -> SignificanceTest:
    """The test of that name.

    Raises:
        UnknownName: no test has that name.
    """
    _load()
    base, bracket, inner = str(name).partition("(")
    if bracket and is_one(base, _TESTS) and (text := dict(_GIVEN.findall(inner))):
        line = ", ".join(str(Argument(n, v)) for n, v in {"test": base, **text}.items())
        option = " ".join((f"--test {base}", *(f"--set {n}={v}" for n, v in text.items())))
        raise UnknownName(f"There is no test {name!r}.", Hint("Options stand beside it: ", Code(line, option)))
    if not is_one(name, _TESTS):
        raise UnknownName(f"There is no test {name!r}.", nearest(name, _TESTS) or "ir.comparison.tests() lists them.")
    return _TESTS[name]


def find_effect(name: str) -> EffectSize:
    """The effect size of that name.

    Raises:
        UnknownName: no effect size has that name.
    """
    _load()
    if not is_one(name, _EFFECTS):
        hint = nearest(name, _EFFECTS) or "ir.comparison.effects() lists them."
        raise UnknownName(f"There is no effect size {name!r}.", hint)
    return _EFFECTS[name]


@functools.cache
def _load() -> None:
    """Import all files of this folder and its subfolders, some of which declare tests, when a name is first needed."""
    for module in pkgutil.walk_packages(stats.__path__, f"{stats.__name__}."):
        importlib.import_module(module.name)
