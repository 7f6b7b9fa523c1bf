"""The baseline and the candidate of a gate: evaluations, stored ones, judgments with runs, or tables of values."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.comparison.values.sources import MEASURE, SYSTEM, VALUE, Columns, Values, values_of
from ireval_frames.engines.digests import PORTABLE
from ireval_frames.engines.polars.engine import PolarsEngine
from ireval_frames.errors import InvalidParameter, NotDefined, NothingInCommon
from ireval_frames.evaluation.evaluation import Evaluation, without_overlap_check
from ireval_frames.gating.rules import Rule
from ireval_frames.gating.stored import STORED, Stored, stored
from ireval_frames.gating.terms import VERSIONS, Terms, Truth, known, policy_of, truth_of
from ireval_frames.ranking import evaluate
from ireval_frames.store.evaluations import Identified


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a gate.

    Attributes:
        name: baseline or candidate.
        values: its values per unit.
        evaluation: what they are of, where that is known.
        stored: the evaluation of a store that they are of, if it is one.
        measures: the text of measures in rules → their names here, where these are others.
    """

    name: str
    values: Values
    evaluation: Evaluation | None = None
    stored: Stored | None = None
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def undirected(self) -> list[str]:
        """Its measures of which neither more nor less is better; none of a table."""
        if self.stored is not None:
            return self.stored.rows("measures").filter(pl.col("higher_is_better").is_null())["measure"].to_list()
        measures = () if self.evaluation is None else self.evaluation.measures
        return [str(m) for m in measures if m.definition.higher_is_better is None]

    @functools.cached_property
    def terms(self) -> Terms | None:
        """The conventions in force, and the versions; none of a table."""
        if self.stored is not None:
            return self.stored.terms()
        if self.evaluation is None:
            return None
        said = self.evaluation.provenance
        policy = policy_of(said["family"], said["policy"])
        return Terms(said["family"], policy, {n: str(said[n]) for n in VERSIONS if n in said})

    @functools.cached_property
    def identified(self) -> Identified | None:
        """What a store would say of the evaluation: its id and digests; none of a table."""
        return None if self.evaluation is None else known(self.evaluation)

    @property
    def evaluation_id(self) -> str | None:
        """The id that a store knows it by, or would; none of a table."""
        if self.stored is not None:
            return self.stored.id
        return None if self.identified is None else self.identified.id

    @property
    def runs(self) -> pl.DataFrame | None:
        """The digests of its runs: run_id digest digest_kind …; none of a table."""
        if self.stored is not None:
            return self.stored.rows("runs")
        return None if self.identified is None else self.identified.runs

    def truth(self, like: Truth | None = None) -> Truth | None:
        """The digest of the judgments, if possible made as another one; none where there is none."""
        if self.evaluation is None:
            return None if self.terms is None else self.terms.truth
        portable = like is not None and like.kind == PORTABLE
        found = known(self.evaluation, portable=True) if portable else self.identified
        return None if found is None else truth_of(found.inputs.to_dicts())


def side_of(
    name: str,
    given: Any,
    rules: Iterable[Rule],
    columns: Columns,
    *,
    by: tuple[str, ...] | None,
    options: Mapping[str, Any],
) -> Side:
    """A side from what was handed in.

    Args:
        name: what it is called.
        given: an evaluation; the name of a stored one; a pair of judgments and runs, which the rules' measures are
            evaluated of; or a table of values.
        rules: the rules.
        columns: what the columns of tables are called.
        by: columns that make segments; none for those of the evaluation.
        options: engine, con and storage_options; of pairs also policy, queries and the measures of rules that name
            none; of stored evaluations store.

    Raises:
        InvalidParameter: rules of a pair name no measure, or a stored evaluation is named without a store.
        UnknownName: the store has no such evaluation.
    """
    options = dict(options)
    store, measures = options.pop("store", None), options.pop("measures", ())
    if isinstance(given, str) and given.startswith(STORED):
        given = stored(given, store)
    if isinstance(given, Stored):
        return _of_store(name, given, rules, by)
    if isinstance(given, tuple):
        given = _evaluated(name, given, rules, by or (), options, measures)
    evaluation = given if isinstance(given, Evaluation) else None
    if evaluation is not None:
        _only_means(evaluation)
        if by is not None:
            given = evaluation.grouped(by)
    places = {key: options[key] for key in ("engine", "con", "storage_options")}
    try:
        found = values_of(given, replace(columns, by=by or ()), **places)
    except NothingInCommon as error:
        if not isinstance(given, Evaluation):
            raise
        # What cannot be compared is a verdict of a gate.
        found = replace(
            values_of(without_overlap_check(given), replace(columns, by=by or ()), **places), overlap=(error.what,)
        )
    values = _of_measures(found, columns)
    there = [str(m) for m in evaluation.measures] if evaluation is not None else []
    return Side(name, values, evaluation, None, _names(rules, there, None if evaluation is None else evaluation.family))


