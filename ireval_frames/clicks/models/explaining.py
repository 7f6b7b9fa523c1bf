"""A fitted click model in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from ireval_frames.clicks.models import tables
from ireval_frames.clicks.models.declared import PAIR, ClickModel, Trace
from ireval_frames.clicks.models.options import Options


def explained(
    model: ClickModel[Any],
    o: Options,
    t: Trace,
    by: Sequence[str],
    status: pl.Series,
    *,
    longest: int,
    graded: bool,
) -> str:
    """The model, its parameters, priors, initial values, pages, and convergence, in lines of text.

    Args:
        model: the model.
        o: how it was fitted.
        t: how the iteration went.
        by: the columns of its groups.
        status: of its parameters.
        longest: the largest position, 0 without positions.
        graded: its documents are grades.
    """
    known = {parameter.name for parameter in model.parameters}
    lines = [f"{model.name}: {model.description}", f"source: {model.source}", "", "parameters"]
    for parameter in model.parameters:
        own = ("grade", *parameter.keys[2:]) if graded and parameter.keys[:2] == PAIR else parameter.keys
        keys = f" by {', '.join((*by, *own))}" if (*by, *own) else ""
        lines.append(f"  {parameter.name}{keys}: the probability of {parameter.description}")
    counted = {word: int((status == word).sum()) for word in tables.STATUS}
    lines += [
        f"  {n} are {word}: {tables.STATUS[word]}"
        for word, n in counted.items()
        if n and word not in ("ok", "converged", "lower_bound")
    ]
    a, b = o.prior
    lines += [
        "",
        "fit",
        f"  prior: (hits + {a:g}) / (trials + {a + b:g})" + ("" if a + b else ", maximum likelihood"),
    ]
    short = f"; pages of fewer than {o.shortest} results are left out" if o.shortest > 1 else ""
    lines.append(f"  pages without clicks: {o.no_clicks}{short}")
    if longest:
        lines.append(f"  longest list: {longest}")
    lines += [f"  fixed: {name} = {value:g}" for name, value in o.fixed.items() if name in known]
    if model.closed:
        lines.append("  closed form")
    else:
        begins = ", ".join(f"{p.name} {o.initial_value(p.name):g}" for p in model.parameters)
        lines.append(f"  expectation maximisation, initial values {begins}")
        met = "met" if t.converged else "not met"
        last = t.changes[-1] if t.changes else float("nan")
        lines.append(f"  iterations: {len(t.changes)}; last change {last:.3g}, tolerance {o.tolerance:g} {met}")
        lines += [f"  log-likelihood: {t.log_likelihood[-1]:.6f}"] if t.log_likelihood else []
    return "\n".join(lines)


def steps(t: Trace) -> pl.DataFrame:
    """[iteration log_likelihood objective change], a row for each iteration and one for before any."""
    return pl.DataFrame(
        {
            "iteration": pl.Series(range(len(t.log_likelihood)), dtype=pl.Int64),
            "log_likelihood": pl.Series(t.log_likelihood, dtype=pl.Float64),
            "objective": pl.Series(t.objective, dtype=pl.Float64),
            "change": pl.Series([None, *t.changes][: len(t.log_likelihood)], dtype=pl.Float64),
        }
    )
