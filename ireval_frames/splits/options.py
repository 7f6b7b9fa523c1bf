"""The options of folds and holdouts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import BaseOptions, Parameter, flag, number, option, whole

# The engines' integers hold no larger seeds.
LARGEST_SEED = 2**62


def _column(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError("the name of one column; pl.concat_str makes one of several")
    return value


def _seed(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= LARGEST_SEED:
        raise ValueError("a whole number")
    return value


def column(default: str | None, what: str) -> Parameter:
    """The name of a column."""
    return Parameter(default, what, _column, example=default or "their_name")


N_FOLDS = whole(5, "the number of folds", 2)
N_BLOCKS = whole(5, "the number of folds")
GAP = whole(0, "how many of the last rows before the fold are left out", 0)
N_WINDOWS = whole(3, "the number of windows")
TEST_ROWS = whole(1, "how many of a user's last rows are for testing")
VALID_ROWS = whole(0, "how many rows before these are for validation", 0)
MIN_TRAIN = whole(1, "how many rows a user must have left for training", 0)
SIZE = whole(2, "how many rows a fold tests")


@dataclass(frozen=True)
class SplitOptions(BaseOptions):
    """What identifies rows, and which of them belong together.

    Attributes:
        item: the column of ids.
        stratify: the column of classes; every part gets its share of each.
        group: the column of groups, whose rows stay together.
        exact: whether parts have their size to within one row.
        seed: what the hash starts from.
    """

    item: str = option(column("item_id", "the column of ids"))
    stratify: str | None = option(column(None, "the column of classes; every part gets its share of each"))
    group: str | None = option(column(None, "the column of groups, whose rows stay together"))
    exact: bool = option(flag(what="parts of their size, to within one row"))
    seed: int = option(Parameter(0, "another seed is another split", _seed, kind=int))


@dataclass(frozen=True)
class FoldOptions(SplitOptions):
    """How rows are dealt out to folds.

    Attributes:
        k: the number of folds; on the command line a positional argument.
        repeats: how often folds are made, each time with the next seed.
        into: the new column.
    """

    k: int = option(replace(N_FOLDS, kind=None))
    repeats: int = option(whole(1, "how often folds are made, each time with the next seed"))
    into: str = option(column("fold", "the new column"))


@dataclass(frozen=True)
class HoldoutOptions(SplitOptions):
    """How rows are marked as training, validation and test rows.

    Attributes:
        test: the share of test rows; on the command line a positional argument.
        valid: the share of validation rows.
        into: the new column.
    """

    test: float = option(replace(number(0.2, "the share of test rows", 0.0, 1.0), kind=None))
    valid: float = option(number(0.0, "the share of validation rows", 0.0, 1.0, example=0.1))
    into: str = option(column("split", "the new column"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.test + self.valid >= 1:
            raise InvalidParameter(
                f"test and valid are {self.test + self.valid:g} together; nothing is left to train on.",
                "Write test=0.2, valid=0.1.",
            )
        if self.group is not None and (self.exact or self.stratify):
            raise InvalidParameter(
                "Whole groups cannot have exact shares.",
                "Deal the groups out as folds: ir.splits.kfold(frame, 5, …, exact=True)",
            )