def _of_store(name: str, given: Stored, rules: Iterable[Rule], by: tuple[str, ...] | None) -> Side:
    there = given.rows("measures")["measure"].to_list()
    names = _names(rules, there, given.rows("evaluations")["family"][0])
    asked = {n for rule in rules for n in names.get(rule.measure, [rule.measure])}
    return Side(name, given.values(by, asked), None, given, names)


def rounded(side: Side, decimals: int) -> Side:
    """The side with its values to so many decimals, as those that it is compared with are."""
    values, engine = side.values, PolarsEngine()
    rows = values.all_rows.with_columns(pl.col(VALUE).round(decimals))
    return replace(side, values=replace(values, engine=engine, frame=engine.from_polars(rows)))


def as_text(side: Side) -> Side:
    """The side with all ids as text, as a store has them."""
    values, engine = side.values, PolarsEngine()
    ids = [*values.groups, *values.units]
    rows = values.all_rows.with_columns(pl.col(ids).cast(pl.String)) if ids else values.all_rows
    return replace(side, values=replace(values, engine=engine, frame=engine.from_polars(rows)))


def _evaluated(
    name: str,
    pair: tuple[Any, ...],
    rules: Iterable[Rule],
    by: tuple[str, ...],
    options: Mapping[str, Any],
    measures: Sequence[str],
) -> Evaluation:
    if len(pair) != 2:
        raise InvalidParameter(
            f"The {name} is a tuple of {len(pair)}; it is judgments and runs.", 'Write ("qrels.txt", "bm25.run").'
        )
    wanted = list(dict.fromkeys(rule.measure for rule in rules if rule.measure))
    wanted += [m for m in measures if m not in wanted] if any(not rule.measure for rule in rules) else []
    if not wanted:
        raise InvalidParameter(
            "The rules name no measure, so none is evaluated.", 'Write rules="nDCG@10 no harm", or hand in evaluations.'
        )
    return evaluate(*pair, wanted, by=by, **options)


def _only_means(evaluation: Evaluation) -> None:
    """Refuse measures whose units are not averaged.

    Raises:
        NotDefined: there is one.
    """
    for measure in evaluation.measures:
        if measure.aggregation != "mean":
            raise NotDefined(
                f"{measure} is the {measure.aggregation} of its units; a gate compares means.",
                "Leave it out of the evaluation that the gate sees.",
            )


def _of_measures(values: Values, columns: Columns) -> Values:
    """A table that names neither systems nor measures is of one system, and its columns are measures."""
    wide = values.system == SYSTEM != columns.system and values.all_rows[MEASURE].unique().to_list() == [columns.value]
    if not wide:
        return values
    rows = values.all_rows.with_columns(pl.col(SYSTEM).alias(MEASURE), pl.lit("").alias(SYSTEM))
    engine = PolarsEngine()
    return replace(values, engine=engine, frame=engine.from_polars(rows), system=None)


def _names(rules: Iterable[Rule], known: Sequence[str], family: str | None) -> dict[str, list[str]]:
    """What an evaluation calls the measures that rules name; nothing of tables."""
    if family is None:
        return {}
    unknown = dict.fromkeys(rule.measure for rule in rules if rule.measure and rule.measure not in known)
    return {text: [str(m) for m in catalog.parse_all(text, family)] for text in unknown}
