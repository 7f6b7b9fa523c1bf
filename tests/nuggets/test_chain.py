"""Where nuggets are lost, by a plain loop over them."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MismatchedTables, NothingInCommon, OverlapWarning, UnknownName
from ireval_frames.stats.ranks.correlation import correlation
from tests.contract.kit import ENGINES

QUERIES = [f"q{i}" for i in range(12)]
LABELS = ("support", "partial_support", "not_support")


def tables(seed: int) -> dict[str, pl.DataFrame]:
    rng = random.Random(seed)
    keys = [(q, n) for q in QUERIES for n in range(rng.randint(1, 5))]
    documents = [f"d{i}" for i in range(8)]
    lists = [(r, q, d, k) for r in "ab" for q in QUERIES for k, d in enumerate(rng.sample(documents, 5), 1)]
    cited = [row[:3] for row in lists for _ in range(rng.choice([0, 0, 1, 2]))] + [("a", q, "d0") for q in QUERIES]
    judged = [(d, *k, rng.choice(LABELS)) for d in documents[:6] for k in keys if rng.random() < 0.4]
    ids = ["run_id", "query_id", "doc_id"]
    return {
        "nuggets": pl.DataFrame([(*k, rng.choice(["vital", "okay"])) for k in keys],
                                ["query_id", "nugget_id", "importance"], orient="row"),
        "answers": pl.DataFrame([(r, *k, rng.choice(LABELS)) for r in "ab" for k in keys],
                                ["run_id", "query_id", "nugget_id", "label"], orient="row"),
        "passages": pl.DataFrame(judged,
                                 ["doc_id", "query_id", "nugget_id", "label"], orient="row"),
        "run": pl.DataFrame(lists, [*ids, "rank"], orient="row"),
        "citations": pl.DataFrame(cited, ids, orient="row"),
    }  # fmt: skip


def expected(t: dict[str, pl.DataFrame], cutoff: int, *, strict: bool) -> dict[tuple[str, str], dict[str, float]]:
    """One nugget after the other."""
    good = {"support"} if strict else {"support", "partial_support"}
    supports = {(d, q, n) for d, q, n, label in t["passages"].rows() if label in good}
    out: dict[tuple[str, str], dict[str, float]] = {}
    for run, q, n, label in t["answers"].rows():
        credit = {"support": 1.0, "partial_support": 0.0 if strict else 0.5}.get(label, 0.0)
        have = {d for d, query, nugget in supports if (query, nugget) == (q, n)}
        retrieved = {d for r, query, d, k in t["run"].rows() if (r, query) == (run, q) and k <= cutoff}
        cited = {d for r, query, d in t["citations"].rows() if (r, query) == (run, q)}
        row = out.setdefault((run, q), {})

        def add(name: str, value: float, row: dict[str, float] = row) -> None:
            row[name] = row.get(name, 0.0) + value

        for name, value in (
            ("n", 1.0), ("in_passages", bool(have)), ("retrieved", bool(have & retrieved)),
            ("cited", bool(have & cited)),
            ("answered", credit), ("unsupported", 0.0 if have & retrieved else credit),
        ):  # fmt: skip
            add(name, float(value))
        where = (
            "not_in_passages" if not have else "not_retrieved" if not have & retrieved
            else "not_cited" if not have & cited else "not_stated"
        )  # fmt: skip
        for name in ("not_in_passages", "not_retrieved", "not_cited", "not_stated"):
            add(name, (1.0 - credit) * (name == where))
    return {k: {name: v / row["n"] for name, v in row.items() if name != "n"} for k, row in out.items()}


def chained(t: dict[str, pl.DataFrame], engine: str = "polars", **options: Any) -> ir.nuggets.Chain:
    answers = ir.Nuggets(t["nuggets"], t["answers"], engine=engine)
    passages = ir.Nuggets(t["nuggets"], t["passages"], run="doc_id", engine=engine)
    return ir.nuggets.chain(answers, passages, t["run"], t["citations"], **options)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("engine", ENGINES)
def test_losses_by_a_loop(engine: str, strict: bool) -> None:  # noqa: FBT001
    t = tables(1)
    of = chained(t, engine, cutoff=3, strict=strict)
    loop = expected(t, 3, strict=strict)
    assert of.queries.height == len(loop)
    for row in of.queries.iter_rows(named=True):
        ours = {k: v for k, v in row.items() if k not in ("run_id", "query_id")}
        assert ours == pytest.approx(loop[row["run_id"], row["query_id"]], abs=1e-12)
        steps = ("not_in_passages", "not_retrieved", "not_cited", "not_stated", "answered")
        assert sum(row[s] for s in steps) == pytest.approx(1.0)
    recall = ir.Nuggets(t["nuggets"], t["answers"]).evaluate(ir.nuggets.NuggetRecall(strict=strict)).summary()
    assert of.summary()["answered"].to_list() == pytest.approx(recall["value"].to_list())
    losses = of.losses().filter(run_id="a")
    assert losses["share_of_loss"].sum() == pytest.approx(1.0)
    assert losses["loss"].sum() == pytest.approx(1.0 - recall["value"][0])


def test_levels_and_tables_without_runs() -> None:
    """Vital nuggets alone; one list of passages for all runs, without citations."""
    t = tables(2)
    one = t["run"].filter(run_id="a").drop("run_id")
    answers = ir.Nuggets(t["nuggets"], t["answers"])
    passages = ir.Nuggets(t["nuggets"], t["passages"], run="doc_id")
    of = ir.nuggets.chain(answers, passages, one, level="vital", strict=True)
    assert "cited" not in of.queries.columns
    values = answers.evaluate("V_strict").per_unit()["value"]
    assert of.n_undefined == values.null_count() > 0
    assert sorted(of.queries["answered"]) == pytest.approx(sorted(values.drop_nulls()))
    alone = ir.nuggets.chain(ir.Nuggets(t["nuggets"], t["answers"].filter(run_id="a").drop("run_id")), passages, one)
    assert alone.losses().columns == ["step", "loss", "share_of_loss"]
    assert alone.summary()["n_queries"].item() == len(QUERIES)
    assert alone.effects().columns[0] == "earlier"


def test_effects_of_retrieval() -> None:
    t = tables(3)
    qrels = t["passages"].group_by("query_id", "doc_id").agg(relevance=(pl.col("label") == "support").any().cast(int))
    ev = ir.evaluate(qrels, t["run"], "P@3 AP", policy="overlap=allow")
    of = chained(t, retrieval=ev)
    assert of.measures == ["P@3", "AP"]
    effects = of.effects(method="pearson")
    assert effects["earlier"].to_list() == ["P@3", "AP", "in_passages", "retrieved", "cited"] * 2
    queries = of.queries.filter(run_id="b").drop_nulls("AP")
    row = effects.filter(run_id="b", earlier="AP").row(0, named=True)
    r = np.corrcoef(queries["AP"], queries["answered"])[0, 1]
    z, away = math.atanh(r), 1.959963984540054 / math.sqrt(queries.height - 3)
    ends = [math.tanh(z - away), math.tanh(z + away)]
    assert [row["correlation"], row["ci_low"], row["ci_high"]] == pytest.approx([r, *ends])
    with pytest.raises(UnknownName, match="no correlation 'spear"):
        of.effects(method="spear")


def test_what_is_refused_or_missing() -> None:
    t = tables(1)
    with pytest.raises(InvalidParameter, match=r"answers is DataFrame; it must be ir\.Nuggets"):
        ir.nuggets.chain(t["answers"], t["passages"], t["run"])  # type: ignore[arg-type]
    with pytest.raises(NothingInCommon, match="No answer has a list of retrieved passages"):
        chained(t | {"run": t["run"].with_columns(query_id=pl.lit("x"))})
    with pytest.raises(MismatchedTables, match="retrieved passages have a column of runs, and the answers have none"):
        chained(t | {"answers": t["answers"].filter(run_id="a").drop("run_id")})
    with pytest.warns(OverlapWarning, match="1 of 24 answers have no retrieved passages, such as run_id 'b'"):
        chained(t | {"run": t["run"].filter(~((pl.col("run_id") == "b") & (pl.col("query_id") == "q3")))})


def test_coverage_of_intervals_of_correlations() -> None:
    """Of normal pairs with correlation 0.6, whose Spearman's ρ is 6/π·asin(0.3): 95 % within three standard errors."""
    rng = np.random.default_rng(1)
    truth = {"pearson": 0.6, "spearman": 6 / math.pi * math.asin(0.3)}
    inside = dict.fromkeys(truth, 0)
    draws = 600
    for _ in range(draws):
        x, other = rng.normal(size=(2, 40))
        y = 0.6 * x + 0.8 * other
        for method, rho in truth.items():
            of = correlation(x, y, method=method)
            inside[method] += of.low <= rho <= of.high
    error = 3 * math.sqrt(0.95 * 0.05 / draws)
    assert all(abs(n / draws - 0.95) < error for n in inside.values()), inside
    assert math.isnan(correlation(x[:3], y[:3]).low)
    assert math.isnan(correlation(x, np.ones(40)).value)
    assert correlation(x, 2 * x).low == pytest.approx(1.0)


