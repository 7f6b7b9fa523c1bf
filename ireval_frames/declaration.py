"""A measure as a value, and how one is declared.

A measure is a function of a *context*, whose attributes are expressions; using one puts its column into the plan.  The
declaration has all that a measure is known by.  A `Measure` has its parameters' values, too: `nDCG(rel=2)@10`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import polars as pl

from ireval_frames.errors import Argument, FailingMeasure, Hint, InvalidParameter, IrevalError, UnknownName, nearest
from ireval_frames.expr import Expr
from ireval_frames.lazy import hook
from ireval_frames.measure_source import in_our_expressions, meant, place
from ireval_frames.parameters import REQUIRED, Parameter, example, literal, of_a_size, own_example, shown

UNSPECIFIED: Any = inspect.Parameter.empty
Runs = Literal["relational", "python"]
AGGREGATIONS = ("mean", "sum", "geometric", "median", "min", "max", "std")
# The value of all units together, whose numerators and denominators are summed; of measures that can be pooled.
POOLED = "pooled"


@dataclass(frozen=True)
class TrecName:
    """A name trec_eval gives to a measure, the parameters it fixes, and the parameter its suffixes set."""

    name: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    parameter: str = ""
    defaults: tuple[float, ...] = ()
    """The suffixes that trec_eval uses for the bare name."""
    pattern: str = "{name}_{value:g}"
    """How a suffix is printed."""
    convert: Callable[[float], Any] = lambda value: value
    """From the suffix to the parameter's value."""
    whole: bool = False
    """The value is printed without decimals."""

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, eq=False, kw_only=True)
class Definition:
    """A declared measure: one per family and name."""

    family: str
    name: str
    function: Callable[..., Expr]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    named: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Names of the measure with values of parameters, such as those that one tool gives to several."""
    at: str = "cutoff"
    range: tuple[float, float] = (0.0, 1.0)
    higher_is_better: bool | None = True
    undefined: float | None = 0.0
    aggregation: str = "mean"
    pools: bool = False
    """Whether its function gives the value of several units together, too: the aggregation `pooled`."""
    trec: tuple[TrecName, ...] = ()
    formula: str = ""
    source: str = ""
    runs: Runs | Callable[[Mapping[str, Any]], Runs] = "relational"
    """Whether it is a query or has a step in Python, which SQL text cannot say; or how parameters decide that."""
    cost: str = ""
    """What the step in Python costs, and when it is needed if tables decide that."""
    reads: tuple[str, ...] = ()
    """Columns of the inputs that it reads beyond those that every measure of the family does."""
    check: Callable[[Measure, Mapping[str, Any]], None] | None = None
    """Refuses parameters that do not go together."""
    same_in: str = ""
    """A family that has the same measure, and is meant where a name is of both and no family is named."""
    relevant: Callable[..., Expr] | None = UNSPECIFIED
    """The number of relevant things of a unit, from the context and parameters by their names.

    None for a measure that has a value whatever is relevant, such as a count.
    """

    @property
    def sentence(self) -> str:
        """The first sentence of the docstring."""
        return (inspect.getdoc(self.function) or "").split("\n\n")[0].replace("\n", " ")

    @property
    def page(self) -> str:
        """The whole docstring."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def is_own(self) -> bool:
        """Whether its function is the user's."""
        return self.module.partition(".")[0] != __name__.partition(".")[0]

    @property
    def module(self) -> str:
        """The module that declares it."""
        return str(getattr(inspect.unwrap(getattr(self.function, "func", self.function)), "__module__", ""))

    def fixed_by(self, name: str) -> Mapping[str, Any]:
        """The values of parameters that one of its names stands for."""
        return next((values for n, values in self.named.items() if n.lower() == name.lower()), {})

    def __call__(self, **values: Any) -> Measure:
        """The measure with these values."""
        return Measure.of(self, values)


