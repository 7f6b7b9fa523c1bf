"""Systems by quality and cost: the front, the best under a budget, the area below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from ireval_frames.displayed import Displayed, read
from ireval_frames.drawable import Drawable
from ireval_frames.errors import (
    Argument,
    Code,
    DuplicateRows,
    Hint,
    InvalidParameter,
    InvalidValue,
    MissingColumn,
    NotDefined,
    WrongType,
    listed,
)
from ireval_frames.parameters import CONFIDENCE, choice, number
from ireval_frames.tradeoffs import dominance
from ireval_frames.tradeoffs.dominance import Flags, Values

BUDGET = number(what="the highest cost", example=50)
QUALITY = number(what="a quality", example=0.2)
COST = number(what="the highest cost of the area", example=500)
DECAY = choice("step", "linear", "exponential", what="how efficiency falls behind the limit")
REACH = number(None, "the cost in which efficiency falls", low=0.0, open_ends=True, example=20)
WEIGHT = number(0.5, "the weight of quality", low=0.0, high=1.0)
SCALE = choice("log", "linear", what="how costs are measured: by their decimal logarithms, or as they are")


@dataclass(frozen=True, eq=False)
class Drawn:
    """Replicates × systems of quality and of cost; `paired` if both are of the same drawn queries."""

    quality: Values
    cost: Values
    paired: bool

    @cached_property
    def counted(self) -> Flags:
        """The replicates in which all systems have both: others may have drawn no query of one."""
        known = ~(np.isnan(self.quality) | np.isnan(self.cost))
        out: Flags = np.asarray(known[:, known.any(axis=0)].all(axis=1))
        return out

    def share_on_front(self) -> list[float | None]:
        """The share of the replicates in which no other system beats each."""
        front = dominance.on_front(self.quality, self.cost)[self.counted]
        return [_share(column) for column in front.T]

    def share_chosen(self, choose: Callable[[Values, Values], Any], at: int) -> float | None:
        """The share of the replicates in which this system is chosen."""
        return _share((choose(self.quality, self.cost) == at)[self.counted])


def _share(flags: Flags) -> float | None:
    return float(flags.mean()) if flags.size else None


class Tradeoff(Drawable, Displayed):
    """Systems with their quality and their cost; it prints as its table.

    Attributes:
        systems: the ids of the systems.
        quality_name, cost_name: what both are, such as a measure.
        paired: whether quality and cost were drawn by the same queries; None without replicates.
    """

    def __init__(
        self,
        systems: Sequence[Any],
        quality: Values,
        cost: Values,
        quality_name: str,
        cost_name: str,
        drawn: Drawn | None = None,
    ) -> None:
        self.systems, self.quality_name, self.cost_name = list(systems), quality_name, cost_name
        self._quality, self._cost, self._drawn = quality, cost, drawn
        self.paired = None if drawn is None else drawn.paired

    @classmethod
    def of_frame(cls, frame: pl.DataFrame) -> Tradeoff:
        """From a table with a row per system: `run_id`, `quality` and `cost`.

        Raises:
            MissingColumn, WrongType, DuplicateRows, InvalidValue: it is no such table.
        """
        for name in ("run_id", "quality", "cost"):
            if name not in frame.columns:
                raise MissingColumn(
                    f"The table of systems has no column {name!r} (it has: {listed(frame.columns, 20)}).",
                    Hint(Code(f'frame.rename({{"their_name": "{name}"}})', f"Name it {name}.")),
                )
            if name != "run_id" and not frame.schema[name].is_numeric():
                raise WrongType(
                    f"Column {name!r} of the table of systems is {frame.schema[name]}; it must hold numbers.",
                    f'Convert it: frame.with_columns(pl.col("{name}").cast(pl.Float64))',
                )
        twice = frame.filter(pl.col("run_id").is_duplicated())
        if twice.height:
            raise DuplicateRows(
                f"The system {twice['run_id'][0]!r} has {twice.filter(pl.col('run_id') == twice['run_id'][0]).height} "
                "rows.",
                "Give every configuration a run_id of its own.",
            )
        quality, cost = (frame[c].cast(pl.Float64).fill_null(math.nan).to_numpy() for c in ("quality", "cost"))
        if (np.isnan(quality) | np.isnan(cost)).any():
            bad = frame["run_id"][int(np.flatnonzero(np.isnan(quality) | np.isnan(cost))[0])]
            raise InvalidValue(
                f"The system {bad!r} has no quality or no cost.", 'Leave it out: frame.drop_nulls(["quality", "cost"])'
            )
        return cls(frame["run_id"].to_list(), quality, cost, "quality", "cost")

    def table(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """A row per system, from the cheapest on.

        Args:
            confidence: of the intervals, by percentiles of the replicates.

        Returns:
            run_id quality quality_low quality_high cost cost_low cost_high on_front dominated_by share_on_front.
            `dominated_by` is the best system that beats it, null on the front; `share_on_front` the share of the
            replicates in which it is on the front.  Those that drew no query of a system do not count.  Without
            replicates shares and intervals are null.
        """
        level = CONFIDENCE.check("confidence", confidence)
        front = dominance.on_front(self._quality, self._cost)
        beaten = dominance.dominates(self._quality, self._cost)
        by = [self._best_of(np.flatnonzero(row)) for row in beaten]
        shares = None if self._drawn is None else self._drawn.share_on_front()
        columns: dict[str, Any] = {"run_id": self.systems, "quality": self._quality}
        columns |= self._ends("quality", None if self._drawn is None else self._drawn.quality, level)
        columns["cost"] = self._cost
        columns |= self._ends("cost", None if self._drawn is None else self._drawn.cost, level)
        columns |= {"on_front": front, "dominated_by": by}
        columns["share_on_front"] = [None] * len(front) if shares is None else shares
        numbers = ("quality", "quality_low", "quality_high", "cost", "cost_low", "cost_high", "share_on_front")
        types = {"run_id": None, "dominated_by": pl.Series(self.systems).dtype, **dict.fromkeys(numbers, pl.Float64)}
        frame = pl.DataFrame(columns, schema_overrides={k: t for k, t in types.items() if t is not None})
        return frame.with_columns(pl.col(*numbers).fill_nan(None)).sort(
            "cost", pl.col("quality").neg(), "run_id", nulls_last=True
        )

    def front(self, *, confidence: float = 0.95) -> pl.DataFrame:
        """The systems that no other one beats in quality and cost, from the cheapest on: rows of `table`."""
        return self.table(confidence=confidence).filter("on_front").drop("on_front", "dominated_by")

    def best(self, *, budget: float) -> pl.DataFrame:
        """The system of the highest quality among those that cost at most `budget`; of equal ones the cheapest.

        Returns:
            run_id quality cost share_best: a row.  `share_best` is the share of the replicates in which it is the best
            under the budget; null without replicates.

        Raises:
            NotDefined: all systems cost more.
        """
        budget = BUDGET.check("budget", budget)
        return self._chosen(
            lambda q, c: dominance.best(q, c, budget),
            lambda: NotDefined(
                f"No system costs at most {budget:g}; the least {self.cost_name} is {np.nanmin(self._cost):g}.",
                Hint("Write ", Argument("budget", float(np.nanmin(self._cost)), "best({})"), "."),
            ),
        )

    def cheapest(self, *, quality: float) -> pl.DataFrame:
        """The system of the least cost among those with at least this quality; of equal ones the best.

        Returns:
            run_id quality cost share_best: a row, as of `best`.

        Raises:
            NotDefined: no system is that good.
        """
        least = QUALITY.check("quality", quality)
        return self._chosen(
            lambda q, c: dominance.cheapest(q, c, least),
            lambda: NotDefined(
                f"No system has a {self.quality_name} of at least {least:g}; the highest is "
                f"{np.nanmax(self._quality):g}.",
                Hint("Write ", Argument("quality", float(np.nanmax(self._quality)), "cheapest({})"), "."),
            ),
        )

    def hypervolume(self, *, quality: float, cost: float, scale: str = "log") -> float:
        """The area below the front, between a quality that is worst and a cost that is highest: more is better.

        Args:
            quality: the worst quality; systems that are no better add nothing.
            cost: the highest cost; systems that are no cheaper add nothing.
            scale: "log" measures costs by their decimal logarithms, "linear" as they are.

        Raises:
            InvalidParameter: costs of 0 or less have no logarithm.

        Source: Zitzler and Thiele, Multiobjective evolutionary algorithms, 1999.
        """
        logarithmic = SCALE.check("scale", scale) == "log"
        q, c = QUALITY.check("quality", quality), COST.check("cost", cost)
        known = ~np.isnan(self._quality) & ~np.isnan(self._cost)
        if logarithmic and (c <= 0 or (self._cost[known] <= 0).any()):
            none = [f"the cost of {s!r} is {x:g}" for s, x in zip(self.systems, self._cost, strict=True) if x <= 0]
            raise InvalidParameter(
                f"Costs of 0 or less have no logarithm, and {(none or [f'the highest cost is {c:g}'])[0]}.",
                Hint("Write ", Argument("scale", "linear"), "."),
            )
        points = list(zip(self._quality[known].tolist(), self._cost[known].tolist(), strict=True))
        return dominance.hypervolume(points, q, c, logarithmic=logarithmic)

    def combined(
        self, *, limit: float, reach: float | None = None, decay: str = "step", weight: float = 0.5
    ) -> pl.DataFrame:
        """Quality and efficiency as one number: their weighted harmonic mean.

        combined = 1 / (w / quality + (1 − w) / efficiency).  The efficiency of a cost c is 1 up to the limit; behind it
        0 ("step"), 1 − (c − limit)/reach, at least 0 ("linear"), or exp(−(c − limit)/reach) ("exponential").

        Args:
            limit: the cost up to which a system is as efficient as any.
            reach: behind the limit, the cost in which efficiency falls to 0, or to 1/e; not of "step".
            decay: how it falls.
            weight: w, the weight of quality.

        Returns:
            run_id quality cost efficiency combined decay, the highest first; 0 where one of both is 0.

        Raises:
            InvalidParameter: an argument is not allowed, or reach is missing.

        Source: Wang, Lin and Metzler, Learning to efficiently rank, 2010.

        Example:
            >>> import polars as pl, ireval_frames as ir
            >>> systems = pl.DataFrame({"run_id": ["a", "b"], "quality": [0.3, 0.4], "cost": [10, 60]})
            >>> trade = ir.tradeoff(systems)
            >>> both = trade.combined(limit=50, reach=20, decay="linear")
            >>> both.select("run_id", "efficiency", both["combined"].round(4)).rows()
            [('a', 1.0, 0.4615), ('b', 0.5, 0.4444)]
        """
        falls, w = DECAY.check("decay", decay), WEIGHT.check("weight", weight)
        limit, reach = BUDGET.check("limit", limit), REACH.check("reach", reach)
        if (reach is None) != (falls == "step"):
            raise InvalidParameter(
                f"decay is {falls!r}, and reach is {reach!r}.",
                Hint("Write ", Argument("reach", 20, f"decay={falls!r}, {{}}"), ".")
                if reach is None
                else "Leave reach= out: a step falls at once.",
            )
        efficiency = dominance.efficiency(self._cost, limit, reach or 1.0, falls)
        value = dominance.harmonic(self._quality, efficiency, w)
        columns = {"run_id": self.systems, "quality": self._quality, "cost": self._cost, "efficiency": efficiency}
        frame = pl.DataFrame(columns | {"combined": value, "decay": [falls] * len(value)})
        return frame.with_columns(pl.selectors.float().fill_nan(None)).sort(
            pl.col("combined").neg(), "cost", "run_id", nulls_last=True
        )

    # ---- within

    @property
    def _picture(self) -> str:
        return "tradeoff"

    def _chosen(self, choose: Callable[[Values, Values], Any], none: Callable[[], Exception]) -> pl.DataFrame:
        at = int(choose(self._quality[None], self._cost[None])[0])
        if at < 0:
            raise none()
        share = None
        if self._drawn is not None:
            share = self._drawn.share_chosen(choose, at)
        row = {"run_id": [self.systems[at]], "quality": [self._quality[at]], "cost": [self._cost[at]]}
        return pl.DataFrame(row | {"share_best": pl.Series([share], dtype=pl.Float64)})

    def _best_of(self, at: Any) -> Any:
        """The best of some systems, of equal ones the cheapest; None of none."""
        if not len(at):
            return None
        return self.systems[min(at, key=lambda i: (-self._quality[i], self._cost[i]))]

    def _ends(self, name: str, draws: Values | None, level: float) -> dict[str, Any]:
        """The columns of an interval: infinite values have their place in the order."""
        if draws is None:
            return {f"{name}_{end}": [None] * len(self.systems) for end in ("low", "high")}
        tails = {"low": (1.0 - level) / 2.0, "high": (1.0 + level) / 2.0}
        return {
            f"{name}_{end}": np.nanquantile(draws, tail, axis=0, method="inverted_cdf") for end, tail in tails.items()
        }

    def _displays(self) -> Sequence[Any]:
        """The table."""
        return [self.table()]

    def __str__(self) -> str:
        text = f"{self.quality_name} against {self.cost_name}"
        if self.paired is not None:
            text += "" if self.paired else "; the queries of quality and cost were drawn apart, since they differ"
        return f"{text}\n{read(self.table(), tbl_cols=-1, tbl_width_chars=200)}"