def as_numbers(column: str) -> pl.Expr:
    return pl.col(column).rank("dense").cast(pl.Int64)


def test_ids_of_other_types_are_refused() -> None:
    t = tables(1)
    texts = {name: t[name].with_columns(pl.col("nugget_id").cast(pl.String)) for name in ("nuggets", "answers")}
    passages = ir.Nuggets(t["nuggets"], t["passages"], run="doc_id")
    with pytest.raises(
        MismatchedTables, match=r"Column 'nugget_id' of the labels of passages is Int64, .* answers String"
    ):
        ir.nuggets.chain(ir.Nuggets(texts["nuggets"], texts["answers"]), passages, t["run"])
    numbers = {name: t[name].with_columns(as_numbers("query_id")) for name in ("nuggets", "answers")}
    with pytest.raises(
        MismatchedTables, match=r"Column 'query_id' of the labels of passages is String, .* answers Int64"
    ):
        ir.nuggets.chain(ir.Nuggets(numbers["nuggets"], numbers["answers"]), passages, t["run"])
    with pytest.raises(
        MismatchedTables, match=r"Column 'run_id' of the retrieved passages is String, .* answers Int64"
    ):
        chained(t | {"answers": t["answers"].with_columns(as_numbers("run_id"))})


def test_retrieval_is_an_evaluation_of_these_queries() -> None:
    t = tables(1)
    for retrieval in ("nDCG@10", pl.DataFrame({"run_id": ["a"], "nDCG@10": [0.5]})):
        with pytest.raises(InvalidParameter, match="it must be an evaluation of queries"):
            chained(t, retrieval=retrieval)
    values = pl.DataFrame({"run_id": ["a"], "query_id": ["zz"], "measure": ["nDCG@10"], "value": [0.5]})
    with pytest.raises(NothingInCommon, match="No answer is of a query that retrieval= evaluates"):
        chained(t, retrieval=values)
