"""Parameters: a default, the allowed values, and a sentence; and options that are checked when they are constructed.

Measures have parameters, and so have comparisons, tests and commands: a dataclass of `BaseOptions` declares its fields
with `option(parameter)`, and from them come the checks, the sentences of the documentation and the options of the
command line.

Example:
    >>> from dataclasses import dataclass
    >>> from ireval_frames import parameters
    >>> depth = parameters.whole(10, "evaluate the top k")
    >>> depth.convert(20)
    20
    >>> @dataclass(frozen=True)
    ... class Look(parameters.BaseOptions):
    ...     depth: int = parameters.option(depth)
    >>> Look(depth=0)
    Traceback (most recent call last):
        ...
    ireval_frames.errors.InvalidParameter: depth is 0; it must be a whole number of at least 1.
      Write depth=10.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Self

from ireval_frames.errors import Argument, Hint, InvalidParameter, UnknownName, UsageError, nearest

# The default of a required parameter.
REQUIRED: Any = inspect.Parameter.empty
# Floats represent whole numbers exactly up to here.
LARGEST_WHOLE = 2**53
SMALLEST_NUMBER = 1e-100
# The ranges of counts and sums, and of what may also be below 0.
UPWARDS = (0.0, math.inf)
ANY_NUMBER = (-math.inf, math.inf)


@dataclass(frozen=True)
class Parameter:
    """A parameter: its default, what it allows, and a sentence."""

    default: Any
    what: str
    convert: Callable[[Any], Any]
    """Returns the value in its one spelling, or raises ValueError with what is allowed."""
    ranges: Mapping[Any, tuple[float, float]] = field(default_factory=dict)
    """The measure's range where this parameter has such a value."""
    low: float = -math.inf
    """The smallest number it may be, where it is one; itself not allowed with `open_ends`."""
    high: float = math.inf
    """The largest."""
    open_ends: bool = False
    kind: Callable[[str], Any] | None = str
    """What converts the text of the command line; `list` for several values, None for no option."""
    choices: tuple[str, ...] = ()
    """The allowed words, where these are all."""
    example: Any = None
    """The value that errors propose; by default the default."""
    short: str = ""
    """A short name on the command line, such as `-e`."""
    written: bool = False
    """Whether a measure's name always has it, also with its default: a convention that every output is to tell."""

    def check(self, name: str, value: Any, *, option: tuple[str, object] | None = None) -> Any:
        """The value in its one spelling.

        Args:
            name: what the parameter is called.
            value: what it is to be.
            option: its name and value on the command line, if the name differs.

        Raises:
            UnknownName: it is none of the words that it may be.
            InvalidParameter: it is not allowed for another reason.

        Example:
            >>> CONFIDENCE.check("confidence", 0.9)
            0.9
        """
        try:
            return self.convert(value)
        except UsageError:
            raise
        except (ValueError, TypeError) as error:
            allowed = str(error)
        example = self.default if self.example is None else self.example
        near = nearest(value, self.choices) if self.choices else ""
        hint = near if near.startswith("Did you mean") else Hint("Write ", Argument(name, example, option=option), ".")
        error_type = UnknownName if self.choices else InvalidParameter
        raise error_type(f"{name} is {value!r}; it must be {allowed}.", hint)


def whole(
    default: Any = REQUIRED, what: str = "", low: int = 1, high: float = LARGEST_WHOLE, *, example: Any = None
) -> Parameter:
    """A whole number from `low` to `high`; None where the default is None."""

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < low:
            raise ValueError(f"a whole number of at least {low}")
        if int(value) > high:
            raise ValueError(f"a whole number of at most {high}")
        return int(value)

    return Parameter(default, what, convert, low=low, high=high, kind=int, example=example)


def number(
    default: Any = REQUIRED,
    what: str = "",
    low: float = -math.inf,
    high: float = math.inf,
    *,
    open_ends: bool = False,
    example: Any = None,
) -> Parameter:
    """A number between `low` and `high`; whole numbers become floats; None where the default is None."""
    allowed = _interval(low, high, open_ends=open_ends)

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        if not isinstance(value, Real) or isinstance(value, bool):
            raise ValueError(allowed)
        try:
            out = float(value)
        except OverflowError:
            out = math.inf
        if not math.isfinite(out) or not (low < out < high if open_ends else low <= out <= high):
            raise ValueError(allowed)
        return out

    return Parameter(default, what, convert, low=low, high=high, open_ends=open_ends, kind=float, example=example)


def _interval(low: float, high: float, *, open_ends: bool) -> str:
    if low == -math.inf and high == math.inf:
        return "a number"
    if high == math.inf:
        return f"a number {'above' if open_ends else 'of at least'} {low:g}"
    return f"a number in {'(' if open_ends else '['}{low:g}, {high:g}{')' if open_ends else ']'}"


