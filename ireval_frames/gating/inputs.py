"""The baseline and the candidate of a gate: evaluations, stored ones, judgments with runs, or tables of values."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, Columns, PerUnitValues, values_of
from ireval_frames.declaration import POOLED
from ireval_frames.engines.digests import PORTABLE
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import InvalidParameter, NotDefined, NothingInCommon
from ireval_frames.evaluation.evaluation import Evaluation, without_overlap_check
from ireval_frames.gating.conditions import (
    VERSIONS,
    Conditions,
    JudgmentDigest,
    identity_of,
    judgment_digest,
    policy_values,
)
from ireval_frames.gating.rules import NO_LOSS, Rule
from ireval_frames.gating.stored import STORED, Stored, find_stored
from ireval_frames.ranking import evaluate
from ireval_frames.store.evaluations import Identified


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a gate.

    Attributes:
        name: baseline or candidate.
        values: its values per unit.
        evaluation: the evaluation, if the side is one.
        stored: the stored evaluation, if the side is one.
        measures: the text of measures in rules → their names here, where these differ.
    """

    name: str
    values: PerUnitValues
    evaluation: Evaluation | None = None
    stored: Stored | None = None
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def undirected(self) -> list[str]:
        """Its measures of which neither more nor less is better; empty for a table."""
        if self.stored is not None:
            return self.stored.rows("measures").filter(pl.col("higher_is_better").is_null())["measure"].to_list()
        measures = () if self.evaluation is None else self.evaluation.measures
        return [str(m) for m in measures if m.definition.higher_is_better is None]

    @functools.cached_property
    def conditions(self) -> Conditions | None:
        """The conventions and the versions; None for a table."""
        if self.stored is not None:
            return self.stored.conditions()
        if self.evaluation is None:
            return None
        provenance = self.evaluation.provenance
        family = provenance["family"]
        versions = {n: str(provenance[n]) for n in VERSIONS if n in provenance}
        return Conditions(family, policy_values(family, provenance["policy"]), versions)

    @functools.cached_property
    def identified(self) -> Identified | None:
        """The id and digests that a store would give the evaluation; None for a table."""
        return None if self.evaluation is None else identity_of(self.evaluation)

    @property
    def evaluation_id(self) -> str | None:
        """Its id in a store, whether it is there or not; None for a table."""
        if self.stored is not None:
            return self.stored.id
        return None if self.identified is None else self.identified.id

    @property
    def runs(self) -> pl.DataFrame | None:
        """The digests of its runs: run_id digest digest_kind …; None for a table."""
        if self.stored is not None:
            return self.stored.rows("runs")
        return None if self.identified is None else self.identified.runs

    def judgment_digest(self, like: JudgmentDigest | None = None) -> JudgmentDigest | None:
        """The digest of the judgments, of the kind of another one if possible; None if there is none."""
        if self.evaluation is None:
            return None if self.conditions is None else self.conditions.judgments
        portable = like is not None and like.kind == PORTABLE
        identified = identity_of(self.evaluation, portable=True) if portable else self.identified
        return None if identified is None else judgment_digest(identified.inputs.to_dicts())


def side_of(
    name: str,
    source: Any,
    rules: Iterable[Rule],
    columns: Columns,
    *,
    by: tuple[str, ...] | None,
    options: Mapping[str, Any],
) -> Side:
    """One side from an argument of `ir.gate`.

    Args:
        name: baseline or candidate.
        source: an evaluation; the name of a stored one; a pair of judgments and runs, evaluated by the rules'
            measures; or a table of values.
        rules: the rules.
        columns: the names of the columns of tables.
        by: columns that make segments; None for those of the evaluation.
        options: engine, con and storage_options; for pairs also policy, queries and the measures of rules that name
            none; for stored evaluations the store.

    Raises:
        InvalidParameter: rules of a pair name no measure, or a stored evaluation is named without a store.
        UnknownName: the store has no such evaluation.
    """
    options = dict(options)
    store, measures = options.pop("store", None), options.pop("measures", ())
    if isinstance(source, str) and source.startswith(STORED):
        source = find_stored(source, store)
    if isinstance(source, Stored):
        return _stored_side(name, source, rules, by)
    if isinstance(source, tuple):
        source = _evaluate(name, source, rules, by or (), options, measures)
    evaluation = source if isinstance(source, Evaluation) else None
    if evaluation is not None:
        _check_means(evaluation)
        if by is not None:
            source = evaluation.grouped(by)
    places = {key: options[key] for key in ("engine", "con", "storage_options")}
    columns_by = replace(columns, by=by or ())
    try:
        values = values_of(source, columns_by, **places)
    except NothingInCommon as error:
        if not isinstance(source, Evaluation):
            raise
        # The gate reports it as incomparable.
        values = replace(values_of(without_overlap_check(source), columns_by, **places), notes=(error.what,))
    values = _columns_as_measures(values, columns)
    known = [str(m) for m in evaluation.measures] if evaluation is not None else []
    names = _measure_names(rules, known, None if evaluation is None else evaluation.family)
    return Side(name, values, evaluation, None, names)


