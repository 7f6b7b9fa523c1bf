"""nDCG of shown pages as a metric of a click log's experiment, against a loop."""

from __future__ import annotations

import math
import random

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MissingColumn

ENGINES = ("polars", "duckdb")
DRAW = random.Random(1)
PAGES = [
    (s, f"u{DRAW.randrange(60)}", DRAW.choice((1, 2, 3)), DRAW.sample("abcdef", DRAW.randint(1, 5))) for s in range(300)
]
ROWS = pl.DataFrame(
    [
        {
            "serp_id": s, "user_id": u, "variant": "ab"[int(u[1:]) % 2], "query_id": q, "doc_id": d,
            "position": r, "click": int(DRAW.random() < 0.3),
        }
        for s, u, q, docs in PAGES
        for r, d in enumerate(docs, 1)
    ]
)  # fmt: skip
# Nobody judged query 3, and nothing is relevant to query 2 but two documents.
GRADES = {(1, "a"): 3.0, (1, "b"): 0.5, (1, "c"): 0.0, (1, "d"): 1.0, (2, "e"): 1.0, (2, "f"): 2.0, (4, "a"): 1.0}
QRELS = pl.DataFrame(
    [(q, d, g) for (q, d), g in GRADES.items()], schema=["query_id", "doc_id", "relevance"], orient="row"
)


def loop(cutoff: int) -> dict[str, tuple[float, float]]:
    """By user the sum of nDCG over pages of judged queries, and how many there are."""
    out: dict[str, tuple[float, float]] = {}
    for _, user, query, docs in PAGES:
        best = sorted((g for (q, _), g in GRADES.items() if q == query and g > 0), reverse=True)[:cutoff]
        if best:
            gains = [GRADES.get((query, d), 0.0) for d in docs[:cutoff]]
            dcg, ideal = (sum(g / math.log2(i + 2) for i, g in enumerate(gs)) for gs in (gains, best))
            total, n = out.get(user, (0.0, 0.0))
            out[user] = (total + dcg / ideal, n + 1.0)
    return out


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("cutoff", [2, 10])
def test_ndcg_of_shown_pages(engine: str, cutoff: int) -> None:
    """A ratio of sums over the pages of a user; its difference and variance are those of the delta method."""
    log = ir.Impressions(ROWS, engine=engine)
    result = log.experiment(judgments=QRELS, cutoff=cutoff, baseline="a").analyze().table()
    row = result.filter(pl.col("metric") == f"nDCG@{cutoff}").row(0, named=True)
    means, variances = {}, {}
    for variant in (0, 1):
        users = {u for _, u, *_ in PAGES if int(u[1:]) % 2 == variant}
        parts = [loop(cutoff).get(u, (0.0, 0.0)) for u in users]
        y, x = sum(p[0] for p in parts), sum(p[1] for p in parts)
        n, ratio = len(parts), y / x
        means[variant] = ratio
        residuals = [p[0] - ratio * p[1] for p in parts]
        variances[variant] = sum(e * e for e in residuals) / (n - 1) / n / (x / n) ** 2
    assert row["value_baseline"] == pytest.approx(means[0], rel=1e-12)
    assert row["value"] == pytest.approx(means[1], rel=1e-12)
    assert row["se"] == pytest.approx(math.sqrt(sum(variances.values())), rel=1e-9)


def test_judgments_from_clicks_of_other_days() -> None:
    before = ir.Impressions(ROWS.filter(pl.col("serp_id") < 150))
    log = ir.Impressions(ROWS.filter(pl.col("serp_id") >= 150))
    model = before.fit("SDBN")
    actual = [log.experiment(judgments=j).analyze().table() for j in (model, model.judgments())]
    # Sums of threads differ in the last bit.
    assert_frame_equal(*actual, rel_tol=1e-9)
    assert "nDCG@10" in actual[0]["metric"]
    assert "nDCG@10" not in log.experiment().analyze().table()["metric"]
    with pytest.raises(InvalidParameter, match="cutoff is 0"):
        log.experiment(judgments=model, cutoff=0)
    with pytest.raises(MissingColumn, match="query_id"):
        ir.Impressions(ROWS.drop("query_id")).experiment(judgments=QRELS)
