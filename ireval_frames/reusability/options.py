"""The options of pool bias."""

from __future__ import annotations

from dataclasses import dataclass

from ireval_frames.parameters import BaseOptions, choice, number, option, whole


@dataclass(frozen=True)
class PoolBiasOptions(BaseOptions):
    """What counts as a contribution to a pool.

    Attributes:
        depth: of the pool; None is any rank.
        removed: the documents that lose their judgment: "judged" or "relevant" ones.
        rel: the lowest grade that counts as relevant.
    """

    depth: int | None = option(whole(None, "the depth of the pool; by default any rank", example=100))
    removed: str = option(choice("judged", "relevant", what="which documents lose their judgment"))
    rel: float = option(number(1.0, "the lowest grade that counts as relevant"))
