"""The options of an interleaving test."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ireval_frames.errors import Argument, Hint, NotDefined
from ireval_frames.interleaving.methods import METHODS, TAU
from ireval_frames.interleaving.optimized import CREDITS as LIST_CREDITS
from ireval_frames.parameters import CONFIDENCE, SEED, BaseOptions, Parameter, choice, flag, number, option, whole

CREDITS = ("clicks", "any", "first", "last")
UNITS = ("page", "query", "user")
# Methods in which each clicked result has a credit for every ranking.  Random clicks give all rankings the same credit
# on average, but one of them may still win more pages.
GRADED = ("probabilistic", "optimized", "pairwise")


def _rankings(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError("a list of names of rankings")
    return tuple(str(name) for name in value)


METHOD = choice("team-draft", *METHODS, what="how lists are interleaved")
DEPTH = whole(10, "how deep rankings are read")
RANKINGS = Parameter(None, "the names of the rankings", _rankings, kind=list, example=["a", "b"])


@dataclass(frozen=True)
class ListOptions(BaseOptions):
    """How rankings are interleaved."""

    method: str = option(METHOD)
    credit: str = option(choice(*LIST_CREDITS, what="the credit of a click on optimized lists: inverse or negative"))
    depth: int = option(DEPTH)
    seed: int = option(SEED)


@dataclass(frozen=True)
class OutcomeOptions(BaseOptions):
    """How the log of an interleaving test is evaluated.

    Attributes:
        method: how lists were interleaved.
        runs: the names of the rankings; None is all in the log.
        credit: which clicks count.
        unit: "page", "query" or "user".
        cluster: what is sampled; by default the unit.
        common_prefix: whether clicks on a prefix that all rankings share count.
        min_dwell: the smallest dwell time in seconds of a click that counts.
        confidence: of intervals.
        depth: how deep rankings were read.
        tau: the exponent of softened ranks.
    """

    method: str = option(METHOD)
    runs: tuple[str, ...] | None = option(RANKINGS)
    credit: str = option(choice(*CREDITS, what="which clicks count: clicks, any, first or last"))
    unit: str = option(choice(*UNITS, what="what a ranking wins: a page, query or user"))
    cluster: str | None = option(choice(None, *UNITS, what="what is sampled, if it is not the unit", example="user"))
    common_prefix: bool = option(flag(default=True, what="whether clicks on a prefix that all rankings share count"))
    min_dwell: float | None = option(
        number(None, "the smallest dwell time in seconds of a click that counts", 0.0, example=10)
    )
    confidence: float = option(CONFIDENCE)
    depth: int = option(DEPTH)
    tau: float = option(number(TAU, "the exponent of softened ranks", 0.0, open_ends=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cluster", self.cluster or self.unit)
        if self.credit == "any" and self.method in GRADED:
            raise NotDefined(
                f"Every ranking has some credit for a click on {self.method} lists.",
                Hint("Write ", Argument("credit", "clicks")),
            )
        if self.cluster != self.unit and (self.cluster == "page" or self.unit != "page"):
            raise NotDefined(
                f"A {self.cluster} has no complete {self.unit}s.",
                Hint("Write ", Argument("cluster", self.unit), ", or leave it out."),
            )
