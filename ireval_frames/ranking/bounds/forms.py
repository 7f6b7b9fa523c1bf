"""Which form a measure has, by which its bounds are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ireval_frames.conventions.rankings import RankingPolicy
from ireval_frames.declaration import Measure
from ireval_frames.ranking.bounds import blended
from ireval_frames.ranking.bounds import relevant_measures as of_relevant
from ireval_frames.ranking.bounds.arrays import Array, Lists, gains
from ireval_frames.ranking.bounds.by_number import ByNumber, Value
from ireval_frames.ranking.bounds.cascades import NormalizedCascade
from ireval_frames.ranking.bounds.first_relevant import FirstRelevant
from ireval_frames.ranking.bounds.r_precision import RPrecision
from ireval_frames.ranking.bounds.sums import Ideal, Sum
from ireval_frames.ranking.inputs.facets import SHARED

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Monotone:
    """A measure that does not depend on documents outside of the list, and only rises or only falls with every grade.

    So its bounds are its values with the lowest and the highest grade everywhere.

    Attributes:
        binary: whether a document is relevant or not.
    """

    binary: bool


# Forms of two lists, too; of one; and those of which the engine has the values.
Paired = Sum | Ideal | RPrecision | FirstRelevant
Single = ByNumber | NormalizedCascade
Form = Paired | Single | Monotone


def form_of(measure: Measure, policy: RankingPolicy) -> Form | None:
    """The form of a measure; None where there is none, and only its range is known."""
    values = measure.arguments()
    if measure.definition.is_own or measure.name not in FORMS:
        return None
    if any(values.get(name, parameter.default) not in (parameter.default, "max") for name, parameter in SHARED.items()):
        return None
    return FORMS[measure.name](values, policy)


def is_condensed(measure: Measure, policy: RankingPolicy) -> bool:
    """Whether documents that remain without a judgment are removed."""
    return bool(measure.arguments().get("judged_only")) or policy.unjudged == "skip"


def value_of_nothing(measure: Measure, policy: RankingPolicy) -> float | None:
    """The value where nothing is relevant; None where it is undefined."""
    counts = policy.no_relevant == "null" and measure.definition.relevant is not None
    return None if counts else measure.definition.undefined


def relevant_from(rel: float) -> Callable[[Array], Array]:
    """Whether a grade is relevant."""
    return lambda grade: (grade >= rel) & (grade >= 0)


def _number_relevant(rel: float) -> Callable[[Array], Array]:
    return lambda grade: ((grade >= rel) & (grade >= 0)) * 1.0


def _number_other(rel: float) -> Callable[[Array], Array]:
    return lambda grade: ((grade < rel) & (grade >= 0)) * 1.0


def _flat(cutoff: int | None, divisor: float = 1.0) -> Callable[[Array], Array]:
    last = np.finfo(float).max if cutoff is None else cutoff
    return lambda rank: (rank <= last) / divisor


def _within(weight: Callable[[Array], Array], cutoff: int | None) -> Callable[[Array], Array]:
    last = np.finfo(float).max if cutoff is None else cutoff
    return lambda rank: np.where(rank <= last, weight(np.where(rank <= last, rank, 1.0)), 0.0)


def _discounted(values: Values) -> Callable[[Array], Array]:
    """The weight of a rank in DCG."""
    base = values["base"]
    if values["dcg"].endswith("log2"):
        return _within(lambda rank: 1.0 / np.log2(rank + 1.0), values["cutoff"])
    return _within(lambda rank: 1.0 / np.maximum(1.0, np.log(rank) / np.log(base)), values["cutoff"])


def _gain(values: Values) -> Callable[[Array], Array]:
    table, unjudged = dict(values.get("gains", ())), values.get("unjudged", 0.0)
    exponential = values.get("dcg", "").startswith("exp")
    return lambda grade: gains(grade, table, unjudged, exponential=exponential)


def _over(number: Callable[[Array], Array]) -> Callable[[Lists, Array], Array]:
    """A denominator that is a function of the number of relevant documents."""
    return lambda _, relevant: number(np.asarray(relevant, dtype=float))


def _precision(v: Values, _: RankingPolicy) -> Form:
    weight = _flat(v["cutoff"])
    if v["relative"]:
        return Sum(weight, _number_relevant(v["rel"]), divisor=_over(lambda r: np.minimum(r, v["cutoff"])))
    if v["measurement"] != "EU" or v["residual"]:
        return Monotone(binary=True)
    return Sum(_flat(v["cutoff"], v["cutoff"]), _number_relevant(v["rel"]))


def _recall(v: Values, _: RankingPolicy) -> Form:
    return Sum(_flat(v.get("cutoff")), _number_relevant(v["rel"]), divisor=_over(lambda r: r))


def _f(v: Values, _: RankingPolicy) -> Form:
    square = v["beta"] ** 2
    weight = _flat(v["cutoff"], 1.0 / (1.0 + square))
    return Sum(weight, _number_relevant(v["rel"]), divisor=_over(lambda r: square * r + v["cutoff"]))


def _fallout(v: Values, _: RankingPolicy) -> Form | None:
    if v["n_docs"]:
        return None
    return Sum(_flat(v["cutoff"]), _number_other(v["rel"]), divisor=_over(lambda r: r))


def _reciprocal_rank(v: Values, _: RankingPolicy) -> Form | None:
    if v["residual"]:
        return None
    if v["measurement"] != "EU":
        return Monotone(binary=True)
    return FirstRelevant(_within(lambda rank: 1.0 / rank, v["cutoff"]), relevant_from(v["rel"]))


def _blended(value: Value, v: Values) -> Form:
    gain = _gain(v)
    return ByNumber(value, lambda grade: gain(grade) > 0, gain=gain)


def _utility(v: Values, _: RankingPolicy) -> Form | None:
    if v["stop"] != "rank-biased" or v["gamma"] == 1.0:
        return _blended(blended.q_measure(v["beta"], None), v)
    return _blended(blended.cumulative_utility(v["beta"], v["gamma"]), v)


def _normalized_cascade(v: Values, _: RankingPolicy) -> Form:
    if v["stop"] == "relevance":
        return NormalizedCascade(lambda grade: grade, v["cutoff"])
    return NormalizedCascade(lambda grade: (2.0**grade - 1.0) / 2.0 ** v["max_rel"], v["cutoff"])


def _ideal(v: Values, _: RankingPolicy) -> Form:
    return Ideal(Sum(_discounted(v), _gain(v), ideal=_discounted(v)))


def _number_of_relevant(v: Values, _: RankingPolicy) -> Form:
    return Ideal(Sum(_flat(None), _number_relevant(v["rel"]), ideal=_flat(None)))


def _average_precision(v: Values, _: RankingPolicy) -> Form | None:
    if v["measurement"] != "EU" or v["residual"] or v["over"] == "retrieved":
        return None
    value = of_relevant.average_precision(v["cutoff"], retrievable=v["over"] == "retrievable")
    return ByNumber(value, relevant_from(v["rel"]))


def _dcg(v: Values, _: RankingPolicy) -> Form:
    return Sum(_discounted(v), _gain(v))


def _ndcg(v: Values, _: RankingPolicy) -> Form:
    return Sum(_discounted(v), _gain(v), ideal=_discounted(v))


def _rbp(v: Values, _: RankingPolicy) -> Form | None:
    if v["max_rel"] == "topic":
        return None
    if v["measurement"] != "EU" or v["residual"] or v["max_depth"] is not None:
        return Monotone(binary=v["max_rel"] is None)
    p = v["p"]
    weight = _within(lambda rank: (1.0 - p) * p ** (rank - 1.0), v["cutoff"])
    if v["max_rel"] is None:
        return Sum(weight, _number_relevant(v["rel"]))
    return Sum(weight, lambda grade: np.where(grade > 0, grade, 0.0) / float(v["max_rel"]))


def _set_precision(v: Values, _: RankingPolicy) -> Form:
    if v["relative"]:
        return ByNumber(of_relevant.relative_set_precision, relevant_from(v["rel"]))
    return Monotone(binary=True)


def _by_number(value: Value, **options: Any) -> Callable[[Values, RankingPolicy], Form]:
    return lambda v, _: ByNumber(value, relevant_from(v["rel"]), **options)


def _monotone(*, binary: bool) -> Callable[[Values, RankingPolicy], Form | None]:
    return lambda v, _: None if v.get("residual") else Monotone(binary)


def _accuracy(v: Values, _: RankingPolicy) -> Form:
    last = v["cutoff"] or np.iinfo(np.int64).max
    return ByNumber(of_relevant.pairs_in_order(v["cutoff"]), relevant_from(v["rel"]), last=last, always=False)


def _area(v: Values, _: RankingPolicy) -> Form:
    if v["unretrieved"]:
        return ByNumber(of_relevant.area_with_unretrieved, relevant_from(v["rel"]), falls=False, always=False)
    return ByNumber(of_relevant.pairs_in_order(None), relevant_from(v["rel"]), always=False)


FORMS: dict[str, Callable[[Values, RankingPolicy], Form | None]] = {
    "P": _precision,
    "R": _recall,
    "SetR": _recall,
    "FallOut": _fallout,
    "F": _f,
    "SetF": lambda v, _: ByNumber(of_relevant.set_f(v["beta"]), relevant_from(v["rel"])),
    "SetP": _set_precision,
    "SetAP": _by_number(of_relevant.set_average_precision),
    "Success": lambda v, _: FirstRelevant(_flat(v["cutoff"]), relevant_from(v["rel"])),
    "RR": _reciprocal_rank,
    "AP": _average_precision,
    "YAAP": _by_number(of_relevant.smoothed_average_precision),
    "Rprec": lambda v, _: RPrecision(v["multiple"], relevant_from(v["rel"])),
    "BEP": _by_number(of_relevant.break_even, falls=False, always=False),
    "IPrec": lambda v, policy: ByNumber(
        of_relevant.interpolated((v["recall"],), policy.interpolation), relevant_from(v["rel"])
    ),
    "IAP": lambda v, policy: ByNumber(
        of_relevant.interpolated(v["recalls"], policy.interpolation), relevant_from(v["rel"])
    ),
    "Bpref": _by_number(of_relevant.binary_preference, falls=False),
    "infAP": _by_number(of_relevant.inferred_average_precision),
    "binG": _by_number(of_relevant.binary_gain),
    "Accuracy": _accuracy,
    "AUC": _area,
    "CG": lambda v, _: Sum(_flat(v["cutoff"]), lambda grade: np.where(grade > 0, grade, 0.0)),
    "nCG": lambda v, _: Sum(_flat(v["cutoff"]), _gain(v), ideal=_flat(v["cutoff"])),
    "DCG": _dcg,
    "nDCG": _ndcg,
    "IDCG": _ideal,
    "NumRel": _number_of_relevant,
    "nERR": _normalized_cascade,
    "QMeasure": lambda v, _: _blended(blended.q_measure(v["beta"], v["cutoff"]), v),
    **dict.fromkeys(("OMeasure", "PMeasure", "PPlus"), lambda v, _: _blended(blended.first_ratio(v["beta"]), v)),
    "NCU": _utility,
    "RBP": _rbp,
    "ERR": _monotone(binary=False),
    **dict.fromkeys(("NumRet", "NumRelRet", "NumNonRelRet", "Utility"), _monotone(binary=True)),
    **dict.fromkeys(("Judged", "Unjudged", "RBPresid", "NumQ"), _monotone(binary=True)),
    **dict.fromkeys(("SDCG", "INSQ", "TBG", "UMeasure"), _monotone(binary=False)),
    **dict.fromkeys(("NERR8", "NERR9", "NERR10", "NERR11"), _monotone(binary=False)),
}
