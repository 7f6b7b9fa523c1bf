"""Small logs that click models are tried on."""

from __future__ import annotations

import itertools
import random

import polars as pl

from tests.click_models.states import Page


def every_pattern(longest: int = 4, seed: int = 1) -> list[Page]:
    """Pages of 1 … n results with every pattern of clicks, in two groups, of two queries with five documents each."""
    draw = random.Random(seed)
    out = []
    for n in range(1, longest + 1):
        for clicks in itertools.product((0, 1), repeat=n):
            query = draw.choice((1, 2))
            docs = tuple(draw.sample(["a", "b", "c", "d", "e"], n))
            out.append(Page(draw.choice("xy"), query, docs, clicks, float(draw.choice((1, 2, 3)))))
    return out


def rows(pages: list[Page], *, copies: bool = False) -> pl.DataFrame:
    """A row per shown result, in no order; with a weight, or as many copies of a page as it weighs."""
    out, serp = [], 0
    for p in pages:
        for _ in range(int(p.weight) if copies else 1):
            serp += 1
            for r, (doc, click) in enumerate(zip(p.docs, p.clicks, strict=True)):
                row = {"serp_id": serp, "site": p.group, "query_id": p.query, "doc_id": doc, "position": r + 1}
                out.append(row | {"click": click} | ({} if copies else {"weight": p.weight}))
    return pl.DataFrame(out).sample(fraction=1.0, shuffle=True, seed=5)
