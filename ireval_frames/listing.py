"""The catalog as a frame."""

from __future__ import annotations

import polars as pl

from ireval_frames import catalog
from ireval_frames.errors import UnknownName, nearest
from ireval_frames.measure import REQUIRED, Definition


def measures(family: str | None = None) -> pl.DataFrame:
    """The measures of the catalog, a row each, in the order of declaration.

    Args:
        family: only this family's, such as "ranking".

    Returns:
        family, name, aliases, trec_eval (the names it has there), parameters (as they are written),
        low, high, higher_is_better, aggregation, undefined (the value where a measure is undefined),
        formula, sentence, source, engines.

    Raises:
        UnknownName: there is no such family.

    Example:
        >>> measures("ranking").filter(pl.col("name") == "AP")["trec_eval"].to_list()
        [['map', 'map_cut', 'gm_map', 'map_avgjg']]
    """
    families = {d.family for d in catalog.definitions()}
    if family is not None and family not in families:
        raise UnknownName(f"There is no family of measures {family!r}.", nearest(family, families))
    return pl.DataFrame([_row(d) for d in catalog.definitions(family)], schema=_SCHEMA, orient="row")


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    "family": pl.String,
    "name": pl.String,
    "aliases": pl.List(pl.String),
    "trec_eval": pl.List(pl.String),
    "parameters": pl.List(pl.String),
    "low": pl.Float64,
    "high": pl.Float64,
    "higher_is_better": pl.Boolean,
    "aggregation": pl.String,
    "undefined": pl.Float64,
    "formula": pl.String,
    "sentence": pl.String,
    "source": pl.String,
    "engines": pl.List(pl.String),
}


def _row(d: Definition) -> tuple[object, ...]:
    parameters = [name if p.default is REQUIRED else f"{name}={p.default!r}" for name, p in d.parameters.items()]
    names = [t.name for t in d.trec]
    low, high = d.range
    return (
        d.family, d.name, list(d.aliases), names, parameters, low, high,
        d.higher_is_better, d.aggregation, d.undefined, d.formula, d.sentence, d.source, list(d.engines),
    )  # fmt: skip
