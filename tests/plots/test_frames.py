"""What pictures of rankings draw, against plain loops over the values."""

from __future__ import annotations

import math
import statistics
from typing import Any

import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName
from tests.plots.cases import CASES, comparison, drawn, evaluation, frame, ranking_tables, recommended, tradeoff


def values(measure: str) -> dict[str, dict[str, float]]:
    """Run → query → value."""
    out: dict[str, dict[str, float]] = {}
    for row in evaluation().per_unit().filter(pl.col("measure") == measure).iter_rows(named=True):
        out.setdefault(row["run_id"], {})[row["query_id"]] = row["value"]
    return out


def test_systems_are_means_with_t_intervals_the_best_first() -> None:
    rows = frame("systems", measures="AP").rows(named=True)
    of = values("AP")
    assert [r["run_id"] for r in rows] == sorted(of, key=lambda run: -statistics.mean(of[run].values()))
    for row in rows:
        x = list(of[row["run_id"]].values())
        half = stats.t.ppf(0.975, len(x) - 1) * statistics.stdev(x) / math.sqrt(len(x))
        mean = statistics.mean(x)
        assert (row["value"], row["low"], row["high"]) == pytest.approx((mean, mean - half, mean + half))
        assert row["n_units"] == len(x)
    assert frame("systems", measures="AP", top=1)["run_id"].to_list() == [rows[0]["run_id"]]


def test_cutoffs_are_the_means_of_each() -> None:
    rows = frame("cutoffs").rows(named=True)
    assert [(r["run_id"], r["cutoff"]) for r in rows] == [(run, k) for run in "abc" for k in (1, 3, 10)]
    for row in rows:
        assert row["measure"] == "nDCG"
        assert row["value"] == pytest.approx(statistics.mean(values(f"nDCG@{row['cutoff']}")[row["run_id"]].values()))


def test_units_stand_from_hard_to_easy_and_can_share_columns() -> None:
    of = values("AP")
    hard = sorted(of["a"], key=lambda q: (statistics.mean(of[run][q] for run in of), q))
    rows = frame("units").rows(named=True)
    assert len(rows) == 3 * len(hard)
    for row in rows:
        assert row["unit"] == hard[row["place"] - 1]
        assert row["value"] == of[row["run_id"]][row["unit"]]
    few = frame("units", bins=4).rows(named=True)
    for row in few:
        some = hard[(row["place"] - 1) * 3 : row["place"] * 3]
        assert (row["unit"], row["n_units"]) == (f"{some[0]} … {some[-1]}", 3)
        assert row["value"] == pytest.approx(statistics.mean(of[row["run_id"]][q] for q in some))


def test_distributions_are_shares_of_units() -> None:
    of = values("AP")
    rows = frame("distribution")
    for run, actual in of.items():
        steps = rows.filter(pl.col("run_id") == run).rows(named=True)
        assert steps[0]["share"] == 0
        for step in steps[1:]:
            assert step["share"] == pytest.approx(sum(v <= step["value"] for v in actual.values()) / len(actual))


def test_judged_documents_are_counted_at_every_rank() -> None:
    qrels, runs = ranking_tables()
    grades = {(q, d): g for q, d, g in qrels.rows()}
    rows = {(r["run_id"], r["rank"]): r for r in frame("judged").rows(named=True)}
    for run in "abc":
        lists: dict[str, list[tuple[float, str]]] = {}
        for _, q, d, score in runs.filter(pl.col("run_id") == run).rows():
            lists.setdefault(q, []).append((score, d))
        ordered = {q: [d for _, d in sorted(docs, reverse=True)] for q, docs in lists.items()}
        for rank in range(1, 12):
            there = [(q, docs[rank - 1]) for q, docs in ordered.items() if len(docs) >= rank]
            if not there:
                assert (run, rank) not in rows
                continue
            row = rows[run, rank]
            assert row["n_queries"] == len(there)
            assert row["judged"] == pytest.approx(sum(pair in grades for pair in there) / len(there))
            assert row["relevant"] == pytest.approx(sum(grades.get(pair, 0) >= 1 for pair in there) / len(there))


