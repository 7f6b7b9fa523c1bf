"""Models of what crowds say, step by step from the papers: loops over units and their answers.

Answers are by unit: pairs of rater and label.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Answers = Mapping[Any, Sequence[tuple[Any, Any]]]
# By unit and label.
Posterior = dict[Any, dict[Any, float]]


def shares(units: Answers, labels: Sequence[Any], gold: Mapping[Any, Any]) -> Posterior:
    """Where EM begins: the shares of the labels of a unit, or what is known of it."""
    return {
        u: {c: float(gold[u] == c) if u in gold else sum(x == c for _, x in answers) / len(answers) for c in labels}
        for u, answers in units.items()
    }


def evened(units: Answers, labels: Sequence[Any], gold: Mapping[Any, Any], likely: Any) -> tuple[Posterior, float]:
    """The posterior of labels that are equally likely before, and the log-likelihood.

    Args:
        units: the answers.
        labels: the labels.
        gold: labels that are known.
        likely: P(answer x of rater r | unit u is c).
    """
    out: Posterior = {}
    total = 0.0
    for u, answers in units.items():
        p = {c: math.prod(likely(u, r, x, c) for r, x in answers) / len(labels) for c in labels}
        # Where the label is known, the likelihood is that of this label.
        total += math.log(p[gold[u]] if u in gold else sum(p.values()))
        out[u] = {c: float(gold[u] == c) if u in gold else p[c] / sum(p.values()) for c in labels}
    return out, total


def mace(
    units: Answers, labels: Sequence[Any], skill: dict[Any, float], guess: dict[Any, dict[Any, float]], steps: int,
    added: float, gold: Mapping[Any, Any],
) -> tuple[Posterior, dict[Any, float], float]:  # fmt: skip
    """MACE, Hovy and others 2013: a spammer draws from labels of their own, all others know.

    Returns:
        The posterior after so many steps from `skill` and `guess`, the skills and the log-likelihood.
    """

    def likely(_: Any, r: Any, x: Any, c: Any) -> float:
        return (1 - skill[r]) * guess[r][x] + (skill[r] if x == c else 0.0)

    posterior, total = evened(units, labels, gold, likely)
    for _ in range(steps):
        knew = dict.fromkeys(skill, 0.0)
        n = dict.fromkeys(skill, 0)
        spam = {r: dict.fromkeys(labels, 0.0) for r in skill}
        for u, answers in units.items():
            for r, x in answers:
                # The answer is right, and comes from knowing rather than from drawing it by chance.
                sure = posterior[u][x] * skill[r] / (skill[r] + (1 - skill[r]) * guess[r][x])
                knew[r] += sure
                spam[r][x] += 1 - sure
                n[r] += 1
        for r in skill:
            skill[r] = (knew[r] + added) / (n[r] + 2 * added)
            every = sum(spam[r].values()) + len(labels) * added
            guess[r] = {x: (spam[r][x] + added) / every for x in labels}
        posterior, total = evened(units, labels, gold, likely)
    return posterior, skill, total


def right(ability: float, ease: float) -> float:
    """GLAD, Whitehill and others 2009: how likely an answer is right; `ease` is b, 1/β = e^b."""
    return 1 / (1 + math.exp(-ability * math.exp(ease)))


def glad_posterior(
    units: Answers, labels: Sequence[Any], ability: Mapping[Any, float], ease: Mapping[Any, float],
    gold: Mapping[Any, Any],
) -> tuple[Posterior, float]:  # fmt: skip
    """GLAD's E-step."""

    def likely(u: Any, r: Any, x: Any, c: Any) -> float:
        p = right(ability[r], ease[u])
        return p if x == c else (1 - p) / (len(labels) - 1)

    return evened(units, labels, gold, likely)


def glad_expected(
    units: Answers, labels: Sequence[Any], posterior: Posterior, ability: Mapping[Any, float], ease: Mapping[Any, float]
) -> float:
    """What GLAD's M-step climbs: the expected log-likelihood, and normal priors of mean 1 and variance 1."""
    total = -sum((v - 1) ** 2 for v in (*ability.values(), *ease.values())) / 2
    for u, answers in units.items():
        for r, x in answers:
            p = right(ability[r], ease[u])
            total += posterior[u][x] * math.log(p)
            total += (1 - posterior[u][x]) * math.log((1 - p) / (len(labels) - 1))
    return total
