"""The options of counterfactual evaluation, of which the command line's are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ireval_frames.clicks.counterfactual_evaluation.estimators import Estimator, parse_estimators
from ireval_frames.clicks.counterfactual_evaluation.relative_propensities import METHODS
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, Parameter, choice, option, whole

# The column that each kind of cluster is one value of.
CLUSTERS = {"query": "query_id", "page": "serp_id", "user": "user_id"}


def _estimators(value: Any) -> tuple[Estimator, ...]:
    parsed = isinstance(value, tuple) and all(isinstance(e, Estimator) for e in value)
    return value if parsed else tuple(parse_estimators(value))


@dataclass(frozen=True)
class CounterfactualOptions(BaseOptions):
    """How new rankings are valued.

    Attributes:
        estimators: of the values.
        cluster: what is drawn independently: "page" or "user".
        confidence: of the intervals.
    """

    estimators: tuple[Estimator, ...] = option(Parameter("IPS SNIPS", "which estimators", _estimators, short="-e"))
    cluster: str = option(choice("page", "user", what="what is drawn independently: page or user", example="user"))
    confidence: float = option(CONFIDENCE)


@dataclass(frozen=True)
class PropensityOptions(BaseOptions):
    """How propensities are estimated.

    Attributes:
        method: how positions are compared.
        reference: the position whose propensity is 1.
        swap: the column of the position that a page may have swapped.
        cluster: what is drawn independently; "query" by default.
        groups: how many groups of clusters the jackknife leaves out, one at a time.
        confidence: of the intervals.
        seed: of the hash that deals clusters into groups.
    """

    method: str = option(choice("all_pairs", *METHODS, "randomised", "swaps", what="how positions are compared"))
    reference: int = option(whole(1, "the position whose propensity is 1"))
    swap: str | None = option(Parameter(None, "for swaps, the column of the other position", lambda name: name))
    cluster: str | None = option(choice(None, *CLUSTERS, what="what is drawn independently"))
    groups: int = option(whole(100, "how many groups of clusters the intervals are made of", low=2))
    confidence: float = option(CONFIDENCE)
    seed: int = option(SEED)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cluster", self.cluster or "query")
        if self.harvests:
            choice("query").check("cluster", self.cluster)
        if (self.method == "swaps") != (self.swap is not None):
            raise InvalidParameter(
                f"swap is {self.swap!r} and method {self.method!r}.",
                Hint('The method "swaps", and no other, reads a column: ', Argument("swap", "swapped_with")),
            )

    @property
    def harvests(self) -> bool:
        """Whether the method reads logs without an experiment."""
        return self.method in METHODS

    @property
    def cluster_column(self) -> str:
        """The column of clusters."""
        assert self.cluster is not None  # noqa: S101 - set when made
        return CLUSTERS[self.cluster]
