"""How many units an experiment needs, or what it can detect, told from a table of what was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from ireval_frames.comparison.asked import share
from ireval_frames.errors import Argument, Hint, InvalidParameter
from ireval_frames.experiments.asked import Asked, positive
from ireval_frames.experiments.estimates import values
from ireval_frames.experiments.metrics import Metric
from ireval_frames.experiments.moments import Cells
from ireval_frames.experiments.pairs import groups_of, units_of


def plan(
    cells: Cells,
    metrics: Sequence[Metric],
    groups: Sequence[str],
    asked: Asked,
    *,
    n: float | None,
    difference: float | None,
    relative: float | None,
    power: float,
    split: float,
) -> pl.DataFrame:
    """The table of `Experiment.plan`."""
    share(power, "power", 0.8)
    share(split, "split", 0.5)
    given = {"n": n, "difference": difference, "relative": relative}
    told = [name for name, value in given.items() if value is not None]
    if len(told) != 1:
        raise InvalidParameter(
            f"Of n, difference and relative one is given, not {len(told)}.",
            Hint("Write ", Argument("relative", 0.01), " for units, or ", Argument("n", 100_000), " for a difference."),
        )
    amount = positive(given[told[0]], told[0], 100_000 if told[0] == "n" else 0.01)
    reach = float(special.ndtri(1.0 - asked.alpha / 2.0) + special.ndtri(power))
    rows: list[dict[str, Any]] = []
    units_of(cells)
    for one in groups_of(cells, metrics, groups, asked):
        found = values(one.metric, one.cells, one.weights, asked.coefficient)
        sides = [s for s in found.sides if s.n > 1 and not np.isnan(s.variance)]
        units = sum(s.n for s in sides)
        value = sum(s.n * s.value for s in sides) / units if sides else float("nan")
        squares = sum((s.n - 1.0) * s.n * s.variance for s in sides)
        sd = float(np.sqrt(squares / (units - len(sides)))) if sides else float("nan")
        # Var(difference) = sd² (1 / (share · n) + 1 / ((1 − share) · n)) for n units in all.
        spread = sd**2 / (split * (1.0 - split))
        status = found.status
        if sd == 0.0 and status == "ok":
            total, off, status = float("nan"), float("nan"), "no_variance"
        elif told[0] == "n":
            total, off = amount, reach * float(np.sqrt(spread / amount))
        else:
            off = amount * (abs(value) if told[0] == "relative" else 1.0)
            total = float("nan")
            if off:
                total = float(np.ceil(reach**2 * spread / off**2)) if off**2 else float("inf")
            if total >= 2.0**53:
                raise InvalidParameter(
                    f"{told[0]} is {amount!r}, which takes more units of {one.metric.label} than can be counted.",
                    Hint("Write ", Argument(told[0], 0.01), "."),
                )
        rows.append(
            {
                "metric": one.metric.label,
                **dict(zip(groups, one.group, strict=True)),
                "n_seen": int(units),
                "value": value,
                "sd": sd,
                "n": total,
                "n_baseline": float(np.ceil(total * (1.0 - split))),
                "n_variant": float(np.ceil(total * split)),
                "difference": off,
                "relative": off / abs(value) if value else float("nan"),
                "power": float(power),
                "confidence": asked.options.confidence,
                "status": status,
            }
        )
    frame = pl.DataFrame(rows, schema_overrides={g: cells.keys.schema[g] for g in groups}, infer_schema_length=None)
    whole = ("n", "n_baseline", "n_variant")
    return frame.with_columns(pl.selectors.float().fill_nan(None)).with_columns(pl.col(whole).cast(pl.Int64))
