"""Click models by enumeration: every state of a user is written out, and steps of EM are sums over all of them.

A user of n results has, at each, whether it attracts (A), satisfies (S), and whether they would go on (K) or look (E):
all combinations are rows, with a probability and the clicks that follow.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np


@dataclass(frozen=True)
class Page:
    group: str
    query: int
    docs: tuple[str, ...]
    clicks: tuple[int, ...]
    weight: float = 1.0


Values = dict[tuple, float]
"""By (parameter, group, keys …)."""


@cache
def rows(n: int, kinds: int) -> np.ndarray:
    """All combinations, (states, kinds, n)."""
    return np.array(list(itertools.product((0, 1), repeat=kinds * n)), dtype=np.int8).reshape(-1, kinds, n)


def users(
    model: str, values: Values, page: Page
) -> tuple[np.ndarray, np.ndarray, list[tuple[tuple, np.ndarray, np.ndarray]]]:
    """The probability of each state, its clicks, and for each chance of a parameter its key, where it came and went."""
    n, g = len(page.docs), page.group
    states = rows(n, 2 if model in ("PBM", "UBM") else 3)
    chance = np.ones(len(states))
    clicks = np.zeros((len(states), n), dtype=np.int8)
    events: list[tuple[tuple, np.ndarray, np.ndarray]] = []
    looks = np.ones(len(states), dtype=bool)
    last = np.zeros(len(states), dtype=int)

    def drawn(key: tuple, which: np.ndarray, happened: np.ndarray) -> None:
        nonlocal chance
        p = values[key]
        chance = np.where(which, chance * np.where(happened, p, 1 - p), chance)
        events.append((key, which, happened))

    always = np.ones(len(states), dtype=bool)

    def of_product(r: int, a: np.ndarray) -> np.ndarray:
        nonlocal last
        looked = states[:, 1, r] == 1
        if model == "PBM":
            drawn(("examination", g, r + 1), always, looked)
        else:
            for before in range(r + 1):
                drawn(("examination", g, r + 1, before), last == before, looked)
            last = np.where(a & looked, r + 1, last)
        return a & looked

    def of_chain(r: int, a: np.ndarray, pair: tuple) -> np.ndarray:
        nonlocal looks, chance
        s, k, clicked = states[:, 1, r] == 1, states[:, 2, r] == 1, a & looks
        drawn(("satisfaction" if model == "DBN" else "attraction", g, *pair), clicked, s)
        continues = {"": looks & ~(clicked & s)}
        if model == "CCM":
            continues = {"skip": looks & ~clicked, "click": clicked & ~s, "satisfied": clicked & s}
        if r == n - 1:
            continues = {}
        for after, which in continues.items():
            drawn(("continuation", g, after) if after else ("continuation", g), which, k)
        # What nothing depends on may be anything: it stays 0, so that it counts once.
        may = np.any(list(continues.values()), axis=0) if continues else ~always
        chance = np.where((~clicked & s) | (~may & k), 0.0, chance)
        looks = may & k
        return clicked

    for r, doc in enumerate(page.docs):
        pair = (page.query, doc)
        a = states[:, 0, r] == 1
        drawn(("attraction", g, *pair), always, a)
        clicks[:, r] = of_product(r, a) if model in ("PBM", "UBM") else of_chain(r, a, pair)
    return chance, clicks, events


def keys(model: str, pages: list[Page]) -> set[tuple]:
    out: set[tuple] = set()
    for p in pages:
        for r, doc in enumerate(p.docs):
            out.add(("attraction", p.group, p.query, doc))
            if model == "DBN":
                out |= {("satisfaction", p.group, p.query, doc), ("continuation", p.group)}
            if model == "CCM":
                out |= {("continuation", p.group, after) for after in ("skip", "click", "satisfied")}
            if model == "PBM":
                out.add(("examination", p.group, r + 1))
            if model == "UBM":
                out |= {("examination", p.group, r + 1, before) for before in range(r + 1)}
    return out


def fitted(
    model: str, pages: list[Page], iterations: int, prior: tuple[float, float], initial: float
) -> tuple[Values, list[float]]:
    """The values after so many iterations, and the log-likelihood before each and after the last."""
    a, b = prior
    values: Values = dict.fromkeys(keys(model, pages), initial)
    likelihoods = []
    for i in range(iterations + 1):
        hits, trials = dict.fromkeys(values, 0.0), dict.fromkeys(values, 0.0)
        total = 0.0
        for page in pages:
            chance, clicks, events = users(model, values, page)
            here = chance * (clicks == np.array(page.clicks)).all(axis=1)
            total += page.weight * math.log(here.sum())
            posterior = page.weight * here / here.sum()
            for key, which, happened in events:
                trials[key] += posterior[which].sum()
                hits[key] += posterior[which & happened].sum()
        likelihoods.append(total)
        if i < iterations:
            values = {k: (hits[k] + a) / (trials[k] + a + b) if trials[k] + a + b > 0 else math.nan for k in values}
    return values, likelihoods


def predictions(model: str, values: Values, page: Page) -> tuple[list[float], list[float]]:
    """P(click at r | the clicks above) and P(click at r)."""
    chance, clicks, _ = users(model, values, page)
    conditional, marginal = [], []
    above = np.ones(len(chance), dtype=bool)
    for r, clicked in enumerate(page.clicks):
        marginal.append(float(chance[clicks[:, r] == 1].sum()))
        conditional.append(float(chance[above & (clicks[:, r] == 1)].sum() / chance[above].sum()))
        above &= clicks[:, r] == clicked
    return conditional, marginal


def counted(model: str, pages: list[Page], prior: tuple[float, float]) -> dict[tuple, tuple[float, float, float]]:
    """The closed forms as loops: hits, trials and value by (parameter, group, keys …)."""
    hits: dict[tuple, float] = {}
    trials: dict[tuple, float] = {}

    def count(key: tuple, happened: int, weight: float) -> None:
        trials[key] = trials.get(key, 0.0) + weight
        hits[key] = hits.get(key, 0.0) + weight * happened

    for p in pages:
        at = [r for r, c in enumerate(p.clicks) if c]
        first, last = (at[0], at[-1]) if at else (len(p.docs) - 1, len(p.docs) - 1)
        for r, (doc, click) in enumerate(zip(p.docs, p.clicks, strict=True)):
            g, pair = p.group, (p.query, doc)
            match model:
                case "GCTR":
                    count(("ctr", g), click, p.weight)
                case "RCTR":
                    count(("ctr", g, r + 1), click, p.weight)
                case "DCTR":
                    count(("ctr", g, *pair), click, p.weight)
                case "DRCTR":
                    count(("ctr", g, *pair, r + 1), click, p.weight)
                case "CM":
                    if r <= first:
                        count(("attraction", g, *pair), click, p.weight)
                case "DCM" | "SDBN":
                    if r <= last:
                        count(("attraction", g, *pair), click, p.weight)
                    if click:
                        key = ("continuation", g, r + 1) if model == "DCM" else ("satisfaction", g, *pair)
                        count(key, int(r < last if model == "DCM" else r == last), p.weight)
    a, b = prior
    return {k: (hits[k], n, (hits[k] + a) / (n + a + b)) for k, n in trials.items()}