def of_a_size(value: Any) -> Any:
    """The value of a measure's parameter: powers, products and quotients of it must be numbers, too.

    Raises:
        ValueError: it is a number as large or small as only floats can be.
    """
    if isinstance(value, float) and value != 0 and not SMALLEST_NUMBER <= abs(value) <= 1 / SMALLEST_NUMBER:
        raise ValueError(f"0, or of a size between {SMALLEST_NUMBER:g} and {1 / SMALLEST_NUMBER:g}")
    return value


def choice(default: str | None, *others: str, what: str = "", example: str | None = None) -> Parameter:
    """One of a few words; None where the default is None.  Errors propose the example, else the default."""
    words = tuple(dict.fromkeys(word for word in (default, *others) if word is not None))

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        if not isinstance(value, str) or value not in words:
            raise ValueError(" or ".join(filter(None, [", ".join(map(repr, words[:-1])), repr(words[-1])])))
        return value

    return Parameter(default, what, convert, choices=words, example=example or default or words[0])


def flag(*, default: bool = False, what: str = "") -> Parameter:
    """True or False."""

    def convert(value: Any) -> Any:
        if not isinstance(value, bool):
            raise ValueError("True or False")
        return value

    return Parameter(default, what, convert, kind=bool, example=True)


def names(default: Any = REQUIRED, what: str = "", *, find: Callable[[str], Any] | None = None) -> Parameter:
    """One name or several, as a tuple; `find` refuses those that do not exist."""

    def convert(value: Any) -> Any:
        if value is None and default is None:
            return None
        several = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else []
        if not several or not all(isinstance(name, str) for name in several):
            raise ValueError("a name, or a list of names")
        if find is not None:
            for name in several:
                find(name)
        return tuple(dict.fromkeys(several))

    return Parameter(default, what, convert, kind=list)


def as_written(text: str) -> str | float | bool:
    """A number, True or False, where the text of the command line is one."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number_type in (int, float):
        try:
            return number_type(text)
        except ValueError:
            continue
    return text


def numbers(text: str) -> list[float]:
    """The numbers of a text, with commas between them.

    Raises:
        ValueError: one is none.
    """
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} must be numbers with commas between them.") from None


def option(parameter: Parameter) -> Any:
    """The field of an options class that is this parameter."""
    metadata = {"parameter": parameter}
    if parameter.default is REQUIRED:
        return field(metadata=metadata)
    if isinstance(parameter.default, dict):
        return field(default_factory=parameter.default.copy, metadata=metadata)
    return field(default=parameter.default, metadata=metadata)


@dataclass(frozen=True)
class BaseOptions:
    """Options whose fields are parameters: each is checked and converted when they are constructed."""

    def __post_init__(self) -> None:
        for name, parameter in self.parameters().items():
            object.__setattr__(self, name, parameter.check(name, getattr(self, name)))

    @classmethod
    def parse(cls, **values: Any) -> Self:
        """The options of these values, whatever their types are.

        Raises:
            UnknownName, InvalidParameter: a parameter does not allow its value.
        """
        return cls(**values)

    def arguments(self) -> dict[str, Any]:
        """The options as arguments of the function that takes them."""
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The parameters by name."""
        return {f.name: f.metadata["parameter"] for f in dataclasses.fields(cls) if "parameter" in f.metadata}


# What many options have.
CONFIDENCE = number(0.95, "the confidence of intervals", 0.0, 1.0, open_ends=True)
ALPHA = number(0.05, "the level of tests", 0.0, 1.0, open_ends=True)
POWER = number(0.8, "the probability of finding a difference that exists", 0.0, 1.0, open_ends=True)
SEED = whole(0, "the seed of random draws", 0, math.inf)
THREADS = whole(None, "the number of threads; by default that of the cores", example=2)


# ---- values as texts and errors write them


def example(parameter: Parameter) -> str:
    """A value that may be written after the `@`."""
    for value in (10, 0.5):
        try:
            return str(parameter.convert(value))
        except ValueError:
            continue
    return "…"


def own_example(parameter: Parameter) -> str:
    """The example that the parameter has, if it has one."""
    return "…" if parameter.example is None else literal(parameter.example)


def shown(value: Any) -> str:
    """A value as an error shows it: long ones cut."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to write integers of thousands of digits.
        text = f"of type {type(value).__name__}"
    return text if len(text) <= 100 else f"{text[:97]}…"


def literal(value: Any) -> str:
    """A value as it is written; mappings are stored as pairs."""
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return "{" + ", ".join(f"{k!r}: {literal(v)}" for k, v in value) + "}"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)
