"""Tables of tags."""

from pathlib import Path

import numpy as np
import polars as pl


def tagged(folder: Path, rows: int) -> None:
    """Tokens of sentences of 5 to 35, a fourth of them in spans of 18 types, and predictions that change a fifth."""
    rng = np.random.default_rng(rows)
    pairs, types = rows // 6, 18
    # Stretches outside of spans and inside in turn.
    lengths = np.column_stack([rng.geometric(0.13, pairs), rng.integers(1, 5, pairs)]).ravel()
    kind = np.column_stack([np.full(pairs, -1), rng.integers(0, types, pairs)]).ravel()
    stretch = np.repeat(np.arange(len(lengths)), lengths)[:rows]
    sentence = np.repeat(np.arange(rows // 5), rng.integers(5, 36, rows // 5))[:rows]
    new = np.r_[True, sentence[1:] != sentence[:-1]]
    position = np.arange(rows) - np.flatnonzero(new)[np.cumsum(new) - 1]
    first = np.r_[True, stretch[1:] != stretch[:-1]] | new
    change = rng.random(len(lengths))
    other = np.where((change > 0.8) & (change < 0.88) & (kind >= 0), rng.integers(0, types, len(kind)), kind)
    other = np.where((change > 0.88) & (change < 0.94), -1, other)

    def numbers(of: np.ndarray) -> np.ndarray:
        return np.where(of[stretch] < 0, 0, 1 + 2 * of[stretch] + ~first)

    # Some spans lose their first tag, so that I follows O.
    predicted = np.where((change[stretch] > 0.94) & first, 0, numbers(other))
    names = pl.Series(["O", *(f"{letter}-T{i}" for i in range(types) for letter in "BI")])
    tags = {"gold": names.gather(numbers(kind)), "predicted": names.gather(predicted)}
    pl.DataFrame({"sentence_id": sentence, "position": position, **tags}).write_parquet(folder / "run.parquet")
