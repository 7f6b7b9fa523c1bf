"""Tables of mentions and their entities."""

from pathlib import Path

import numpy as np
import polars as pl

# Mentions of a document, their entities, and predicted mentions that are no gold ones.
MENTIONS, ENTITIES, SPURIOUS = 100, 25, 15


def mentions(folder: Path, documents: int) -> None:
    """Gold and predicted mentions with their entities: a few entities have most mentions, many have one."""
    rng = np.random.default_rng(documents)
    doc = np.repeat(np.arange(documents), MENTIONS)
    start = np.tile(np.arange(MENTIONS) * 5, documents)
    entity = np.minimum(rng.zipf(1.4, doc.size), ENTITIES)
    gold = pl.DataFrame(
        {"doc_id": doc, "start": start, "end": start + rng.integers(1, 4, doc.size), "cluster_id": entity}
    )
    other = pl.Series(np.where(rng.random(doc.size) < 0.8, entity, rng.integers(1, ENTITIES, doc.size)))
    detected = gold.with_columns(cluster_id=other).filter(pl.Series(rng.random(doc.size) < 0.85))
    more = pl.DataFrame(
        {
            "doc_id": np.repeat(np.arange(documents), SPURIOUS),
            "start": np.tile(np.arange(SPURIOUS) * 5 + 3, documents),
            "end": np.tile(np.arange(SPURIOUS) * 5 + 4, documents),
            "cluster_id": rng.integers(1, ENTITIES, documents * SPURIOUS),
        }
    )
    for name, table in (("gold", gold), ("predicted", pl.concat([detected, more]))):
        named = table.with_columns(
            doc_id=pl.format("news/document_{}", "doc_id"), cluster_id=pl.format("entity_{}", "cluster_id")
        )
        named.sample(fraction=1, shuffle=True, seed=1).write_parquet(folder / f"{name}.parquet")
