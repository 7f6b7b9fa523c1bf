"""Lists of recommended items, and what their users used before and later."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

Array = np.ndarray[Any, Any]
# Items of the catalogue, and those of each user in train and later.
ITEMS, USED, LATER, FEATURES = 100_000, 10, 3, 40
# Items are drawn from as many parts of the catalogue, so that no user has one twice.
PARTS = 20


def recommended(folder: Path, shape: tuple[int, int]) -> None:
    """Lists of so many users and items; popular items are drawn much more often than others."""
    users, depth = shape
    rng = np.random.default_rng(users)
    user = np.arange(users) * 3 + 7

    def drawn(parts: Array) -> Array:
        """An item of each part."""
        uniform = np.asarray(rng.random(parts.shape))
        return np.asarray((uniform**3 * (ITEMS // PARTS)).astype(np.int64) * PARTS + parts)

    first = rng.integers(0, PARTS, (users, 1))
    items = drawn((first + rng.permuted(np.tile(np.arange(depth), (users, 1)), axis=1)) % PARTS)
    recs = {"user_id": user.repeat(depth), "item_id": items.ravel(), "rank": np.tile(np.arange(1, depth + 1), users)}
    pl.DataFrame(recs).write_parquet(folder / "recs.parquet")
    used = drawn((first + depth + np.arange(USED)) % PARTS)
    pl.DataFrame({"user_id": user.repeat(USED), "item_id": used.ravel()}).write_parquet(folder / "train.parquet")
    # One of them is in most lists.
    at = rng.integers(0, depth, users)
    hit = np.where(rng.random(users) < 0.6, items[np.arange(users), at], drawn(items[np.arange(users), at] % PARTS))
    others = drawn((hit[:, None] + np.arange(1, LATER)) % PARTS)
    later = np.hstack([hit[:, None], others])
    pl.DataFrame({"user_id": user.repeat(LATER), "item_id": later.ravel()}).write_parquet(folder / "relevant.parquet")
    pl.DataFrame({"item_id": np.arange(ITEMS)}).write_parquet(folder / "catalogue.parquet")
    features = {"item_id": np.arange(ITEMS).repeat(2), "feature": drawn(np.tile([0, 1], (ITEMS, 1))).ravel() % FEATURES}
    pl.DataFrame(features).write_parquet(folder / "features.parquet")
