"""The options of a fusion, and what each method reads of the lists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ireval_frames import catalog
from ireval_frames.errors import Argument, Hint, InvalidParameter, listed
from ireval_frames.parameters import SEED, BaseOptions, Parameter, choice, number, option, whole
from ireval_frames.runs import TIES
from ireval_frames.splits.options import N_FOLDS

# By what they read of a document: its score in each list, its rank, or both with training judgments.
OF_SCORES = ("combsum", "combmnz", "combanz", "combmax", "combmin", "combmed", "combgmnz", "wsum", "wmnz", "mixed")
OF_RANKS = ("rrf", "isr", "logisr", "lognisr", "rbc", "borda", "condorcet")
TRAINED = ("mapfuse", "posfuse", "probfuse", "segfuse", "slidefuse", "bayesfuse")
WEIGHTED = ("wsum", "wmnz", "mixed", "rrf")
NORMALIZATIONS = ("minmax", "max", "sum", "zmuv", "l2", "dbsf", "rank", "borda")
# Normalisations that read ranks.
RANK_NORMALIZATIONS = ("rank", "borda")
MISSING = ("skip", "zero", "min", "last")
AVERAGE = "average"


def _measure(value: Any) -> str:
    """The name of a measure of rankings, of which more is better."""
    parsed = catalog.parse_all(value, "ranking")
    if len(parsed) != 1 or parsed[0].definition.higher_is_better is not True:
        raise ValueError("one measure of which more is better, such as 'AP' or 'nDCG@10'")
    return str(parsed[0])


def _folds(value: Any) -> int | None:
    return None if value is None or value == 0 else int(N_FOLDS.check("folds", value))


FOLDS = replace(
    N_FOLDS, convert=_folds, what="folds of queries, for methods that learn from judgments; 0: learn from all"
)


@dataclass(frozen=True)
class FusionOptions(BaseOptions):
    """How runs are fused.

    Attributes:
        method: how the scores or ranks of a document become one score.
        k: the constant of reciprocal ranks.
        normalize: how the scores of each list are normalised.
        missing: what a document that a list lacks counts as there.
        ties: how documents of equal score are ordered.
        depth: how deep lists are read.
        top: how many documents of each query are returned.
        constant: what a list of equal scores becomes under minmax and sum.
        phi: the persistence of rbc.
        gamma: the power of combgmnz.
        sigma: what lognisr adds to the number of lists.
        folds: into how many folds of queries judgments are split; None trains on all of them.
        seed: of the folds.
        rel: the lowest relevant grade.
        segments: into how many segments probfuse splits a list.
        window: how many ranks slidefuse looks to either side.
        optimize: the measure by which weights are fitted.
    """

    method: str = option(choice("rrf", *OF_RANKS, *OF_SCORES, *TRAINED, what="how scores or ranks become one score"))
    k: int = option(whole(60, "for rrf: the constant of reciprocal ranks", 0))
    normalize: str | None = option(
        choice(
            None,
            *NORMALIZATIONS,
            "none",
            what="for methods of scores: how each list's scores are normalised; minmax by default",
        )
    )
    missing: str | None = option(
        choice(None, *MISSING, what="what a document counts as in a list without it; by default it is passed over")
    )
    ties: str = option(
        choice(
            "trec_eval",
            *TIES,
            AVERAGE,
            what="the order of equal scores: descending or ascending ids, the run's ranks, or their mean rank",
        )
    )
    depth: int | None = option(whole(None, "how deep lists are read; by default all of them", example=1000))
    top: int | None = option(whole(None, "how many documents of each query are returned", example=1000))
    constant: float = option(number(1.0, "for minmax: the value of a list of equal scores", 0.0, 1.0))
    phi: float = option(number(0.8, "for rbc: the persistence", 0.0, 1.0, open_ends=True))
    gamma: float = option(number(0.5, "for combgmnz: the power of the number of lists"))
    sigma: float = option(number(0.01, "for lognisr: what is added to the number of lists", 0.0))
    folds: int | None = option(FOLDS)
    seed: int = option(SEED)
    rel: float = option(number(1.0, "for methods that learn from judgments: the lowest relevant grade"))
    segments: int = option(whole(25, "for probfuse: into how many segments a list is split"))
    window: int = option(whole(5, "for slidefuse: how many ranks are looked at on either side", 0))
    optimize: str = option(Parameter("AP", "for fitted weights: the measure whose mean is the largest", _measure))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.normalize is not None and self.method not in OF_SCORES:
            raise InvalidParameter(
                f"normalize is {self.normalize!r}, and {self.method} reads ranks.",
                Hint("Leave it out, or write ", Argument("method", "combsum"), "."),
            )
        if self.missing is not None and self.missing not in self.allowed_missing:
            raise InvalidParameter(
                f"missing is {self.missing!r}; "
                + (
                    f"with {self.of} it may be {listed(self.allowed_missing)}."
                    if self.allowed_missing
                    else f"{self.of} says itself what absent documents count as."
                ),
                Hint("Write ", Argument("missing", self.allowed_missing[0]), ".")
                if self.allowed_missing
                else "Leave it out.",
            )

    @property
    def of(self) -> str:
        """What decides which treatments of absent documents there are."""
        return self.normalization if self.method in OF_SCORES else self.method

    @property
    def normalization(self) -> str:
        """How scores are normalised; "none" for not."""
        return self.normalize or "minmax"

    @property
    def learns(self) -> bool:
        """Whether there is no fusion without judgments."""
        return self.method in TRAINED

    @property
    def reads_scores(self) -> bool:
        """Whether the runs' own scores are read."""
        of_scores = self.method in OF_SCORES and self.normalization not in RANK_NORMALIZATIONS
        return of_scores or self.method == "segfuse"

    @property
    def allowed_missing(self) -> tuple[str, ...]:
        """What absent documents may count as."""
        if self.method in ("borda", "condorcet", *TRAINED):
            return ()
        return ("skip", "last") if self.method in OF_RANKS else ("skip", "zero", "min")

    @property
    def absent(self) -> str:
        """What absent documents count as: of `MISSING`, or "own" where the method says so itself.

        After zmuv the mean is 0, so that an absent document would be above many present ones if it were passed over.
        """
        if self.missing is not None:
            return self.missing
        if self.method in ("borda", "condorcet") or (self.method in OF_SCORES and self.normalization == "borda"):
            return "own"
        return "min" if self.method in OF_SCORES and self.normalization == "zmuv" else "skip"
