"""How fits of answers end: the status of the rows, the warning, and a likelihood that never falls."""

from __future__ import annotations

import itertools
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import ConvergenceWarning, IrevalWarning
from tests.crowds.cases import answers

GOLD = {"u01": "b", "u02": "c", "u03": "a", "u04": "a"}
# Everyone rates every unit, and one rating is another: the messages of Karger, Oh and Shah go round for ever.
ROUND = pl.DataFrame(
    [(u, r, "y" if (u, r) == (1, "a") else "x") for u in (1, 2, 3) for r in "abc"],
    schema=["item_id", "rater_id", "rating"], orient="row",
)  # fmt: skip


@pytest.mark.parametrize("model", ["dawid-skene", "one-coin", "mace"])
@pytest.mark.parametrize("gold", [None, GOLD])
def test_the_likelihood_never_falls(model: str, gold: dict[str, str] | None) -> None:
    """Without a prior each step of EM raises it, also where some labels are known (against the answers too)."""
    options: dict[str, Any] = {"smoothing": 0.0, "restarts": 1} if model == "mace" else {}
    ratings = ir.Ratings(answers())
    actual = [
        ratings.aggregate(model, gold=gold, max_iter=n, tol=0, **options).summary()["log_likelihood"].item()
        for n in range(1, 16)
    ]
    assert all(b >= a - 1e-9 * abs(a) for a, b in itertools.pairwise(actual)), actual


@pytest.mark.parametrize("model", ["dawid-skene", "fast-dawid-skene", "one-coin", "mace", "glad", "kos", "zero-based"])
def test_what_stopped_early_is_reported(model: str) -> None:
    frame = ROUND if model == "kos" else answers()
    with pytest.warns(ConvergenceWarning, match=rf"{model} did not converge in 1 steps"):
        aggregated = ir.Ratings(frame).aggregate(model, max_iter=1)
    assert issubclass(ConvergenceWarning, IrevalWarning)
    for rows in (aggregated.consensus(), aggregated.raters(), aggregated.summary()):
        assert set(rows["status"]) == {"not_converged"}
        assert rows.columns[-1] == "status"
    if model != "kos":
        aggregated = ir.Ratings(frame).aggregate(model, max_iter=2000)
        assert set(aggregated.consensus()["status"]) == set(aggregated.raters()["status"]) == {"converged"}


def test_only_the_groups_that_it_concerns() -> None:
    plain = ROUND.with_columns(rating=pl.col("item_id").replace_strict({1: "x", 2: "y", 3: "x"}), part=pl.lit("agree"))
    both = pl.concat([plain, ROUND.with_columns(part=pl.lit("round"))])
    with pytest.warns(ConvergenceWarning, match="kos did not converge in 100 steps.* in 1 of 2 groups"):
        aggregated = ir.Ratings(both, by="part").aggregate("kos")
    status = {("agree", "converged"), ("round", "not_converged")}
    for rows in (aggregated.consensus(), aggregated.raters(), aggregated.summary()):
        assert set(rows.select("part", "status").iter_rows()) == status
    # What comes of messages that go round depends on when they are stopped.
    with pytest.warns(ConvergenceWarning):
        labels = {tuple(ir.Ratings(ROUND).aggregate("kos", max_iter=n).consensus()["label"]) for n in range(100, 105)}
    assert len(labels) > 1


def test_methods_that_iterate_nothing_have_nothing_to_say() -> None:
    numbers = ROUND.with_columns(rating=pl.col("rating").replace_strict({"x": 1, "y": 2}))
    for method, frame in (("majority", ROUND), ("wawa", ROUND), ("mean", numbers), ("trimmed", numbers)):
        aggregated = ir.Ratings(frame).aggregate(method)
        assert set(aggregated.consensus()["status"]) == set(aggregated.raters()["status"]) == {"ok"}
        assert aggregated.summary().select("converged", "status").row(0) == (True, "ok")
    rows = [(u, r, u + 0.1 * i * (-1) ** u) for u in range(9) for i, r in enumerate("abcd") if (u + i) % 3]
    scores = pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")
    with pytest.warns(ConvergenceWarning, match="unbiased did not converge in 2 steps"):
        aggregated = ir.Ratings(scores).aggregate("unbiased", max_iter=2)
    assert set(aggregated.consensus()["status"]) == {"not_converged"}
    assert set(ir.Ratings(scores).aggregate("unbiased").raters()["status"]) == {"converged"}


def test_with_a_prior_it_does_not_stop_where_the_likelihood_turns() -> None:
    """The likelihood may rise and fall under a prior: it stops where likelihood and prior together stand still."""
    ratings = ir.Ratings(answers())
    for smoothing in (0.5, 2.0):
        result, more = (
            ratings.aggregate("dawid-skene", smoothing=smoothing, tol=t, max_iter=5000) for t in (1e-9, 1e-13)
        )
        one, other = (m.probabilities()["probability"].to_list() for m in (result, more))
        assert one == pytest.approx(other, abs=1e-3)
