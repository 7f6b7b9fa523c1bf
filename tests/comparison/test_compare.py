"""A comparison's table equals loops over pairs and units, whatever the shape of the values and the engine."""

from __future__ import annotations

import itertools
import math
import statistics
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pytest
import scipy.stats
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    MismatchedTables,
    MissingColumn,
    NotDefined,
    UnknownName,
    WrongType,
)
from tests.comparison.sakai import X, Y, Z, long, wide

VALUES = {"X": X, "Y": Y, "Z": Z}


def groups(seed: int = 3) -> pl.DataFrame:
    """Two measures in two groups, four systems, rows in any order."""
    rows = [
        {
            "lang": lang,
            "measure": measure,
            "run_id": run,
            "query_id": query,
            "value": round(0.3 + 0.05 * "abcd".index(run) + math.sin(query * 7 + len(lang) + ord(run)) * 0.2, 2),
        }
        for lang, queries in (("en", range(9)), ("fr", range(20, 27)))
        for measure in ("AP", "latency")
        for run in "abcd"
        for query in queries
    ]
    return pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=seed)


def test_table_equals_loops() -> None:
    frame = groups()
    table = ir.compare(frame, by="lang", lower_is_better="latency").table()
    assert table.height == 2 * 2 * 6
    for row in table.iter_rows(named=True):
        of = {
            run: dict(
                frame.filter(lang=row["lang"], measure=row["measure"], run_id=run)
                .select("query_id", "value")
                .iter_rows()
            )
            for run in (row["baseline"], row["system"])
        }
        one, other = of[row["baseline"]], of[row["system"]]
        differences = [other[q] - one[q] for q in one]
        n = len(differences)
        assert row["n"] == n
        assert row["mean_baseline"] == pytest.approx(statistics.fmean(one.values()), abs=1e-15)
        assert row["difference"] == pytest.approx(statistics.fmean(differences), abs=1e-15)
        assert row["se"] == pytest.approx(statistics.stdev(differences) / math.sqrt(n), rel=1e-12)
        better = -1 if row["measure"] == "latency" else 1
        assert row["wins"] == sum(d * better > 1e-12 for d in differences)
        assert row["ties"] == sum(abs(d) <= 1e-12 for d in differences)
        assert row["losses"] == n - row["wins"] - row["ties"]
        test = scipy.stats.ttest_rel([other[q] for q in one], [one[q] for q in one])
        assert row["p_value"] == pytest.approx(test.pvalue, rel=1e-9)
        low, high = test.confidence_interval(0.95)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), rel=1e-9)
    for _, family in table.group_by("lang", "measure"):
        expected = [min(1.0, p * 6) for p in family["p_value"].sort()]
        assert family["p_adjusted"].min() == pytest.approx(expected[0])
        assert family["family_size"].to_list() == [6] * 6


