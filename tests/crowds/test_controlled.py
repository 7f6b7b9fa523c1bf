"""Strengths with covariates and clusters: against loops over comparisons, and fits of each replicate alone."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from scipy.special import expit, stdtrit

import ireval_frames as ir
from ireval_frames.crowds.replicates import replicated
from ireval_frames.crowds.strengths import Compared, bradley_terry
from ireval_frames.errors import InvalidParameter, InvalidValue, MissingColumn, SampleWarning, UnknownName, WrongType
from tests.oracles import arenas

NAMES = np.array(["a", "b", "c", "d"])


def battles(n: int, seed: int, *, prompts: int = 30, beta: float = 0.8) -> pl.DataFrame:
    """Comparisons of four items where the longer one, and the one shown first, has an advantage."""
    rng = np.random.default_rng(seed)
    theta = np.array([0.6, 0.2, -0.3, -0.5])
    a = rng.integers(0, 4, n)
    b = (a + rng.integers(1, 4, n)) % 4
    prompt = rng.integers(0, prompts, n)
    lengths = rng.integers(20, 400, (2, n))
    relative = (lengths[0] - lengths[1]) / lengths.sum(axis=0)
    d = theta[a] - theta[b] + beta * relative / np.sqrt((relative**2).mean()) + 0.3
    u = rng.random(n)
    winner = np.where(u < 0.1, "tie", np.where(rng.random(n) < expit(d), NAMES[a], NAMES[b]))
    return pl.DataFrame(
        {"model_a": NAMES[a], "model_b": NAMES[b], "winner": winner, "prompt_id": prompt,
         "length_a": lengths[0], "length_b": lengths[1]}
    )  # fmt: skip


FRAME = battles(300, 1)


def plain(frame: pl.DataFrame, covariates: np.ndarray) -> list[arenas.Battle]:
    at = {name: i for i, name in enumerate(NAMES)}
    return [
        (at[a], at[b], 0.5 if w == "tie" else float(w == a), list(map(float, x)), p)
        for (a, b, w, p), x in zip(
            frame.select("model_a", "model_b", "winner", "prompt_id").iter_rows(), covariates, strict=True
        )
    ]


def relative_length(frame: pl.DataFrame) -> np.ndarray:
    x, y = (frame[c].to_numpy().astype(float) for c in ("length_a", "length_b"))
    d = (x - y) / (x + y)
    return d / np.sqrt((d**2).mean())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_effects_and_sandwich_as_by_loops(engine: str) -> None:
    pairs = ir.ratings.PairedComparisons(FRAME, engine=engine)
    options = {"covariates": "length", "first": True, "method": "sandwich", "cluster": "prompt_id"}
    strong = pairs.strengths(**options).sort("item_id")
    effects = pairs.effects(**options)
    rows = plain(FRAME, np.stack([relative_length(FRAME), np.ones(300)], axis=1))
    expected = arenas.logistic(rows, 4, 2)
    assert strong["value"].to_list() == pytest.approx(expected[:4], abs=1e-8)
    assert effects["value"].to_list() == pytest.approx(expected[4:], abs=1e-8)
    assert effects["covariate"].to_list() == ["length", "first"]
    information, meat = map(np.array, arenas.matrices(rows, expected, 4, 2))
    # The pseudo-inverse is the inverse among strengths that add to 0.
    inverse = np.linalg.pinv(information)
    errors = np.sqrt(np.diagonal(inverse @ meat @ inverse))
    assert strong["se"].to_list() == pytest.approx(errors[:4], abs=1e-7)
    assert effects["se"].to_list() == pytest.approx(errors[4:], abs=1e-7)
    half = stdtrit(29, 0.975) * errors[4:]
    assert effects["ci_low"].to_list() == pytest.approx(np.array(expected[4:]) - half, abs=1e-6)
    by_likelihood = pairs.effects("length", first=True)
    assert by_likelihood["se"].to_list() == pytest.approx(np.sqrt(np.diagonal(inverse))[4:], abs=1e-7)


def test_without_covariates_the_regression_is_the_model() -> None:
    pairs = ir.ratings.PairedComparisons(FRAME)
    plain_ = pairs.strengths()
    robust = pairs.strengths(method="sandwich")
    assert robust["value"].to_list() == pytest.approx(plain_["value"].to_list(), abs=1e-9)
    assert robust["se"].to_list() == pytest.approx(plain_["se"].to_list(), rel=0.2)
    prior = pairs.strengths(method="sandwich", prior=3.0)
    assert prior["value"].to_list() == pytest.approx(pairs.strengths(prior=3.0)["value"].to_list(), abs=1e-9)


def test_replicates_are_fits_of_their_own() -> None:
    """Also of two components, and where a replicate has no finite strengths."""
    rng = np.random.default_rng(4)
    a, b = np.array([0, 0, 1, 3]), np.array([1, 2, 2, 4])
    full = Compared(a, b, np.array([5.0, 4.0, 6.0, 3.0]), np.array([3.0, 2.0, 5.0, 2.0]), np.zeros(4), 5)
    estimate = bradley_terry(full)
    won, lost = rng.poisson(full.wins, (60, 4)).astype(float), rng.poisson(full.losses, (60, 4)).astype(float)
    actual = replicated(a, b, won, lost, 5, estimate.value, estimate.component)
    undefined = 0
    for values, w, x in zip(actual, won, lost, strict=True):
        alone = bradley_terry(Compared(a, b, w, x, np.zeros(4), 5).where(w + x > 0))
        # A component that falls apart has no strengths that can be compared with those of the others.
        expected = alone.value.copy()
        for items in ([0, 1, 2], [3, 4]):
            if np.isnan(expected[items]).any() or len(np.unique(alone.component[items])) > 1:
                expected[items] = np.nan
        undefined += int(np.isnan(expected).any())
        assert values == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert undefined > 5


@pytest.mark.parametrize("model", ["bradley-terry", "davidson", "thurstone", "elo"])
def test_copies_of_prompts_widen_only_intervals_by_clusters(model: str) -> None:
    frame = battles(240, 2)
    four = pl.concat([frame.with_columns(at=pl.int_range(pl.len()))] * 4)
    order = {"order": "at"} if model == "elo" else {}
    one = ir.ratings.PairedComparisons(four.with_columns(own=pl.col("at")), **order)
    single = one.strengths(model, method="percentile", n_resamples=60)
    clustered = one.strengths(model, cluster="own", n_resamples=60)
    width = [(f["ci_high"] - f["ci_low"]).mean() for f in (single, clustered)]
    assert 1.5 < width[1] / width[0] < 2.7
    assert single["value"].to_list() == clustered["value"].to_list()
    assert_frame_equal(clustered, one.strengths(model, cluster="own", n_resamples=60))


def test_percentiles_with_covariates_are_near_the_sandwich() -> None:
    pairs = ir.ratings.PairedComparisons(FRAME)
    for get in (pairs.strengths, pairs.effects):
        options = {"covariates": "length", "cluster": "prompt_id"}
        by_draws, by_sums = get(**options, n_resamples=100), get(**options, method="sandwich")
        assert_frame_equal(by_draws, get(**options, n_resamples=100))
        assert by_draws["se"].to_list() == pytest.approx(by_sums["se"].to_list(), rel=0.3)


def test_forms_of_covariates() -> None:
    pairs = ir.ratings.PairedComparisons(FRAME)
    x, y = (FRAME[c].to_numpy().astype(float) for c in ("length_a", "length_b"))
    arena = (x - y) / (x + y + 1)
    scaled = {
        "arena": (arena - arena.mean()) / arena.std(),
        "tanh": np.tanh((x - y) / (x - y).std(ddof=1)),
        "difference": (x - y) / (x - y).std(ddof=1),
    }
    for form, values in scaled.items():
        expected = arenas.logistic(plain(FRAME, values[:, None]), 4, 1)
        assert pairs.effects("length", form=form)["value"].item() == pytest.approx(expected[4], abs=1e-7)
    # A column of its own, and the order of the two items: which of them is first changes nothing.
    turned = FRAME.select(
        model_a="model_b", model_b="model_a", winner="winner", length_a="length_b", length_b="length_a"
    )
    other = ir.ratings.PairedComparisons(turned)
    assert other.strengths(covariates="length")["value"].to_list() == pytest.approx(
        pairs.strengths(covariates="length")["value"].to_list()
    )
    own = ir.ratings.PairedComparisons(FRAME.with_columns(gap=pl.Series(relative_length(FRAME)) * 7))
    assert own.effects("gap")["value"].item() == pytest.approx(pairs.effects("length")["value"].item())
    assert own.effects("gap")["unit"].item() == pytest.approx(7.0)


def test_scores_between_0_and_1() -> None:
    """A share of a win is as many wins and losses; two numbers say the same as winners."""
    frame = FRAME.with_columns(
        p=pl.when(winner="tie").then(0.5).when(pl.col("winner") == pl.col("model_a")).then(1.0).otherwise(0.0)
    )
    scored = ir.ratings.PairedComparisons(frame.drop("winner"), score="p").strengths()
    assert_frame_equal(scored, ir.ratings.PairedComparisons(FRAME).strengths())
    thirds = frame.with_columns(p=0.1 + 0.8 * pl.col("p"))
    rows = plain(FRAME, np.empty((300, 0)))
    expected = arenas.logistic([(a, b, 0.1 + 0.8 * s, x, p) for a, b, s, x, p in rows], 4, 0)
    actual = ir.ratings.PairedComparisons(thirds, score="p").strengths().sort("item_id")
    assert actual["value"].to_list() == pytest.approx(expected, abs=1e-8)
    with pytest.raises(InvalidValue, match="between 0 and 1, such as"):
        ir.ratings.PairedComparisons(frame.with_columns(p=pl.lit(1.1)), score="p")
    with pytest.raises(InvalidParameter, match="winners or scores"):
        ir.ratings.PairedComparisons(frame, score="p", winner="winner")


def test_ranks_by_intervals() -> None:
    rows = [("x", "y", "x")] * 90 + [("x", "y", "y")] * 30 + [("y", "z", "y")] * 31 + [("y", "z", "z")] * 30
    pairs = ir.ratings.PairedComparisons(pl.DataFrame(rows, schema=["item_a", "item_b", "winner"], orient="row"))
    assert pairs.strengths()["rank"].to_list() == [1, 2, 2]


def test_what_cannot_be_estimated() -> None:
    pairs = ir.ratings.PairedComparisons(FRAME)
    with pytest.raises(MissingColumn, match="prompt"):
        pairs.strengths(cluster="prompts")
    with pytest.raises(MissingColumn, match="tokens_a"):
        pairs.strengths(covariates="tokens")
    with pytest.raises(UnknownName, match="tanhh"):
        pairs.strengths(covariates="length", form="tanhh")
    with pytest.raises(InvalidParameter, match="no covariates"):
        pairs.strengths("davidson", covariates="length")
    with pytest.raises(InvalidParameter, match="no sandwich"):
        pairs.strengths("thurstone", method="sandwich")
    with pytest.raises(InvalidParameter, match="Clusters are not"):
        pairs.strengths(cluster="prompt_id", method="likelihood")
    with pytest.raises(InvalidParameter, match="There is no covariate"):
        pairs.effects()
    for changed, error, message in (
        ({"length_a": None}, InvalidValue, "have no 'length_a'"),
        ({"length_a": -1}, InvalidValue, "negative"),
        ({"length_a": pl.col("length_b")}, InvalidValue, "the same for all"),
        ({"prompt_id": None}, InvalidValue, "have no cluster"),
        ({"prompt_id": 1}, InvalidParameter, "one cluster"),
    ):
        values = {k: v if isinstance(v, pl.Expr) else pl.lit(v, dtype=pl.Int64) for k, v in changed.items()}
        bad = ir.ratings.PairedComparisons(FRAME.with_columns(**values))
        with pytest.raises(error, match=message):
            bad.strengths(covariates="length", cluster="prompt_id", n_resamples=2)
    text = ir.ratings.PairedComparisons(FRAME.with_columns(tokens_a=pl.lit("3"), tokens_b=pl.lit("4")))
    with pytest.raises(WrongType, match="covariates are numbers"):
        text.effects("tokens")
    rare = FRAME.head(12)
    with pytest.warns(SampleWarning, match="left out"):
        ir.ratings.PairedComparisons(rare).strengths(cluster="prompt_id", n_resamples=20)


@pytest.mark.parametrize("options", [{}, {"model": "thurstone"}, {"covariates": "length"}])
def test_replicates_that_fall_apart_are_left_out(options: dict[str, str]) -> None:
    """Two pairs of items are linked by one prompt: without it strengths are about other means, and say nothing."""
    rng = np.random.default_rng(5)
    rows = [("a", "b", "ab"[i % 2], i) for i in range(40)] + [("c", "d", "cd"[i % 2], i) for i in range(40)]
    rows += [("b", "c", "bc"[i % 2], 99) for i in range(8)]
    frame = pl.DataFrame(rows, schema=["item_a", "item_b", "winner", "prompt_id"], orient="row").with_columns(
        length_a=pl.Series(rng.uniform(1, 9, 88)), length_b=pl.Series(rng.uniform(1, 9, 88))
    )
    pairs = ir.ratings.PairedComparisons(frame)
    with pytest.warns(SampleWarning, match="of 40 replicates"):
        table = pairs.strengths(**options, cluster="prompt_id", n_resamples=40)
    with pytest.warns(SampleWarning) as caught:
        pairs.strengths(cluster="prompt_id", n_resamples=40)
    # A prompt of 41 is missing in more than a third of the replicates.
    lost = int(str(caught[0].message).split()[0])
    assert 8 < lost < 25
    assert table["status"].to_list() == ["converged"] * 4
