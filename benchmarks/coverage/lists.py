"""Gaps between groups of users, and measures of all lists of recommendations together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

import ireval_frames as ir
from benchmarks.coverage.studies import Covered, covers, ends, study
from ireval_frames.resampling.intervals import Method

SUBJECT = "Exposure and recommendations"
SOME = 400
ITEMS, USERS, DEPTH = 60, 80, 5
REMARK = "drawn users repeat each other: they reach fewer items, and reach them less evenly, than as many other users"


@study(SUBJECT)
def gaps(repetitions: int, seed: int) -> Iterator[Covered]:
    """Users of groups, whose first documents are relevant with other chances, or with the same one."""
    rng = np.random.default_rng([seed, 40])
    some, users = min(repetitions, SOME), 60
    for chances, of in (((0.8, 0.4), "unlike groups"), ((0.6, 0.6, 0.6, 0.6), "equal groups")):
        shape = (some, len(chances), users)
        draw, group, _ = (v.ravel() for v in np.indices(shape))
        hit = rng.random(shape) < np.array(chances)[None, :, None]
        run = pl.DataFrame({"query_id": np.arange(hit.size), "doc_id": 0, "score": 1.0})
        qrels = run.select("query_id", "doc_id", relevance=pl.Series(hit.ravel().astype(int)), draw=draw, group=group)
        ev = ir.Rankings(qrels, run, by=["draw", "group"]).evaluate("P@1")
        table = ir.exposure.gaps(ev, "group", n_resamples=SOME, seed=seed)
        sizes = f"{len(chances)} {of} of {users} users"
        equal = chances[0] == chances[-1]
        remark = "best and worst are chosen among equal groups, so that the gap is too large on average" * equal
        for column, truth in (("gap", chances[0] - chances[-1]), ("ratio", chances[-1] / chances[0])):
            inside = covers(*ends(table, f"{column}_low", f"{column}_high"), truth)
            yield Covered(f"exposure.gaps(), {column}", column, sizes, inside, remark=remark)


def _lists(rng: np.random.Generator, repetitions: int) -> pl.DataFrame:
    """Lists of two systems, of which "a" recommends popular items more often."""
    parts = []
    for name, power in (("a", 1.0), ("b", 0.5)):
        weight = -power * np.log(np.arange(1, ITEMS + 1))
        drawn = weight + rng.gumbel(size=(repetitions, USERS, ITEMS))
        top = np.argsort(-drawn, axis=2)[:, :, :DEPTH]
        draw, user, rank = (v.ravel() for v in np.indices(top.shape))
        columns = {"draw": draw, "user_id": user, "item_id": top.ravel(), "rank": rank + 1}
        parts.append(pl.DataFrame(columns).with_columns(run_id=pl.lit(name)))
    return pl.concat(parts)


def _values(lists: pl.DataFrame) -> pl.DataFrame:
    """A row per repetition and system: the coverage of the catalogue, and Gini's coefficient, by their definitions."""
    counts = lists.group_by("draw", "run_id", "item_id").len().sort("len")
    rank = pl.int_range(1, pl.len() + 1) + ITEMS - pl.len()
    gini = (2 * rank * pl.col("len")).sum() / (ITEMS * pl.col("len").sum()) - (ITEMS + 1) / ITEMS
    return counts.group_by("draw", "run_id", maintain_order=True).agg(CatalogCoverage=pl.len() / ITEMS, ItemGini=gini)


@study(SUBJECT)
def pooled(repetitions: int, seed: int) -> Iterator[Covered]:
    """Lists of 80 users who are drawn at random; the truth is the mean over such samples, which are as large."""
    rng = np.random.default_rng([seed, 41])
    some, measures = min(repetitions, SOME), ("CatalogCoverage", "ItemGini")
    truth = _values(_lists(rng, 2000)).group_by("run_id").agg(pl.col(*measures).mean()).sort("run_id")
    methods: tuple[Method, ...] = ("percentile", "basic", "normal", "bca", "delta")
    inside: dict[tuple[str, str, str], list[float]] = {}
    frames = _lists(rng, some).partition_by("draw", include_key=False)
    for i, frame in enumerate(frames):
        recs = ir.Recommendations(frame, catalogue=list(range(ITEMS)))
        b = ir.resampling.bootstrap(recs, " ".join(f"{m}@{DEPTH}" for m in measures), n_resamples=200, seed=seed + i)
        for method in methods:
            one, both = b.table(method=method).filter(run_id="a"), b.compare("a", method=method)
            # Coverage is not smooth: it has no interval by the delta method.
            for m in measures[method == "delta" :]:
                low, high = truth[m].to_list()
                for of, table, value in (("value", one, low), ("difference of systems", both, high - low)):
                    row = table.filter(pl.col("measure").str.starts_with(m))
                    inside.setdefault((m, of, method), []).append(float(covers(*ends(row), value).item()))
    for (m, of, name), hits in sorted(inside.items()):
        remark = REMARK if name != "delta" else ""
        yield Covered(
            f"{m}@{DEPTH}, method={name!r}", of, f"{USERS} users, {ITEMS} items", np.array(hits), remark=remark
        )
