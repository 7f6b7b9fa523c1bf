"""What is resampled of a subject, and its plain evaluation."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ireval_frames import catalog
from ireval_frames.columns.user_names import columns_named
from ireval_frames.comparison.values.sources import per_unit_values
from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.request import Request
from ireval_frames.items.request import ItemRequest
from ireval_frames.resampling.draws import Weights
from ireval_frames.resampling.items import Items
from ireval_frames.resampling.population import Population
from ireval_frames.resampling.units import Units
from ireval_frames.subject import Subject, request_of

Asked = str | Measure | Iterable[str | Measure] | None
Named = str | Sequence[str] | None


@dataclass(frozen=True)
class Resampled:
    """What was asked of a subject.

    Attributes:
        measures: what was asked.
        population: makes what is resampled; reads data.
        evaluation: the plain evaluation.
        system: the column that tells systems apart, where it is not run_id.
    """

    measures: Sequence[Measure]
    population: Callable[[], Population]
    evaluation: Evaluation
    system: str | None

    @classmethod
    def of(
        cls,
        subject: Subject[Any, Any] | Evaluation,
        measures: Asked,
        unit: Named,
        cluster: Named,
        stratify: Named,
        by: Named,
        system: str | None,
        weights: Weights | None,
        policy: Any,
    ) -> Resampled:
        """What the arguments of `bootstrap` ask for; columns are looked for now, rows are not read.

        Raises:
            InvalidParameter, UnknownName: an argument is not allowed.
            MissingColumn: a column is not there.
        """
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
            raise InvalidParameter(
                "No measure was named.", "Name some: ir.resampling.bootstrap(subject, \"F1(average='macro')\")"
            )
        if unit is not None:
            subject = _with_unit(subject, unit)
        asked = catalog.parse_all(measures, subject.family)
        # Runs are told apart anyway.
        system = None if system == "run_id" else system
        grouped = tuple(
            dict.fromkeys([*columns_named(subject.by if by is None else by), *([system] if system else [])])
        )
        unit_columns = getattr(subject, "unit", ())
        extra = tuple(c for c in dict.fromkeys((*clusters, *strata)) if c not in (*grouped, *unit_columns))
        evaluation = subject.evaluate(asked, by=grouped, policy=policy)
        made = _OfSubject(subject, asked, grouped, extra, clusters, strata, weights, policy, several=system is not None)
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
    ) -> Resampled:
        if measures is not None or any(o is not None for o in others):
            raise InvalidParameter(
                "An evaluation has its measures, units, groups and policy.",
                "Leave measures, unit=, by= and policy= out, or hand in the subject.",
            )
        _refuse_cells(weights)
        known = per_unit_values(evaluation)
        for name in (*clusters, *strata, *([system] if system else [])):
            if name not in (*known.by, *known.unit, known.system):
                raise UnknownName(
                    f"The evaluation has no column {name!r}.", nearest(name, [*known.by, *known.unit]) or ""
                )
        extra = tuple(c for c in (*clusters, *strata) if c in known.by)
        if extra:
            raise InvalidParameter(
                f"The evaluation is grouped by {extra[0]!r}, and a group holds no other one.",
                Hint(
                    "Hand in the subject: ",
                    Argument("cluster", extra[0], "ir.resampling.bootstrap(subject, measures, {})"),
                ),
            )
        made = functools.partial(Units, evaluation, clusters or None, strata, ())
        return cls(evaluation.measures, made, evaluation, system)


@dataclass(frozen=True)
class _OfSubject:
    """Makes what is resampled of a subject; it reads data."""

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
            subject = _in_its_roles(plain, extra)
            request = replace(plain, subject=subject, by=(*self.by, *extra))
            if not _nested(request, clusters):
                ids, more = _drawn(request, clusters, self.weights, several=self.several)
                request, single = replace(request, by=(*request.by, *more)), ids is not None and not clusters
                return Items(request, ids, self.strata, (*extra, *more), single=single)
        _refuse_cells(self.weights)
        units = subject.evaluate(measures, by=(*self.by, *extra), policy=self.policy)
        return Units(units, clusters or None, self.strata, extra)


def _in_its_roles(request: ItemRequest[Any, Any], extra: Sequence[str]) -> Any:
    """The subject with the further columns in the roles that they have by their names: labels stay labels."""
    subject = request.subject
    if not extra:
        return subject
    roles = {ours: theirs for ours, theirs in request.inputs(request.engine).user_columns.items() if theirs in extra}
    out = copy.copy(subject)
    out.__dict__["_columns"] = roles | out.__dict__["_columns"]
    return out


def _with_unit(subject: Subject[Any, Any], unit: Named) -> Subject[Any, Any]:
    """The subject with other units."""
    if not hasattr(subject, "unit"):
        raise InvalidParameter(
            f"The units of {type(subject).__name__} are given: unit= cannot be {unit!r}.",
            Hint("Name what is drawn whole: ", Argument("cluster", "user_id")),
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


def _nested(request: ItemRequest[Any, Any], clusters: Sequence[str]) -> bool:
    """Whether what is drawn whole holds whole units: then these have one value each, and are drawn with it."""
    unit = request.unit
    if not unit or not clusters:
        return False
    if set(unit) >= set(clusters):
        return True
    engine = request.engine
    inputs = request.inputs(engine)
    theirs = inputs.names
    drawn = [k for k, name in theirs.items() if name in clusters]
    groups = [k for k in inputs.keys if k not in drawn or theirs[k] in unit]
    with engine.errors():
        together = engine.collect(inputs.distinct(inputs.items.select(*dict.fromkeys((*groups, *drawn)))))
    return bool(together.height == together.select(groups).n_unique())


def _drawn(
    request: ItemRequest[Any, Any],
    clusters: Sequence[str],
    weights: Weights | None,
    *,
    several: bool,
) -> tuple[Sequence[str] | None, tuple[str, ...]]:
    """The columns of what is drawn, and those of them that must be read besides; None: items that look alike."""
    if clusters:
        _refuse_cells(weights)
        return clusters, ()
    inputs = request.inputs(request.engine)
    several = several or "run_id" in inputs.keys
    there = "item_id" in inputs.items.columns or "item_id" in inputs.user_columns
    if weights == "hash" and not there:
        raise NotDefined(
            "Items have no ids by which to draw them.",
            Hint("Name the column: ", Argument("item", "item_id"), ", or write ", Argument("weights", "cells"), "."),
        )
    if weights == "cells" or not (there and (several or weights == "hash")):
        return None, ()
    if "item_id" in inputs.items.columns:
        return ["item_id"], ()
    return [inputs.user_columns["item_id"]], (inputs.user_columns["item_id"],)
