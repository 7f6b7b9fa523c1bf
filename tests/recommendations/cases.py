"""Small tables of recommended items, made at random from a seed: users of every shape that could make a difference."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

from tests.oracles.recommended import Data

SHAPES = ("plain", "short", "one item", "no list", "no relevant", "no train", "list alone", "all relevant", "repeats")


@dataclass
class Case:
    """Lists by run and user, best items first, and what is known of users and items."""

    runs: dict[str, dict[Any, list[Any]]]
    used: dict[Any, list[Any]]
    relevant: dict[Any, dict[Any, float]]
    catalogue: list[Any]
    features: dict[Any, dict[Any, float]]
    distances: dict[tuple[Any, Any], float]
    users: list[Any]
    baseline: dict[Any, list[Any]] | None = None
    policy: str = ""
    types: tuple[Any, Any] = (pl.String, pl.String)
    ranked: bool = False

    @property
    def several(self) -> bool:
        return len(self.runs) > 1

    def data(self, run: str) -> Data:
        """What the oracle takes."""
        return Data(
            self.runs[run],
            self.used,
            self.relevant,
            self.catalogue,
            self.features,
            self.distances,
            self.baseline,
            no_relevant="zero" if "no_relevant=zero" in self.policy else "null",
            by_rows="repeats=rows" in self.policy,
        )

    def frames(self) -> dict[str, pl.DataFrame]:
        """The tables by the names of the arguments."""
        user, item = self.types
        ids = {"user_id": user, "item_id": item}

        def table(rows: list[tuple[Any, ...]], **schema: Any) -> pl.DataFrame:
            return pl.DataFrame(rows, schema=schema, orient="row")

        order = {"rank": pl.Int64} if self.ranked else {"score": pl.Float64}
        rows = [
            (run, u, i, place if self.ranked else 10.0 - place)
            for run, lists in self.runs.items()
            for u, items in lists.items()
            for place, i in enumerate(items, 1)
        ]
        recs = table(rows, run_id=pl.String, **ids, **order)
        out = {
            "recs": recs if self.several else recs.drop("run_id"),
            "train": table([(u, i) for u, items in self.used.items() for i in items], **ids),
            "relevant": table(
                [(u, i, g) for u, grades in self.relevant.items() for i, g in grades.items()],
                **ids,
                relevance=pl.Float64,
            ),
            "catalogue": table([(i,) for i in self.catalogue], item_id=item),
            "features": table(
                [(i, f, w) for i, of in self.features.items() for f, w in of.items()],
                item_id=item,
                feature=pl.String,
                weight=pl.Float64,
            ),
            "distances": table(
                [(i, j, d) for (i, j), d in self.distances.items()],
                item_id=item,
                other_item=item,
                distance=pl.Float64,
            ),
            "users": table([(u,) for u in self.users], user_id=user),
        }
        if self.baseline is not None:
            of_users = [(u, i, n) for u, items in self.baseline.items() for n, i in enumerate(items, 1)]
            out["baseline"] = table(of_users, **ids, rank=pl.Int64)
        return out


def make_case(
    seed: int, *, runs: int = 1, integers: bool = False, baseline: bool = False, policy: str = "", ranked: bool = False
) -> Case:
    """Users of all shapes in turn; with `integers` ids are numbers."""
    rng = random.Random(seed)
    items: list[Any] = (
        list(range(-2, 7)) if integers else ["007", "7", "NA", "Zebra", "apple", "Äpfel", "10", "9", "'q'"]
    )
    items = sorted(items, key=lambda i: i if integers else str(i).encode())
    users: list[Any] = (
        list(range(len(SHAPES) * 2))
        if integers
        else [f"{n:02d} {SHAPES[n % len(SHAPES)]}" for n in range(len(SHAPES) * 2)]
    )
    case = Case(
        runs={f"run{n}": {} for n in range(runs)},
        used={},
        relevant={},
        catalogue=items,
        features={i: _features(rng) for i in items[:-1]},
        distances={
            (i, j): rng.choice([0.0, 0.25, 0.5, 1.0])
            for n, i in enumerate(items)
            for j in items[:n]
            if rng.random() < 0.7
        },
        users=users,
        baseline={} if baseline else None,
        policy=policy,
        types=(pl.Int64, pl.Int64) if integers else (pl.String, pl.String),
        ranked=ranked,
    )
    for number, user in enumerate(users):
        shape = SHAPES[number % len(SHAPES)]
        size = {"short": 2, "one item": 1, "no list": 0}.get(shape, 5)
        for lists in case.runs.values():
            if size:
                lists[user] = rng.sample(items, size)
        if shape not in ("no train", "list alone"):
            # The last item was used by nobody.
            case.used[user] = rng.sample(items[:-1], rng.randint(1, 4))
            case.used[user] += case.used[user][:1] * (3 if shape == "repeats" else 0)
        if shape not in ("no relevant", "list alone"):
            some = items if shape == "all relevant" else rng.sample(items, 3)
            case.relevant[user] = {i: float(rng.choice([0, 1, 1, 2, 3])) for i in some}
        if case.baseline is not None and shape != "repeats":
            case.baseline[user] = rng.sample(items, 3)
    return case


def _features(rng: random.Random) -> dict[Any, float]:
    return {f: rng.choice([0.5, 1.0, 2.0]) for f in rng.sample(["g1", "g2", "g3", "g 4"], rng.randint(1, 3))}
