"""The evaluation and the population of a subject that is resampled."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames import catalog
from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison.values.sources import per_unit_values
from ireval_frames.declaration import POOLED, Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.request import Request
from ireval_frames.items.request import ItemRequest
from ireval_frames.resampling.draws import Weights
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.units import Units
from ireval_frames.subject import Subject, request_of

Measures = str | Measure | Iterable[str | Measure] | None
Columns = str | Sequence[str] | None


@dataclass(frozen=True)
class Resampled:
    """A subject, or an evaluation, and its population.

    Attributes:
        measures: the measures.
        population: gives the units that are resampled; reads data.
        evaluation: gives the values.
        system: the column of systems, if it is not run_id.
    """

    measures: Sequence[Measure]
    population: Callable[[], Population]
    evaluation: Evaluation
    system: str | None

    @classmethod
    def of(
        cls,
        subject: Subject[Any, Any] | Evaluation,
        measures: Measures,
        unit: Columns,
        cluster: Columns,
        stratify: Columns,
        by: Columns,
        system: str | None,
        weights: Weights | None,
        policy: Any,
    ) -> Resampled:
        """From the arguments of `bootstrap`; columns are checked, rows are not read.

        Raises:
            InvalidParameter, UnknownName: an argument is not allowed.
            MissingColumn: a column does not exist.
        """
        if weights not in (None, "cells", "hash"):
            raise UnknownName(f"There are no weights {weights!r}.", nearest(str(weights), ["cells", "hash"]))
        clusters, strata = columns_named(cluster, "cluster"), columns_named(stratify, "stratify")
        if isinstance(subject, Evaluation):
            return cls._of_evaluation(subject, measures, (unit, by, policy), clusters, strata, system, weights)
        if not isinstance(subject, Subject):
            raise InvalidParameter(
                f"The subject is of type {type(subject).__name__}, which cannot be resampled.",
                "Pass ir.Labels(…), ir.Clusters(…), ir.Rankings(…) or an evaluation.",
            )
        if measures is None:
            raise InvalidParameter(
                "No measure was named.", "Name some: ir.resampling.bootstrap(subject, \"F1(average='macro')\")"
            )
        if unit is not None:
            subject = _with_unit(subject, unit)
        parsed = catalog.parse_all(measures, subject.family)
        # Results are grouped by run_id anyway.
        system = None if system == "run_id" else system
        grouped = tuple(
            dict.fromkeys([*columns_named(subject.by if by is None else by), *([system] if system else [])])
        )
        unit_columns = getattr(subject, "unit", ())
        extra = tuple(c for c in dict.fromkeys((*clusters, *strata)) if c not in (*grouped, *unit_columns))
        evaluation = subject.evaluate(parsed, by=grouped, policy=policy)
        population = _OfSubject(
            subject, parsed, grouped, extra, clusters, strata, weights, policy, several=system is not None
        )
        return cls(parsed, population, evaluation, system)

    @classmethod
    def _of_evaluation(
        cls,
        evaluation: Evaluation,
        measures: Measures,
        not_allowed: tuple[Any, ...],
        clusters: Sequence[str],
        strata: Sequence[str],
        system: str | None,
        weights: Weights | None,
    ) -> Resampled:
        if measures is not None or any(o is not None for o in not_allowed):
            raise InvalidParameter(
                "An evaluation has its measures, units, groups and policy.",
                "Leave measures, unit=, by= and policy= out, or pass the subject.",
            )
        request = request_of(evaluation)
        of_items = isinstance(request, ItemRequest) and request.resamples_items and not request.unit
        if of_items or any(m.aggregation == POOLED for m in evaluation.measures):
            # Values per unit do not give the pooled value of a replicate, nor does the one value of all items.
            return cls.of(
                evaluation.subject,
                evaluation.measures,
                None,
                clusters,
                strata,
                request.by,
                system,
                weights,
                request.policy,
            )
        _refuse_cells(weights)
        per_unit = per_unit_values(evaluation)
        for name in (*clusters, *strata, *([system] if system else [])):
            if name not in (*per_unit.by, *per_unit.unit, per_unit.system):
                raise UnknownName(
                    f"The evaluation has no column {name!r}.", nearest(name, [*per_unit.by, *per_unit.unit]) or ""
                )
        extra = tuple(c for c in (*clusters, *strata) if c in per_unit.by)
        if extra:
            raise InvalidParameter(
                f"The evaluation is grouped by {extra[0]!r}, so a group holds no other.",
                Hint(
                    "Pass the subject: ",
                    Argument("cluster", extra[0], "ir.resampling.bootstrap(subject, measures, {})"),
                ),
            )
        population = functools.partial(Units, evaluation, clusters or None, strata, ())
        return cls(evaluation.measures, population, evaluation, system)


@dataclass(frozen=True)
class _OfSubject:
    """Gives the population of a subject; reads data."""

    subject: Subject[Any, Any]
    measures: Sequence[Measure]
    by: tuple[str, ...]
    extra: tuple[str, ...]
    clusters: Sequence[str]
    strata: Sequence[str]
    weights: Weights | None
    policy: Any
    several: bool

    def __call__(self) -> Population:
        """The population."""
        subject, measures, clusters, extra = self.subject, self.measures, self.clusters, self.extra
        plain: Request = replace(request_of(subject, measures, by=(), policy=self.policy), by=self.by)
        if isinstance(plain, ItemRequest) and plain.resamples_items:
            subject = _with_columns(plain, extra)
            request = replace(plain, subject=subject, by=(*self.by, *extra))
            if not _has_nested_units(request, clusters):
                ids, more = _unit_columns(request, clusters, self.weights, several=self.several)
                request, single = replace(request, by=(*request.by, *more)), ids is not None and not clusters
                return Items(request, ids, self.strata, (*extra, *more), single=single)
        _refuse_cells(self.weights)
        units = subject.evaluate(measures, by=(*self.by, *extra), policy=self.policy)
        return Units(units, clusters or None, self.strata, extra)


def _with_columns(request: ItemRequest[Any, Any], extra: Sequence[str]) -> Subject[Any, Any]:
    """The subject with extra columns also in the roles that their names have by default: labels stay labels."""
    subject = request.subject
    if not extra:
        return subject
    roles = {name: column for name, column in request.inputs(request.engine).user_columns.items() if column in extra}
    out = copy.copy(subject)
    out.__dict__["_columns"] = roles | out.__dict__["_columns"]
    return out


def _with_unit(subject: Subject[Any, Any], unit: Columns) -> Subject[Any, Any]:
    """The subject with other units."""
    if not hasattr(subject, "unit"):
        raise InvalidParameter(
            f"The units of {type(subject).__name__} are fixed: unit= cannot be {unit!r}.",
            Hint("Name what is drawn: ", Argument("cluster", "user_id")),
        )
    out = copy.copy(subject)
    out.__dict__["unit"] = request_of(subject, by=(), unit=columns_named(unit)).unit
    return out


def _refuse_cells(weights: Weights | None) -> None:
    if weights == "cells":
        raise InvalidParameter(
            'weights is "cells", which is for items that are drawn one by one.',
            Hint("Write ", Argument("weights", "hash"), "."),
        )


def _has_nested_units(request: ItemRequest[Any, Any], clusters: Sequence[str]) -> bool:
    """Whether every unit lies in one cluster: then the values per unit are drawn."""
    unit = request.unit
    if not unit or not clusters:
        return False
    if set(unit) >= set(clusters):
        return True
    engine = request.engine
    inputs = request.inputs(engine)
    names = inputs.names
    drawn = [k for k, name in names.items() if name in clusters]
    groups = [k for k in inputs.keys if k not in drawn or names[k] in unit]
    with engine.errors():
        rows = engine.collect(inputs.distinct(inputs.items.select(*dict.fromkeys((*groups, *drawn)))))
    return bool(rows.height == rows.select(groups).n_unique())


def _unit_columns(
    request: ItemRequest[Any, Any],
    clusters: Sequence[str],
    weights: Weights | None,
    *,
    several: bool,
) -> tuple[Sequence[str] | None, tuple[str, ...]]:
    """The columns that identify what is drawn, and those of them to read in addition; None: equal items."""
    if clusters:
        _refuse_cells(weights)
        return clusters, ()
    inputs = request.inputs(request.engine)
    several = several or "run_id" in inputs.keys
    has_ids = "item_id" in inputs.items.columns or "item_id" in inputs.user_columns
    if weights == "hash" and not has_ids:
        raise NotDefined(
            "Items have no ids, by which hashes are drawn.",
            Hint("Name the column: ", Argument("item", "item_id"), ", or write ", Argument("weights", "cells"), "."),
        )
    if weights == "cells" or not (has_ids and (several or weights == "hash")):
        return None, ()
    if "item_id" in inputs.items.columns:
        return ["item_id"], ()
    return [inputs.user_columns["item_id"]], (inputs.user_columns["item_id"],)
