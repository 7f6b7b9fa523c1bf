"""Small click logs, made at random from a seed: a user for every shape that could make a measure differ."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tests.oracles.clicks import Page, Result

# How many pages a user has, and what they are like.
SHAPES = {
    "plain": 9, "no_clicks": 4, "all_clicked": 3, "one_result": 5, "one_page": 1, "empty_only": 2, "some_empty": 6,
    "gaps": 5, "long": 3, "same_query": 6, "repeated": 5, "clicked_below": 4, "weightless": 3, "mixed": 8,
}  # fmt: skip
# Names that a careless reader takes for numbers or missing values.
WORDS = ("007", "7", "NA", "null", "Zebra", "apple", "Äpfel", "émile", "10", "9", "-1", "'q'", "a b", "", "é", "x")
WEIGHTS = (1.0, 2.0, 1.0, 3.5, 1.0, 0.5, 0.0)
ROW = {
    "user": pl.String, "session": pl.String, "serp": pl.Int64, "query": pl.String, "doc": pl.String,
    "position": pl.Int64, "click": pl.Int64, "time": pl.Float64, "page_dwell": pl.Float64, "dwell": pl.Float64,
    "click_time": pl.Float64, "weight": pl.Float64,
}  # fmt: skip


@dataclass
class Case:
    """Pages by run and user; the only run of a log without runs is ''."""

    runs: dict[str, dict[str, list[Page]]] = field(default_factory=dict)
    weighted: bool = True
    integers: bool = False

    def frame(self) -> pl.DataFrame:
        """All rows."""
        rows = [
            (run, *row)
            for run, users in self.runs.items()
            for pages in users.values()
            for p in pages
            for row in _rows(p)
        ]
        frame = pl.DataFrame(rows, schema={"run_id": pl.String} | ROW, orient="row")
        if self.integers:
            # The number of a name is its place.
            frame = frame.with_columns(
                pl.col(c).replace_strict({w: i for i, w in enumerate(WORDS)}, return_dtype=pl.Int64)
                for c in ("query", "doc")
            )
        frame = frame if self.weighted else frame.drop("weight")
        return frame.drop("run_id") if list(self.runs) == [""] else frame

    def log(self, run: str) -> list[Page]:
        """All pages of a run."""
        return [p for pages in self.runs[run].values() for p in pages]


def _rows(p: Page) -> list[tuple[Any, ...]]:
    if not p.results:
        return [(p.user, p.session, p.serp, p.query, None, None, 0, p.time, p.dwell, None, None, p.weight)]
    return [
        (p.user, p.session, p.serp, p.query, r.doc, r.position, int(r.clicked), p.time, p.dwell, r.dwell, r.click_time,
         p.weight)
        for r in p.results
    ]  # fmt: skip


def make_case(seed: int, *, runs: tuple[str, ...] = ("",), integers: bool = False, weighted: bool = True) -> Case:
    """A user of every shape in every run.

    Args:
        seed: of the random numbers.
        runs: the names of the runs.
        integers: queries and documents are numbers.
        weighted: pages have weights.
    """
    rng, result, serp = random.Random(seed), Case({}, weighted, integers), 0
    for run in runs:
        result.runs[run] = {}
        for number, (shape, size) in enumerate(SHAPES.items()):
            user, time, pages = f"{number:02d} {shape}", 0.0, []
            for i in range(size):
                serp += 1
                time += rng.choice((5.0, 20.0, 100.0, 3000.0))
                weight = 0.0 if shape == "weightless" else rng.choice(WEIGHTS) if size > 1 else 1.0
                session = f"{run}{user} {i // 3}"
                query = WORDS[0] if shape == "same_query" else rng.choice(WORDS)
                dwell = rng.choice((None, 1.0, 10.0, 30.0, 90.0))
                pages.append(
                    Page(serp, query, user, session, time, dwell, weight if weighted else 1.0, _results(rng, shape, i))
                )
            result.runs[run][user] = pages
    return result


def _results(rng: random.Random, shape: str, i: int) -> tuple[Result, ...]:
    """What a page shows."""
    size = {"one_result": 1, "long": 14, "empty_only": 0}.get(shape, rng.randint(2, 6))
    if shape == "some_empty" and i % 2:
        size = 0
    positions = sorted(rng.sample(range(1, 12), size)) if shape == "gaps" else list(range(1, size + 1))
    docs = rng.choices(WORDS, k=size) if shape == "repeated" else rng.sample(WORDS, size)
    chance = {"no_clicks": 0.0, "all_clicked": 1.0}.get(shape, 0.35)
    out = []
    for position, doc in zip(positions, docs, strict=True):
        clicked = rng.random() < chance and not (shape == "clicked_below" and position == 1)
        known = clicked and rng.random() < 0.8
        dwell, after = (
            (rng.choice((3.0, 29.0, 30.0, 200.0)), rng.choice((0.5, 2.0, 8.0, 61.0))) if known else (None,) * 2
        )
        out.append(Result(position, doc, clicked, dwell, after))
    return tuple(out)
