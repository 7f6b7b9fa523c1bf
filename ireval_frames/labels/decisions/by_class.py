"""Measures of one class, from its true and false positives and negatives, and their averages over classes or items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.expr import Expr, col, when
from ireval_frames.labels.context import AVERAGES, LabelContext
from ireval_frames.labels.counts import Counts
from ireval_frames.parameters import Parameter
from ireval_frames.ratios import indicator

# The measures declared here, by name: what `per_class` computes.
CLASS_VALUES: dict[str, Callable[..., Expr]] = {}


def one_of_averages(value: Any) -> str | None:
    """The name of an average."""
    if value is None:
        return None
    if isinstance(value, str) and value in (*AVERAGES, "samples"):
        # scikit-learn calls it samples.
        return "item" if value == "samples" else value
    raise ValueError("None or one of " + ", ".join(repr(a) for a in AVERAGES))


def _is_class(value: object) -> bool:
    """Text or a number; no table holds larger integers."""
    return isinstance(value, str) or (isinstance(value, int | float) and abs(value) < 2**64)


def some_classes(value: Any) -> tuple[Any, ...] | str | None:
    """Classes as a tuple."""
    if value is None:
        return None
    if isinstance(value, str) and value == "labels":
        return value
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ValueError("a list of classes, such as ['cat', 'dog'], or 'labels'")
    out = tuple(value)
    if not out or not all(_is_class(c) for c in out) or len(set(out)) < len(out):
        raise ValueError("a list of different classes, such as ['cat', 'dog']")
    return out


AVERAGE = Parameter(
    None,
    "the average over classes: binary, micro, macro, weighted, item; None means binary, for two classes",
    one_of_averages,
)
CLASSES = Parameter(
    None,
    "the classes that count: a list, or 'labels' for those that occur as a label; None means all that occur as label "
    "or prediction",
    some_classes,
)


def class_measure(
    name: str, *, parameters: Mapping[str, Parameter] | None = None, **declared: Any
) -> Callable[[catalog.Function], Measure]:
    """Declare a measure of one class: the function takes the counts and the parameters, and returns an expression.

    The measure takes `average` and `classes` besides its own parameters.

    Args:
        name: the canonical name.
        parameters: its own, by name.
        declared: further arguments of `catalog.measure`.
    """

    def adapt(function: catalog.Function) -> catalog.Function:
        def averaged(u: LabelContext, average: str | None, classes: tuple[Any, ...] | str | None, **own: Any) -> Expr:
            return u.averaged(lambda counts: function(counts, **own), average, classes)

        CLASS_VALUES[name] = function
        return averaged

    all_parameters = {**(parameters or {}), "average": AVERAGE, "classes": CLASSES}
    return catalog.measure("labels", name, parameters=all_parameters, at="", undefined=None, adapt=adapt, **declared)


def left_out(u: LabelContext, measure: Measure, value: Expr) -> Expr:
    """Per class, 1 if it has no value, else 0; null for classes that the measure's average leaves out."""
    classes, flag = measure.arguments().get("classes"), indicator(value.is_null())
    if classes is None:
        return flag
    if isinstance(classes, str):
        return when(u.of_classes().support > 0).then(flag)
    return when(col("class_id").is_in([u.named_class(c, "classes") for c in classes])).then(flag)


def per_class(u: LabelContext, measure: Measure) -> Expr:
    """The measure of every class, in the table of classes."""
    own = {k: v for k, v in measure.arguments().items() if k not in ("average", "classes")}
    counts: Counts = u.of_classes()
    return CLASS_VALUES[measure.name](counts, **own)
