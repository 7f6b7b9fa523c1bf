"""The estimators of a ranking's value: what a click, or a result that was shown, counts for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ireval_frames.clicks.counterfactual_evaluation.estimator_text import read
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import Parameter, number


@dataclass(frozen=True)
class Kind:
    """What an estimator is made of.

    Attributes:
        term: what a result that was shown counts for, once its weight λ is known.
        clicked: whether results without a click count for nothing.
        over: what the sum is divided by: pages, or the estimated number of relevant results.
        model: whether the estimated relevance of the ranking's results is added.
        learns: whether that is always what the log tells of, and none that was handed in.
        reads: the columns that `term` reads besides `click`.
        parameter: the one number it has, by its name.
    """

    term: str
    what: str
    clicked: bool = True
    ratio: bool = False
    model: bool = False
    learns: bool = False
    reads: tuple[str, ...] = ("propensity",)
    parameter: tuple[str, Parameter] | None = None


TAU = ("tau", number(0.1, "the smallest propensity that counts", low=0.0, high=1.0, open_ends=True))
KINDS = {
    "naive": Kind("c", "clicks as they are, as if every position were examined", reads=()),
    "IPS": Kind("c / ρ", "clicks over their propensities (Joachims and others 2017)"),
    "clipped": Kind("c / max(ρ, τ)", "with propensities of at least tau: less variance, some bias", parameter=TAU),
    "SNIPS": Kind("c / ρ", "IPS over the sum of c / ρ: the mean weight of a relevant result", ratio=True),
    "policy_aware": Kind(
        "c / ρ̄",
        "with the mean propensity of the result over the pages of its query (Oosterhuis and de Rijke 2020)",
        clicked=False,
        model=True,
        learns=True,
        reads=("mean_propensity",),
    ),
    "affine": Kind(
        "(c − β) / α",
        "with clicks on what is not relevant: α and β by position (Vardasbi and others 2020)",
        clicked=False,
        reads=("alpha", "beta"),
    ),
    "DM": Kind("0", "the estimated relevance of the ranking's results", model=True, reads=()),
    "DR": Kind(
        "c / ρ − R",
        "DM, put right where results were shown (Oosterhuis 2023)",
        clicked=False,
        model=True,
        reads=("propensity", "relevance"),
    ),
}


@dataclass(frozen=True)
class Estimator:
    """An estimator with the value of its parameter."""

    name: str
    value: float | None = None

    @property
    def kind(self) -> Kind:
        """What it is made of."""
        return KINDS[self.name]

    def __str__(self) -> str:
        kind = self.kind
        if kind.parameter is None or self.value == kind.parameter[1].default:
            return self.name
        return f"{self.name}({kind.parameter[0]}={self.value:g})"

    def term(self) -> Expr:
        """What a result that was shown counts for, of estimators that add no estimated relevance."""
        click, rho = col("click"), col("propensity")
        match self.name:
            case "naive":
                return click
            case "clipped":
                assert self.value is not None  # noqa: S101 - given by `parsed`
                return click / when(rho > self.value).then(rho).otherwise(self.value)
            case "affine":
                return (click - col("beta")) / col("alpha")
            case _:
                return click / rho


def parsed(estimators: str | Iterable[str]) -> list[Estimator]:
    """The estimators that a text names: "IPS SNIPS clipped(tau=0.05)".

    Raises:
        UnknownName: there is no such estimator, or it has no such parameter.
        InvalidParameter: the value of a parameter is not allowed, or nothing is asked for.
    """
    out = []
    for name, given in read(estimators, KINDS, lambda n: dict([own] if (own := KINDS[n].parameter) else [])):
        own = KINDS[name].parameter
        out.append(Estimator(name, None if own is None else given.get(own[0], own[1].default)))
    return list(dict.fromkeys(out))
