"""The baseline and the candidate of a gate: evaluations, judgments with runs, or tables of values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.comparison.values import MEASURE, SYSTEM, Columns, Values, values_of
from ireval_frames.engines.polars import PolarsEngine
from ireval_frames.errors import InvalidParameter, NotDefined
from ireval_frames.evaluation import Evaluation
from ireval_frames.gating.rules import Rule
from ireval_frames.ranking import evaluate

# How the name of a stored evaluation begins.
STORED = "store:"


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a gate.

    Attributes:
        name: baseline or candidate.
        values: its values per unit.
        evaluation: what they are of, where that is known.
        measures: the text of measures in rules → their names here, where these are others.
    """

    name: str
    values: Values
    evaluation: Evaluation | None = None
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def policy(self) -> Mapping[str, Any] | None:
        """The conventions in force, and the family; none of a table."""
        if self.evaluation is None:
            return None
        said = self.evaluation.provenance
        return {"family": said["family"], **said["policy"]}


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
        given: an evaluation; a pair of judgments and runs, which the rules' measures are evaluated of; or a table of
            values.
        rules: the rules.
        columns: what the columns of tables are called.
        by: columns that make segments; none for those of the evaluation.
        options: engine, con and storage_options; of pairs also policy and queries.

    Raises:
        NotDefined: it names a stored evaluation.
        InvalidParameter: rules of a pair name no measure.
    """
    if isinstance(given, str) and given.startswith(STORED):
        raise NotDefined(
            f"{given!r} names a stored evaluation; gates do not read stores.",
            'Hand in its values per unit, as a frame or a file: ir.gate("baseline.parquet", …).',
        )
    if isinstance(given, tuple):
        given = _evaluated(name, given, rules, by or (), options)
    evaluation = given if isinstance(given, Evaluation) else None
    if evaluation is not None:
        _only_means(evaluation)
        if by is not None:
            given = evaluation.grouped(by)
    places = {key: options[key] for key in ("engine", "con", "storage_options")}
    values = _of_measures(values_of(given, replace(columns, by=by or ()), **places), columns)
    return Side(name, values, evaluation, _names(rules, evaluation))


def _evaluated(
    name: str, pair: tuple[Any, ...], rules: Iterable[Rule], by: tuple[str, ...], options: Mapping[str, Any]
) -> Evaluation:
    if len(pair) != 2:
        raise InvalidParameter(
            f"The {name} is a tuple of {len(pair)}; it is judgments and runs.", 'Write ("qrels.txt", "bm25.run").'
        )
    wanted = list(dict.fromkeys(rule.measure for rule in rules if rule.measure))
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


def _names(rules: Iterable[Rule], evaluation: Evaluation | None) -> dict[str, list[str]]:
    """What an evaluation calls the measures that rules name."""
    if evaluation is None:
        return {}
    known = [str(m) for m in evaluation.measures]
    family = evaluation.provenance["family"]
    unknown = dict.fromkeys(rule.measure for rule in rules if rule.measure and rule.measure not in known)
    return {text: [str(m) for m in catalog.parse_all(text, family)] for text in unknown}