def test_differences_are_sorted_and_reported_apart() -> None:
    of = values("AP")
    gaps = sorted(((of["c"][q] - of["a"][q], q) for q in of["a"]), key=lambda x: (-x[0], x[1]))
    rows = frame("differences").rows(named=True)
    assert [(r["difference"], r["unit"]) for r in rows] == gaps
    assert [r["verdict"] for r in rows] == ["better" if g > 0 else "worse" if g < 0 else "equal" for g, _ in gaps]
    turned = frame("differences", system="a", baseline="c").rows(named=True)
    assert sorted(-r["difference"] for r in turned) == pytest.approx(sorted(g for g, _ in gaps))
    few = frame("differences", bars=4).rows(named=True)
    assert [r["n_units"] for r in few] == [3, 3, 3, 3]
    assert few[0]["difference"] == pytest.approx(statistics.mean(g for g, _ in gaps[:3]))


def test_falling_measures_are_better_below() -> None:
    table = pl.DataFrame({"query_id": [1, 2, 3] * 2, "run_id": [*"aaabbb"], "value": [3.0, 1.0, 2.0, 1.0, 1.0, 4.0]})
    c = ir.compare(table, lower_is_better="value", baseline="a")
    rows = ir.plots.differences.frame(c).rows(named=True)
    assert [(r["difference"], r["verdict"]) for r in rows] == [(-2.0, "better"), (0.0, "equal"), (2.0, "worse")]
    assert ir.plots.systems.frame(c)["run_id"].to_list() == ["a", "b"]


def test_scatters_hold_each_unit_or_count_them() -> None:
    of = values("AP")
    rows = frame("scatter").rows(named=True)
    assert {(r["unit"], r["a"], r["b"]) for r in rows} == {(q, of["a"][q], of["c"][q]) for q in of["a"]}
    cells = frame("scatter", points=5, bins=4).rows(named=True)
    assert sum(cell["n_units"] for cell in cells) == len(rows)
    for cell in cells:
        inside = [
            r for r in rows
            if cell["a1"] <= r["a"] and (r["a"] < cell["a2"] or cell["a2"] == 1)
            and cell["b1"] <= r["b"] and (r["b"] < cell["b2"] or cell["b2"] == 1)
        ]  # fmt: skip
        assert cell["n_units"] == len(inside)


def test_effects_and_the_matrix_are_the_table() -> None:
    table = comparison().table()
    by_pair = {(r["measure"], r["system"], r["baseline"]): r for r in table.rows(named=True)}
    rows = frame("effects").rows(named=True)
    assert len(rows) == table.height
    for row in rows:
        pair_row = by_pair[row["measure"], row["system"], row["baseline"]]
        assert (row["difference"], row["low"], row["high"]) == (
            pair_row["difference"],
            pair_row["ci_low"],
            pair_row["ci_high"],
        )
        verdict = (
            ("better" if pair_row["difference"] > 0 else "worse") if pair_row["significant"] else "not significant"
        )
        assert row["verdict"] == verdict
    cells = {(r["run_id"], r["other_run_id"]): r for r in frame("matrix").rows(named=True)}
    assert len(cells) == 6
    for (one, other), cell in cells.items():
        assert cell["difference"] == -cells[other, one]["difference"]
        pair_row = by_pair.get(("AP", one, other)) or by_pair["AP", other, one]
        assert (abs(cell["difference"]), cell["p_adjusted"]) == (
            abs(pair_row["difference"]),
            pair_row["p_adjusted"],
        )


def test_moved_documents_keep_their_ranks() -> None:
    _, runs = ranking_tables()
    ranks: dict[str, dict[str, int]] = {}
    for run in "ac":
        docs = runs.filter((pl.col("run_id") == run) & (pl.col("query_id") == "q1")).sort("score", descending=True)
        ranks[run] = {d: i + 1 for i, d in enumerate(docs["doc_id"])}
    rows = frame("rank_changes").rows(named=True)
    near = {d for run in "ac" for d, rank in ranks[run].items() if rank <= 5}
    assert {r["doc_id"] for r in rows} == near
    for row in rows:
        one, other = ranks["a"].get(row["doc_id"]), ranks["c"].get(row["doc_id"])
        assert (row["rank_a"], row["rank_b"]) == (one, other)
        assert (row["at_a"], row["at_b"]) == (min(one or 6, 6), min(other or 6, 6))


