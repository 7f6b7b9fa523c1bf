"""Distances that are handed in instead of coordinates: against the plain loops, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn import metrics

import ireval_frames as ir
from ireval_frames.declaration import Measure
from ireval_frames.errors import InvalidParameter, InvalidValue, IrevalError, MissingColumn, NotDefined, WrongType
from ireval_frames.points.distances import METRICS
from tests.cli.commands import invoke
from tests.contract.kit import ENGINES, assert_same, values
from tests.oracles import points as oracle
from tests.points.cases import FEATURES, Case
from tests.points.suite import CASES, DEFINITIONS, UNWEIGHTED, variants

engines = pytest.mark.parametrize("engine", ENGINES)
FRAME = ir.examples.points()
BARE = FRAME.drop("x", "y")
OF_PAIRS = {
    "Silhouette", "SilhouetteError", "IntraDistance", "InterDistance", "McClainRao", "PointBiserial", "CIndex", "Gamma",
    "GPlus", "Tau", "Dunn", "NumPoints", "NumClusters",
}  # fmt: skip
FAR: dict[str, Callable[[Any, Any], float]] = {
    "euclidean": math.dist,
    "manhattan": lambda x, y: math.fsum(abs(a - b) for a, b in zip(x, y, strict=True)),
}


def square(frame: pl.DataFrame, features: Any = ("x", "y"), metric: str = "euclidean") -> np.ndarray:
    rows = frame.select(features).rows()
    return np.array([[FAR[metric](a, b) for b in rows] for a in rows])


def pairs(ids: list[Any], array: np.ndarray, *, both: bool = False, seed: int = 1) -> pl.DataFrame:
    """A row per pair, shuffled, every other one turned; or both ways, and from each to itself."""
    n = range(len(ids))
    expected = [(i, j) if (i + j) % 2 else (j, i) for i in n for j in n if both or i < j]
    rows = [(ids[i], ids[j], array[i, j]) for i, j in expected]
    frame = pl.DataFrame(rows, schema=["item_id", "other_id", "distance"], orient="row")
    return frame.sample(fraction=1.0, shuffle=True, seed=seed)


def distances_of(case: Case, metric: str) -> pl.DataFrame:
    """The distances inside groups; there are none between them."""
    parts = case.frame().partition_by("part", maintain_order=True)
    frames = [pairs(p["item"].to_list(), square(p, FEATURES, metric), both=i % 2 == 0) for i, p in enumerate(parts)]
    return pl.concat(frames)


def of_distances(measure: Measure) -> bool:
    source = measure.arguments()
    centred = {source.get("separation"), source.get("diameter")} & {
        "centroids",
        "to_centroids",
        "to_centroid",
        "radius",
    }
    return measure.name in OF_PAIRS and source.get("metric") is None and not centred


@engines
@pytest.mark.parametrize("name, metric", [("text", "euclidean"), ("integers", "manhattan")])
def test_measures_of_distances(name: str, metric: str, engine: str) -> None:
    """Every measure is that of the loops, or is refused: weights, clusters of one point, equal points, samples."""
    case = CASES[name]
    measures = [m for d in DEFINITIONS for m in variants(d, case) if of_distances(m)]
    assert {m.name for m in measures} == OF_PAIRS - ({*UNWEIGHTED} if case.weighted else set())
    subject = ir.Points(
        case.frame().drop(FEATURES), distances=distances_of(case, metric), cluster="group", item="item", unit="part",
        engine=engine,
    )  # fmt: skip
    assert subject._metric == "precomputed"
    evaluation = values(subject.evaluate(measures))
    expected = {
        (str(m), g): oracle.value(m.name, case.points(g), **({"metric": metric} | dict(m.values)))
        for m in measures
        for g in case.groups
    }
    assert_same(evaluation, expected, 1e-12)


@engines
def test_measures_of_coordinates_are_refused(engine: str) -> None:
    subject = ir.Points(BARE, distances=pairs(BARE["item_id"].to_list(), square(FRAME)), cluster="k3", engine=engine)
    for measure in (m for d in DEFINITIONS for m in variants(d)):
        if not of_distances(measure):
            with pytest.raises(NotDefined, match="needs coordinates") as caught:
                subject.evaluate(measure).summary()
            assert str(measure) in str(caught.value)
            assert all(name in str(caught.value) for name in OF_PAIRS)
    for metric in METRICS:
        with pytest.raises(InvalidParameter, match=metric):
            subject.silhouettes(metric=metric)
    assert {m.name for d in DEFINITIONS for m in variants(d) if of_distances(m)} == OF_PAIRS


@engines
def test_distances_of_no_space(engine: str) -> None:
    """Any numbers will do: scikit-learn's silhouettes, by point too, of clusterings side by side, points left out."""
    rng = np.random.default_rng(5)
    n = 60
    array = rng.gamma(2.0, size=(n, n))
    array = array + array.T
    np.fill_diagonal(array, 0.0)
    ids = [f"i{i * 7 % n:02d}" for i in range(n)]
    clusters = {c: rng.integers(-1, 4, n) for c in ("a", "b")}
    frame = pl.DataFrame({"doc": ids, **clusters, "half": np.arange(n) % 2})
    options: dict[str, Any] = {"item": "doc", "cluster": ["a", "b"], "noise_cluster": -1, "engine": engine}
    source = pairs(ids, array).rename({"item_id": "doc", "other_id": "another", "distance": "d"})
    subject = ir.Points(frame, distances=source, by="half", columns={"other_id": "another", "distance": "d"}, **options)
    actual = subject.evaluate("Silhouette").summary()
    rows = subject.silhouettes()
    assert actual.height == 4
    for run, half, value in actual.select("run_id", "half", "value").iter_rows():
        keep = (np.arange(n) % 2 == half) & (clusters[run] >= 0)
        part, codes = array[np.ix_(keep, keep)], clusters[run][keep]
        assert value == pytest.approx(metrics.silhouette_score(part, codes, metric="precomputed"), abs=1e-12)
        each = metrics.silhouette_samples(part, codes, metric="precomputed")
        mine = rows.filter(run_id=run, half=half)
        expected = dict(zip([i for i, k in zip(ids, keep, strict=True) if k], each, strict=True))
        result = dict(mine.select("item_id", "silhouette").iter_rows())
        assert result == pytest.approx(expected, abs=1e-12)
    if engine == "polars":
        same = ir.Points(frame, distances=array, by="half", **options).evaluate("Silhouette").summary()
        assert same["value"].to_list() == actual["value"].to_list()
        table = ir.Points(frame.drop("doc"), distances=array, cluster="a").evaluate("Silhouette").summary()
        whole = metrics.silhouette_score(array, clusters["a"], metric="precomputed")
        assert table["value"].item() == pytest.approx(whole, abs=1e-12)


