"""What cannot be told is refused in clear words, or has a status."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import ireval_frames as ir
from ireval_frames import errors

LOG = pl.DataFrame(
    {
        "serp_id": [1, 1, 2, 2],
        "query_id": ["q"] * 4,
        "doc_id": ["a", "b", "a", "b"],
        "position": [1, 2, 1, 2],
        "click": [1, 0, 0, 1],
    }
)
RUN = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["b", "a"], "score": [2.0, 1.0]})
KNOWN = [1.0, 0.5]
RELEVANCE = pl.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [0.4, 0.2]})


@pytest.mark.parametrize(
    "changed, error, words",
    [
        ({"propensity": [1.0, 0.0]}, errors.InvalidValue, "propensity of position 2 is 0.0; it must be above 0"),
        ({"propensity": [1.0]}, errors.InvalidValue, "Position 2 of the page 2 has no propensity"),
        (
            {"propensity": [1.0], "estimators": "policy_aware", "log": LOG.with_columns(click=2 - pl.col("position"))},
            errors.InvalidValue,
            "Position 2 of the page",
        ),
        ({"propensity": 0.5}, errors.InvalidParameter, "a propensity belongs to a position"),
        ({"propensity": {1: 1.0, 2: "x"}}, errors.InvalidValue, "no number"),
        ({"propensity": pl.DataFrame({"position": [1, 1], "propensity": [1.0, 1.0]})}, errors.DuplicateRows, "2 prop"),
        ({"propensity": None}, errors.MissingColumn, "no propensities by position were given"),
        ({"propensity": ir.Impressions(LOG).fit("SDBN")}, errors.NotDefined, "no examination of positions"),
        ({"log": LOG.with_columns(propensity=0.0), "propensity": None}, errors.InvalidValue, "above 0"),
        ({"log": LOG.with_columns(weight=-1.0)}, errors.InvalidValue, "weights must be finite and not negative"),
        ({"log": LOG.drop("query_id")}, errors.MissingColumn, "no column 'query_id'"),
        ({"run": RUN.with_columns(query_id=pl.lit("other"))}, errors.NothingInCommon, "No query of the log is in the"),
        ({"run": pl.concat([RUN, RUN])}, errors.DuplicateRows, "several times for the query 'q'"),
        ({"run": RUN.with_columns(score=float("nan"))}, errors.InvalidValue, "null or NaN"),
        ({"run": RUN.with_columns(query_id=7.5)}, errors.WrongType, "must hold text or integers"),
        ({"run": RUN.with_columns(query_id=7)}, errors.NothingInCommon, "No query of the log is in the"),
        ({"measure": "nDCG@10"}, errors.NotDefined, "no mean of sums of weights by rank"),
        ({"measure": "P(rel=2)@5"}, errors.InvalidParameter, "a click counts as relevance 1"),
        ({"measure": {"mine": []}}, errors.InvalidParameter, "finite numbers"),
        ({"estimators": "IPPS"}, errors.UnknownName, "Did you mean IPS"),
        ({"estimators": "clipped(tau=0)"}, errors.InvalidParameter, "allowed is a number"),
        ({"estimators": "IPS(tau=1)"}, errors.UnknownName, "no parameter 'tau'"),
        ({"estimators": "affine"}, errors.MissingColumn, "alpha"),
        ({"cluster": "user"}, errors.MissingColumn, "no column 'user_id'"),
        ({"cluster": "session"}, errors.UnknownName, "it must be 'page' or 'user'.\n  Write cluster=\"user\""),
        ({"confidence": 95}, errors.InvalidParameter, "it must be a number in"),
        ({"propensity": {1: 1.0, 2.5: 0.5}}, errors.InvalidValue, "has the position 2.5"),
        (
            {"propensity": pl.DataFrame({"position": [1], "alpha": [1.0], "beta": [float("nan")]})},
            errors.InvalidValue,
            "beta of position 1 is nan",
        ),
        (
            {"estimators": "DM", "relevance": pl.concat([RELEVANCE, RELEVANCE.head(1)])},
            errors.DuplicateRows,
            "'a' of the query 'q' in 2",
        ),
        (
            {"estimators": "DR", "relevance": RELEVANCE.with_columns(relevance=float("nan"))},
            errors.InvalidValue,
            "of the query 'q' is nan",
        ),
        ({"estimators": None}, errors.InvalidParameter, "estimators is None"),
        (
            {"cluster": "user", "log": LOG.with_columns(user_id=pl.lit(None, dtype=pl.String))},
            errors.InvalidValue,
            "4 rows of the log have no user_id",
        ),
        ({"by": "measure"}, errors.InvalidParameter, "column of the result"),
    ],
)
def test_bad_input_is_reported(changed: dict[str, Any], error: type[Exception], words: str) -> None:
    arguments = {"log": LOG, "run": RUN, "measure": "RR", "propensity": KNOWN, **changed}
    with pytest.raises(error, match=words.replace("(", r"\(")):
        ir.clicks.counterfactual(arguments.pop("log"), arguments.pop("run"), **arguments).summary()


def test_what_rests_on_nothing_has_a_status() -> None:
    unclicked = ir.clicks.counterfactual(LOG.with_columns(click=0), RUN, "RR", propensity=KNOWN).summary()
    assert unclicked.select("value", "se", "status").rows() == [(0.0, None, "no_overlap"), (None, None, "no_overlap")]
    alone = ir.clicks.counterfactual(LOG.head(2), RUN, "RR", propensity=KNOWN, estimators="IPS DM").summary()
    assert alone.select("se", "status").rows() == [(None, "one_cluster"), (None, "model")]
    never = RUN.with_columns(doc_id=pl.lit("new") + pl.col("doc_id"))
    actual = ir.clicks.counterfactual(LOG, never, "RR", propensity=KNOWN)
    assert actual.summary()["status"].to_list() == ["no_overlap", "no_overlap"]
    assert actual.coverage()["never_shown"].to_list() == [1.0]
    with pytest.raises(errors.NotDefined, match="two runs"):
        actual.compare()


@pytest.mark.parametrize("names", [(0, 1), ("", "b")])
def test_a_run_without_a_name_may_be_the_baseline(names: tuple[Any, Any]) -> None:
    runs = pl.concat([RUN.with_columns(run_id=pl.lit(n)) for n in names])
    turned = runs.with_columns(score=pl.when(pl.col("run_id") == names[1]).then(-pl.col("score")).otherwise("score"))
    actual = ir.clicks.counterfactual(LOG, turned, "RR", propensity=KNOWN, estimators="IPS")
    one, other = actual.summary()["value"]
    row = actual.compare().row(0, named=True)
    assert (row["run_id"], row["baseline"]) == (names[1], names[0])
    assert row["difference"] == pytest.approx(other - one)


def test_a_model_that_is_handed_in_reads_no_propensities() -> None:
    actual = ir.clicks.counterfactual(LOG, RUN, "RR", relevance=RELEVANCE, estimators="DM").summary()
    assert actual.select("value", "ess", "status").rows() == [(pytest.approx(0.2 + 0.4 / 2), None, "model")]


def test_a_fitted_model_has_propensities_relative_to_position_1(tmp_path: Path) -> None:
    """However it is handed in; positions that nothing links to the others have none."""
    rows = [(s, "q" if k < 3 else "r", "ab"[(s + k) % 2] if k < 3 else "c", k) for s in range(40) for k in (1, 2, 3)]
    log = pl.DataFrame(rows, schema=["serp_id", "query_id", "doc_id", "position"], orient="row")
    log = log.with_columns(click=((pl.col("serp_id") * 7 + pl.col("position") * 3) % 5 < 3 - pl.col("position")))
    log = log.with_columns(pl.col("click").cast(pl.Int64))
    model = ir.Impressions(log).fit("PBM", iterations=3000)
    parameters = model.parameters()
    examined = parameters.filter(parameter="examination")
    assert examined["status"].to_list() == ["converged", "converged", "disconnected"]
    first, second, _ = examined["value"].to_list()
    assert first < 0.99
    parameters.write_csv(tmp_path / "pbm.csv")
    linked = log.filter(pl.col("position") < 3)
    expected = ir.clicks.counterfactual(linked, RUN, "RR", propensity=[1.0, second / first]).summary()
    for source in (model, parameters, examined, str(tmp_path / "pbm.csv")):
        actual = ir.clicks.counterfactual(linked, RUN, "RR", propensity=source).summary()
        assert_frame_equal(actual.drop("status"), expected.drop("status"), abs_tol=1e-12)
        assert actual["status"].to_list() == ["estimated_propensities"] * 2
        with pytest.raises(errors.InvalidValue, match="Position 3 of the page"):
            ir.clicks.counterfactual(log.with_columns(click=1), RUN, "RR", propensity=source).summary()
    lost = parameters.with_columns(status=pl.when(position=1).then(pl.lit("disconnected")).otherwise("status"))
    with pytest.raises(errors.InvalidValue, match="cannot compare position 1, by which all others are divided, with 2"):
        ir.clicks.counterfactual(linked, RUN, "RR", propensity=lost)


def test_propensities_need_clicks_at_the_reference() -> None:
    with pytest.raises(errors.InvalidValue, match="Nothing was clicked at the position 1"):
        ir.clicks.propensities(LOG.with_columns(click=pl.col("position") - 1), "randomised")
