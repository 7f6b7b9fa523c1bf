"""Weights and judgments of a fusion, and what was learned from these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, listed
from ireval_frames.expr import Expr, col, lit, when
from ireval_frames.fusion.options import WEIGHTED, FusionOptions
from ireval_frames.parameters import number

WEIGHT = number(1.0, "a weight", 0.0)
Weights = Mapping[str, float] | Sequence[float]


@dataclass(frozen=True)
class Learned:
    """What was learned from judgments.

    Attributes:
        rows: by fold and run.
        folds: query_id, fold.
    """

    rows: pl.DataFrame
    folds: pl.DataFrame

    def weights(self, names: Sequence[str]) -> list[Expr]:
        """The weight of each run, by the fold of the query."""
        of_fold = dict(zip(zip(self.rows["fold"], self.rows["run_id"], strict=True), self.rows["weight"], strict=True))
        out = []
        for name in names:
            weight: Expr = lit(0.0)
            for fold in sorted(self.rows["fold"].unique(), reverse=True):
                weight = when(col("fold") == fold).then(of_fold[fold, name]).otherwise(weight)
            out.append(weight)
        return out


def check_judgments(options: FusionOptions, weights: Weights | None, qrels: Any) -> None:
    """Refuse judgments from which nothing is learned, and their lack.

    Raises:
        InvalidParameter: they are needed, or are not.
    """
    if options.learns and qrels is None:
        raise InvalidParameter(
            f"{options.method} learns from judgments.", Hint("Write ", Argument("qrels", "qrels.txt"), ".")
        )
    if qrels is not None and weights is not None:
        raise InvalidParameter(
            "The weights are stated, so that judgments have nothing to fit.",
            Hint("Leave out ", Argument("qrels", None), " or ", Argument("weights", None), "."),
        )
    if qrels is not None and not options.learns and options.method not in WEIGHTED:
        raise InvalidParameter(
            f"{options.method} learns nothing from judgments.",
            Hint("Leave out ", Argument("qrels", None), ", or write ", Argument("method", "wsum"), "."),
        )


def weights_of(
    weights: Weights | None, names: Sequence[str], tables: Mapping[str, Any] | list[Any], method: str, *, fitted: bool
) -> dict[str, float] | None:
    """The weight of each run.

    Raises:
        InvalidParameter: they are not those of the runs, or the method has none.
    """
    example = Argument("weights", dict.fromkeys(names, 1.0), option=("weight", ",".join(f"{name}=1" for name in names)))
    if weights is None:
        if method in WEIGHTED and method != "rrf" and not fitted:
            raise InvalidParameter(
                f"{method} needs weights.",
                Hint("Write ", example, ", or have them fitted: ", Argument("qrels", "qrels.txt"), "."),
            )
        return None
    if method not in WEIGHTED:
        raise InvalidParameter(
            f"{method} has no weights.",
            Hint("Write ", Argument("method", "wsum"), " or ", Argument("method", "rrf"), "."),
        )
    if not isinstance(weights, Mapping):
        in_order = list(tables) if isinstance(tables, Mapping) else list(names) if len(tables) == len(names) > 1 else []
        if isinstance(weights, str) or len(in_order) != len(weights):
            raise InvalidParameter(f"weights is {weights!r}; runs are {listed(names)}.", Hint("Write ", example, "."))
        weights = dict(zip(in_order, weights, strict=True))
    if set(weights) != set(names):
        wrong = sorted(set(weights) ^ set(names))
        raise InvalidParameter(
            f"The weights are of {listed(weights)}, and the runs are {listed(names)}; they differ in {listed(wrong)}.",
            Hint("Give each run one: ", example, "."),
        )
    return {name: WEIGHT.check(f"weights[{name!r}]", weights[name]) for name in names}
