"""Small tables of experiments, the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl


def numbers(seed: int) -> Iterator[float]:
    """Numbers from 0 to 1 of Knuth's congruential generator, which every tool can repeat."""
    x = seed
    while True:
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        yield (x >> 33) / 2**31


def units(n: int = 60, seed: int = 7) -> list[dict[str, Any]]:
    """A row per unit, with what it did before and in the experiment."""
    draw, rows = numbers(seed), []
    for _ in range(n):
        variant = "a" if next(draw) < 0.5 else "b"
        pages_before = 1 + int(next(draw) * 5)
        clicks_before = sum(next(draw) < 0.4 for _ in range(pages_before))
        pages = max(1, pages_before + int(next(draw) * 3) - 1)
        clicks = sum(next(draw) < (0.45 if variant == "b" else 0.35) for _ in range(pages))
        before = round(next(draw) * 10, 2)
        revenue = round(0.6 * before + next(draw) * 5 + (1.0 if variant == "b" else 0), 2)
        rows.append(
            {
                "variant": variant,
                "pages": float(pages),
                "clicks": float(clicks),
                "pages_before": float(pages_before),
                "clicks_before": float(clicks_before),
                "revenue": revenue,
                "revenue_before": before,
                "bought": float(revenue > 5),
                "stratum": "x" if before < 4 else "y",
            }
        )
    return rows


def events(n_users: int = 40, seed: int = 3) -> list[dict[str, Any]]:
    """Several rows per user, on days, with values that are missing now and then."""
    draw, rows = numbers(seed), []
    for user in range(n_users):
        variant = "b" if next(draw) < 0.45 else "a"
        country = "de" if next(draw) < 0.4 else "fr"
        for _ in range(1 + int(next(draw) * 4)):
            pages = 1 + int(next(draw) * 4)
            gone = next(draw) < 0.1
            rows.append(
                {
                    "user_id": user,
                    "variant": variant,
                    "country": country,
                    "day": int(next(draw) * 4),
                    "pages": pages,
                    "clicks": int(next(draw) * (pages + 1)),
                    "rev": None if gone else round(next(draw) * 20, 3),
                    "rev_before": round(next(draw) * 20, 3),
                    "bought": next(draw) < 0.3,
                }
            )
    return rows


def frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    """The rows as a frame."""
    return pl.DataFrame(rows, infer_schema_length=None)
