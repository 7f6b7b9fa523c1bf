"""MACE and GLAD: every step of EM against loops from the papers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ireval_frames as ir
from ireval_frames.crowds.answers import Answers
from ireval_frames.crowds.glad import glad
from ireval_frames.ratings.coded import coded
from tests.crowds.cases import LABELS, answers, by_unit
from tests.oracles import crowds as oracle

GOLD: tuple[dict[str, str], ...] = ({}, {"u01": "b", "u02": "c"})


def posterior(case: Any) -> dict[tuple[str, str], float]:
    return {(u, c): p for u, c, p in case.probabilities().iter_rows()}


def flat(by: oracle.Posterior) -> dict[tuple[str, str], float]:
    return {(u, c): p for u, of in by.items() for c, p in of.items()}


@pytest.mark.parametrize("gold", GOLD)
def test_mace(gold: dict[str, str]) -> None:
    frame = answers()
    units, raters = by_unit(frame), [f"r{i}" for i in range(6)]
    for steps in (1, 2, 3, 10):
        aggregated = ir.Ratings(frame).aggregate("mace", max_iter=steps, tol=0, restarts=1, seed=7, gold=gold or None)
        # The draws of a start are its own.
        rng = np.random.default_rng([7, 0])
        skill = dict(zip(raters, rng.uniform(0.5, 1.0, 6).tolist(), strict=True))
        draws = rng.dirichlet(np.full(3, 10.0), 6).tolist()
        guess = {r: dict(zip(LABELS, row, strict=True)) for r, row in zip(raters, draws, strict=True)}
        expected, skills, total = oracle.mace(units, LABELS, skill, guess, steps, 0.1 / 3, gold)
        assert posterior(aggregated) == pytest.approx(flat(expected), abs=1e-10)
        assert dict(aggregated.raters().select("rater_id", "skill").iter_rows()) == pytest.approx(skills, abs=1e-10)
        assert aggregated.summary()["log_likelihood"].item() == pytest.approx(total, rel=1e-11)


def test_the_best_of_several_starts_stays() -> None:
    actual = [
        ir.Ratings(answers()).aggregate("mace", restarts=n, seed=1).summary()["log_likelihood"].item() for n in (1, 8)
    ]
    assert actual[1] >= actual[0]


@pytest.mark.parametrize("gold", GOLD)
def test_glad(gold: dict[str, str]) -> None:
    """Each M-step stands where no step nearby is higher, each E-step is the paper's, and neither goes down."""
    frame = answers()
    units = by_unit(frame)
    (of,) = coded(frame, ())
    known = np.array([LABELS.index(gold[u]) if u in gold else -1 for u in of.items])
    source = Answers(of.item, of.rater, of.category, 30, 6, 3, known)
    before, was = oracle.shares(units, LABELS, gold), -np.inf
    for steps in (1, 2, 3, 4):
        result = glad(source, max_iter=steps, tol=0.0, inner=2000)
        assert result.difficulty is not None
        ability = dict(zip(of.raters, result.skill.tolist(), strict=True))
        ease = dict(zip(of.items, (-np.log(result.difficulty)).tolist(), strict=True))
        here = oracle.glad_expected(units, LABELS, before, ability, ease)
        for parameters in (ability, ease):
            for name in list(parameters)[:8]:
                ends = [
                    oracle.glad_expected(
                        units,
                        LABELS,
                        before,
                        *(p | {name: p[name] + h} if p is parameters else p for p in (ability, ease)),
                    )
                    for h in (-1e-3, 1e-3)
                ]
                # The slope, and that it is a top.
                assert (ends[1] - ends[0]) / 2e-3 == pytest.approx(0.0, abs=2e-3), (steps, name)
                assert max(ends) < here
        before, total = oracle.glad_posterior(units, LABELS, ability, ease, gold)
        assert result.posterior == pytest.approx(
            np.array([[before[u][c] for c in LABELS] for u in of.items]), abs=1e-12
        )
        assert result.log_likelihood == pytest.approx(total, rel=1e-12)
        now = total - sum((v - 1) ** 2 for v in (*ability.values(), *ease.values())) / 2
        assert gold or now > was
        was = now


def test_difficult_units_are_reported() -> None:
    """Units on which raters are split are harder than those on which they agree."""
    aggregated = ir.Ratings(answers()).aggregate("glad").consensus()
    agreed = {u for u, ratings in by_unit(answers()).items() if len({x for _, x in ratings}) == 1}
    hard = aggregated.with_columns(agreed=aggregated["item_id"].is_in(list(agreed)))
    assert hard.filter("agreed")["difficulty"].max() < hard.filter(~hard["agreed"])["difficulty"].min()
