"""`tradeoff`: the quality and the cost of the same systems, drawn together."""

from __future__ import annotations

import os
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.engines.inputs.frames import polars_frame
from ireval_frames.errors import Argument, Hint, InvalidParameter, InvalidValue, IrevalWarning, NotDefined, warn
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.io.any_table import is_text_table
from ireval_frames.io.reading import TABLE
from ireval_frames.parameters import SEED, whole
from ireval_frames.resampling.together import draw_together
from ireval_frames.subject import Subject
from ireval_frames.tradeoffs.result import Drawn, Tradeoff
from ireval_frames.tradeoffs.sides import Side, evaluated, systems_of_both

RESAMPLES = whole(1000, "how many replicates decide how sure a front is; 0 for none", low=0)
RUN = "run_id"


def tradeoff(
    quality: Any,
    cost: Any = None,
    *,
    measure: str | Measure | None = None,
    cost_measure: str | Measure | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Tradeoff:
    """The quality of systems against their cost: which no other system beats in both, and how sure that is.

    A system is on the front if no other is at least as good and at most as dear, one of them strictly.  Queries are
    drawn with replacement, for quality and cost the same ones; the share of these replicates in which a system is on
    the front says how sure it is.

    Args:
        quality: an evaluation of the systems by a measure of which more is better; or a table, or its path, with a
            row per system: `run_id`, `quality` and `cost`, which has no replicates.
        cost: timings of the same systems (`ir.Timings`), or an evaluation of them, or of another subject.
        measure: the measure of quality, where the evaluation has several.
        cost_measure: what is a cost, such as "Latency(p=95)", "MeanLatency" or "Cost": a measure of which less is
            better.  An evaluation has its own.
        n_resamples: the number of replicates.
        seed: of the draws.

    Systems that only one side has are left out with a warning.  Queries that only one side has count there, are drawn
    alone, and warned of.  Where no query is on both sides, or the timings do not name theirs, those of each side are
    drawn alone.

    Raises:
        MissingColumn, InvalidParameter, UnknownName: an argument is not allowed.
        MismatchedTables: no system is on both sides.
        NotDefined: there is one system only, or a measure is better in the other direction.

    Source: Pareto's order; Wang, Lin and Metzler, Learning to efficiently rank, 2010, for quality against time.

    Example:
        >>> import polars as pl, ireval_frames as ir
        >>> quality, cost = [0.30, 0.35, 0.33, 0.42, 0.42, 0.28], [12, 40, 45, 400, 380, 9]
        >>> systems = pl.DataFrame({"run_id": [*"ABCDEF"], "quality": quality, "cost": cost})
        >>> trade = ir.tradeoff(systems)
        >>> trade.front()["run_id"].to_list()
        ['F', 'A', 'B', 'E']
        >>> trade.best(budget=50)["run_id"].item(), trade.cheapest(quality=0.4)["run_id"].item()
        ('B', 'E')
        >>> round(trade.hypervolume(quality=0.2, cost=500), 6)
        0.235163
    """
    n, seed = RESAMPLES.check("n_resamples", n_resamples), SEED.check("seed", seed)
    if not isinstance(quality, Evaluation):
        return _of_table(quality, cost)
    of_quality = evaluated(quality, measure, "measure")
    of_cost = _costs(cost, cost_measure)
    _check_direction(of_quality[1], better="more", argument="measure", example="nDCG@10")
    _check_direction(of_cost[1], better="less", argument="cost_measure", example="MeanLatency")
    sides = [Side(*of_quality, n, seed), Side(*of_cost, n, seed + 1)]
    systems = systems_of_both(*(side.systems for side in sides))
    values = [side.of(systems) for side in sides]
    drawn = None
    if n:
        paired = draw_together([side.bootstrap for side in sides])
        of_quality_drawn, of_cost_drawn = (side.draws(systems) for side in sides)
        if paired:
            _warn_of_other_queries(*(side.bootstrap.population.units.to_series() for side in sides))
        drawn = Drawn(of_quality_drawn, of_cost_drawn, paired)
    return Tradeoff(systems, values[0], values[1], str(of_quality[1]), str(of_cost[1]), drawn)


def _warn_of_other_queries(of_quality: pl.Series, of_cost: pl.Series) -> None:
    """Warn of queries that count on one side only."""
    both = len(set(of_quality) & set(of_cost))
    for own, has, lacks in ((of_quality, "quality", "cost"), (of_cost, "cost", "quality")):
        if n := own.len() - both:
            which = "1 query has" if n == 1 else f"{n:,} of {own.len():,} queries have"
            warn(f"{which} a {has} and no {lacks}; the {has} of a system is of all of them.", IrevalWarning)


def _costs(cost: Any, measure: str | Measure | None) -> tuple[Evaluation, Measure]:
    if isinstance(cost, Evaluation):
        return evaluated(cost, measure, "cost_measure")
    if not isinstance(cost, Subject):
        raise InvalidParameter(
            f"The cost is of type {type(cost).__name__}; it must be timings, or an evaluation of them.",
            "Write ir.tradeoff(evaluation, ir.Timings(frame), cost_measure='MeanLatency').",
        )
    if measure is None:
        raise InvalidParameter(
            "No measure says what a cost is.", Hint("Name one: ", Argument("cost_measure", "Latency(p=95)"), ".")
        )
    evaluation = cost.evaluate(measure)
    return evaluation, evaluation.measures[0]


def _check_direction(measure: Measure, *, better: str, argument: str, example: str) -> None:
    if measure.definition.higher_is_better is not (better == "more"):
        side = "quality" if better == "more" else "cost"
        raise NotDefined(
            f"{measure} is no {side}: of a {side} {better} is better.",
            Hint("Name another one: ", Argument(argument, example), "."),
        )


def _of_table(table: Any, cost: Any) -> Tradeoff:
    if isinstance(table, Subject):
        raise InvalidParameter(
            "The first argument is a subject, which has no values yet.",
            'Evaluate it: ir.tradeoff(ir.evaluate(qrels, run, "nDCG@10"), timings, cost_measure="MeanLatency")',
        )
    if cost is not None:
        raise InvalidParameter(
            "There are two tables.", 'Join them: quality.join(cost, on="run_id"), with columns quality and cost.'
        )
    frame = polars_frame(table, "systems", TABLE)
    if isinstance(table, str | os.PathLike) and is_text_table(table):
        frame = frame.with_columns(_number(frame[c]) for c in ("quality", "cost") if c in frame.columns)
    return Tradeoff.of_frame(frame)


def _number(texts: pl.Series) -> pl.Series:
    """The numbers that a column of a text file holds."""
    numbers = texts.str.strip_chars().cast(pl.Float64, strict=False)
    wrong = texts.filter(numbers.is_null() & texts.is_not_null())
    if wrong.len():
        raise InvalidValue(
            f"Column {texts.name!r} of the table of systems holds {wrong[0]!r}, which is no number.",
            "Write a number, or leave the row out.",
        )
    return numbers