def _stored_side(name: str, source: Stored, rules: Iterable[Rule], by: tuple[str, ...] | None) -> Side:
    known = source.rows("measures")["measure"].to_list()
    names = _measure_names(rules, known, source.rows("evaluations")["family"][0])
    requested = {n for rule in rules for n in names.get(rule.measure, [rule.measure])}
    return Side(name, source.values(by, requested), None, source, names)


def rounded(side: Side, decimals: int) -> Side:
    """The side with its values rounded to a number of decimals, as those of the other side are."""
    return _with_rows(side, side.values.all_rows.with_columns(pl.col(VALUE).round(decimals)))


def as_text(side: Side) -> Side:
    """The side with all ids as text, as in a store."""
    rows, ids = side.values.all_rows, [*side.values.groups, *side.values.units]
    return _with_rows(side, rows.with_columns(pl.col(ids).cast(pl.String)) if ids else rows)


def _with_rows(side: Side, rows: pl.DataFrame) -> Side:
    engine = PolarsEngine()
    return replace(side, values=replace(side.values, engine=engine, frame=engine.from_polars(rows)))


def _evaluate(
    name: str,
    pair: tuple[Any, ...],
    rules: Iterable[Rule],
    by: tuple[str, ...],
    options: Mapping[str, Any],
    measures: Sequence[str],
) -> Evaluation:
    if len(pair) != 2:
        raise InvalidParameter(
            f"The {name} is a tuple of {len(pair)}; it must be judgments and runs.", 'Write ("qrels.txt", "bm25.run").'
        )
    requested = list(dict.fromkeys(rule.measure for rule in rules if rule.measure))
    requested += [m for m in measures if m not in requested] if any(not rule.measure for rule in rules) else []
    if not requested:
        raise InvalidParameter(
            "The rules name no measure, so none is evaluated.",
            f'Write rules="nDCG@10 {NO_LOSS}", or pass evaluations.',
        )
    return evaluate(*pair, requested, by=by, **options)


def _check_means(evaluation: Evaluation) -> None:
    """Refuse measures whose units are not averaged.

    Raises:
        NotDefined: there is one.
    """
    for measure in evaluation.measures:
        if measure.aggregation == POOLED:
            raise NotDefined(
                f"{measure} is pooled over the units; a gate compares means.",
                f"Evaluate {measure(aggregation='mean')}.",
            )
        if measure.aggregation != "mean":
            raise NotDefined(
                f"{measure} is the {measure.aggregation} of its units; a gate compares means.",
                "Leave it out of the evaluation that the gate sees.",
            )


def _columns_as_measures(values: PerUnitValues, columns: Columns) -> PerUnitValues:
    """The columns of a table without systems and measures, as the measures of one system."""
    wide = values.system == SYSTEM != columns.system and values.all_rows[MEASURE].unique().to_list() == [columns.value]
    if not wide:
        return values
    rows = values.all_rows.with_columns(pl.col(SYSTEM).alias(MEASURE), pl.lit("").alias(SYSTEM))
    engine = PolarsEngine()
    return replace(values, engine=engine, frame=engine.from_polars(rows), system=None)


def _measure_names(rules: Iterable[Rule], known: Sequence[str], family: str | None) -> dict[str, list[str]]:
    """The measures of rules → their names in an evaluation; empty for tables."""
    if family is None:
        return {}
    unknown = dict.fromkeys(rule.measure for rule in rules if rule.measure and rule.measure not in known)
    return {text: [str(m) for m in catalog.parse_all(text, family)] for text in unknown}
