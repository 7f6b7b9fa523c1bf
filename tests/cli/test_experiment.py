"""`ireval experiment`: its tables are those of Python, and errors name the option to write."""

from __future__ import annotations

import io
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from tests.cli.commands import invoke
from tests.experiments.cases import events, frame

METRICS = "Mean(rev) Ratio(clicks, pages)"


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("experiment") / "visits.csv"
    frame(events()).write_csv(path)
    return str(path)


def written(*arguments: str) -> pl.DataFrame:
    """What the command writes as CSV."""
    result = invoke("experiment", *arguments, "-f", "csv")
    assert result.exit_code == 0, result.stderr
    return pl.read_csv(io.StringIO(result.stdout), infer_schema_length=None)


def test_its_tables_are_those_of_python(visits: str, tmp_path: Path) -> None:
    experiment = ir.Experiment(frame(events()), baseline="a", time="day")
    arguments = (visits, "-m", METRICS, "--baseline", "a", "--time", "day")
    for options, table in (
        (("--by", "country", "--family", "all"), experiment.analyze(METRICS, by="country", family="all").table()),
        (("--looks", "0.2,0.4"), experiment.analyze(METRICS, looks=[0.2, 0.4]).table()),
        (("--margin", "5%"), experiment.noninferiority(METRICS, margin=0.05, relative=True)),
        (("--plan", "relative=0.1"), experiment.plan(METRICS, relative=0.1)),
        (("--srm", "--share", "a=2", "--share", "b=1"), experiment.srm({"a": 2, "b": 1})),
        (("--by", "country", "--heterogeneity"), experiment.analyze(METRICS, by="country").heterogeneity()),
        (
            ("--spending", "power", "--looks", "0.5", "--exponent", "2"),
            experiment.analyze(METRICS, looks=[0.5], spending="power", exponent=2.0).table(),
        ),
        (("--bayes",), experiment.bayes(METRICS)),
        (
            ("--bayes", "--normal", "1,2", "--beta", "2,3"),
            experiment.bayes(METRICS, normal=(1.0, 2.0), beta=(2.0, 3.0)),
        ),
        (("--trend",), experiment.trend(METRICS)),
        (("--check", "--randomised", "user_id"), experiment.check(METRICS, randomised="user_id")),
    ):
        actual = written(*arguments, *options)
        assert actual.columns == table.columns
        names = [c for c in table.columns if table[c].dtype.is_numeric()]
        expected = table.select(pl.col(names).cast(pl.Float64))
        assert_frame_equal(actual.select(pl.col(names).cast(pl.Float64)), expected, check_exact=False, rel_tol=1e-9)
    aggregates = str(tmp_path / "day.parquet")
    assert invoke("experiment", *arguments, "--aggregates", "-o", aggregates).exit_code == 0
    again = written(aggregates, "--from-aggregates", "--baseline", "a")
    assert again["p_value"].to_list() == pytest.approx(experiment.analyze(METRICS).table()["p_value"].to_list())


def test_it_reads_as_a_table_and_tells_its_conventions(visits: str) -> None:
    shown = invoke("experiment", visits, "-m", METRICS, "--baseline", "a")
    assert "Ratio(clicks, pages)" in shown.stdout
    assert "each variant with 'a'" in invoke("experiment", visits, "-m", METRICS, "--baseline", "a", "--explain").stdout
    assert invoke("experiment", visits, "-m", METRICS, "-f", "latex").stdout.startswith("\\begin")


@pytest.mark.parametrize("options, says", [
    (("-m", "Mean(nothing)"), "no column 'nothing'"),
    (("-m", "Mean(rev)", "--unit", "who"), "--unit"),
    ((), "No metric is named"),
    (("-m", "Mean(rev)", "--plan", "weeks=2"), "--plan is of 'weeks'"),
    (("-m", "Mean(rev)", "--margin", "some"), "must be a number"),
    (("-m", "Mean(rev)", "--srm", "--bayes"), "cannot be combined"),
    (("-m", "Mean(rev)", "--bayes", "--normal", "1"), "mean and standard deviation"),
    (("-m", "Mean(rev)", "--heterogeneity"), "--by country"),
])  # fmt: skip
def test_what_is_missing_is_reported(visits: str, options: tuple[str, ...], says: str) -> None:
    result = invoke("experiment", visits, *options)
    assert result.exit_code in (1, 2)
    assert says in result.stderr


def test_a_click_log_is_asked_the_same(tmp_path: Path) -> None:
    log = ir.examples.click_log().with_columns(
        pl.col("query_id").cast(pl.String), variant=pl.col("user_id").replace({"u1": "a", "u2": "b"})
    )
    log.write_parquet(tmp_path / "log.parquet")
    arguments = ("clicks", "experiment", str(tmp_path / "log.parquet"), "--baseline", "a")
    result = invoke(*arguments, "-f", "csv")
    assert result.exit_code == 0, result.stderr
    expected = ir.Impressions(log).experiment(baseline="a").analyze().table()
    assert pl.read_csv(io.StringIO(result.stdout))["value"].to_list() == pytest.approx(expected["value"].to_list())
    assert "Abandonment" in invoke(*arguments).stdout
    assert "tiny cells" in invoke(*arguments, "--check", "-f", "csv").stdout
    qrels = pl.DataFrame({"query_id": ["1", "2"], "doc_id": ["b", "a"], "relevance": [2, 1]})
    qrels.write_csv(tmp_path / "qrels.csv")
    judged = invoke(*arguments, "--judgments", tmp_path / "qrels.csv", "--cutoff", "2", "-f", "csv")
    expected = ir.Impressions(log).experiment(baseline="a", judgments=qrels, cutoff=2).analyze().table()
    actual = pl.read_csv(io.StringIO(judged.stdout)).select("metric", "value")
    assert actual["metric"].to_list()[-1] == "nDCG@2"
    assert actual["value"].to_list() == pytest.approx(expected["value"].to_list())
