"""The catalog and the conventions as frames."""

from __future__ import annotations

import polars as pl

from ireval_frames import catalog
from ireval_frames.conventions.rankings import POLICIES
from ireval_frames.declaration import Definition
from ireval_frames.errors import UnknownName, is_one, nearest
from ireval_frames.parameters import REQUIRED


def measures(family: str | None = None) -> pl.DataFrame:
    """The measures of the catalog, a row each, in the order of declaration.

    Args:
        family: only this family's, such as "ranking".

    Returns:
        family, name, sentence, formula, source, direction ("higher" or "lower" is better, null where neither is),
        range (the smallest and largest value), runs ("relational", or "python" if it has a step in Python), cost (what
        that step costs), parameters (as they are written), aliases, trec_eval (the names it has there), aggregation,
        undefined (the value where a measure is undefined).

    Raises:
        UnknownName: there is no such family.

    Example:
        >>> measures("ranking").filter(pl.col("name") == "AP")["trec_eval"].to_list()
        [['map', 'map_cut', 'gm_map', 'map_avgjg']]
    """
    families = {d.family for d in catalog.definitions()}
    if family is not None and not is_one(family, families):
        raise UnknownName(f"There is no family of measures {family!r}.", nearest(family, families))
    return pl.DataFrame([_row(d) for d in catalog.definitions(family)], schema=_SCHEMA, orient="row")


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "family": pl.String,
    "name": pl.String,
    "sentence": pl.String,
    "formula": pl.String,
    "source": pl.String,
    "direction": pl.String,
    "range": pl.List(pl.Float64),
    "runs": pl.String,
    "cost": pl.String,
    "parameters": pl.List(pl.String),
    "aliases": pl.List(pl.String),
    "trec_eval": pl.List(pl.String),
    "aggregation": pl.String,
    "undefined": pl.Float64,
}
DIRECTIONS = {True: "higher", False: "lower", None: None}


def _row(d: Definition) -> tuple[object, ...]:
    parameters = [name if p.default is REQUIRED else f"{name}={p.default!r}" for name, p in d.parameters.items()]
    return (
        d.family, d.name, d.sentence, d.formula, d.source, DIRECTIONS[d.higher_is_better], list(d.range), d().runs,
        d.cost, parameters, list(d.aliases), [t.name for t in d.trec], d.aggregation, d.undefined,
    )  # fmt: skip


def policies(family: str | None = None) -> pl.DataFrame:
    """The conventions, a row per choice, the default of each field first.

    Args:
        family: only this family's, such as "labels".

    Returns:
        family, policy (its class), field, value (as text writes it; `N` is any whole number from 1), default (whether
        it is), sentence, source, presets (those that hold this value).

    Raises:
        UnknownName: there is no such family.

    Example:
        >>> policies("labels").filter(pl.col("field") == "undefined")["value"].to_list()
        ['null', '0', '1', 'propagate']
    """
    if family is not None and not is_one(family, POLICIES):
        raise UnknownName(f"There is no family with conventions {family!r}.", nearest(family, POLICIES))
    rows = [
        {
            "family": name,
            "policy": policy.__name__,
            "field": field,
            "value": choice.text,
            "default": choice == choices[0],
            "sentence": choice.sentence,
            "source": choice.source,
            "presets": [p for p, preset in policy.presets.items() if getattr(preset, field) == choice.value],
        }
        for name, policy in POLICIES.items()
        if family in (None, name)
        for field, choices in policy.choices().items()
        for choice in choices
    ]
    return pl.DataFrame(rows)
