"""Judgments that are a sample: published numbers, what is refused, and what users are told."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, NotDefined, SampleWarning
from tests.contract.kit import ENGINES

QRELS, RUN = ir.examples.sampled()


def value(qrels: pl.DataFrame, measure: str, **options: Any) -> float:
    return float(ir.evaluate(qrels, RUN, measure, **options).summary()["value"][0])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_list_worked_by_hand(engine: str) -> None:
    """The expected precisions at ranks 1, 3 and 5 are 1, .777771 and .799988; 4 documents are relevant."""
    expected = {
        "xinfAP": (1 + 2 * 0.777771 + 0.799988) / 4,
        "infNDCG": 2.386853 / 2.561606,
        "infP@5": 0.799988,
        "infNumRel": 4.0,
        "statAP": (1 + 2 * 2 / 3 + 4 / 5) / 4,
        "statP@3": 1.0,
        "statR@3": 0.75,
        "statRprec": 0.75,
        "infAP": 0.933330,
    }
    ev = ir.evaluate(QRELS, RUN, list(expected), engine=engine)
    assert dict(ev.per_unit().select("measure", "value").rows()) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("measure", ["xinfAP", "infNDCG", "infP@5", "statAP", "statP@5", "statRprec"])
def test_complete_judgments_give_the_measure_itself(measure: str) -> None:
    """Where all pooled documents are judged; up to the smoothing of inferred ones."""
    qrels = QRELS.with_columns(relevance=pl.col("relevance").clip(0), iprob=pl.lit(1.0))
    ordinary = measure.removeprefix("x").removeprefix("inf").removeprefix("stat").replace("NDCG", "nDCG")
    assert value(qrels, measure) == pytest.approx(value(qrels, ordinary), abs=2e-5)


def test_rates_of_strata_are_the_probabilities_where_there_are_no_others() -> None:
    assert value(QRELS.drop("iprob"), "statAP") == value(QRELS, "statAP(rates='strata')") == value(QRELS, "statAP")
    uneven = QRELS.with_columns(iprob=pl.when(pl.col("stratum") == "2").then(0.25).otherwise(1.0))
    assert value(uneven, "statNumRel") == 6.0
    assert value(uneven, "statNumRel(rates='strata')") == value(uneven, "infNumRel") == 4.0


def test_documents_that_were_chosen_are_certain() -> None:
    """Methods 0 and 2 of prels: chosen by another method, and by both."""
    qrels = QRELS.with_columns(method=pl.when(pl.col("doc_id") == "d4").then(pl.lit("0")).otherwise(pl.lit("1")))
    assert value(qrels, "statNumRel") == 3.0
    assert value(qrels, "statNumRel(chosen='drawn')") == 4.0
    assert value(qrels, "statNumRel(chosen='drop')") == 2.0
    numbers = qrels.with_columns(pl.col("method").cast(pl.Int64))
    assert value(numbers, "statNumRel") == 3.0
    missing = qrels.with_columns(iprob=pl.when(pl.col("doc_id") != "d4").then("iprob"))
    assert value(missing, "statNumRel") == 3.0
    with pytest.raises(InvalidValue, match="doc_id 'd4', iprob None"):
        value(missing, "statNumRel(chosen='drawn')")


def test_files_of_samples(tmp_path: Path) -> None:
    """Prels, of which one document could not be drawn and was chosen; and sample_eval's five columns."""
    lines = ["q d1 1 1 1", "q d2 0 1 1.0", "q d3 1 1 1", "q d4 1 0 0", "q d6 0 1 0.5"]
    prels, five = tmp_path / "prels.txt", tmp_path / "five.txt"
    prels.write_text("\n".join(lines) + "\n")
    five.write_text("".join(f"q 0 {d} {s} {g}\n" for d, g, s in QRELS.select("doc_id", "relevance", "stratum").rows()))
    assert ir.evaluate(prels, RUN, "statNumRel").summary()["value"].to_list() == [3.0]
    for name in ("xinfAP", "infNDCG", "statAP"):
        actual = ir.evaluate(five, RUN, name).summary()["value"].to_list()
        assert actual == pytest.approx([value(QRELS, name)], abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_means_over_assessors(engine: str) -> None:
    """Each assessor's sample is one of its own."""
    other = QRELS.with_columns(relevance=pl.when(pl.col("doc_id") == "d1").then(0).otherwise("relevance"))
    both = pl.concat([QRELS.with_columns(assessor_id=pl.lit("a")), other.with_columns(assessor_id=pl.lit("b"))])
    for name in ("xinfAP", "infNDCG", "statAP"):
        mean = value(both, f"{name}(assessors='mean')", engine=engine)
        assert mean == pytest.approx((value(QRELS, name) + value(other, name)) / 2, abs=1e-12)
        assert value(both, f"{name}(assessors='max')", engine=engine) == pytest.approx(value(QRELS, name), abs=1e-12)


@pytest.mark.parametrize("measure", ["xinfAP", "infNDCG", "infP@5", "infR", "infNumRel", "infNumRelRet"])
def test_inferred_measures_need_strata(measure: str) -> None:
    with pytest.raises(MissingColumn, match=r"no column 'stratum' .it has iprob") as error:
        value(QRELS.drop("stratum"), measure)
    assert "statAP" in error.value.hint
    value(QRELS.drop("stratum").with_columns(stratum=pl.lit("pool")), measure)
    value(QRELS.rename({"stratum": "part"}), measure, columns={"stratum": "part"})


def test_bad_samples_are_refused() -> None:
    with pytest.raises(InvalidValue, match=r"'stratum' of the qrels table is null in 1 rows.*doc_id 'd3'"):
        value(QRELS.with_columns(stratum=pl.when(pl.col("doc_id") != "d3").then("stratum")), "infP@5")
    for probability in (0.0, -0.5, 1.5, float("nan"), None):
        with pytest.raises(InvalidValue, match="must be a probability above 0 and up to 1"):
            value(QRELS.with_columns(iprob=pl.lit(probability, pl.Float64)), "statAP")
    with pytest.raises(MissingColumn, match=r"no column 'iprob' and none 'stratum'"):
        value(QRELS.drop("stratum", "iprob"), "statAP")
    with pytest.raises(MissingColumn, match="needs inclusion probabilities"):
        value(QRELS.drop("iprob"), "statAP(rates='iprob')")
    with pytest.raises(NotDefined, match="takes that out of the lists"):
        value(QRELS, "xinfAP", policy="unjudged=skip")


@pytest.mark.filterwarnings("always::ireval_frames.errors.SampleWarning")
@pytest.mark.parametrize("engine", ENGINES)
def test_measures_that_take_a_sample_as_complete_are_told(engine: str) -> None:
    with pytest.warns(
        SampleWarning, match="2 of 7 pooled documents were not judged.*AP, nDCG@10 take them as complete"
    ):
        ir.evaluate(QRELS, RUN, "AP nDCG@10 xinfAP NumRet Bpref", engine=engine).summary()
    drawn = QRELS.filter(pl.col("relevance") >= 0).drop("stratum")
    with pytest.warns(SampleWarning, match="2 of 5 documents were drawn with a probability below 1.*AP takes them"):
        ir.evaluate(drawn, RUN, "AP statAP", engine=engine).summary()
    with pytest.warns(SampleWarning, match="infAP takes the pool as one stratum, and the judgments have 2"):
        ir.evaluate(QRELS, RUN, "infAP", engine=engine).summary()


@pytest.mark.filterwarnings("always::ireval_frames.errors.SampleWarning")
@pytest.mark.parametrize("engine", ENGINES)
def test_strata_that_lack_something_are_told(engine: str) -> None:
    empty = QRELS.with_columns(relevance=pl.when(pl.col("stratum") == "2").then(-1).otherwise("relevance"))
    with pytest.warns(SampleWarning, match="without a judged document: 1 .the first: query_id 'q', stratum '2'"):
        ir.evaluate(empty, RUN, "xinfAP", engine=engine).summary()
    with pytest.warns(SampleWarning, match="Strata of judged documents alone.*: 1 .*stratum '2'"):
        ir.evaluate(QRELS.filter(pl.col("relevance") >= 0), RUN, "xinfAP", engine=engine).summary()


@pytest.mark.filterwarnings("always::ireval_frames.errors.SampleWarning")
@pytest.mark.parametrize("engine", ENGINES)
def test_methods_of_no_meaning_are_told(engine: str) -> None:
    other = QRELS.with_columns(method=pl.when(pl.col("doc_id") == "d4").then(pl.lit("mtc")))
    with pytest.warns(
        SampleWarning, match="of 1 judged documents is none of 0, 1, 2 .*'d4', method 'mtc'.*statAP takes"
    ):
        ir.evaluate(other, RUN, "statAP xinfAP", engine=engine).summary()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ir.evaluate(other, RUN, "statAP(chosen='drawn') xinfAP", engine=engine).summary()
        ir.evaluate(other.with_columns(method=pl.lit(2)), RUN, "statAP", engine=engine).summary()


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_says_how_far_an_estimate_is_off_without_two_judgments(engine: str) -> None:
    """A stratum of several pooled documents, and none judged, leaves the variance undefined, as one judged does."""
    for judged in (["d4"], []):
        few = QRELS.with_columns(
            relevance=pl.when((pl.col("stratum") == "1") | pl.col("doc_id").is_in(judged))
            .then("relevance")
            .otherwise(-1)
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SampleWarning)
            ev = ir.evaluate(few, RUN, "xinfAP infP@5 infNumRel statAP(rates='strata')", engine=engine)
            assert ev.sampling_intervals()["variance"].to_list() == [None] * 4


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_told_where_nothing_is_to_tell(engine: str) -> None:
    complete = QRELS.with_columns(relevance=pl.col("relevance").clip(0), iprob=pl.lit(1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ir.evaluate(QRELS, RUN, "xinfAP infNDCG statAP Judged NumRet P(judged_only=True)@5", engine=engine).summary()
        ir.evaluate(complete, RUN, "AP xinfAP", engine=engine).summary()
        ir.evaluate(QRELS, RUN, "AP", by="stratum", policy="missing=skip", engine=engine)
        # A column of that name, of words.
        ir.evaluate(complete.with_columns(iprob=pl.lit("high")), RUN, "AP", engine=engine).summary()


# ---- variances and intervals


def drawn(n_samples: int, *, own: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A pool of 320 documents in three strata, from which two are drawn again and again; every draw is a query.

    With `own` each document is drawn on its own, else as many as its stratum has places.
    """
    rng = random.Random(4)
    strata = {f"d{i:03d}": "1" if i < 20 else "2" if i < 120 else "3" for i in range(320)}
    rates = {"1": 1.0, "2": 0.6, "3": 0.4}
    grades = {d: rng.choice([1, 1, 2]) if rng.random() < 0.35 else 0 for d in strata}
    ranking = sorted(strata, key=lambda d: (grades[d] > 0) * 0.6 + rng.random(), reverse=True)[:200]
    rows, run = [], []
    for i in range(n_samples):
        judged = set()
        for stratum, rate in rates.items():
            docs = [d for d in strata if strata[d] == stratum]
            number = round(rate * len(docs))
            judged |= {d for d in docs if rng.random() < rate} if own else set(rng.sample(docs, number))
        rows += [(f"q{i}", d, grades[d] if d in judged else -1, s, rates[s]) for d, s in strata.items()]
        run += [(f"q{i}", d, -float(rank)) for rank, d in enumerate(ranking)]
    columns = ["query_id", "doc_id", "relevance", "stratum", "iprob"]
    return (
        pl.DataFrame(rows, columns, orient="row"),
        pl.DataFrame(run, ["query_id", "doc_id", "score"], orient="row"),
    )


@pytest.mark.parametrize(
    "measures, own",
    [
        ("infAP xinfAP infNDCG infP@150 infR infNumRel statAP(rates='strata') statR(rates='strata')@50", False),
        ("statAP statP@50 statP(estimator='ratio')@100 statR@50 statNumRel", True),
    ],
)
def test_variances_are_those_of_samples_drawn_anew(measures: str, own: bool) -> None:  # noqa: FBT001 - a case
    """And intervals hold the value of complete judgments about as often as they say."""
    qrels, run = drawn(150, own=own)
    found = ir.evaluate(qrels, run, measures).sampling_intervals(per_unit=True)
    of_draws = found.group_by("measure", maintain_order=True).agg(
        mean=pl.col("value").mean(), spread=pl.col("value").std(), expected=pl.col("variance").mean().sqrt()
    )
    for measure, _, spread, expected in of_draws.iter_rows():
        assert expected == pytest.approx(spread, rel=0.25), measure
    inside = (pl.col("low") <= pl.col("mean")) & (pl.col("mean") <= pl.col("high"))
    shares = found.join(of_draws, on="measure").group_by("measure").agg(share=inside.mean())
    assert shares["share"].is_between(0.89, 1.0).all(), shares


@pytest.mark.parametrize("engine", ENGINES)
def test_intervals_of_means_and_sums(engine: str) -> None:
    """Queries are sampled apart: their variances add; those without a variance vary like the others."""
    both = pl.concat([QRELS, QRELS.with_columns(query_id=pl.lit("p"))])
    # One judged document of a stratum of four has no variance.
    both = both.with_columns(
        relevance=pl.when((pl.col("query_id") == "p") & (pl.col("doc_id") == "d6")).then(-1).otherwise("relevance")
    )
    run = pl.concat([RUN, RUN.with_columns(query_id=pl.lit("p")), RUN.with_columns(query_id=pl.lit("other"))])
    run = run.with_columns(run_id=pl.lit("r"))
    ev = ir.evaluate(both, run, "AP xinfAP infNumRel", engine=engine)
    each = ev.sampling_intervals(per_unit=True)
    assert each.select("run_id", "query_id", "measure").rows() == [
        ("r", query, measure) for query in ("p", "q") for measure in ("xinfAP", "infNumRel")
    ]
    assert each["variance"].is_null().to_list() == [True, True, False, False]
    variance = dict(each.filter(query_id="q").select("measure", "variance").rows())
    of_all = {row["measure"]: row for row in ev.sampling_intervals(confidence=0.9).iter_rows(named=True)}
    assert of_all["xinfAP"]["variance"] == pytest.approx(variance["xinfAP"] / 2, abs=1e-15)
    assert of_all["infNumRel"]["variance"] == pytest.approx(variance["infNumRel"] * 2, abs=1e-12)
    assert {(row["n_units"], row["n_undefined"]) for row in of_all.values()} == {(2, 1)}
    row = of_all["infNumRel"]
    assert row["high"] - row["value"] == pytest.approx(1.6448536269514722 * row["variance"] ** 0.5, abs=1e-12)
    assert row["value"] == each.filter(measure="infNumRel")["value"].sum()


def test_intervals_are_of_estimates() -> None:
    with pytest.raises(NotDefined, match=r"None of the measures estimates from a sample .AP"):
        ir.evaluate(QRELS, RUN, "AP").sampling_intervals()
    with pytest.raises(NotDefined, match="The median of queries has no variance in closed form"):
        ir.evaluate(QRELS, RUN, "xinfAP(aggregation='median')").sampling_intervals()
    with pytest.raises(NotDefined, match="statRprec has no variance") as error:
        ir.evaluate(QRELS, RUN, "AP xinfAP statRprec statAP").sampling_intervals()
    assert error.value.hint == "Evaluate the others alone: xinfAP statAP."
    both = ir.evaluate(QRELS, RUN, "xinfAP SamplingVariance(of='xinfAP')")
    assert both.sampling_intervals()["variance"].item() == both.wide()["SamplingVariance(of='xinfAP')"].item()
    with pytest.raises(InvalidParameter, match="confidence is 1"):
        ir.evaluate(QRELS, RUN, "xinfAP").sampling_intervals(confidence=1.0)
    for text in ("'AP'", "'statRprec'", "'what'", "\"xinfAP(assessors='mean')\"", "3"):
        with pytest.raises(InvalidParameter, match=r"of of SamplingVariance is .*; it must be one of infAP, xinfAP"):
            ir.evaluate(QRELS, RUN, f"SamplingVariance(of={text})")
    with pytest.raises(InvalidParameter, match="is of statAP and inclusion probabilities"):
        ir.evaluate(QRELS, RUN, "SamplingVariance(of='statR', form='statAP_MQ_eval')")