def test_tables_of_many_kinds(tmp_path: Path) -> None:
    ids = BARE["item_id"].to_list()
    source = pairs(ids, square(FRAME))
    expected = ir.Points(FRAME, ["x", "y"], cluster=["k2", "k3"]).evaluate("Silhouette Dunn McClainRao Tau")
    texts = [pl.col("item_id", "other_id").cast(pl.String)]
    words = BARE.with_columns(pl.col("item_id").cast(pl.String).cast(pl.Categorical))
    tried = [
        (BARE.lazy(), source.to_pandas()),
        (BARE.with_columns(pl.col("item_id").cast(pl.Int8)), source.to_arrow()),
        (words, source.with_columns(texts)),
        # Rounding is no fault: a little less than 0, and not quite the same both ways.
        (BARE, square(FRAME) + np.triu(np.full((9, 9), 1e-14)) - np.diag(np.full(9, 2e-14))),
    ]
    for points, distances in tried:
        evaluation = ir.Points(points, distances=distances, cluster=["k2", "k3"]).evaluate(
            "Silhouette Dunn McClainRao Tau"
        )
        assert_same(values(evaluation), values(expected), 1e-12)
    BARE.write_csv(tmp_path / "points.csv")
    source.write_csv(tmp_path / "distances.csv")
    at = (tmp_path / "points.csv", "--distances", tmp_path / "distances.csv", "--cluster", "k3")
    for engine in ENGINES:
        out = invoke("points", *at, "--engine", engine, "--format", "csv")
        assert out.exit_code == 0, out.stderr
        read = dict(pl.read_csv(out.stdout.encode()).select("measure", "value").iter_rows())
        assert read == pytest.approx(
            {
                m: v
                for r, m, v in expected.summary().select("run_id", "measure", "value").iter_rows()
                if r == "k3" and m != "Tau"
            }
        )
    refused = invoke("points", *at, "SSE")
    assert refused.exit_code == 2
    assert "SSE needs coordinates" in refused.stderr
    assert "--features x,y" in refused.stderr