def test_subtitles_say_of_how_many() -> None:
    def subtitle(chart: Any) -> str:
        return " ".join(chart.to_dict()["title"]["subtitle"])

    shown = {"precision_recall": "mean over 12 queries of", "roc": "300 items; 2 lines", "thresholds": "300 items;"}
    shown |= {
        "reliability": "300 items; 5 bins of equal width",
        "history": "4 evaluations of 11 to 12 units; band: 95% t interval",
    }
    for case, start in shown.items():
        assert subtitle(drawn(case)).startswith(start), case


def test_bounds_are_means_of_those_of_the_lists() -> None:
    ev, rows = evaluation(), frame("bounds")
    lists = ev.bounds().rows(named=True)
    for row in rows.rows(named=True):
        own = [r for r in lists if (r["run_id"], r["measure"]) == (row["run_id"], row["measure"])]
        for column in ("value", "low", "high"):
            assert row[column] == pytest.approx(sum(r[column] for r in own) / len(own))
        assert row["exact"] == all(r["exact"] for r in own)
        assert row["n_unjudged"] == sum(r["n_unjudged"] for r in own)
    assert frame("bounds", measures="AP", top=1)["run_id"].to_list() == [
        rows.filter(pl.col("measure") == "AP").sort("value")["run_id"][-1]
    ]
    table = ev.bounds.result(summary=True)
    assert table.plot().to_dict()["title"]["text"] == "3 systems and what unjudged documents may change"
    with pytest.raises(InvalidParameter, match="bounds of single lists"):
        ev.bounds.result().plot()
    with pytest.raises(UnknownName, match="'AQ' was not evaluated"):
        frame("bounds", measures="AQ")


def test_fused_beside_its_runs() -> None:
    qrels, runs = ir.examples.pooled()
    fused = ir.fuse(runs, "rrf")
    rows = ir.plots.fused.frame(fused, qrels, "P@3 AP", top=2)
    assert rows["measure"].to_list() == ["P@3", "P@3", "AP", "AP"]
    best = fused.leave_one_out(qrels, "AP").head(2)
    assert rows.filter(measure="AP")["run_id"].to_list() == best["left_out"].to_list()
    for measure, run, value, without, of_all, contribution in rows.iter_rows():
        for expected, of in (
            (value, runs.filter(run_id=run)),
            (without, ir.fuse(runs.filter(pl.col("run_id") != run), "rrf")),
            (of_all, fused),
        ):
            assert ir.evaluate(qrels, of, measure).summary()["value"].item() == pytest.approx(expected)
        assert contribution == pytest.approx(of_all - without)
    chart = fused.plot(qrels, "AP", top=3).to_dict()
    assert chart["title"]["text"] == "What each of 4 runs adds to rrf"
    assert chart["title"]["subtitle"][-1] == "the 3 that add the most; 1 other run left out"
    with pytest.raises(InvalidParameter, match="seen by judgments"):
        fused.plot()
    with pytest.raises(InvalidParameter, match="is no fusion"):
        ir.plots.fused(ir.pool_bias(qrels, runs, "AP", group="team", depth=3), qrels)


def test_tradeoff_draws_what_can_be_drawn() -> None:
    rows, table = frame("tradeoff"), tradeoff().table()
    assert rows.select("system", "quality", "cost").rows() == table.select("run_id", "quality", "cost").rows()
    assert [place == "on the front" for place in rows["place"]] == table["on_front"].to_list()
    shares = table["share_on_front"]
    assert rows["label"].to_list() == [f"{r} ({s * 100:.0f}%)" for r, s in zip(table["run_id"], shares, strict=True)]
    systems = pl.DataFrame({"run_id": ["a", "b"], "quality": [0.5, 0.6], "cost": [0.0, float("inf")]})
    trade = ir.tradeoff(systems)
    drawn = ir.plots.tradeoff.frame(trade, scale="linear")
    assert drawn["system"].to_list() == ["a"]
    assert "not drawn: 1 without" in str(trade.plot(scale="linear").to_dict()["title"]["subtitle"])
    with pytest.raises(InvalidParameter, match="no logarithm"):
        trade.plot()


