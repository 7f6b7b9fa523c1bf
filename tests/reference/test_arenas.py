"""evalica, choix and ppi-python: strengths of battles, and prediction-powered means."""

from __future__ import annotations

import math
from typing import Any

import choix
import evalica
import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.stats.means.prediction_powered import prediction_powered

NAMES = np.array(["a", "b", "c", "d", "e"])


def battles(ties: float = 0.2) -> pl.DataFrame:
    rng = np.random.default_rng(11)
    theta = np.array([0.9, 0.3, 0.0, -0.4, -0.8])
    a = rng.integers(0, 5, 800)
    b = (a + rng.integers(1, 5, 800)) % 5
    won = rng.random(800) < 1 / (1 + np.exp(theta[b] - theta[a]))
    winner = np.where(rng.random(800) < ties, "tie", np.where(won, NAMES[a], NAMES[b]))
    return pl.DataFrame({"item_a": NAMES[a], "item_b": NAMES[b], "winner": winner})


def centred(logs: Any) -> np.ndarray:
    logs = np.asarray(logs, float)
    return logs - logs.mean()


@pytest.mark.parametrize("model", ["bradley-terry", "davidson"])
def test_evalica(model: str) -> None:
    """Its bradley_terry is ours; its newman, which models ties, is Davidson's model."""
    frame = battles()
    words = {"tie": evalica.Winner.Draw}
    winners = [words.get(w, evalica.Winner.X if w == a else evalica.Winner.Y) for a, b, w in frame.iter_rows()]
    rate = evalica.bradley_terry if model == "bradley-terry" else evalica.newman
    scores = rate(frame["item_a"].to_list(), frame["item_b"].to_list(), winners, tolerance=1e-12, limit=10000).scores
    ours = ir.ratings.PairedComparisons(frame).strengths(model).sort("item_id")
    assert ours["value"].to_list() == pytest.approx(centred([math.log(scores[n]) for n in NAMES]), abs=1e-6)


def test_choix() -> None:
    frame = battles(ties=0.0)
    at = {n: i for i, n in enumerate(NAMES)}
    data = [(at[w], at[b if w == a else a]) for a, b, w in frame.iter_rows()]
    ours = ir.ratings.PairedComparisons(frame).strengths().sort("item_id")
    found = choix.ilsr_pairwise(5, data, alpha=0.0, tol=1e-12)
    assert ours["value"].to_list() == pytest.approx(centred(found), abs=1e-8)


# What ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05, lam=…) of ppi-python 0.2.3 give: the value, and the interval's
# ends.  Its wheel installs a package `tests`, which would hide this one.
PPI_PYTHON = {
    0.0: (-0.013376023184221734, -0.2844776252541263, 0.25772557888568287),
    1.0: (-0.11650723547786318, -0.3358403859638748, 0.10282591500814842),
    None: (-0.08492747694494551, -0.25068110891723205, 0.08082615502734103),
}


@pytest.mark.parametrize("weight", PPI_PYTHON)
def test_ppi_python(weight: float | None) -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=240)
    predicted = truth + rng.normal(0.2, 0.6, 240)
    ours = prediction_powered(truth[:60], predicted[:60], predicted[60:], weight=weight)
    assert (ours.value, ours.low, ours.high) == pytest.approx(PPI_PYTHON[weight], abs=1e-9)
