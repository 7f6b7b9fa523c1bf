"""DBN: the dynamic Bayesian network."""

from __future__ import annotations

from typing import ClassVar

from ireval_frames.clicks.models.cascade.base import Cascade
from ireval_frames.clicks.models.cascade.unseen_tails import One, Part, below, tails_of, walked
from ireval_frames.clicks.models.counts.blocks import sum_of_logs
from ireval_frames.clicks.models.counts.pages import Pages
from ireval_frames.clicks.models.declared import PAIR, Array, PageBlock, Parameter, Values, declare
from ireval_frames.clicks.models.estimation.iteration import Counts, Iterated, Step


@declare
class DBN(Iterated[Pages], Cascade[Pages]):
    """Users click what attracts them (α), stop where it satisfies them (σ), and else go on with probability γ.

    P(E_{r+1} | E_r) = γ (1 − σ after a click).  Relevance is α σ.
    """

    name: ClassVar[str] = "DBN"
    source: ClassVar[str] = "Chapelle & Zhang, WWW 2009"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("attraction", PAIR, "a click, given examination"),
        Parameter("satisfaction", PAIR, "satisfaction, given a click"),
        Parameter("continuation", (), "going on where nothing satisfied"),
    )

    def e_step(self, data: Pages) -> tuple[Step, dict[str, tuple[int, ...]]]:
        """The E-step over pages, of which only the tails are uncertain."""
        tails = tails_of(data)
        known, groups = tails.known, tails.groups
        certain = known.skipped + known.passed

        def step(values: Values) -> tuple[Counts, float]:
            alpha, sigma, gamma = values["attraction"], values["satisfaction"], values["continuation"]

            def one(part: Part, a: Array, out: Array) -> One:
                g = part.of_group(gamma)
                if part.last is None:
                    tail = below(part, a, g, 1.0, out, groups)
                    return [tail.went, tail.tried], None, tail.likelihood
                sat = sigma.take(part.last)
                tail = below(part, a, g, (1.0 - sat) * g, out, groups)
                if tail.clear is None:
                    return [tail.went, tail.tried], sat, 0.0
                on = (1.0 - sat) / tail.total
                went = tail.went + part.by_group(on * g * tail.clear, groups)
                tried = tail.tried + part.by_group(on * (1.0 - g + g * tail.clear), groups)
                return [went, tried], sat / tail.total, tail.likelihood

            attracted, (went, tried), ended, likelihood = walked(tails, alpha, one)
            likelihood += sum_of_logs(known.clicks, alpha) + sum_of_logs(known.skips, 1.0 - alpha)
            likelihood += sum_of_logs(known.before, 1.0 - sigma) + sum_of_logs(certain, gamma)
            return {
                "attraction": (known.clicks + attracted, known.shown),
                "satisfaction": (ended, known.clicks),
                "continuation": (certain + went, certain + tried),
            }, likelihood

        pairs = (data.keys.n_pairs,)
        return step, {"attraction": pairs, "satisfaction": pairs, "continuation": (groups,)}

    def continues(self, block: PageBlock, position: int) -> tuple[Array | float, Array | float]:
        """γ, and γ (1 − σ)."""
        gamma = block.values["continuation"]
        return gamma, gamma * (1.0 - block.values["satisfaction"][position])
