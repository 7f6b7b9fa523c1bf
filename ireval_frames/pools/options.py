"""The options of a pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.parameters import SEED, BaseOptions, Parameter, choice, number, option, whole
from ireval_frames.runs import TIES

# Pools that are known at once, and those in which the judgments so far decide what comes next.
FIXED = ("depth", "stratified", "mean-rank", "rrf")
ADAPTIVE = ("mtf", "hedge", "bandit", "max-mean")
EXAMPLE = {10: 1.0, 50: 0.5, 100: 0.1}


def _strata(value: Any) -> tuple[tuple[int, float], ...] | None:
    """The last rank of each stratum and its rate, in the order of the ranks; the command line has texts `10:1.0`."""
    if value is None:
        return None
    allowed = "last ranks with rates, the ranks whole numbers from 1 on, the rates above 0 and at most 1"
    try:
        pairs = value.items() if isinstance(value, Mapping) else [_pair(one) for one in value]
        strata = sorted((_rank(rank), float(rate)) for rank, rate in pairs)
    except (TypeError, ValueError):
        raise ValueError(allowed) from None
    if not strata or len({rank for rank, _ in strata}) < len(strata):
        raise ValueError(allowed)
    if any(rank < 1 or not 0 < rate <= 1 for rank, rate in strata):
        raise ValueError(allowed)
    return tuple(strata)


def _pair(one: Any) -> Iterable[Any]:
    rank, rate = one.split(":") if isinstance(one, str) else one
    return (int(rank), rate) if isinstance(one, str) else (rank, rate)


def _rank(rank: Any) -> int:
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise ValueError("a whole number")
    return rank


DEPTH = whole(100, "how deep runs are read; the strata have depths of their own")
STRATA = Parameter(
    None, "for stratified: the last rank of each stratum and its rate, as in 10:1,50:0.5", _strata, kind=list,
    example=EXAMPLE,
)  # fmt: skip


@dataclass(frozen=True)
class PoolOptions(BaseOptions):
    """Which documents of runs are judged.

    Attributes:
        method: one of `FIXED` or `ADAPTIVE`.
        depth: how deep runs are read.
        budget: the number of documents to judge for each query.
        total: the number of documents to judge in all.
        strata: the last rank of each stratum, and its rate.
        k: the constant of reciprocal ranks.
        seed: of draws.
        ties: how documents of equal score are ordered.
        batch: how many documents of each query come at once.
        beta: what the weight of a run is multiplied by for a loss of 1.
        rel: the lowest relevant grade.
        credit: the runs for which a judgment counts.
    """

    method: str = option(choice("depth", *FIXED, *ADAPTIVE, what="which documents are judged"))
    depth: int = option(DEPTH)
    budget: int | None = option(whole(None, "the number of documents to judge for each query", example=100))
    total: int | None = option(whole(None, "the number of documents to judge in all", example=1000))
    strata: tuple[tuple[int, float], ...] | None = option(STRATA)
    k: int = option(whole(60, "the constant of reciprocal ranks, for rrf", 0))
    seed: int = option(SEED)
    ties: str = option(
        choice("trec_eval", *TIES, what="the order of equal scores: descending or ascending ids, or rank")
    )
    batch: int = option(whole(1, "for mtf, hedge, bandit and max-mean: how many documents of each query come at once"))
    beta: float = option(
        number(0.1, "for hedge: the factor of a run's weight for a loss of 1", 0.0, 1.0, open_ends=True)
    )
    rel: float = option(number(1.0, "for mtf, hedge, bandit and max-mean: the lowest relevant grade"))
    credit: str = option(
        choice("chosen", "all", what="for bandit and max-mean: the run that was chosen learns, or all")
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.method == "stratified") != (self.strata is not None):
            raise InvalidParameter(
                "A stratified pool needs its strata."
                if self.strata is None
                else f"strata are those of a stratified pool, and method is {self.method!r}.",
                Hint(
                    "Write ",
                    Argument("method", "stratified"),
                    " and ",
                    Argument("strata", EXAMPLE, option=("strata", "10:1,50:0.5,100:0.1")),
                    ".",
                ),
            )
        limits = [name for name in ("budget", "total") if getattr(self, name) is not None]
        if self.strata is not None and limits:
            (name, *_) = limits
            raise InvalidParameter(
                f"The strata say how many documents are judged, and {name} is {getattr(self, name)}.",
                Hint("Leave out ", Argument(name, getattr(self, name)), ", or lower the rates."),
            )

    @property
    def adaptive(self) -> bool:
        """Whether judgments decide what comes next."""
        return self.method in ADAPTIVE

    @property
    def lowest_rank(self) -> int:
        """How deep runs are read."""
        return self.depth if self.strata is None else self.strata[-1][0]
