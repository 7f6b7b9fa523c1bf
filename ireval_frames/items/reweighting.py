"""Plans of items that stand in other rows than those handed in, as resampling makes them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from ireval_frames.declaration import Measure
from ireval_frames.engines.base import Engine
from ireval_frames.expr import Expr
from ireval_frames.items.build import ItemBuild, P, S, T
from ireval_frames.items.inputs import ItemInputs

N = TypeVar("N", bound=ItemInputs)


class ReweightedBuild(ItemBuild[S, P, T], Generic[S, P, T, N]):
    """Makes plans of items that may stand in other rows than those handed in: resampled ones, with weights."""

    @abstractmethod
    def inputs(self, engine: Engine, given: Mapping[str, Any] | None = None) -> N:
        """The tables as handed in; `given` replaces some."""

    @abstractmethod
    def on(self, inputs: N, measures: Sequence[Measure], *, ordered: bool = False) -> T:
        """The tables of a plan for the measures."""

    def made(
        self, engine: Engine, measures: Sequence[Measure], given: Mapping[str, Any] | None, *, ordered: bool = False
    ) -> T:
        """The tables for the measures; `given` replaces the tables that were handed in."""
        return self.on(self.inputs(engine, given), measures, ordered=ordered)

    def apart(self, tables: T) -> Expr | None:
        """Of which items those with equal columns are no copies of each other; none by default."""
        del tables
        return None
