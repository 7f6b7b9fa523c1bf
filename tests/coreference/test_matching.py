"""Mentions that are the same by their heads, or as parts with the head: one to one, whatever the order of rows."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MissingColumn

Mention = tuple[int, int, int]
SCHEMA = {"doc_id": pl.Int64, "start": pl.Int64, "end": pl.Int64, "head": pl.Int64, "cluster_id": pl.Int64}
engines = pytest.mark.parametrize("engine", ["polars", "duckdb"])


def table(documents: Sequence[Sequence[Mention]]) -> pl.DataFrame:
    """Every mention alone in its entity."""
    rows = [(d, *m, i) for d, mentions in enumerate(documents) for i, m in enumerate(mentions)]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def matched(gold: Sequence[Mention], predicted: Sequence[Mention], match: str) -> set[tuple[Mention, Mention]]:
    """The pairs, the best of all that are left each time."""

    def same(g: Mention, p: Mention) -> bool:
        if g[:2] == p[:2]:
            return True
        if match == "head":
            return g[2] == p[2]
        return g[0] <= p[0] and p[1] <= g[1] and p[0] <= g[2] < p[1]

    def order(pair: tuple[Mention, Mention]) -> Any:
        g, p = pair
        return (len({*range(*g[:2])} ^ {*range(*p[:2])}), *p[:2], *g[:2])

    left, out = [pair for pair in itertools.product(gold, predicted) if same(*pair)], set()
    while left:
        best = min(left, key=order)
        out.add(best)
        left = [(g, p) for g, p in left if g != best[0] and p != best[1]]
    return out


def pairs(gold: pl.DataFrame, predicted: pl.DataFrame, match: str, **options: Any) -> set[tuple[int, int, int]]:
    """The pairs of entities, which have one mention each."""
    cells = ir.Coreference(gold, predicted, policy=f"match={match},overlap=allow", **options).contingency()
    return set(cells.drop_nulls().select("doc_id", "gold_cluster", "predicted_cluster").rows())


@engines
@pytest.mark.parametrize("match", ["head", "partial"])
def test_equals_a_loop(match: str, engine: str) -> None:
    dice = random.Random(3)

    def mentions() -> list[Mention]:
        spans = {(s, s + dice.randint(1, 5)) for s in (dice.randint(0, 12) for _ in range(9))}
        return [(s, e, dice.randrange(s, e)) for s, e in spans]

    gold, predicted = ([mentions() for _ in range(20)] for _ in range(2))
    expected = {
        (d, g.index(one), p.index(other))
        for d, (g, p) in enumerate(zip(gold, predicted, strict=True))
        for one, other in matched(g, p, match)
    }
    assert len(expected) > 40
    one, other = table(gold), table(predicted)
    assert pairs(one, other, match, engine=engine) == expected
    assert pairs(one.reverse(), other.sample(fraction=1, shuffle=True, seed=1), match, engine=engine) == expected


@pytest.mark.parametrize(
    "match, gold, predicted, expected",
    [
        ("head", [(0, 4, 2)], [(2, 3, 2)], True),
        ("head", [(0, 4, 2)], [(2, 3, 3)], False),
        # An exact span whose head differs is the same mention, and is not left for another.
        ("head", [(0, 4, 2)], [(0, 4, 3), (1, 4, 2)], True),
        ("partial", [(0, 4, 2)], [(1, 3, 1)], True),
        ("partial", [(0, 4, 2)], [(0, 2, 1)], False),
        ("partial", [(0, 4, 2)], [(1, 5, 2)], False),
    ],
)
def test_rules(match: str, gold: list[Mention], predicted: list[Mention], expected: bool) -> None:  # noqa: FBT001
    assert pairs(table([gold]), table([predicted]), match) == ({(0, 0, 0)} if expected else set())


@engines
def test_inclusive_ends(engine: str) -> None:
    """The head of a part may be its last position."""
    gold, predicted = table([[(0, 3, 2)]]), table([[(1, 2, 2)]])
    assert pairs(gold, predicted, "partial", engine=engine) == set()
    assert pairs(gold, predicted, "partial", engine=engine, offsets="inclusive") == {(0, 0, 0)}


def test_heads_are_needed() -> None:
    gold = table([[(0, 3, 2)]])
    for policy, one, other in (("head", gold, gold.drop("head")), ("partial", gold.drop("head"), gold)):
        with pytest.raises(MissingColumn, match=rf"(?s)no column 'head'.*match={policy}.*head=\"their_name\""):
            ir.Coreference(one, other, policy=f"match={policy}").evaluate("CoNLL")
    assert pairs(gold, gold.drop("head"), "partial") == {(0, 0, 0)}


def test_ids_have_no_heads() -> None:
    mentions = pl.DataFrame({"doc_id": ["d"], "mention_id": ["m"], "cluster_id": [1]})
    with pytest.raises(MissingColumn, match="match=head compares spans"):
        ir.Coreference(mentions, mentions, policy="match=head").evaluate("CoNLL")


@engines
@pytest.mark.parametrize("offsets", ["exclusive", "inclusive"])
def test_mentions(offsets: str, engine: str) -> None:
    """The mentions of both sides in the order of the text, with the ends that users have."""
    gold = table([[(0, 4, 2), (6, 8, 7)], [(1, 2, 1)]])
    predicted = table([[(2, 3, 2), (0, 1, 0)], [(1, 2, 1)]])
    subject = ir.Coreference(gold, predicted, engine=engine, offsets=offsets, policy="match=head")
    mentions = subject.mentions()
    assert mentions.columns == [
        *("doc_id", "gold_start", "gold_end", "predicted_start", "predicted_end"),
        *("gold_cluster", "predicted_cluster"),
    ]
    assert mentions.rows() == [
        (0, None, None, 0, 1, None, 1),
        (0, 0, 4, 2, 3, 0, 0),
        (0, 6, 8, None, None, 1, None),
        (1, 1, 2, 1, 2, 0, 0),
    ]
    exact = subject.mentions(policy="match=exact")
    assert exact.drop_nulls().rows() == [(1, 1, 2, 1, 2, 0, 0)]
    assert exact.height == 5
    ids = [f.select("doc_id", "cluster_id", mention_id="start") for f in (gold, predicted)]
    assert ir.Coreference(*ids, engine=engine).mentions().rows() == [
        (0, 0, 0, 1), (0, 2, None, 0), (0, 6, 1, None), (1, 1, 0, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_long_spans_are_no_rows_of_their_positions(engine: str) -> None:
    """A mention of a hundred million positions, of which the head is the last one or lies before all."""
    rows = {"doc_id": ["d", "d"], "start": [-(10**8), 5], "end": [7, 10**8], "cluster_id": [1, 2]}
    gold = pl.DataFrame({**rows, "head": [-1, 10**8 - 1]})
    shorter = gold.with_columns(start=pl.Series([-33, 10**8 - 1]))
    values = (
        ir.Coreference(gold, shorter, policy="match=partial", engine=engine).evaluate("MentionR MentionP").summary()
    )
    assert values["value"].to_list() == [1.0, 1.0]
    missed = gold.with_columns(start=pl.Series([0, 6]), end=pl.Series([7, 10**8 - 1]))
    values = ir.Coreference(gold, missed, policy="match=partial", engine=engine).evaluate("MentionR").summary()
    assert values["value"].item() == 0.0
