"""Precision, recall and F of spans, by six ways to match them, and of the positions that spans cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import NotDefined
from ireval_frames.expr import Expr
from ireval_frames.parameters import Parameter, choice, flag, number
from ireval_frames.spans.context import Shares, SpanContext

MUC = "Chinchor and Sundheim, MUC-5 evaluation metrics, 1993"
SEMEVAL = "Segura-Bedmar et al., SemEval-2013 Task 9"


def _is_type(value: object) -> bool:
    """Text or a number; no table holds larger integers."""
    return isinstance(value, str) or (isinstance(value, int | float) and abs(value) < 2**64)


def some_types(value: Any) -> tuple[Any, ...] | str | None:
    """Types of spans as a tuple."""
    if value is None or value == "gold":
        return value  # type: ignore[no-any-return]
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ValueError("a list of types, such as ['PER', 'LOC'], or 'gold'")
    out = tuple(value)
    if not out or not all(map(_is_type, out)) or len(set(out)) < len(out):
        raise ValueError("a list of different types, such as ['PER', 'LOC']")
    return out


AVERAGE = choice("micro", "macro", "weighted", what="all spans together; the mean over types, also by their gold spans")
TYPES = Parameter(
    None, "the types that count: a list, or 'gold' for those that gold spans have; None means all", some_types
)
MATCH = choice(
    "strict",
    "exact",
    "type",
    "partial",
    "overlap",
    "iou",
    what="what two spans must have in common: place and type; 'exact' the place; 'type' type and a position; 'partial' "
    "the place, or for half a position; 'overlap' type and a position, many to many; 'iou' type and enough positions",
)
THRESHOLD = number(0.5, "with match='iou': the least intersection over union", 0.0, 1.0)
TYPED = flag(default=True, what="with match='overlap' and 'iou': only spans of one type match")
BETA = number(1.0, "the weight of recall relative to precision", low=0.0)
MATCHING = {"match": MATCH, "threshold": THRESHOLD, "typed": TYPED, "average": AVERAGE, "types": TYPES}


def _check(measure: Measure, arguments: Mapping[str, Any]) -> None:
    """Refuse options of a way to match that another one does not read."""
    match = arguments["match"]
    if match != "iou" and arguments["threshold"] != THRESHOLD.default:
        raise NotDefined(
            f"{measure} has a threshold, which match={match!r} does not read.",
            f"Write {measure.name}(match='iou', threshold={arguments['threshold']:g}).",
        )
    if match not in ("iou", "overlap") and not arguments["typed"]:
        line = {"strict": "exact", "exact": "exact", "type": "overlap", "partial": "partial"}[match]
        raise NotDefined(
            f"{measure} has typed=False, which match={match!r} does not read.",
            f"Write {measure.name}(match={line!r}{', typed=False' if line == 'overlap' else ''}).",
        )


def _runs(values: Mapping[str, Any]) -> Any:
    return "python" if values["match"] in ("exact", "type", "partial", "iou") else "relational"


ASSIGNMENT = "an assignment of the spans that overlap several others, document by document"
OF_MATCHES = f"unless match is 'strict' or 'overlap': {ASSIGNMENT}"


def matching_measure(
    name: str, *, parameters: Mapping[str, Parameter] | None = None, **declared: Any
) -> Callable[[catalog.Function], Measure]:
    """Declare a measure of precision and recall: the function takes their sums, and its own parameters.

    Args:
        name: the canonical name.
        parameters: its own, by name.
        declared: further arguments of `catalog.measure`.
    """

    def adapt(function: catalog.Function) -> catalog.Function:
        def averaged(
            c: SpanContext, match: str, threshold: float, average: str, types: Any, *, typed: bool, **own: Any
        ) -> Expr:
            def value(shares: Shares) -> Expr:
                return function(shares, **own)

            return c.averaged(c.credits(match, threshold, typed=typed), value, average, types)

        return averaged

    return catalog.measure(
        "spans", name, parameters={**(parameters or {}), **MATCHING}, at="", undefined=None, aggregation="pooled",
        runs=_runs, cost=OF_MATCHES, check=_check, adapt=adapt, source=f"{MUC}; {SEMEVAL}", **declared,
    )  # fmt: skip


def position_measure(
    name: str, *, parameters: Mapping[str, Parameter] | None = None, **declared: Any
) -> Callable[[catalog.Function], Measure]:
    """Declare a measure of positions: the function takes their sums, and its own parameters.

    Args:
        name: the canonical name.
        parameters: its own, by name.
        declared: further arguments of `catalog.measure`.
    """

    def adapt(function: catalog.Function) -> catalog.Function:
        def averaged(c: SpanContext, average: str, types: Any, **own: Any) -> Expr:
            return c.averaged(c.position_credits(), lambda shares: function(shares, **own), average, types)

        return averaged

    all_parameters = {**(parameters or {}), "average": AVERAGE, "types": TYPES}
    return catalog.measure(
        "spans", name, parameters=all_parameters, at="", undefined=None, aggregation="pooled", adapt=adapt,
        source="van Rijsbergen, Information Retrieval, 1979; of positions", **declared,
    )  # fmt: skip


@matching_measure("Precision", formula="matched / predicted")
def Precision(shares: Shares) -> Expr:
    """The share of predicted spans that match a gold span.

    P = Σ credit / number of predicted spans, summed over documents.  `match` says what earns credit:

    - "strict": place and type are equal (1);
    - "exact": the place is (1);
    - "partial": the place is (1), or a position is common (½), whatever the types;
    - "type": the type is equal, and a position is common (1);
    - "overlap": some gold span of the type has a common position (1); several may match one gold span;
    - "iou": the intersection over union with the matched span of the type is at least the threshold (1).

    Except for "overlap" spans are matched one to one: equal ones first, then those of one place in the order of their
    types, then the others, so that the sum of intersections over unions is largest.  `average="macro"` is the mean over
    types, "weighted" that by gold spans.

    Range: 0 to 1, higher is better.  Undefined without predicted spans.

    Example:
        >>> import ireval_frames as ir
        >>> s = ir.Spans(*ir.examples.spans())
        >>> s.evaluate("Precision Precision(match='partial')").summary()["value"].to_list()
        [0.4, 0.7]
    """
    return shares.precision


@matching_measure("Recall", formula="matched / gold")
def Recall(shares: Shares) -> Expr:
    """The share of gold spans that match a predicted span.

    R = Σ credit / number of gold spans, summed over documents; the credits are those of `Precision`.

    Range: 0 to 1, higher is better.  Undefined without gold spans.

    Example:
        >>> import ireval_frames as ir
        >>> s = ir.Spans(*ir.examples.spans())
        >>> s.evaluate("Recall Recall(match='overlap')").summary()["value"].to_list()
        [0.4, 0.6]
    """
    return shares.recall


@matching_measure("F1", formula="2·P·R / (P + R)")
def F1(shares: Shares) -> Expr:
    """The harmonic mean of precision and recall of spans.

    F1 = 2·P·R / (P + R); the credits are those of `Precision`.  It is 0 where one side has no spans, or nothing
    matches.  The average "macro" is the mean of the types' F1.

    Range: 0 to 1, higher is better.  Undefined where neither side has spans.

    Example:
        >>> import ireval_frames as ir
        >>> s = ir.Spans(*ir.examples.spans())
        >>> s.evaluate("F1 F1(match='iou', threshold=0.3)").summary()["value"].to_list()
        [0.4, 0.6]
    """
    return shares.f(1.0)


@matching_measure("F", aliases=("FBeta",), parameters={"beta": BETA}, formula="(1+β²)·P·R / (β²·P + R)")
def F(shares: Shares, beta: float) -> Expr:
    """The weighted harmonic mean of precision and recall of spans.

    F = (1+β²)·P·R / (β²·P + R); the credits are those of `Precision`.  β = 0 is precision.  It is 0 where one side has
    no spans, or nothing matches.

    Range: 0 to 1, higher is better.  Undefined where neither side has spans.

    Example:
        >>> import ireval_frames as ir
        >>> s = ir.Spans(*ir.examples.spans())
        >>> s.evaluate("F(beta=2, match='type')").summary()["value"].round(4).to_list()
        [0.6]
    """
    return shares.f(beta)


@position_measure("TokenP", aliases=("TokenPrecision", "CharacterP"), formula="common / predicted positions")
def TokenP(shares: Shares) -> Expr:
    """The share of the positions of predicted spans that gold spans of the type have, too.

    P = Σ common positions / Σ positions of predicted spans.  Positions are what offsets count: tokens or characters.  A
    position in several spans of a type counts once, in spans of two types twice.

    Range: 0 to 1, higher is better.  Undefined without predicted spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("TokenP").summary()["value"].round(4).to_list()
        [0.7143]
    """
    return shares.precision


@position_measure("TokenR", aliases=("TokenRecall", "CharacterR"), formula="common / gold positions")
def TokenR(shares: Shares) -> Expr:
    """The share of the positions of gold spans that predicted spans of the type have, too.

    R = Σ common positions / Σ positions of gold spans; positions are those of `TokenP`.

    Range: 0 to 1, higher is better.  Undefined without gold spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("TokenR").summary()["value"].round(4).to_list()
        [0.5556]
    """
    return shares.recall


@position_measure(
    "TokenF1", aliases=("CharacterF1",), parameters={"beta": BETA}, formula="(1+β²)·P·R / (β²·P + R) of positions"
)
def TokenF1(shares: Shares, beta: float) -> Expr:
    """The harmonic mean of precision and recall of the positions in spans.

    F = (1+β²)·P·R / (β²·P + R) of `TokenP` and `TokenR`.  It is 0 where one side has no spans, or no
    position is common.

    Range: 0 to 1, higher is better.  Undefined where neither side has spans.

    Example:
        >>> import ireval_frames as ir
        >>> ir.Spans(*ir.examples.spans()).evaluate("TokenF1").summary()["value"].round(4).to_list()
        [0.625]
    """
    return shares.f(beta)
