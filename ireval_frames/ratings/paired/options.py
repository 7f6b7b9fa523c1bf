"""How strengths of compared items are estimated."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.columns.user_names import columns_named
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, Parameter, choice, number, option, whole

MODELS = ("bradley-terry", "thurstone", "davidson", "elo")
METHODS = ("likelihood", "sandwich", "percentile")
TIES = ("all", "good", "none")
FORMS = ("relative", "arena", "tanh", "difference")


@dataclass(frozen=True)
class StrengthOptions(BaseOptions):
    """How strengths are estimated.

    Attributes:
        model: the model; "elo" depends on the order of the comparisons.
        confidence: of intervals.
        prior: the number of comparisons that are added to each pair.
        step: K of Elo.
        n_resamples: the number of replicates; 0 is no interval.
        seed: of the draws.
        method: of intervals; None is "percentile" for Elo and with clusters, else "likelihood".
        clustered: whether comparisons are drawn in clusters.
        covariates: the columns of what is controlled for.
        form: how the difference of covariates is scaled.
        first: whether the advantage of the item shown first is controlled for.
        ties: which ties count.
    """

    model: str = option(choice(*MODELS, what="the model of strengths"))
    confidence: float = option(CONFIDENCE)
    prior: float = option(number(0.0, "comparisons that are added to each pair", low=0.0, example=0.5))
    step: float = option(number(32.0, "K of Elo", low=0.0))
    n_resamples: int = option(whole(200, "the number of replicates", low=0))
    seed: int = option(SEED)
    method: str | None = option(choice(None, *METHODS, what="the method of intervals"))
    clustered: bool = False
    covariates: tuple[str, ...] = option(
        Parameter(
            (), "what is controlled for: length stands for length_a and length_b",
            lambda names: columns_named(names, "covariates"), kind=list,
        )
    )  # fmt: skip
    form: str = option(choice(*FORMS, what="how differences of covariates are scaled"))
    first: bool = option(
        Parameter(default=False, what="the item shown first may have an advantage", convert=bool, kind=bool)
    )
    ties: str = option(choice(*TIES, what="which ties count"))

    def __post_init__(self) -> None:
        """Refuse what does not go together."""
        super().__post_init__()
        if self.controlled and self.model != "bradley-terry":
            raise InvalidParameter(
                f"The model {self.model!r} has no covariates.", Hint("Write ", Argument("model", "bradley-terry"))
            )
        if self.intervals == "sandwich" and self.model != "bradley-terry":
            raise InvalidParameter(
                f"The model {self.model!r} has no sandwich.", Hint("Write ", Argument("method", "percentile"))
            )
        if self.intervals == "likelihood" and (self.clustered or self.model == "elo"):
            reason = (
                "Elo's ratings have no likelihood." if self.model == "elo" else "Clusters are not in the likelihood."
            )
            raise InvalidParameter(reason, Hint("Write ", Argument("method", "percentile")))

    @property
    def controlled(self) -> bool:
        """Whether there are covariates."""
        return bool(self.covariates) or self.first

    @property
    def intervals(self) -> str:
        """The method of intervals."""
        return self.method or ("percentile" if self.clustered or self.model == "elo" else "likelihood")
