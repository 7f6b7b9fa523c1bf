"""A click model as a value: its parameters, the counts they are estimated from, and the clicks it predicts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ireval_frames.errors import UnknownName, nearest

if TYPE_CHECKING:
    from ireval_frames.clicks.models.options import Options

# The data of a model: counts (`Cells`), pages (`Pages`), or tallies (`Tallies`).
Data = TypeVar("Data")
# The click of a page down to which users look.
Until = Literal["first", "last"]
Array = NDArray[np.float64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]

# Keys of parameters.
PAIR = ("query_id", "doc_id")
AFTER = ("skip", "click", "satisfied")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model.

    Attributes:
        name: attraction, satisfaction, continuation, examination or ctr.
        keys: what it has a value for, besides the groups.
        description: what it is the probability of.
    """

    name: str
    keys: tuple[str, ...]
    description: str


@dataclass
class Estimate:
    """The values of one parameter, in an array with an element per key.

    Shapes by keys: none (groups); `after` (groups, 3); `position` (groups, longest); `position` and `last_click`
    (groups, longest, longest), the last click from 0; query and document (pairs); all three (places), see
    `Keys.places`.

    Attributes:
        hits: the (expected) number of times it happened.
        n: the (expected) number of times it could have happened.
        value: the probability; NaN where it is not known.
        low, high: its interval; NaN where there is none.
        flags: words of `tables.STATUS` for values that need one; "" for others, None for none at all.
    """

    hits: Array
    n: Array
    value: Array
    low: Array | None = None
    high: Array | None = None
    flags: NDArray[np.str_] | None = None


Estimates = dict[str, Estimate]
Values = Mapping[str, Array]


@dataclass(frozen=True)
class Trace:
    """How an iteration went.

    Attributes:
        log_likelihood: of the data, before each step and after the last one.
        objective: the same with the logarithm of the prior's density, which never falls.
        changes: the largest change of any parameter in each step.
        converged: whether the last change was at most the tolerance.
        last_change: by parameter, the change of each value in the last step; None for what was not iterated here.
    """

    log_likelihood: tuple[float, ...] = ()
    objective: tuple[float, ...] = ()
    changes: tuple[float, ...] = ()
    converged: bool = True
    last_change: Mapping[str, Array] | None = None


@dataclass(frozen=True)
class PageBlock:
    """A block of result pages with the values of a model's parameters there: arrays of (positions, pages).

    Attributes:
        shown: whether there is a result.
        clicks: whether it was clicked.
        values: by parameter; those of `after`, of groups alone, and of last clicks as `ClickModel` functions need them.
    """

    shown: NDArray[np.bool_]
    clicks: NDArray[np.bool_]
    values: Mapping[str, Array]


# Gives uniform draws for a stage and a position, one for each page.
Draws = Callable[[int, int], Array]


class ClickModel(ABC, Generic[Data]):
    """A click model.

    Attributes:
        name: what `log.fit` calls it.
        parameters: what it estimates.
        source: where it is from.
        needs_pages: it is fitted to complete result pages, or their tallies, else to counts by `counts_by`.
        counts_by: the keys of the counts it is fitted to.
        looks_until: users look at results down to this click and no others: it is fitted to tallies of them.
        closed: its estimates are ratios of counts, with exact posteriors.
        of_bound: the estimates maximise a lower bound of the likelihood, of which the posteriors are, too.
        relevant: the parameters whose product is the relevance of a document.
    """

    name: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    source: ClassVar[str]
    needs_pages: ClassVar[bool] = True
    counts_by: ClassVar[tuple[str, ...]] = ()
    looks_until: ClassVar[Until | None] = None
    closed: ClassVar[bool] = True
    of_bound: ClassVar[bool] = False
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)

    @property
    def description(self) -> str:
        """The first sentence of its docstring."""
        return " ".join((type(self).__doc__ or "").strip().partition("\n\n")[0].split())

    @abstractmethod
    def fit(self, data: Data, options: Options, start: Values | None) -> tuple[Estimates, Trace]:
        """The estimates from counts or pages; `start` is where an iteration begins, by parameter."""

    def disconnected(self, data: Data) -> Mapping[str, Mask]:
        """By parameter, the values that cannot be compared with most others."""
        del data
        return {}

    # ---- predictions; models in which clicks are independent of each other give a `rate`, others override the rest

    def rate(self, block: PageBlock) -> Array:
        """P(click) per position and page, where clicks are independent."""
        return np.broadcast_to(block.values["ctr"], block.shown.shape)

    def conditional(self, block: PageBlock) -> Array:
        """P(click | the clicks above), per position and page; NaN where the model has no value."""
        return self.rate(block)

    def marginal(self, block: PageBlock) -> Array:
        """P(click), whatever is clicked above."""
        return self.rate(block)

    def simulate(self, block: PageBlock, draw: Draws) -> NDArray[np.bool_]:
        """Clicks drawn from the model."""
        rate = self.rate(block)
        return np.stack([draw(0, j) < rate[j] for j in range(len(rate))]) & block.shown


Model = TypeVar("Model", bound=ClickModel[Any])
_MODELS: dict[str, ClickModel[Any]] = {}


def declare(model: type[Model]) -> type[Model]:
    """Register a model by its name."""
    _MODELS[model.name] = model()
    return model


def names() -> tuple[str, ...]:
    """The names of the models."""
    return tuple(_MODELS)


def named(name: str) -> ClickModel[Any]:
    """The model of a name, in any case.

    Raises:
        UnknownName: there is none.
    """
    folded = {n.lower(): m for n, m in _MODELS.items()}
    if not isinstance(name, str) or name.lower() not in folded:
        raise UnknownName(f"There is no click model {name!r}.", nearest(str(name), _MODELS))
    return folded[name.lower()]