def test_exact_values_of_sakai() -> None:
    row = ir.compare(wide(), baseline="Y").table().filter(system="X").row(0, named=True)
    expected = {
        "difference": 0.075, "statistic": 2.1157598612734656, "p_value": 0.04779676184496439, "df": 19.0,
        "ci_low": 0.00080594, "ci_high": 0.14919406, "effect": 0.4730983, "wins": 10, "ties": 5, "losses": 5,
        "relative": 0.075 / 0.27, "p_adjusted": 2 * 0.04779676184496439,
    }  # fmt: skip
    assert {name: row[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    assert (row["effect_name"], row["status"], row["test"]) == ("d_z", "ok", "t")


def by_measures() -> pl.DataFrame:
    return long().pivot(on="measure", index=["query_id", "run_id"], values="value").with_columns(AP=pl.col("nDCG") / 2)


def test_every_shape_tells_the_same(tmp_path: Path) -> None:
    expected = ir.compare(long()).table().drop("measure")
    con = duckdb.connect()
    con.register("measured", long().to_arrow())
    path = tmp_path / "values.parquet"
    long().write_parquet(path)
    long().write_csv(tmp_path / "values.csv")
    actual = {
        "wide by systems": ir.compare(wide()),
        "wide by measures": ir.compare(by_measures()),
        "lazy": ir.compare(long().lazy().reverse()),
        "pandas": ir.compare(long().to_pandas()),
        "relation": ir.compare(con.table("measured")),
        "table": ir.compare("measured", con=con),
        "query": ir.compare("SELECT * FROM measured WHERE value >= 0", con=con),
        "parquet": ir.compare(path),
        "csv": ir.compare(str(tmp_path / "values.csv"), engine="duckdb"),
        "renamed": ir.compare(
            long().rename({"query_id": "q", "run_id": "model", "value": "v"}), unit="q", system="model", value="v"
        ),
    }
    for name, comparison in actual.items():
        table = comparison.table()
        assert_frame_equal(table.filter(measure=table["measure"][-1]).drop("measure"), expected, check_exact=True), name


def test_an_evaluation_knows_systems_units_directions_and_groups() -> None:
    labels = pl.DataFrame(
        {
            "user": [u for u in range(6) for _ in range(8)] * 2,
            "run_id": ["new"] * 48 + ["old"] * 48,
            "label": [i % 2 for i in range(96)],
            "prediction": [(i * i + i // 5) % 2 for i in range(96)],
        }
    )
    evaluation = ir.Labels(labels, unit="user").evaluate("Accuracy ErrorRate")
    table = evaluation.compare("old").table()
    assert table["measure"].to_list() == ["Accuracy", "ErrorRate"]
    assert table["wins"].to_list() == [table["wins"][0]] * 2
    assert table["difference"].to_list() == pytest.approx([table["difference"][0], -table["difference"][0]])
    units = evaluation.per_unit().filter(measure="Accuracy")
    expected = scipy.stats.ttest_rel(
        units.filter(run_id="new").sort("user")["value"], units.filter(run_id="old").sort("user")["value"]
    )
    assert table["p_value"].to_list() == pytest.approx([expected.pvalue] * 2)
    models = ir.Labels(labels.rename({"run_id": "model"}), unit="user", by="model").evaluate("Accuracy ErrorRate")
    assert_frame_equal(models.compare("old", system="model").table(), table)
    with pytest.raises(NotDefined, match="one system"):
        ir.Labels(labels, unit="user").evaluate("Accuracy").grouped(()) and ir.compare(
            ir.Labels(labels.filter(run_id="new"), unit="user").evaluate("Accuracy")
        ).table()


def test_groups_of_an_evaluation_can_be_asked_later() -> None:
    qrels, run = ir.examples.ranking()
    qrels = pl.concat([qrels.with_columns(query_id=pl.lit(f"q{i}")) for i in range(6)])
    runs = pl.concat(
        [
            run.with_columns(query_id=pl.lit(f"q{i}"), run_id=pl.lit(name), score=pl.col("score") * sign)
            for i in range(6)
            for name, sign in (("up", 1.0), ("down", 1.0 if i % 2 else -1.0))
        ]
    )
    queries = pl.DataFrame({"query_id": [f"q{i}" for i in range(6)], "lang": ["en", "fr"] * 3})
    evaluation = ir.evaluate(qrels, runs, "AP", queries=queries)
    table = evaluation.compare("down", by="lang").table()
    assert_frame_equal(ir.compare(evaluation, baseline="down", by="lang").table(), table)
    with pytest.raises(InvalidParameter, match="an evaluation knows its own"):
        evaluation.compare("down", lower_is_better="AP")
    assert table.select("lang", "status", "n").rows() == [("en", "constant_shift", 3), ("fr", "identical", 3)]


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_depends_on_the_order_of_rows_or_the_engine(seed: int) -> None:
    tests = ["t", "wilcoxon", "randomization", "bootstrap"]
    expected = ir.compare(groups(), test=tests, by="lang", n_resamples=2000, seed=5).table()
    for engine in ("polars", "duckdb"):
        actual = ir.compare(groups(seed), test=tests, by="lang", n_resamples=2000, seed=5, threads=seed, engine=engine)
        assert_frame_equal(actual.table(), expected, check_exact=True)


def test_missing_units() -> None:
    frame = long().filter(~((pl.col("run_id") == "X") & (pl.col("query_id") == "t03")))
    frame = frame.with_columns(
        value=pl.when((pl.col("run_id") == "Y") & (pl.col("query_id") == "t05")).then(None).otherwise("value")
    )
    with pytest.raises(MismatchedTables, match=r"'X' has no value of nDCG for 1 of 20 units.*t03"):
        ir.compare(frame).table()
    table = ir.compare(frame, missing="intersect").table()
    assert table.select("n", "n_baseline_only", "n_system_only").rows() == [(18, 1, 1), (19, 0, 1), (19, 0, 1)]
    common = [i for i in range(20) if i not in (3, 5)]
    row = table.row(0, named=True)
    assert row["mean_baseline"] == pytest.approx(statistics.fmean(X[i] for i in common))
    assert row["p_value"] == pytest.approx(scipy.stats.ttest_rel([Y[i] for i in common], [X[i] for i in common]).pvalue)
    # Tests of all systems look at the units that all have.
    assert ir.compare(frame, missing="intersect", test="tukey").table()["n"].to_list() == [18] * 3
    filled = ir.compare(frame, missing=0.0).table().row(0, named=True)
    zero = [0.0 if i == 3 else x for i, x in enumerate(X)], [0.0 if i == 5 else y for i, y in enumerate(Y)]
    assert filled["p_value"] == pytest.approx(scipy.stats.ttest_rel(zero[1], zero[0]).pvalue)
    assert filled["n"] == 20


def test_a_copy_a_shift_and_few_units() -> None:
    frame = wide().select("query_id", a="X", copy="X", shifted=pl.col("X") + 0.25)
    table = ir.compare(frame, baseline="a", test=["t", "wilcoxon", "sign", "randomization"]).table()
    copies = table.filter(system="copy")
    assert copies["status"].to_list() == ["identical"] * 4
    assert copies["p_value"].to_list() == [1.0] * 4
    # As likely above as below.
    assert dict(copies.select("effect_name", "effect").iter_rows()) == {"d_z": 0.0, "rank_biserial": 0.0, "ps_dep": 0.5}
    shift = table.filter(system="shifted", test="t").row(0, named=True)
    assert (shift["status"], shift["p_value"], shift["p_adjusted"]) == ("constant_shift", None, None)
    # A p-value that is undefined takes part in no correction.
    assert table.filter(system="copy", test="t")["family_size"].item() == 1
    one = ir.compare(frame.head(1), baseline="a").table()
    assert one["status"].to_list() == ["one_unit"] * 2
    assert one["difference"].to_list() == [0.0, 0.25]


def test_a_tolerance_makes_ties() -> None:
    table = ir.compare(wide(), tolerance=0.15).table()
    for row, (one, other) in zip(table.iter_rows(named=True), itertools.combinations("XYZ", 2), strict=True):
        d = [b - a for a, b in zip(VALUES[one], VALUES[other], strict=True)]
        assert row["wins"] == sum(x > 0.15 + 1e-12 for x in d)
        assert row["losses"] == sum(x < -0.15 - 1e-12 for x in d)


def test_directions_of_one_sided_tests_follow_the_measure() -> None:
    better = ir.compare(wide(), baseline="Y", alternative="greater").table()["p_value"]
    turned = ir.compare(
        wide().with_columns(pl.col("X", "Y", "Z") * -1), baseline="Y", alternative="greater", lower_is_better="value"
    ).table()["p_value"]
    assert better.to_list() == pytest.approx(turned.to_list())
    assert better[0] == pytest.approx(0.04779676184496439 / 2)


def test_families_of_corrections() -> None:
    tests = {"measure": 6, "group": 12, "all": 24}
    for family, size in tests.items():
        table = ir.compare(groups(), by="lang", family=family, correction="bonferroni").table()
        assert table["family_size"].to_list() == [size] * 24
        assert table["p_adjusted"].to_list() == pytest.approx([min(1.0, p * size) for p in table["p_value"]])


def test_other_tables() -> None:
    comparison = ir.compare(wide())
    differences = comparison.differences()
    assert differences.columns == ["measure", "query_id", "baseline", "system", "value_baseline", "value", "difference"]
    assert differences.height == 60
    assert differences.filter(baseline="X", system="Z")["difference"].to_list() == pytest.approx(
        [z - x for x, z in zip(X, Z, strict=True)]
    )
    systems = comparison.systems()
    assert systems["system"].to_list() == ["X", "Y", "Z"]
    assert systems["mean"].to_list() == pytest.approx([statistics.fmean(v) for v in (X, Y, Z)])
    assert systems["ci_high"][0] - systems["mean"][0] == pytest.approx(
        scipy.stats.t.ppf(0.975, 19) * statistics.stdev(X) / math.sqrt(20)
    )
    assert systems["rank"].to_list() == [1, 2, 3]
    assert systems["letters"].to_list() == ["a", "a", "a"]
    assert systems["p_best"].sum() == pytest.approx(1.0)
    tukey = ir.compare(wide().with_columns(Z=pl.col("Z") - 0.2), test="tukey").systems()
    assert dict(tukey.select("system", "letters").iter_rows()) == {"X": "a", "Y": "a", "Z": "b"}
    p = comparison.matrix()
    assert p["X"].to_list()[1:] == list(p.row(0)[2:])
    signed = comparison.matrix(of="difference")
    assert signed["X"][1] == pytest.approx(-0.075)
    assert signed["Y"][0] == pytest.approx(0.075)
    effects = comparison.effects("d_z", "glass_delta")
    assert effects["effect_name"].to_list() == ["d_z"] * 3 + ["glass_delta"] * 3
    message = comparison.explain()
    for word in ("missing = error", "correction = holm", "family = measure", "tolerance"):
        assert word in message


def test_errors() -> None:
    frame = long()
    wrong = {
        "There is no run_id 'W'": (UnknownName, lambda: ir.compare(frame, baseline="W").table()),
        "no test 'tt'": (UnknownName, lambda: ir.compare(frame, test="tt")),
        "no correction 'holms'": (UnknownName, lambda: ir.compare(frame, correction="holms")),
        "no option 'zeroes'": (UnknownName, lambda: ir.compare(frame, test="wilcoxon", zeroes="pratt")),
        "family is 'pair'": (UnknownName, lambda: ir.compare(frame, family="pair")),
        "alternative is 'better'": (UnknownName, lambda: ir.compare(frame, alternative="better")),
        "confidence is 95": (InvalidParameter, lambda: ir.compare(frame, confidence=95)),
        "seed is 'x'": (InvalidParameter, lambda: ir.compare(frame, seed="x")),
        "n_resamples is 0": (InvalidParameter, lambda: ir.compare(frame, n_resamples=0)),
        "missing is 'drop'": (InvalidParameter, lambda: ir.compare(frame, missing="drop")),
        "no column 'topic'": (MissingColumn, lambda: ir.compare(frame, unit="topic")),
        "measure 'MAP'": (UnknownName, lambda: ir.compare(frame, lower_is_better="MAP")),
        "one system": (NotDefined, lambda: ir.compare(frame.filter(run_id="X")).table()),
        "values of nDCG for run_id 'X'": (DuplicateRows, lambda: ir.compare(pl.concat([frame, frame])).table()),
        "infinite": (InvalidValue, lambda: ir.compare(frame.with_columns(value=pl.lit(math.inf))).table()),
        "nulls": (InvalidValue, lambda: ir.compare(frame.with_columns(run_id=pl.lit(None, pl.String))).table()),
        "is empty": (InvalidParameter, lambda: ir.compare(frame.clear()).table()),
        "must hold numbers": (WrongType, lambda: ir.compare(frame.with_columns(value=pl.lit("x")))),
        "no table": (WrongType, lambda: ir.compare(7)),
        "named twice": (InvalidParameter, lambda: ir.compare(frame, by="query_id")),
        "is a column of the result": (InvalidParameter, lambda: ir.compare(frame.with_columns(n=1), by="n")),
    }
    for message, (kind, call) in wrong.items():
        with pytest.raises(kind) as caught:
            call()
        assert message in str(caught.value), message
        assert caught.value.hint, message


def test_no_common_units() -> None:
    apart = pl.concat([long().filter(run_id="X").head(10), long().filter(run_id="Y").tail(10)])
    row = ir.compare(apart, missing="intersect").table().row(0, named=True)
    assert (row["n"], row["n_baseline_only"], row["n_system_only"], row["status"]) == (0, 10, 10, "no_units")
    assert row["p_value"] is None


@pytest.mark.parametrize(
    "shift,scale,status",
    [
        (0.0, 1.0, "ok"),
        (1e9, 1e-7, "constant_shift"),
        (0.0, 6e139, "ok"),
        (1.0, 0.0, "identical"),
        (0.0, 0.0, "identical"),
    ],
)
def test_moments_of_the_engine_judge_rounding_as_values_do(shift: float, scale: float, status: str) -> None:
    draw = np.random.default_rng(4)
    value = [shift + scale * draw.uniform(0.5, 1.5, 40), shift + scale * draw.uniform(0.5, 1.5, 40)]
    table = pl.DataFrame({"unit": range(80), "run_id": ["a"] * 40 + ["b"] * 40, "value": np.concatenate(value)})
    by_moments = ir.compare(table, unit="unit", test="welch").table()
    by_values = ir.compare(table, unit="unit", test=["welch", "mann-whitney"]).table().head(1)
    columns = ["n", "mean_baseline", "mean", "statistic", "df", "p_value"]
    assert by_moments["status"].to_list() == by_values["status"].to_list()
    assert_frame_equal(by_moments.select(columns), by_values.select(columns), rel_tol=1e-9)
    if scale != 1e-7:
        assert by_moments["status"].to_list() == [status]


def test_one_unit_says_what_has_a_test() -> None:
    frame = pl.DataFrame(
        {"run_id": ["a", "b"] * 3, "user": [1, 1, 2, 2, 3, 3], "label": [1] * 6, "prediction": [1, 0] * 3}
    )
    note = "One unit has no test: "
    one, several = (str(ir.Labels(frame, unit=unit).evaluate("Accuracy").compare("a")) for unit in (None, "user"))
    assert "\n1 unit. " in one
    assert note in one
    assert "\n3 units. " in several
    assert note not in several
