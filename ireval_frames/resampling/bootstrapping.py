"""Resampling a subject: what its units are, and the result."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.evaluation import Evaluation
from ireval_frames.inputs import ItemInputs
from ireval_frames.names import columns_named
from ireval_frames.resampling.draws import Weights
from ireval_frames.resampling.intervals import Method
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.jackknifed import Jackknife
from ireval_frames.resampling.options import Options
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.result import Bootstrap
from ireval_frames.resampling.units import Units
from ireval_frames.reweighting import ReweightedBuild
from ireval_frames.subject import Subject

Asked = str | Measure | Iterable[str | Measure] | None
Named = str | Sequence[str] | None


def bootstrap(
    subject: Any,
    measures: Asked = None,
    *,
    unit: Named = None,
    cluster: Named = None,
    stratify: Named = None,
    by: Named = None,
    system: str | None = None,
    method: Method = "percentile",
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    weights: Weights | None = None,
    policy: Any = None,
) -> Bootstrap:
    """Intervals of any measure of labels, clusterings or rankings by resampling.

    In a replicate every unit counts as often as it was drawn; the measure's value is that of a table with these
    weights.  All replicates are groups of one plan.

    Args:
        subject: `Labels`, `Clusters` (items are resampled), `Rankings` (queries are) or another subject with units;
            or an `Evaluation`, whose units are.
        measures: what is asked of the subject; an evaluation has its own.
        unit: columns whose groups of items are evaluated one by one, and then averaged, instead of the subject's.
        cluster: columns that name what is drawn whole: users, documents.
        stratify: columns within whose groups units are drawn, so that each group keeps its number of units.
        by: columns that group results, instead of the subject's.
        system: a column that tells systems apart where it is not run_id.  All systems have the same draws.
        method: percentile, basic, normal, bca, or studentised, which is for means of units; without replicates delta
            (first order, for what depends on few different rows), wilson (shares of items) and delong (ROC AUC).
        confidence: of intervals.
        replicates: how many.
        seed: of the draws; a replicate is the same however many there are.
        weights: "hash": every unit has a number of draws of its own, from a hash of its place among the sorted ids;
            "cells": items that look alike are drawn together, which is the same in distribution and takes no time.  By
            default "hash" for clusters and for several systems of the same items, else "cells".
        policy: the conventions, instead of the subject's.

    The draws of a unit are Poisson(1), so that the number of units varies a little between replicates; within strata
    they are multinomial.  They depend on the seed and the ids alone: not on the order of rows, on threads, or on the
    engine, which makes one GROUP BY (by unit and by what the measures tell apart).  What is drawn from that is
    evaluated in this process.  Copies of an item that is a cluster of its own stay together.

    Not for measures that are a largest or smallest value; with fewer than 20 clusters intervals are too short.  Both
    are told in the column `status`.

    Raises:
        InvalidParameter, UnknownName: an argument is not allowed.
        MissingColumn: a column is not there.
        NotDefined: there is nothing to resample.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993; Chamandy and others, Estimating uncertainty
    for massive data streams, 2012 (Poisson weights).

    Example:
        >>> import ireval_frames as ir
        >>> b = ir.bootstrap(ir.Labels(ir.examples.labels()), "Accuracy F1(average='macro')", replicates=200)
        >>> b.table().select("measure", "value", "n_resampled", "status").rows()
        [('Accuracy', 0.625, 8, 'ok'), ("F1(average='macro')", 0.611111111111111, 8, 'ok')]
    """
    options = Options(method, confidence, replicates, seed)
    asked = _Asked.of(subject, measures, unit, cluster, stratify, by, system, weights, policy)
    return Bootstrap(asked.measures, asked.population, asked.evaluation, options, asked.system)


def jackknife(
    subject: Any,
    measures: Asked = None,
    *,
    unit: Named = None,
    cluster: Named = None,
    by: Named = None,
    policy: Any = None,
) -> Jackknife:
    """The values of measures without each unit in turn: their influence, standard errors and bias.

    influence θ₍ᵢ₎ − θ; se √((n − 1)/n Σ(θ₍ᵢ₎ − θ̄)²); bias (n − 1)(θ̄ − θ), θ̄ the mean of θ₍ᵢ₎.

    Args:
        subject: `Labels`, `Clusters`, `Rankings` or another subject with units, or an `Evaluation`.
        measures: what is asked of the subject; an evaluation has its own.
        unit: columns whose groups of items are evaluated one by one, instead of the subject's.
        cluster: columns that name what is left out whole: users, documents.  By default items, those that look alike
            in one row, or the units of a subject that has no items.
        by: columns that group results, instead of the subject's.
        policy: the conventions, instead of the subject's.

    Raises:
        InvalidParameter, UnknownName: an argument is not allowed.
        MissingColumn: a column is not there.
        NotDefined: there is nothing to leave out.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11.

    Example:
        >>> import ireval_frames as ir
        >>> j = ir.jackknife(ir.Labels(ir.examples.labels()), "Accuracy")
        >>> j.influence().select("label", "prediction", "n", "value_without").row(-1)
        ('dog', 'dog', 2, 0.5714285714285714)
    """
    asked = _Asked.of(subject, measures, unit, cluster, None, by, None, None, policy)
    return Jackknife(asked.population, asked.evaluation)


@dataclass(frozen=True)
class _Asked:
    """What was asked: how the population is made, and the plain evaluation, both of which read data."""

    measures: Sequence[Measure]
    population: Callable[[], Population]
    evaluation: Evaluation
    system: str | None

    @classmethod
    def of(
        cls,
        subject: Any,
        measures: Asked,
        unit: Named,
        cluster: Named,
        stratify: Named,
        by: Named,
        system: str | None,
        weights: Weights | None,
        policy: Any,
    ) -> _Asked:
        if weights not in (None, "cells", "hash"):
            raise UnknownName(f"There is no way {weights!r} to draw weights.", nearest(str(weights), ["cells", "hash"]))
        clusters, strata = columns_named(cluster, "cluster"), columns_named(stratify, "stratify")
        if isinstance(subject, Evaluation):
            return cls._of_evaluation(subject, measures, (unit, by, policy), clusters, strata, system, weights)
        if not isinstance(subject, Subject):
            raise InvalidParameter(
                f"What is resampled is of type {type(subject).__name__}.",
                "Hand in ir.Labels(…), ir.Clusters(…), ir.Rankings(…) or an evaluation.",
            )
        if measures is None:
            raise InvalidParameter("No measure was named.", "Name some: ir.bootstrap(subject, \"F1(average='macro')\")")
        if unit is not None:
            subject = _with_unit(subject, unit)
        asked = catalog.parse_all(measures, subject.family)
        grouped = (*columns_named(subject.by if by is None else by), *([system] if system else []))
        unit_columns = getattr(subject, "unit", ())
        extra = tuple(c for c in dict.fromkeys((*clusters, *strata)) if c not in (*grouped, *unit_columns))
        evaluation = subject.evaluate(asked, by=grouped, policy=policy)
        _, conventions = subject.options(grouped, policy, map(str, asked), unit_columns)

        def made() -> Population:
            build = subject.build(conventions, (*grouped, *extra), asked)
            if isinstance(build, ReweightedBuild) and not _nested(build, unit_columns, clusters):
                ids, more = _resampled(build, clusters, weights, several=system is not None)
                if more:
                    build = subject.build(conventions, (*grouped, *extra, *more), asked)
                return Items(build, asked, ids, strata, (*extra, *more), single=ids is not None and not clusters)
            _refuse_cells(weights)
            units = subject.evaluate(asked, by=(*grouped, *extra), policy=policy)
            return Units(units, clusters or None, strata, extra)

        return cls(asked, made, evaluation, system)

    @classmethod
    def _of_evaluation(
        cls,
        evaluation: Evaluation,
        measures: Asked,
        others: tuple[Any, ...],
        clusters: Sequence[str],
        strata: Sequence[str],
        system: str | None,
        weights: Weights | None,
    ) -> _Asked:
        if measures is not None or any(o is not None for o in others):
            raise InvalidParameter(
                "An evaluation has its measures, units, groups and policy.",
                "Leave measures, unit=, by= and policy= out, or hand in the subject.",
            )
        _refuse_cells(weights)
        known = evaluation.values_of_units()
        for name in (*clusters, *strata, *([system] if system else [])):
            if name not in (*known.by, *known.unit, known.system):
                raise UnknownName(
                    f"The evaluation has no column {name!r}.", nearest(name, [*known.by, *known.unit]) or ""
                )
        extra = tuple(c for c in (*clusters, *strata) if c in known.by)
        if extra:
            raise InvalidParameter(
                f"The evaluation is grouped by {extra[0]!r}, and a group holds no other one.",
                Hint("Hand in the subject: ", Argument("cluster", extra[0], "ir.bootstrap(subject, measures, {})")),
            )
        return cls(evaluation.measures, lambda: Units(evaluation, clusters or None, strata, ()), evaluation, system)


def _with_unit(subject: Any, unit: Named) -> Any:
    """The subject with other units."""
    if not hasattr(subject, "unit"):
        raise InvalidParameter(
            f"The units of {type(subject).__name__} are given: unit= cannot be {unit!r}.",
            Hint("Name what is drawn whole: ", Argument("cluster", "user_id")),
        )
    out = copy.copy(subject)
    out.__dict__["unit"] = subject.grouping("unit", unit)
    return out


def _refuse_cells(weights: Weights | None) -> None:
    if weights == "cells":
        raise InvalidParameter(
            'weights is "cells", which is for items that are drawn one by one.',
            Hint("Write ", Argument("weights", "hash"), "."),
        )


def _nested(build: ReweightedBuild[Any, Any, Any, ItemInputs], unit: Sequence[str], clusters: Sequence[str]) -> bool:
    """Whether what is drawn whole holds whole units: then these have one value each, and are drawn with it."""
    if not unit or not clusters:
        return False
    if set(unit) >= set(clusters):
        return True
    engine = build.subject.engine
    inputs = build.inputs(engine)
    theirs = inputs.names
    drawn = [k for k, name in theirs.items() if name in clusters]
    groups = [k for k in inputs.keys if k not in drawn or theirs[k] in unit]
    with engine.errors():
        together = engine.collect(inputs.distinct(inputs.items.select(*dict.fromkeys((*groups, *drawn)))))
    return bool(together.height == together.select(groups).n_unique())


def _resampled(
    build: ReweightedBuild[Any, Any, Any, ItemInputs],
    clusters: Sequence[str],
    weights: Weights | None,
    *,
    several: bool,
) -> tuple[Sequence[str] | None, tuple[str, ...]]:
    """The columns of what is drawn, and those of them that must be read besides; None: items that look alike."""
    if clusters:
        _refuse_cells(weights)
        return clusters, ()
    inputs = build.inputs(build.subject.engine)
    several = several or "run_id" in inputs.keys
    there = "item_id" in inputs.items.columns or "item_id" in inputs.found
    if weights == "hash" and not there:
        raise NotDefined(
            "Items have no ids by which to draw them.",
            Hint("Name the column: ", Argument("item", "item_id"), ", or write ", Argument("weights", "cells"), "."),
        )
    if weights == "cells" or not (there and (several or weights == "hash")):
        return None, ()
    if "item_id" in inputs.items.columns:
        return ["item_id"], ()
    return [inputs.found["item_id"]], (inputs.found["item_id"],)
