"""Ratings: shapes of tables, weights, bad input, and the figures of other tools."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    DuplicateRows,
    InvalidParameter,
    InvalidValue,
    IrevalError,
    MissingColumn,
    NotDefined,
    UnknownName,
    WrongType,
)
from tests.contract.kit.suite import ENGINES
from tests.ratings.cases import Case
from tests.ratings.suite import CATEGORIES, NUMBERS, RATINGS, SCALED

EXAMPLE = ir.examples.ratings()
on_engines = pytest.mark.parametrize("engine", ENGINES)
# irrCAC 0.4.4 (five digits), krippendorff 0.9.0, pingouin 0.6.1, statsmodels 0.15.0 on the same table.
TOOLS = {
    "FleissKappa": (0.76117, 0.81794, 0.86494, 0.85021, 0.78992, 0.82134),
    "GwetAC2": (0.77544, 0.85874, 0.91400, 0.89894, 0.81981, 0.85737),
    "CongerKappa": (0.76207, 0.81314, 0.85717, 0.84308, 0.78765, 0.81101),
    "BrennanPrediger": (0.77273, 0.84848, 0.90152, 0.88636, 0.81263, 0.84024),
    "PercentAgreement": (0.81818, 0.93939, 0.97538, 0.96818, 0.89727, 0.95411),
}
SCHEMES = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio")


def value(measures: str, frame: Any = EXAMPLE, **options: Any) -> list[float | None]:
    return ir.Ratings(frame, **options).evaluate(measures).summary()["value"].to_list()


@pytest.mark.parametrize("measure", TOOLS)
def test_irrcac(measure: str) -> None:
    measures = " ".join(f"{measure}(weights='{w}')" for w in SCHEMES)
    assert value(measures, level="ratio") == pytest.approx(list(TOOLS[measure]), abs=6e-6)


def test_krippendorff_pingouin_and_statsmodels() -> None:
    levels = " ".join(f"KrippendorffAlpha(level='{x}')" for x in ("nominal", "ordinal", "interval", "ratio"))
    reference = [0.743421052631579, 0.8153875037548814, 0.8491071428571428, 0.7974027747116121]
    assert value(levels) == pytest.approx(reference, abs=1e-14)
    forms = " ".join(f"ICC(form='{f}')" for f in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"))
    reference = [0.698925, 0.700658, 0.717172, 0.902778, 0.903499, 0.910256]
    assert value(forms, level="interval") == pytest.approx(reference, abs=6e-7)
    two = EXAMPLE.filter(pl.col("rater_id").is_in(["a", "b"]))
    kappas = "CohenKappa CohenKappa(weights='quadratic') CohenKappa(weights='linear')"
    assert value(kappas, two, level="ordinal") == pytest.approx(
        [0.8448275862068966, 0.9395973154362416, 0.8941176470588235], abs=1e-14
    )


@on_engines
@pytest.mark.parametrize("case", [CATEGORIES["text"], NUMBERS["numbers"]], ids=["text", "numbers"])
def test_a_weight_is_a_number_of_units(case: Case, engine: str) -> None:
    """A unit of weight 2 is two units."""
    kind = RATINGS if case.level == "nominal" else SCALED
    measures = [m for where, w in kind.cases.items() if w is case for m in kind.first_variants(where)]
    rows = case.frame().filter(pl.col("weight") > 0)
    copied = rows.select(pl.all().repeat_by(pl.col("weight").cast(pl.UInt32))).explode(pl.all(), empty_as_null=False)
    number = pl.int_range(pl.len()).over("part", "item_id", "rater_id")
    copied = copied.with_columns(item_id=pl.concat_str("item_id", pl.lit(" "), number)).drop("weight")
    expected, actual = (
        ir.Ratings(frame, unit="part", level=case.level, engine=engine).evaluate(measures).per_unit()
        for frame in (rows, copied)
    )
    assert copied.height > rows.height
    for one, other in zip(expected.iter_rows(), actual.iter_rows(), strict=True):
        assert one[:-1] == other[:-1]
        assert other[-1] == pytest.approx(one[-1], abs=1e-12), one


def test_half_the_weights_are_the_same_shares() -> None:
    result = CATEGORIES["text"].frame()
    measures = "PercentAgreement FleissKappa ScottPi BrennanPrediger GwetAC1 CongerKappa CohenKappa"
    half = result.with_columns(pl.col("weight") / 2)
    one, other = (ir.Ratings(f, unit="part").evaluate(measures).per_unit()["value"].to_list() for f in (result, half))
    assert other == pytest.approx(one, abs=1e-12)
    with pytest.raises(InvalidValue, match=r"\.5 is not a whole number"):
        value("KrippendorffAlpha", half)


@on_engines
@pytest.mark.parametrize("ids", ["item_id", None])
def test_wide_tables(engine: str, ids: str | None) -> None:
    wide = EXAMPLE.pivot("rater_id", index="item_id", values="rating")
    if ids is None:
        wide = wide.drop("item_id")
        if engine == "duckdb":
            with pytest.raises(NotDefined, match='Name their column: item="id"'):
                value("FleissKappa", wide, raters=list("abcd"), engine=engine)
            return
    measures = "FleissKappa CongerKappa KrippendorffAlpha"
    actual = value(measures, wide, raters=list("abcd"), level="interval", engine=engine)
    assert actual == pytest.approx(value(measures, level="interval"), abs=1e-13)


@on_engines
def test_pairs_of_raters(engine: str) -> None:
    pairs = ir.Ratings(EXAMPLE, engine=engine).pairwise()
    assert pairs["rater_a"].to_list() == ["a", "a", "a", "b", "b", "c"]
    assert pairs["n_rated"].to_list() == [9, 8, 9, 9, 10, 10]
    assert pairs["kappa"].mean() == pytest.approx(value("CohenKappa")[0], abs=1e-14)
    one = EXAMPLE.filter(pl.col("rater_id").is_in(["b", "c"]))
    assert pairs.row(3)[-1] == pytest.approx(value("CohenKappa", one)[0], abs=1e-14)


def test_a_category_that_never_occurs_counts_for_the_scale() -> None:
    frame = EXAMPLE.filter(pl.col("rating") != 5)
    assert value("BrennanPrediger", frame, categories=[1, 2, 3, 4]) == value("BrennanPrediger", frame)
    agreed = value("PercentAgreement", frame)[0]
    assert value("BrennanPrediger", frame, categories=range(1, 11)) == pytest.approx([(agreed - 0.1) / 0.9], abs=1e-14)


def test_what_is_undefined_is_null_or_what_the_policy_says() -> None:
    alike = pl.DataFrame({"item_id": [1, 1, 2, 2], "rater_id": ["a", "b"] * 2, "rating": ["x"] * 4})
    measures = "FleissKappa CohenKappa GwetAC1 KrippendorffAlpha CongerKappa"
    assert value(measures, alike) == [None] * 5
    assert value(measures, alike, policy="undefined=1")[:2] == [1.0, 1.0]
    single = pl.DataFrame({"item_id": [1, 2], "rater_id": ["a", "b"], "rating": ["x", "y"]})
    assert value("PercentAgreement " + measures, single) == [None] * 6


def test_distances_that_are_handed_in() -> None:
    """As a mapping, a function and a frame; those of interval scales are the interval alpha, with its intervals."""
    scale, own = [1, 2, 3, 4, 5], "KrippendorffAlpha(distance='own')"
    mapping = {(a, b): (a - b) ** 2 for a in scale for b in scale if a < b}
    frame = pl.DataFrame(
        [(*k, float(d)) for k, d in mapping.items()], schema=["rating", "other_rating", "distance"], orient="row"
    )
    expected = ir.Ratings(EXAMPLE, level="interval").evaluate("KrippendorffAlpha").intervals()
    for source in (mapping, frame, lambda a, b: (a - b) ** 2):
        actual = ir.Ratings(EXAMPLE, categories=scale, distances=source).evaluate(own).intervals()
        for column in ("value", "se", "ci_low", "p_value"):
            assert actual[column].item() == pytest.approx(expected[column].item(), abs=1e-12)


TWICE = pl.concat([EXAMPLE, EXAMPLE.head(1)])
TEXT = EXAMPLE.with_columns(pl.col("rating").cast(pl.String))
BAD: list[tuple[Any, dict[str, Any], str, type[IrevalError], str]] = [
    (TWICE, {}, "FleissKappa", DuplicateRows, "'a' rates the item 'u01' in 2 rows"),
    (EXAMPLE, {"categories": [1, 2, 3]}, "FleissKappa", InvalidValue, "outside of the scale, such as"),
    (EXAMPLE, {"categories": [1]}, "FleissKappa", InvalidParameter, "two categories or more"),
    (EXAMPLE, {"level": "metric"}, "FleissKappa", UnknownName, "level is 'metric'"),
    (EXAMPLE, {}, "ICC", NotDefined, "needs distances of ratings"),
    (EXAMPLE, {}, "FleissKappa(weights='linear')", NotDefined, "Name their level: level="),
    (TEXT, {"level": "interval"}, "FleissKappa", WrongType, "are numbers; these are String"),
    (TEXT, {"level": "ordinal"}, "FleissKappa", NotDefined, "Write it, from low to high"),
    (TEXT, {}, "KrippendorffAlpha(level='interval')", NotDefined, "the ratings are text"),
    (EXAMPLE.drop("rater_id"), {}, "CohenKappa", NotDefined, "the table has no raters"),
    (EXAMPLE.drop("rating"), {}, "FleissKappa", MissingColumn, "no column 'rating'"),
    (EXAMPLE.with_columns(rater_id=None), {}, "FleissKappa", InvalidValue, "41 ratings have no rater"),
    (EXAMPLE.with_columns(rating=None), {"policy": "missing=error"}, "FleissKappa", InvalidValue, "have no rating"),
    (EXAMPLE.with_columns(rating=pl.lit(-1.0)), {"level": "ratio"}, "FleissKappa", InvalidValue, "none is below 0"),
    (EXAMPLE.with_columns(weight=pl.int_range(pl.len())), {}, "FleissKappa", InvalidValue, "different weights"),
    (EXAMPLE, {}, "KrippendorffAlpha(distance='own')", NotDefined, "needs the distances"),
    (EXAMPLE, {"distances": {(1, 2): 1.0}}, "KrippendorffAlpha(distance='own')", InvalidValue, "have no distance"),
    (EXAMPLE, {"distances": {(1, 2): -1.0}}, "FleissKappa", InvalidParameter, "of 1 and 2 is -1.0"),
    (EXAMPLE, {"distances": {(1, 2): 1, (2, 1): 2}}, "FleissKappa", InvalidParameter, "the same in both directions"),
    (EXAMPLE, {"distances": abs}, "FleissKappa", InvalidParameter, "the categories are not known"),
    (EXAMPLE, {"distances": EXAMPLE}, "FleissKappa", MissingColumn, "no column 'other_rating'"),
    (EXAMPLE, {}, "KrippendorffAlpha(distance='circular')", NotDefined, "Name all categories"),
    (EXAMPLE, {}, "KrippendorffAlpha(distance='linear')", NotDefined, "Name their level: level="),
    (TWICE, {"policy": "duplicates=trust", "level": "interval"}, "ICC", InvalidValue, "takes one rating of each rater"),
    (TWICE, {"policy": "duplicates=trust", "level": "ordinal"}, "KendallW", InvalidValue, "'a' rates the item 'u01'"),
    (EXAMPLE, {"raters": ["nobody"]}, "FleissKappa", MissingColumn, "no column 'nobody'"),
]


@on_engines
@pytest.mark.parametrize("frame, options, measure, error, message", BAD)
def test_bad_input_is_reported(frame: Any, options: Any, measure: str, error: Any, message: str, engine: str) -> None:
    with pytest.raises(error, match=message):
        value(measure, frame, engine=engine, **options)


def test_numbers_that_cannot_be_meant_are_reported() -> None:
    ratings, pairs = ir.Ratings(EXAMPLE), pl.DataFrame({"item_a": ["x"], "item_b": ["y"], "winner": ["x"]})
    judges = ir.judging.judges(*(ir.examples.ranking()[0],) * 2)
    compared = ir.ratings.PairedComparisons(pairs)
    for measures, message in (
        (lambda: ratings.aggregate("majority", confidence=95), "confidence is 95"),
        (lambda: ratings.raters(confidence=95), "confidence is 95"),
        (lambda: ratings.raters(alpha="x"), "alpha is 'x'"),  # type: ignore[arg-type]
        (lambda: ratings.evaluate("FleissKappa").intervals(confidence="x"), "confidence is 'x'"),  # type: ignore[arg-type]
        (lambda: ratings.aggregate("weighted", weights=dict.fromkeys("abcd", float("inf"))), "rater 'a' is inf"),
        (lambda: compared.strengths(confidence=95), "confidence is 95"),
        (lambda: compared.strengths(prior=float("inf")), "prior is inf"),
        (lambda: compared.strengths(step=float("nan")), "step is nan"),
        (lambda: compared.win_rates(confidence=95), "confidence is 95"),
        (lambda: compared.bias(confidence=95), "confidence is 95"),
        (lambda: judges.confusion(confidence=95), "confidence is 95"),
        (lambda: judges.bias(confidence=95), "confidence is 95"),
    ):
        with pytest.raises(InvalidParameter, match=message):
            measures()
    assert ir.Ratings(EXAMPLE.clear()).raters().is_empty()
    text = ir.examples.ranking()[0].with_columns(relevance=pl.lit("good"))
    with pytest.raises(WrongType, match="grades are numbers"):
        ir.judging.judges(text, text)


def test_what_needs_no_raters_takes_tables_without() -> None:
    measures = "FleissKappa KrippendorffAlpha GwetAC1"
    assert value(measures, EXAMPLE.drop("rater_id")) == pytest.approx(value(measures), abs=1e-14)
    assert value("PercentAgreement", TWICE, policy="duplicates=trust")[0] == pytest.approx(0.8182, abs=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_enums_have_an_order(engine: str) -> None:
    """Ordinal ratings of an enum are as those of its categories; other text has no order by itself."""
    scale = ["low", "mid", "high"]
    rows = [(u, r, scale[(u * (r + 1)) % 3 if u % 2 else u % 3]) for u in range(8) for r in range(3)]
    frame = pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")
    measures = "KrippendorffAlpha FleissKappa(weights='linear') CohenKappa(weights='quadratic')"
    evaluation = ir.Ratings(frame, level="ordinal", categories=scale, engine=engine).evaluate(measures)
    typed = ir.Ratings(frame.cast({"rating": pl.Enum(scale)}), level="ordinal", engine=engine).evaluate(measures)
    assert typed.summary()["value"].to_list() == pytest.approx(evaluation.summary()["value"].to_list(), rel=1e-12)
    assert typed.intervals()["se"].to_list() == pytest.approx(evaluation.intervals()["se"].to_list(), rel=1e-9)
    wide = frame.pivot("rater_id", index="item_id", values="rating").rename({str(r): f"r{r}" for r in range(3)})
    spread = wide.with_columns(pl.exclude("item_id").cast(pl.Enum(scale)))
    actual = ir.Ratings(spread, raters=["r0", "r1", "r2"], level="ordinal", engine=engine).evaluate(measures).summary()
    assert actual["value"].to_list() == pytest.approx(evaluation.summary()["value"].to_list(), rel=1e-12)
    for kind in (pl.String, pl.Categorical):
        with pytest.raises(NotDefined, match="no order by themselves"):
            ir.Ratings(frame.cast({"rating": kind}), level="ordinal", engine=engine).evaluate(measures).summary()


def test_items_of_several_systems_are_grouped() -> None:
    twice = pl.concat([EXAMPLE.with_columns(system=pl.lit(s)) for s in "xy"])
    with pytest.raises(DuplicateRows, match=r'items of several systems: by="system"'):
        ir.Ratings(twice).evaluate("FleissKappa").summary()
    assert ir.Ratings(twice, by="system").evaluate("FleissKappa").summary()["value"].n_unique() == 1
