"""PyClick's click models.  Its figures are stored, as it is on no registry; `making_pyclick.py` wrote them."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.clicks.models import FittedModel

PYCLICK = json.loads((Path(__file__).parent / "pyclick_98e7e46.json").read_text(encoding="utf-8"))
NAMES = {"attr": "attraction", "sat": "satisfaction", "exam": "examination", "cont": "continuation", "ctr": "ctr"}
NAMES |= {"cont_noclick": "skip", "cont_click_nonrel": "click", "cont_click_rel": "satisfied"}
# Its expectation maximisation of these two is none (docs/coming_from/click_models.md).
WRONG = ("DBN", "CCM")


@functools.cache
def log() -> ir.Impressions:
    rows = [
        {"serp_id": i, "query_id": page["query"], "doc_id": d, "position": r + 1, "click": c}
        for i, page in enumerate(PYCLICK["pages"])
        for r, (d, c) in enumerate(zip(page["docs"], page["clicks"], strict=True))
    ]
    return ir.Impressions(pl.DataFrame(rows))


def theirs(name: str) -> Iterator[tuple[tuple, float]]:
    """By (parameter, keys …), with positions from 1 and 0 for no click above."""
    for parameter, values in PYCLICK["models"][name]["parameters"].items():
        ours = NAMES[parameter]
        if isinstance(values, float):
            yield (ours,), values
        elif isinstance(values, dict):
            yield from (((ours, q, int(d)), v) for q, of in values.items() for d, v in of.items())
        elif name == "UBM":
            # It writes no click above as the last of its ten ranks.
            yield from (
                ((ours, r + 1, (last + 1) % 10), v)
                for r, of in enumerate(values)
                for last, v in enumerate(of)
                if last < r or last == 9
            )
        else:
            yield from (((ours, r + 1), v) for r, v in enumerate(values))


def values(model: FittedModel) -> dict[tuple, float]:
    names = ("query_id", "doc_id", "position", "last_click")
    out = {}
    for row in model.parameters().iter_rows(named=True):
        name = row["after"] if row.get("after") else row["parameter"]
        out[(name, *(row[k] for k in names if row[k] is not None))] = row["value"]
    return out


def predictions(model: FittedModel) -> dict[str, float]:
    rows = model.evaluate(log(), "LL Perplexity", convention="pyclick").filter(pl.col("position").is_null())
    return dict(rows.select("measure", "value").iter_rows())


@pytest.mark.parametrize("name", [n for n in PYCLICK["models"] if n not in WRONG])
def test_the_same_numbers(name: str) -> None:
    model = log().fit(name, convention="pyclick")
    assert values(model) == pytest.approx(dict(theirs(name)), abs=1e-12)
    actual, expected = predictions(model), PYCLICK["models"][name]
    assert actual["Perplexity"] == pytest.approx(expected["Perplexity"], rel=1e-12)
    # It takes a click that is impossible for one of 10⁻⁶.
    if name != "CM":
        assert actual["LL"] == pytest.approx(expected["LL"], rel=1e-12)


def objective(of: dict[tuple, float], likelihood: float) -> float:
    """The log-likelihood, with the logarithm of the density of its prior, of which (hits + 1) / (n + 2) is the mode."""
    prior = sum(math.log(v) + math.log(1 - v) for v in of.values())
    return likelihood * 10 * len(PYCLICK["pages"]) + prior


@pytest.mark.parametrize("name", WRONG)
def test_where_its_steps_are_none(name: str) -> None:
    """What it ends at is far from the maximum, to which exact steps go."""
    model = log().fit(name, convention="pyclick", iterations=400)
    wrong = dict(theirs(name))
    assert max(abs(v - wrong[k]) for k, v in values(model).items()) > 0.15
    best = objective(values(model), predictions(model)["LL"])
    assert best > objective(wrong, PYCLICK["models"][name]["LL"]) + 0.5
