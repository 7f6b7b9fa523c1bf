"""What a table of points must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Callable

import narwhals.stable.v2 as nw
import polars as pl

from ireval_frames.checks import weights_checked
from ireval_frames.errors import Argument, Hint, InvalidValue
from ireval_frames.points.inputs import PointInputs


def checks(inputs: PointInputs) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    engine, raw = inputs.engine, inputs.raw

    def first(bad: nw.Expr) -> pl.DataFrame:
        return engine.collect(raw.filter(bad).head(1))

    def lengths() -> None:
        schema = inputs.frame.collect_schema()
        for name in inputs.vectors:
            if isinstance(schema[name], nw.Array):
                continue
            size = inputs.described.sizes[name]
            length = nw.col(name).list.len()
            found = engine.collect(
                inputs.frame.lazy().filter(~length.is_null() & (length != size)).select(n=length).head(1)
            )
            if found.height:
                raise InvalidValue(
                    f"Column {name!r} of the points table holds vectors of {size} and of {found['n'][0]} numbers.",
                    "Drop or mend these rows.",
                )

    def features() -> None:
        right = engine.collect(
            raw.select(**{x: nw.col(x).is_finite().fill_null(value=False).all() for x in inputs.features})
        ).row(0, named=True)
        bad = [nw.col(x).is_null() | ~nw.col(x).is_finite() for x in inputs.features if right[x] is False]
        if bad:
            found = first(bad[0])
            values = [found[x][0] for x in inputs.features]
            at = next(i for i, v in enumerate(values) if v is None or v - v != 0)
            where = _name(inputs, at)
            shown = "null" if values[at] is None else values[at]
            raise InvalidValue(
                f"{where} of the points table holds {shown}; features must be finite numbers.",
                'Drop or mend these rows: frame.drop_nulls().filter(pl.all_horizontal(pl.col("x", "y").is_finite()))',
            )

    def weights() -> None:
        if "weight" in inputs.found:
            weights_checked(engine, raw, "points")

    def clusters() -> None:
        if inputs.policy.missing != "error":
            return
        found = engine.collect(raw.filter(nw.col("cluster_id").is_null()).select(n=nw.len()))["n"][0]
        if found:
            raise InvalidValue(
                f"{found} points are in no cluster.",
                Hint(
                    "Leave them out: ",
                    Argument("policy", "missing=skip"),
                    ", or ",
                    Argument("policy", "missing=singleton"),
                ),
            )

    return [*inputs.checks, lengths, features, weights, clusters]


def _name(inputs: PointInputs, at: int) -> str:
    """What the user calls a coordinate."""
    for name in inputs.described.features:
        size = inputs.size_of(name) if name in inputs.vectors else 1
        if at < size:
            return f"Column {name!r}"
        at -= size
    return "A column"