@dataclass(frozen=True)
class Measure:
    """A measure with its parameters' values.

    Values equal to a default are not stored, so two spellings of one measure are equal.  `measure @ 10` sets the
    parameter after the `@` (the cutoff, or the recall level), `measure(rel=2)` any other.

    Example:
        >>> import ireval_frames as ir
        >>> str(ir.nDCG @ 10), str(ir.P(rel=2) @ 5)
        ('nDCG@10', 'P(rel=2)@5')
    """

    definition: Definition
    values: tuple[tuple[str, Any], ...] = ()
    aggregation: str = ""

    @staticmethod
    def of(definition: Definition, values: Mapping[str, Any], aggregation: str = "") -> Measure:
        """The measure with these values, checked.

        Raises:
            UnknownName: the measure has no such parameter.
            InvalidParameter: a value is not allowed.
        """
        options = dict(values)
        aggregation = options.pop("aggregation", aggregation)
        if aggregation is None or aggregation == "":
            aggregation = definition.aggregation
        allowed = (*AGGREGATIONS, POOLED) if definition.pools else AGGREGATIONS
        if aggregation not in allowed:
            raise InvalidParameter(
                f"aggregation of {definition.name} is {shown(aggregation)}; allowed: {', '.join(allowed)}.",
                f"Write {definition.name}(aggregation='median').",
            )
        chosen = []
        for name, value in options.items():
            if name not in definition.parameters:
                what = f"{definition.name} has no parameter {name!r}."
                hint = nearest(name, [*definition.parameters, "aggregation"])
                if definition.family == "labels" and name in ("positive", "pos_label"):
                    # Which class is the positive one is said once, for all measures.
                    of_table = Argument("positive", value, "ir.Labels(…, {})")
                    hint = Hint("The class is named beside the table: ", of_table, ".")
                raise UnknownName(what, hint)
        for name, parameter in definition.parameters.items():
            if name in options or parameter.written:
                value = _converted(definition, name, options.get(name, parameter.default))
                if parameter.written or parameter.default is REQUIRED or value != parameter.default:
                    chosen.append((name, value))
        return Measure(definition, tuple(chosen), aggregation)

    def __call__(self, **values: Any) -> Measure:
        """The measure with other values."""
        return Measure.of(self.definition, {**dict(self.values), **values}, values.get("aggregation", self.aggregation))

    def __matmul__(self, value: Any) -> Measure:
        if self.definition.at not in self.definition.parameters:
            raise UnknownName(f"{self.definition.name} takes nothing after @.", f"Write {self.definition.name}.")
        return self(**{self.definition.at: value})

    @property
    def name(self) -> str:
        """The measure's canonical name, without parameters."""
        return self.definition.name

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest value; of the parameters whose value changes them, the last declared decides."""
        values, out = dict(self.values), self.definition.range
        for name, parameter in self.definition.parameters.items():
            out = parameter.ranges.get(values.get(name), out) if parameter.ranges else out
        return out

    @property
    def runs(self) -> Runs:
        """`relational` if it is a query on every engine, `python` if it has a step in Python."""
        runs = self.definition.runs
        if isinstance(runs, str):
            return runs
        return runs({n: p.default for n, p in self.definition.parameters.items()} | dict(self.values))

    @property
    def cost(self) -> str:
        """What its step in Python costs; nothing where it has none."""
        return self.definition.cost if self.runs == "python" else ""

    def to_dict(self) -> dict[str, Any]:
        """What a stored result needs, as JSON has it: `from_dict` makes the measure of it again.

        Example:
            >>> import ireval_frames as ir
            >>> stored = (ir.P(rel=2) @ 5).to_dict()
            >>> stored["measure"], stored["family"], stored["parameters"]
            ('P(rel=2)@5', 'ranking', {'rel': '2', 'cutoff': '5'})
        """
        return {
            "measure": str(self),
            "family": self.definition.family,
            "name": self.name,
            "parameters": {name: literal(value) for name, value in self.values},
            "aggregation": self.aggregation,
            "higher_is_better": self.definition.higher_is_better,
        }

    @staticmethod
    def parse(text: str, family: str | None = None) -> Measure:
        """The measure that a text writes: `nDCG@10`, `P(rel=2)@5`, or a trec_eval name such as `ndcg_cut_10`.

        Args:
            text: what was written.
            family: where to look; by default in all, and a name of several is an error.

        Raises:
            UnknownName: there is no such measure or parameter, or several families have it.
            InvalidParameter: a value is not allowed, or the text cannot be read.

        Example:
            >>> import ireval_frames as ir
            >>> ir.Measure.parse("ndcg_cut_10"), ir.Measure.parse("AP( rel = 2 )@100")
            (nDCG@10, AP(rel=2)@100)
        """
        measure: Measure = hook("measure of a text")(text, family)
        return measure

    @staticmethod
    def from_dict(stored: Mapping[str, Any]) -> Measure:
        """The measure that `to_dict` describes, by its `measure` and `family`.

        Raises:
            InvalidParameter: one of them is missing, or not text.
            UnknownName: there is no such measure.

        Example:
            >>> import json, ireval_frames as ir
            >>> text = json.dumps((ir.P(rel=2) @ 5).to_dict())
            >>> ir.Measure.from_dict(json.loads(text))
            P(rel=2)@5
        """
        for name in ("measure", "family"):
            if not isinstance(stored, Mapping) or not isinstance(stored.get(name), str):
                raise InvalidParameter(
                    f"{shown(stored)} has no text for {name!r}.", 'Write {"measure": "P@5", "family": "ranking"}.'
                )
        measure: Measure = hook("measure of a text")(stored["measure"], stored["family"])
        return measure

    def arguments(self) -> dict[str, Any]:
        """Every parameter with its value.

        Raises:
            InvalidParameter: a required parameter has none, or two do not go together.
        """
        values, out = dict(self.values), {}
        for name, parameter in self.definition.parameters.items():
            value = values.get(name, parameter.default)
            if value is REQUIRED:
                what, at = parameter.what and f": {parameter.what}", name == self.definition.at
                line = f"{self.name}@{example(parameter)}" if at else f"{self.name}({name}={own_example(parameter)})"
                raise InvalidParameter(f"{self.name} needs a {name}{what}.", f"Write {line}.")
            out[name] = value
        if self.definition.check is not None:
            self.definition.check(self, out)
        return out

    def expression(self, context: Any, arguments: Mapping[str, Any]) -> Expr:
        """The expression of the measure's function for a context and these arguments.

        Raises:
            FailingMeasure: it raises an error that is none of ours, or returns no expression.
        """
        try:
            expr = self.definition.function(context, **arguments)
        except IrevalError:
            raise
        except Exception as error:
            raise self.failing(f"raises {type(error).__name__}: {error}", error, meant(error, context)) from error
        if not isinstance(expr, Expr):
            raise self.failing(
                f"gives {shown(expr)} ({type(expr).__name__}), which is no expression",
                in_our_expressions(self.definition.function),
            )
        # Conditions are 1 or 0.
        return expr.cast(pl.Float64) if self.definition.is_own else expr

    def failing(self, what: str, error: BaseException | None = None, hint: str = "") -> FailingMeasure:
        """The error of the measure's function, with its file and line."""
        return FailingMeasure(
            f"The function of {self} ({place(self.definition.function, error)}) {what}.",
            hint
            or "It takes the context and the parameters, and returns an expression of columns of the context; "
            "a number is lit(1.0): from ireval_frames.expr import col, lit, when",
        )

    @cached_property
    def _label(self) -> str:
        """The measure as it is written."""
        inner = [f"{k}={literal(v)}" for k, v in self.values if k != self.definition.at]
        if self.aggregation != self.definition.aggregation:
            inner.append(f"aggregation={self.aggregation!r}")
        text = self.name + (f"({', '.join(inner)})" if inner else "")
        at = dict(self.values).get(self.definition.at)
        return text if at is None else f"{text}@{literal(at)}"

    def __str__(self) -> str:
        return self._label

    __repr__ = __str__


def _converted(definition: Definition, name: str, raw: Any) -> Any:
    """The value of a parameter in its one spelling, which can be compared and hashed.

    Raises:
        InvalidParameter: the parameter does not allow it, or cannot make anything of it.
    """
    parameter = definition.parameters[name]
    try:
        value = of_a_size(parameter.convert(raw))
        hash(value)
    except ValueError as error:
        allowed = f"it must be {error}"
    except (TypeError, ArithmeticError, LookupError, AttributeError):
        # What a conversion did not think of: its own words would not say what is allowed.
        allowed = f"it is {parameter.what}" if parameter.what else "it cannot be read"
    else:
        return value
    raise InvalidParameter(
        f"{name} of {definition.name} is {shown(raw)}; {allowed}.", f"See: ireval measures {definition.name}"
    ) from None
