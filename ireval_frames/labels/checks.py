"""What the tables of an evaluation of labels must not hold, and the errors that say so."""

from __future__ import annotations

from collections.abc import Callable

import narwhals.stable.v2 as nw

from ireval_frames.checks import once_each, weights_checked
from ireval_frames.errors import Argument, Hint, InvalidValue, MismatchedTables
from ireval_frames.labels.tables import LabelTables
from ireval_frames.policy import LabelPolicy

# Sums of weights beyond this overflow where they are multiplied by the parameters of measures.
LARGEST = 1e200


def checks(tables: LabelTables, policy: LabelPolicy) -> list[Callable[[], None]]:
    """In the order in which they run, with the first result."""
    engine, items = tables.plan.engine, tables.inputs.items

    def weights() -> None:
        if tables.weighted:
            weights_checked(engine, items, "labels")
            total = engine.collect(items.select(n=nw.col("weight").sum()))["n"].item()
            if total is not None and total > LARGEST:
                raise InvalidValue(
                    f"The weights of the labels table add up to {total:g}; sums of up to {LARGEST:g} are allowed.",
                    f"Divide them: frame.with_columns(pl.col({tables.inputs.found['weight']!r}) / 1e200)",
                )

    def labelled() -> None:
        if policy.unlabelled == "error" and (n := unlabelled(tables)):
            hint = Hint("Leave them out: ", Argument("policy", "unlabelled=skip"), ".")
            raise MismatchedTables(f"{n} items have no label.", hint)

    def single_items() -> None:
        if "item_id" not in tables.inputs.columns:
            return
        line = "Give every item one row, with all its labels." if tables.multi else "Give every item an id of its own."
        once_each(engine, items, tables.keys, "labels", line)

    return [*tables.inputs.checks, weights, labelled, single_items, tables.plan.check]


def unlabelled(tables: LabelTables) -> int:
    """How many items have no label."""
    return int(tables.plan.engine.collect(tables.inputs.unlabelled.select(n=nw.len())).item())
