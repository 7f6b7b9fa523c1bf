"""Metrics, names and tags of an evaluation for experiment trackers: MLflow, Weights & Biases, Trackio."""

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

# Prefix of the tags that map keys to measures.
TAG = "ireval.measure."
# MLflow is the strictest: other characters are not allowed, and the prefix counts towards the length.
_FORBIDDEN = re.compile(r"[^A-Za-z0-9_.\-/]+")
_MAX_LENGTH = 200


def key(measure: str | Measure) -> str:
    """A measure's name for a tracker: `nDCG@10` becomes `nDCG_at_10`, `P(rel=2)@5` becomes `P/rel_2_at_5`.

    It depends only on the measure.  Where characters are lost, eight digits of a hash keep names distinct.
    Keys are not parsed back: `tags` maps each to its measure.

    Args:
        measure: a measure or its name.

    Example:
        >>> key("nDCG@10"), key("F1(average='macro')"), key("P(rel=2, judged_only=True)@5")
        ('nDCG_at_10', 'F1/average_macro', 'P/rel_2_judged_only_True_at_5')
    """
    text = str(measure)
    name = text.replace("'", "").replace(", ", "_").replace("=", "_").replace("(", "/").replace(")", "")
    name = name.replace("@", "_at_").strip("/")
    plain = _FORBIDDEN.sub("-", name)[:_MAX_LENGTH]
    return plain if plain == name else f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def metrics(evaluation: Evaluation, **where: Any) -> dict[str, float]:
    """The values of a summary, by `key(measure)`; undefined values are left out.

    Args:
        evaluation: of one system, or of several of which `where` selects one.
        where: selects one system or group: `run_id="bm25"`, and the columns of `by=`.

    Raises:
        NotDefined: there are several rows, and `where` does not select one.
        UnknownName: there is no such column or value.
        InvalidParameter: two measures have the same key.

    Example:
        >>> import ireval_frames as ir
        >>> metrics(ir.evaluate(*ir.examples.ranking(), "P(rel=2)@5 RR"))
        {'P/rel_2_at_5': 0.2, 'RR': 1.0}
    """
    rows = selected(evaluation, where)
    values = dict(zip(_keys(rows["measure"].to_list()), rows["value"].to_list(), strict=True))
    return {name: value for name, value in values.items() if value is not None}


def tags(evaluation: Evaluation, **where: Any) -> dict[str, str]:
    """The measures of the keys, the number of units, the engine and the policy, all as text.

    Args:
        evaluation: as for `metrics`.
        where: as for `metrics`.

    Example:
        >>> import ireval_frames as ir
        >>> labels = tags(ir.evaluate(*ir.examples.ranking(), "P(rel=2)@5"))
        >>> labels["ireval.measure.P/rel_2_at_5"], labels["ireval.n_units"]
        ('P(rel=2)@5', '1')
    """
    rows = selected(evaluation, where)
    names = rows["measure"].to_list()
    undefined = {m: n for m, n in zip(names, rows["n_undefined"].to_list(), strict=True) if n}
    out = {f"{TAG}{k}": m for k, m in zip(_keys(names), names, strict=True)}
    out["ireval.n_units"] = str(rows["n_units"].max())
    if undefined:
        out["ireval.n_undefined"] = ", ".join(f"{m}: {n}" for m, n in undefined.items())
    out |= {f"ireval.{name}": str(value) for name, value in where.items()}
    provenance = evaluation.provenance
    out |= {f"ireval.{name}": str(provenance[name]) for name in ("family", "engine") if name in provenance}
    return out | {f"ireval.policy.{name}": str(value) for name, value in provenance.get("policy", {}).items()}


def from_metrics(metrics: Mapping[str, float], tags: Mapping[str, str]) -> pl.DataFrame:
    """The measures of a tracker's run, from its metrics and tags; other metrics are left out.

    Args:
        metrics: the run's numbers, such as `run.data.metrics` of MLflow.
        tags: the run's tags, such as `run.data.tags`.

    Returns:
        measure (its full name) and value.

    Example:
        >>> from_metrics({"P/rel_2_at_5": 0.2, "loss": 3.0}, {"ireval.measure.P/rel_2_at_5": "P(rel=2)@5"}).rows()
        [('P(rel=2)@5', 0.2)]
    """
    rows = [(tags[f"{TAG}{k}"], float(v)) for k, v in metrics.items() if f"{TAG}{k}" in tags]
    return pl.DataFrame(rows, {"measure": pl.String, "value": pl.Float64}, orient="row")


def units(evaluation: Evaluation, **where: Any) -> pl.DataFrame:
    """The values per unit behind `metrics`.

    Args:
        evaluation: as for `metrics`.
        where: as for `metrics`.
    """
    selected(evaluation, where)
    return evaluation.per_unit().filter(pl.col(name) == value for name, value in where.items())


def selected(evaluation: Evaluation, where: Mapping[str, Any]) -> pl.DataFrame:
    """The rows of a summary of one system and group."""
    rows = evaluation.summary()
    groups = [c for c in rows.columns if c not in SUMMARY]
    for name, value in where.items():
        if name not in groups:
            raise UnknownName(f"The summary has no column {name!r}.", nearest(name, groups))
        values = rows[name].unique().sort().to_list()
        if value not in values:
            raise UnknownName(f"{name} is never {value!r}.", nearest(str(value), map(str, values)))
        rows = rows.filter(pl.col(name) == value)
    if rows["measure"].n_unique() != rows.height:
        first = next(c for c in groups if c not in where and rows[c].n_unique() > 1)
        raise NotDefined(
            f"There are several rows by {listed(groups)}; a tracker's run holds one.",
            Hint("Name one: ", Argument(first, rows[first][0])),
        )
    return rows


def _keys(names: list[str]) -> list[str]:
    keys = [key(name) for name in names]
    duplicates = [name for name, k in zip(names, keys, strict=True) if keys.count(k) > 1]
    if duplicates:
        raise InvalidParameter(
            f"{listed(duplicates)} have one key, {key(duplicates[0])!r}.", "Evaluate one of them at a time."
        )
    return keys