def test_what_is_refused() -> None:
    """Each with the pair, and the line to write, which is followed."""
    ids, array = BARE["item_id"].to_list(), square(FRAME)
    source = pairs(ids, array, both=True)
    first = (pl.col("item_id") == 3) & (pl.col("other_id") == 4)
    neither = pl.all_horizontal(pl.col("item_id", "other_id").is_in([3, 4]))

    def changed(value: Any) -> pl.DataFrame:
        return source.with_columns(distance=pl.when(first).then(value).otherwise("distance"))

    def mended(i: int, j: int, value: float) -> np.ndarray:
        out = array.copy()
        out[i, j] = value
        return out

    tables: list[tuple[Any, type[IrevalError], str, str | None]] = [
        *((changed(v), InvalidValue, f"of 3 and 4 is {t}", "remove") for v, t in
          ((None, "null"), (math.nan, "nan"), (math.inf, "inf"), (-0.5, "-0.5"))),
        (changed(9.5), InvalidValue, "of 3 and 4 is both|of 4 and 3 is both", "distances.group_by("),
        (source.remove(neither), InvalidValue, "of 3 and 4", None),
        (source.with_columns(distance=1 - pl.col("distance") / 50), InvalidValue, "to itself is 1,", "distances.with"),
        (source.with_columns(pl.col("distance") * 1e200), InvalidValue, "largest distance", "distances.with_columns("),
        (source.drop("distance"), MissingColumn, "'distance'", None),
        (source.with_columns(pl.col("distance").cast(pl.String)), WrongType, "'distance'", None),
        (source.with_columns(other_id=pl.when(~first).then("other_id")), InvalidValue, "other_id' is null", "remove"),
        (mended(3, 4, math.nan), InvalidValue, "of 3 and 4 is nan", None),
        (mended(3, 4, -1.0), InvalidValue, "of 3 and 4 is -1", None),
        (mended(3, 4, 9.5), InvalidValue, "of 3 and 4 is both 9.5", "distances="),
        (mended(3, 3, 1.0), InvalidValue, "of 3 to itself is 1,", None),
        (array[:5, :5], InvalidValue, r"shape \(5, 5\).*9 items", None),
        (array * 1e200, InvalidValue, "largest distance", "distances="),
        (array.astype(str).astype(object) + "m", WrongType, "numbers", None),
        (array.tolist(), WrongType, "list", None),
    ]  # fmt: skip
    for distances, kind, match, line in tables:
        with pytest.raises(kind, match=match) as caught:
            ir.Points(BARE, distances=distances, cluster="k3").evaluate("Silhouette").summary()
        hint = str(caught.value).partition("\n")[2]
        if line is not None and line != "remove":
            code = hint[hint.index(line) :].partition("; if")[0].removeprefix("distances=")
            written = eval(code, {"pl": pl, "np": np, "distances": distances, "array": distances})
            assert ir.Points(BARE, distances=written, cluster="k3").evaluate("Silhouette").summary().height == 1
        elif line is not None:
            code = hint[hint.index("distances.remove") :]
            left = eval(code, {"pl": pl, "distances": distances})
            # The way back is still there.
            assert ir.Points(BARE, distances=left, cluster="k3").evaluate("Silhouette").summary().height == 1
        elif "np.delete" in hint:
            code = hint.partition("distances=")[2]
            left = eval(code, {"np": np, "array": distances})
            rows = BARE.remove(pl.col("item_id") == 4)
            assert ir.Points(rows, distances=left, cluster="k3").evaluate("Silhouette").summary().height == 1


def test_refused_calls() -> None:
    ids, array = BARE["item_id"].to_list(), square(FRAME)
    source = pairs(ids, array)
    with pytest.raises(InvalidParameter, match="and distances, too"):
        ir.Points(FRAME, ["x", "y"], distances=source, cluster="k3")
    calls: dict[str, Any]
    for calls in ({"metric": "precomputed", "features": ["x"]}, {"metric": "euclidean"}):
        with pytest.raises(InvalidParameter, match=r"distances\.csv"):
            ir.Points(FRAME, **calls, cluster="k3")
    with pytest.raises(InvalidParameter, match="'cosine', but there are distances"):
        ir.Points(BARE, distances=source, metric="cosine", cluster="k3")
    assert ir.Points(BARE, distances=source, metric="precomputed", cluster="k3")._metric == "precomputed"
    with pytest.raises(NotDefined, match="order"):
        ir.Points(BARE, distances=array, cluster="k3", engine="duckdb").evaluate("Silhouette").summary()
    twice = pl.concat([BARE, BARE.head(1)])
    lacking = BARE.with_columns(item_id=pl.when(pl.col("item_id") > 2).then("item_id"))
    for engine in ENGINES:
        with pytest.raises(InvalidValue, match="holds 0 for 2 points"):
            ir.Points(twice, distances=source, cluster="k3", engine=engine).evaluate("Silhouette").summary()
        with pytest.raises(InvalidValue, match="'item_id' is null"):
            ir.Points(lacking, distances=source, cluster="k3", engine=engine).silhouettes()
