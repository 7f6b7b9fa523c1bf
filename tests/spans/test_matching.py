"""The matching of spans: what holds for all tables, components of any size, and published counts."""

from __future__ import annotations

import random
import tracemalloc
from typing import Any

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

import ireval_frames as ir
from ireval_frames.spans import assignment
from ireval_frames.spans.assignment import components, solve
from tests.oracles.spans_matching import best, span

COLUMNS = {"doc_id": pl.String, "start": pl.Int64, "end": pl.Int64, "type": pl.String}
MATCHES = ("strict", "exact", "type", "partial", "overlap", "iou")
PRECISION, RECALL = ([f"{name}(match={m!r})" for m in MATCHES] for name in ("Precision", "Recall"))
rows = st.lists(
    st.tuples(st.sampled_from("ab"), st.integers(0, 9), st.integers(1, 6), st.sampled_from("XY")),
    max_size=9,
    unique=True,
)


def frame(spans: list[tuple[str, int, int, str]]) -> pl.DataFrame:
    return pl.DataFrame([(d, s, s + n, t) for d, s, n, t in spans], COLUMNS, orient="row")


def values(gold: pl.DataFrame, predicted: pl.DataFrame, measures: Any) -> list[float | None]:
    spans = ir.Spans(gold, predicted, documents=["a", "b"], policy="overlap=allow")
    return spans.evaluate(measures).summary()["value"].to_list()


@settings(max_examples=12)
@given(rows, rows, st.randoms())
def test_order_and_sides(gold: list[Any], predicted: list[Any], dice: random.Random) -> None:
    """The order of rows has no effect, and swapped sides exchange precision and recall."""
    one, other = frame(gold), frame(predicted)
    expected = values(one, other, PRECISION + RECALL)
    for rows_of_side in (gold, predicted):
        dice.shuffle(rows_of_side)
    assert values(frame(gold), frame(predicted), PRECISION + RECALL) == expected
    assert values(other, one, RECALL + PRECISION) == expected


@settings(max_examples=6)
@given(rows.filter(len))
def test_equal_sides_and_a_span_moved_away(spans: list[Any]) -> None:
    gold = frame(spans)
    assert values(gold, gold, [*PRECISION, *RECALL, "TokenF1", "SubsetAccuracy"]) == [1.0] * (2 * len(MATCHES) + 2)
    moved = pl.concat([gold.head(1).with_columns(pl.col("start", "end") + 100), gold.slice(1)])
    n = len(spans)
    assert values(gold, moved, "Recall Precision SlotErrorRate") == [(n - 1) / n, (n - 1) / n, 2 / n]


def _component(seed: int, n: int) -> tuple[list[Any], list[Any]]:
    dice = random.Random(seed)
    starts = [dice.randint(0, 2 * n) for _ in range(2 * n)]
    spans = [span(s, s + dice.randint(1, 6), dice.choice("XY")) for s in starts]
    return sorted(set(spans[:n]), key=lambda s: s.order), sorted(set(spans[n:]), key=lambda s: s.order)


def _edges(gold: list[Any], predicted: list[Any]) -> list[Any]:
    return [
        (i, j, len(g.positions & p.positions), len(g.positions | p.positions), g.type == p.type)
        for i, g in enumerate(gold)
        for j, p in enumerate(predicted)
        if g.positions & p.positions
    ]


def test_components_are_solved_as_by_trying_all() -> None:
    for seed in range(60):
        gold, predicted = _component(seed, 7)
        edges = _edges(gold, predicted)
        matched = [edges[e] for component in components(edges) for e in solve(edges, component)]
        actual = {(gold[i], predicted[j]) for i, j, *_ in matched}
        assert actual == set(best(gold, predicted, None, typed=False))


def test_large_components_have_the_same_sums(monkeypatch: Any) -> None:
    for seed in range(5):
        edges = _edges(*_component(seed, 30))
        totals = []
        for limit in (100, 1):
            monkeypatch.setattr(assignment, "EXACT", limit)
            matched = [edges[e] for component in components(edges) for e in solve(edges, component)]
            sums = sum(shared / union for *_, shared, union, _ in matched), sum(same for *_, same in matched)
            totals.append((round(sums[0], 9), sums[1], len(matched)))
            for side in (0, 1):
                assert len({e[side] for e in matched}) == len(matched)
        assert totals[0] == totals[1]


def test_a_span_over_a_document_takes_no_table_of_all_cells() -> None:
    """It overlaps all others, which are one component then; memory is that of the pairs."""
    n = 2_000
    edges = [(i, i, 2, 4, True) for i in range(n)] + [(n, i, 3, 10 * n, False) for i in range(n)]
    tracemalloc.start()
    matched = solve(edges, range(len(edges)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sorted(matched) == list(range(n))
    assert peak < 8 * n * n / 4


def test_published_modes() -> None:
    """One document with a span of each sort, counted by hand: SemEval-2013's four modes."""
    gold = frame([("a", 0, 2, "PER"), ("a", 5, 2, "LOC"), ("a", 9, 1, "ORG"), ("a", 12, 2, "PER")])
    predicted = frame([("a", 0, 2, "PER"), ("a", 5, 1, "LOC"), ("a", 9, 1, "LOC"), ("a", 20, 1, "ORG")])
    modes = [f"F1(match={m!r})" for m in ("strict", "exact", "partial", "type")]
    assert values(gold, predicted, modes) == [0.25, 0.5, 0.625, 0.5]


def test_the_exact_match_comes_first() -> None:
    """A predicted span that equals a gold one is not given to another that overlaps it and comes first."""
    gold = frame([("a", 0, 5, "X"), ("a", 3, 1, "X")])
    predicted = frame([("a", 3, 1, "X")])
    for order in (gold, gold.reverse()):
        errors = ir.Spans(order, predicted).errors()
        assert errors.select("gold_start", "error").rows() == [(0, "merged"), (3, "correct")]
