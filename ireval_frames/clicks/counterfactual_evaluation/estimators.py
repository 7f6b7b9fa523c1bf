"""The estimators of a ranking's value: the term of each shown result, and how estimators are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.catalog import parsing
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.expr import Expr, col, when
from ireval_frames.parameters import Parameter, number, of_a_size


@dataclass(frozen=True)
class Form:
    """The formula of an estimator.

    Attributes:
        term: the term of a shown result, which its weight λ multiplies.
        what: the estimator in a sentence.
        clicked: whether results without a click count for nothing.
        ratio: whether the sum is divided by the estimated number of relevant results, not by that of pages.
        model: whether the estimated relevance of the ranking's results is added.
        learns: whether that is always estimated from the log, also where a table of relevance is passed.
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
FORMS = {
    "naive": Form("c", "clicks as they are, as if every position were examined", reads=()),
    "IPS": Form("c / ρ", "clicks over their propensities (Joachims and others 2017)"),
    "clipped": Form("c / max(ρ, τ)", "with propensities of at least tau: less variance, some bias", parameter=TAU),
    "SNIPS": Form("c / ρ", "IPS over the sum of c / ρ: the mean weight of a relevant result", ratio=True),
    "policy_aware": Form(
        "c / ρ̄",
        "with the mean propensity of the result over the pages of its query (Oosterhuis and de Rijke 2020)",
        clicked=False,
        model=True,
        learns=True,
        reads=("mean_propensity",),
    ),
    "affine": Form(
        "(c − β) / α",
        "with clicks on what is not relevant: α and β by position (Vardasbi and others 2020)",
        clicked=False,
        reads=("alpha", "beta"),
    ),
    "DM": Form("0", "the estimated relevance of the ranking's results", model=True, reads=()),
    "DR": Form(
        "c / ρ − R",
        "DM, corrected where results were shown (Oosterhuis 2023)",
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
    def form(self) -> Form:
        """Its formula."""
        return FORMS[self.name]

    def __str__(self) -> str:
        form = self.form
        if form.parameter is None or self.value == form.parameter[1].default:
            return self.name
        return f"{self.name}({form.parameter[0]}={self.value:g})"

    def term(self) -> Expr:
        """The term of a shown result, of estimators that add no estimated relevance."""
        click, rho = col("click"), col("propensity")
        match self.name:
            case "naive":
                return click
            case "clipped":
                assert self.value is not None  # noqa: S101 - set by `parse_estimators`
                return click / when(rho > self.value).then(rho).otherwise(self.value)
            case "affine":
                return (click - col("beta")) / col("alpha")
            case _:
                return click / rho


def parse_estimators(estimators: str | Iterable[str]) -> list[Estimator]:
    """The estimators that a text names: "IPS SNIPS clipped(tau=0.05)".

    Raises:
        UnknownName: there is no such estimator, or it has no such parameter.
        InvalidParameter: the value of a parameter is not allowed, or no estimator is named.
    """
    out = []
    for name, values in parse_names(estimators, FORMS, lambda n: dict([own] if (own := FORMS[n].parameter) else [])):
        own = FORMS[name].parameter
        out.append(Estimator(name, None if own is None else values.get(own[0], own[1].default)))
    return list(dict.fromkeys(out))


def parse_names(
    estimators: str | Iterable[str], names: Iterable[str], parameters: Callable[[str], Mapping[str, Parameter]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each estimator of a text such as "IPS clipped(tau=0.05)": its name, and the values of its parameters.

    Args:
        estimators: the text, or several.
        names: of all estimators.
        parameters: gives those of an estimator.

    Raises:
        UnknownName: there is no such estimator, or it has no such parameter.
        InvalidParameter: the value of a parameter is not allowed, or no estimator is named.
    """
    folded = {n.lower(): n for n in names}
    several = list(estimators) if isinstance(estimators, Iterable) else []
    texts = parsing.split(estimators) if isinstance(estimators, str) else several
    if not texts or not all(isinstance(t, str) for t in texts):
        raise InvalidParameter(f"estimators is {estimators!r}.", f"Name some of {', '.join(folded.values())}.")
    for text in dict.fromkeys(texts):
        name, inner, at = parsing.parts(text)
        if name.lower() not in folded or at is not None:
            raise UnknownName(f"There is no estimator {text!r}.", nearest(name, folded.values()))
        name = folded[name.lower()]
        known, values = parameters(name), parsing.arguments(text, inner)
        for parameter, value in values.items():
            if parameter not in known:
                line = nearest(parameter, known) if known else f"Write {name}."
                raise UnknownName(f"The estimator {name} has no parameter {parameter!r}.", line)
            try:
                values[parameter] = of_a_size(known[parameter].convert(value))
            except ValueError as error:
                raise InvalidParameter(
                    f"{parameter} of {name} is {value!r}; allowed is {error}.", f"Write {name}."
                ) from None
        yield name, values