def test_popularity_adds_up_shares() -> None:
    rows = frame("popularity")
    table = recommended().popularity(cutoff=3)
    for run in ("niche", "popular"):
        of_run = table.filter(run_id=run).sort("place")
        for name, amount in ((run, "recommended"), ("what users used before", "used")):
            points, total, so_far = [(0.0, 0.0)], of_run[amount].sum(), 0.0
            for place, value in of_run.select("place", amount).iter_rows():
                so_far += value
                points.append((place / 40, so_far / total))
            drawn_points = rows.filter(run_id=name).select("items", "share").rows()
            assert [*sum(drawn_points, ())] == pytest.approx([*sum(points, ())])
    tables = ir.examples.recommendations()
    with pytest.raises(NotDefined, match="No item was used before"):
        ir.plots.popularity(ir.Recommendations(**{**tables, "recs": tables["recs"].clear()}))


def test_pool_bias_of_the_best_runs() -> None:
    bias = ir.pool_bias(*ir.examples.pooled(), "AP P@3", group="team", depth=3)
    rows = frame("pool_bias", measures="P@3 AP", top=2)
    expected = bias.table().filter(pl.col("rank") <= 2)
    assert rows["measure"].to_list() == ["P@3", "P@3", "AP", "AP"]
    assert {tuple(r) for r in rows.rows()} == {tuple(r) for r in expected.select(rows.columns).rows()}
    assert bias.plot().to_dict()["title"]["text"] == "4 runs with and without their own contributions"
    with pytest.raises(UnknownName, match="no values of a measure 'AQ'"):
        frame("pool_bias", measures="AQ")
    with pytest.raises(InvalidParameter, match="is no pool bias"):
        ir.plots.pool_bias(ir.evaluate(*ir.examples.ranking(), "AP"))


def test_attention_of_groups() -> None:
    """Means over the queries of a run, which the table has one by one."""
    fair = CASES["exposure"][1]()
    drawn = {(r["run_id"], r["group"]): r for r in ir.plots.exposure.frame(fair).rows(named=True)}
    rows = [r for r in fair.exposure().rows(named=True) if r["run_id"] == "b" and r["group"] == "new"]
    assert len(rows) == 3
    one = drawn["b", "new"]
    assert one["exposure"] == pytest.approx(sum(r["exposure"] for r in rows) / 3)
    assert (one["members"], one["target"]) == pytest.approx((0.4, 0.5))
    few = ir.plots.exposure.frame(fair, top=1)
    assert few["group"].unique().to_list() == ["known"]


def test_losses_are_means_over_queries() -> None:
    made = CASES["losses"][1]()
    rows = frame("losses")
    assert rows["run_id"].unique(maintain_order=True).to_list() == ["b", "a"]
    for run, part, share, n in rows.iter_rows():
        values = made.queries.filter(run_id=run)[part]
        assert (share, n) == (pytest.approx(sum(values) / len(values)), 2)
    assert rows.group_by("run_id").agg(pl.col("share").sum())["share"].to_list() == pytest.approx([1, 1])
    few = ir.plots.losses(made, top=1).to_dict()
    assert few["title"]["subtitle"][-1] == "drawn: 1 of 2 runs, those with most answered"
    assert made.plot().to_dict()["datasets"] == ir.plots.losses(made).to_dict()["datasets"]
    with pytest.raises(InvalidParameter, match=r"(?s)no losses from retrieval.*ir\.nuggets\.chain"):
        ir.plots.losses(evaluation())


def test_groups_of_one_pair_share_a_panel() -> None:
    """A forest plot has a panel per metric, in which the groups are rows."""
    experiment = ir.Experiment(ir.examples.experiment(), baseline="a")
    analysis = experiment.analyze("Mean(revenue) Ratio(clicks, pages)", by="country")
    chart = analysis.plot().to_dict()
    assert [panel["title"]["text"] for panel in chart["concat"]] == ["Mean(revenue)", "Ratio(clicks, pages)"]
    assert chart["concat"][0]["layer"][1]["encoding"]["y"]["field"] == "group"
    assert ir.plots.effects.frame(analysis)["group"].unique().sort().to_list() == ["country = de", "country = fr"]
    assert len(experiment.analyze("Mean(revenue)", by="country").plot().to_dict()["layer"]) == 3
