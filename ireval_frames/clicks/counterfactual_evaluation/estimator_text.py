"""How estimators are written: names, some with parameters, in one text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ireval_frames.catalog import parsing
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.parameters import Parameter, of_a_size


def read(
    estimators: str | Iterable[str], names: Iterable[str], parameters: Callable[[str], Mapping[str, Parameter]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each estimator of a text such as "IPS clipped(tau=0.05)": its name, and the values that were given.

    Args:
        estimators: the text, or several.
        names: of the estimators there are.
        parameters: those of an estimator.

    Raises:
        UnknownName: there is no such estimator, or it has no such parameter.
        InvalidParameter: the value of a parameter is not allowed, or nothing is asked for.
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
        known, given = parameters(name), parsing.arguments(text, inner)
        for parameter, value in given.items():
            if parameter not in known:
                line = nearest(parameter, known) if known else f"Write {name}."
                raise UnknownName(f"The estimator {name} has no parameter {parameter!r}.", line)
            try:
                given[parameter] = of_a_size(known[parameter].convert(value))
            except ValueError as error:
                raise InvalidParameter(
                    f"{parameter} of {name} is {value!r}; allowed is {error}.", f"Write {name}."
                ) from None
        yield name, given
