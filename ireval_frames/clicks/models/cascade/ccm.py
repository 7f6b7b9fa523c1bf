"""CCM: the click chain model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.cascade.unseen_tails import One, Part, below, tails_of, walked
from ireval_frames.clicks.models.counts.blocks import sum_of_logs, summed
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import PAIR, Array, PageBlock, Parameter, Values, declare
from ireval_frames.clicks.models.estimation.iteration import Counts, Iterated, Step


@declare
class CCM(Iterated[Pages], Cascade[Pages]):
    """Users go on with one of three probabilities: after no click, after a click, and after one that satisfied them.

    A clicked document satisfies with the same probability α with which it attracts.  Relevance is α.
    """

    name: ClassVar[str] = "CCM"
    source: ClassVar[str] = "Guo et al., WWW 2009"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination, and satisfaction, given a click"),
        Parameter("continuation", ("after",), "going on after no click, a click, or one that satisfied"),
    )
    relevant: ClassVar[tuple[str, ...]] = ("attraction",)

    def e_step(self, data: Pages) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over pages, of which only the tails are uncertain."""
        tails = tails_of(data)
        known, groups = tails.known, tails.groups
        of_pair = data.keys.of_pair

        def step(values: Values) -> tuple[Counts, float]:
            alpha = values["attraction"]
            skip, click, satisfied = values["continuation"].T

            def one(part: Part, a: Array, out: Array) -> One:
                t1, t2, t3 = (part.of_group(t) for t in (skip, click, satisfied))
                if part.last is None:
                    tail = below(part, a, t1, 1.0, out, groups)
                    none = np.zeros(groups)
                    return [tail.went, tail.tried, none, none, none, none], None, tail.likelihood
                sat = alpha.take(part.last)
                tail = below(part, a, t1, (1.0 - sat) * t2 + sat * t3, out, groups)
                if tail.clear is None:
                    none = np.zeros(groups)
                    return [tail.went, tail.tried, none, none, none, none], sat, 0.0
                unsatisfied, was = (1.0 - sat) / tail.total, sat / tail.total
                was_satisfied = was * (1.0 - t3 * (1.0 - tail.clear))
                more = (
                    unsatisfied * t2 * tail.clear,
                    unsatisfied * (1.0 - t2 * (1.0 - tail.clear)),
                    was * t3 * tail.clear,
                    was_satisfied,
                )
                sums = [tail.went, tail.tried, *(part.by_group(m, groups) for m in more)]
                return sums, was_satisfied, tail.likelihood

            attracted, (went1, tried1, *ends), ended, likelihood = walked(tails, alpha, one)
            # Clicks that were not the last: the user went on, satisfied or not.
            t2, t3 = click[of_pair], satisfied[of_pair]
            passed = (1.0 - alpha) * t2 + alpha * t3
            with np.errstate(invalid="ignore", divide="ignore"):
                share_satisfied = np.where(known.before > 0, alpha * t3 / passed, 0.0)
            before = known.before * share_satisfied
            satisfied_before = summed(of_pair, before, groups)
            went2, tried2, went3, tried3 = ends
            other = known.passed - satisfied_before
            likelihood += sum_of_logs(known.clicks, alpha) + sum_of_logs(known.skips, 1.0 - alpha)
            likelihood += sum_of_logs(known.before, passed) + sum_of_logs(known.skipped, skip)
            hits = np.stack([known.skipped + went1, other + went2, satisfied_before + went3], axis=1)
            n = np.stack([known.skipped + tried1, other + tried2, satisfied_before + tried3], axis=1)
            return {
                "attraction": (known.clicks + attracted + before + ended, known.shown + known.clicks),
                "continuation": (hits, n),
            }, likelihood

        return step, {"attraction": (data.keys.n_pairs,), "continuation": (groups, 3)}

    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """τ after no click, and the mixture of the two others."""
        skip, click, satisfied = block.values["continuation"]
        alpha = block.values["attraction"][position]
        return skip, click * (1.0 - alpha) + satisfied * alpha
