"""Evaluations as the numbers and names that trackers of experiments take: MLflow, Weights & Biases, Trackio."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import polars as pl

from ireval_frames.declaration import Measure
from ireval_frames.errors import Argument, Hint, InvalidParameter, NotDefined, UnknownName, listed, nearest
from ireval_frames.evaluation.evaluation import Evaluation
from ireval_frames.evaluation.planned import SUMMARY

# The tag that holds how a measure is written, by its key.
TAG = "ireval.measure."
# What the strictest tracker, MLflow, lets stand in a name, and how long one may be with the tag before it.
_ODD = re.compile(r"[^A-Za-z0-9_.\-/]+")
_LONGEST = 200


def key(measure: str | Measure) -> str:
    """A measure's name as a tracker can have it: `nDCG@10` is `nDCG_at_10`, `P(rel=2)@5` is `P/rel_2_at_5`.

    It depends on nothing but the measure.  Where letters are lost, eight digits of a hash tell names apart.
    It is not parsed back: `tags` says what each key stands for.

    Args:
        measure: as it is written, or itself.

    Example:
        >>> key("nDCG@10"), key("F1(average='macro')"), key("P(rel=2, judged_only=True)@5")
        ('nDCG_at_10', 'F1/average_macro', 'P/rel_2_judged_only_True_at_5')
    """
    text = str(measure)
    spelled = text.replace("'", "").replace(", ", "_").replace("=", "_").replace("(", "/").replace(")", "")
    spelled = spelled.replace("@", "_at_").strip("/")
    plain = _ODD.sub("-", spelled)[:_LONGEST]
    return plain if plain == spelled else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def metrics(evaluation: Evaluation, **where: Any) -> dict[str, float]:
    """The values of a summary by the keys of their measures; undefined ones are left out.

    Args:
        evaluation: of one system, or of several of which one is named.
        where: which row, where there are several: `run_id="bm25"`, and the columns of `by=`.

    Raises:
        NotDefined: there are several rows, and these do not name one.
        UnknownName: there is no such column or value.
        InvalidParameter: two measures have one key.

    Example:
        >>> import ireval_frames as ir
        >>> metrics(ir.evaluate(*ir.examples.ranking(), "P(rel=2)@5 RR"))
        {'P/rel_2_at_5': 0.2, 'RR': 1.0}
    """
    rows = chosen(evaluation, where)
    values = dict(zip(_keys(rows["measure"].to_list()), rows["value"].to_list(), strict=True))
    return {name: value for name, value in values.items() if value is not None}


def tags(evaluation: Evaluation, **where: Any) -> dict[str, str]:
    """What the keys stand for, how many units there were, and what it was computed with, all as text.

    Args:
        evaluation: as for `metrics`.
        where: as for `metrics`.

    Example:
        >>> import ireval_frames as ir
        >>> found = tags(ir.evaluate(*ir.examples.ranking(), "P(rel=2)@5"))
        >>> found["ireval.measure.P/rel_2_at_5"], found["ireval.n_units"]
        ('P(rel=2)@5', '1')
    """
    rows = chosen(evaluation, where)
    names = rows["measure"].to_list()
    undefined = {m: n for m, n in zip(names, rows["n_undefined"].to_list(), strict=True) if n}
    out = {f"{TAG}{k}": m for k, m in zip(_keys(names), names, strict=True)}
    out["ireval.n_units"] = str(rows["n_units"].max())
    if undefined:
        out["ireval.n_undefined"] = ", ".join(f"{m}: {n}" for m, n in undefined.items())
    out |= {f"ireval.{name}": str(value) for name, value in where.items()}
    told = evaluation.provenance
    out |= {f"ireval.{name}": str(told[name]) for name in ("family", "engine") if name in told}
    return out | {f"ireval.policy.{name}": str(value) for name, value in told.get("policy", {}).items()}


def from_metrics(metrics: Mapping[str, float], tags: Mapping[str, str]) -> pl.DataFrame:
    """The measures that a tracker's run holds, by its metrics and tags; other metrics are left out.

    Args:
        metrics: the run's numbers, such as `run.data.metrics` of MLflow.
        tags: the run's tags, such as `run.data.tags`.

    Returns:
        measure, as it was written, and value.

    Example:
        >>> from_metrics({"P/rel_2_at_5": 0.2, "loss": 3.0}, {"ireval.measure.P/rel_2_at_5": "P(rel=2)@5"}).rows()
        [('P(rel=2)@5', 0.2)]
    """
    found = [(tags[f"{TAG}{k}"], float(v)) for k, v in metrics.items() if f"{TAG}{k}" in tags]
    return pl.DataFrame(found, {"measure": pl.String, "value": pl.Float64}, orient="row")


def units(evaluation: Evaluation, **where: Any) -> pl.DataFrame:
    """The values per unit that the metrics summarise.

    Args:
        evaluation: as for `metrics`.
        where: as for `metrics`.
    """
    chosen(evaluation, where)
    return evaluation.per_unit().filter(pl.col(name) == value for name, value in where.items())


def chosen(evaluation: Evaluation, where: Mapping[str, Any]) -> pl.DataFrame:
    """The rows of a summary that are of one system and group."""
    rows = evaluation.summary()
    groups = [c for c in rows.columns if c not in SUMMARY]
    for name, value in where.items():
        if name not in groups:
            raise UnknownName(f"The summary has no column {name!r}.", nearest(name, groups))
        there = rows[name].unique().sort().to_list()
        if value not in there:
            raise UnknownName(f"{name} is never {value!r}.", nearest(str(value), map(str, there)))
        rows = rows.filter(pl.col(name) == value)
    if rows["measure"].n_unique() != rows.height:
        first = next(c for c in groups if c not in where and rows[c].n_unique() > 1)
        raise NotDefined(
            f"There are several rows by {listed(groups)}, and a tracker's run is of one.",
            Hint("Name one: ", Argument(first, rows[first][0])),
        )
    return rows


def _keys(names: list[str]) -> list[str]:
    keys = [key(name) for name in names]
    twice = [name for name, k in zip(names, keys, strict=True) if keys.count(k) > 1]
    if twice:
        raise InvalidParameter(f"{listed(twice)} have one key, {key(twice[0])!r}.", "Evaluate one of them at a time.")
    return keys
