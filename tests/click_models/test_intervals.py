"""Intervals from the likelihood, against the likelihood written as a loop and SciPy's optimiser."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from scipy import optimize, special

import ireval_frames as ir
from ireval_frames import errors
from ireval_frames.clicks import models
from tests.click_models import states as oracle
from tests.click_models.cases import every_pattern, rows
from tests.click_models.states import Page

ITERATED = ("PBM", "UBM", "DBN", "CCM")
PRIORS = ((0.0, 0.0), (1.0, 1.0))
LIMIT = float(special.chdtri(1, 0.05))


def chance(model: str, values: oracle.Values, page: Page) -> float:
    """The probability of the clicks of a page, from the top down."""
    out, looks, last, g = 1.0, 1.0, 0, page.group
    for r, (doc, click) in enumerate(zip(page.docs, page.clicks, strict=True)):
        pair = (g, page.query, doc)
        a = values[("attraction", *pair)]
        if model in ("PBM", "UBM"):
            looks = values[("examination", g, r + 1, *((last,) if model == "UBM" else ()))]
        p = a * looks
        out *= p if click else 1 - p
        last = r + 1 if click else last
        if model == "DBN":
            go = values[("continuation", g)]
            on = go * (1 - values[("satisfaction", *pair)])
        elif model == "CCM":
            go, one, both = (values[("continuation", g, after)] for after in ("skip", "click", "satisfied"))
            on = one * (1 - a) + both * a
        else:
            continue
        looks = on if click else go * looks * (1 - a) / (1 - p)
    return out


def share(x: np.ndarray) -> np.ndarray:
    return np.asarray(special.expit(x))


class Loop:
    """Minus the objective of a model, over the logits of what is not held."""

    def __init__(self, model: str, pages: list[Page], prior: tuple[float, float], values: oracle.Values) -> None:
        self.model, self.pages, self.prior, self.values = model, pages, prior, values

    def at(self, values: oracle.Values) -> float:
        a, b = self.prior
        total = sum(p.weight * math.log(chance(self.model, values, p)) for p in self.pages)
        return -total - sum(a * math.log(v) + b * math.log(1 - v) for v in values.values() if a or b)

    def lowest(self, fixed: oracle.Values) -> float:
        free = [k for k in self.values if k not in fixed]
        begin = special.logit(np.clip([self.values[k] for k in free], 1e-6, 1 - 1e-6))

        def of(x: np.ndarray) -> float:
            return self.at(dict(zip(free, share(x).tolist(), strict=True)) | fixed)

        return float(optimize.minimize(of, begin, bounds=[(-16, 16)] * len(free), options={"ftol": 1e-13}).fun)

    def errors(self, fixed: oracle.Values) -> dict[tuple, float]:
        """Standard errors in logits, of the second differences."""
        free, width = [k for k in self.values if k not in fixed], 1e-3
        x = special.logit([self.values[k] for k in free])

        def shifted(*steps: tuple[int, float]) -> float:
            y = x.copy()
            for i, sign in steps:
                y[i] += sign * width
            return self.at(dict(zip(free, share(y).tolist(), strict=True)) | fixed)

        matrix = np.zeros((len(free), len(free)))
        for i in range(len(free)):
            for j in range(i, len(free)):
                signs = [(s, t, shifted((i, s), (j, t))) for s in (1.0, -1.0) for t in (1.0, -1.0)]
                matrix[i, j] = matrix[j, i] = sum(s * t * f for s, t, f in signs) / (4 * width**2)
        return dict(zip(free, np.sqrt(np.diag(np.linalg.inv(matrix))).tolist(), strict=True))


def keyed(table: pl.DataFrame, of: str = "value") -> dict[tuple, float]:
    names = ("site", "query_id", "doc_id", "position", "last_click", "after")
    return {
        (r["parameter"], *(r[k] for k in names if r.get(k) is not None)): r[of]
        for r in table.filter(pl.col("n") > 0).iter_rows(named=True)
    }


VALUES = {"attraction": (0.5, 0.3, 0.6), "satisfaction": (0.4, 0.6, 0.3), "examination": (0.8, 0.6, 0.5)}
GOES_ON = {"skip": 0.85, "click": 0.6, "satisfied": 0.3}


@functools.cache
def expected(name: str) -> tuple[list[Page], oracle.Values]:
    """Every pattern of clicks on three lists, as often as a model says, whose values are then likeliest."""
    lists = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    pages = [Page("x", 1, d, c, 1.0) for d in lists for c in itertools.product((0, 1), repeat=3)]
    truth: oracle.Values = {}
    for key in oracle.keys(name, pages):
        parameter, _, *rest = key
        if parameter == "continuation":
            truth[key] = GOES_ON[rest[0]] if rest else 0.8
        else:
            at = "abc".index(rest[1]) if parameter in ("attraction", "satisfaction") else rest[0] - 1
            truth[key] = VALUES[parameter][at] + (0.05 * rest[1] if name == "UBM" and parameter == "examination" else 0)
    return [Page(p.group, p.query, p.docs, p.clicks, 60 * chance(name, truth, p)) for p in pages], truth


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", ITERATED)
def test_against_the_loop(name: str, prior: tuple[float, float]) -> None:
    """The profile falls by the limit at its ends; the errors are those of the inverse of all second derivatives."""
    pages, truth = expected(name)
    model = ir.Impressions(rows(pages), by="site").fit(name, prior=prior, iterations=300, tolerance=1e-5)
    profile, informed = (model.intervals(m).parameters() for m in ("profile", "information"))
    values, low, high = (keyed(profile, of) for of in ("value", "low", "high"))
    loop = Loop(name, pages, prior, values)
    for p in pages:
        conditional, _ = oracle.predictions(name, values, p)
        happened = [q if c else 1 - q for q, c in zip(conditional, p.clicks, strict=True)]
        assert chance(name, values, p) == pytest.approx(math.prod(happened), rel=1e-10)
    fixed = {k: v for k, v in values.items() if low[k] is None}
    assert len(fixed) == (name in ("PBM", "UBM"))
    best = loop.lowest(fixed)
    assert loop.at(values) == pytest.approx(best, abs=1e-4)
    if prior == (0, 0):
        assert best == pytest.approx(loop.at(truth), abs=1e-6)
    for key in values.keys() - fixed.keys():
        assert low[key] < values[key] < high[key]
        for end in (low[key], high[key]):
            fall = 2 * (loop.lowest(fixed | {key: min(max(end, 1e-9), 1 - 1e-9)}) - best)
            assert fall == pytest.approx(LIMIT, rel=1e-3) if 0 < end < 1 else fall < LIMIT, key
    errors_, z = loop.errors(fixed), float(special.ndtri(0.975))
    for key, (one, other) in {k: (keyed(informed, "low")[k], keyed(informed, "high")[k]) for k in errors_}.items():
        ends = special.logit(values[key]) + np.array([-z, z]) * errors_[key]
        assert (one, other) == pytest.approx(tuple(share(ends)), rel=2e-3, abs=1e-5), key


@pytest.mark.parametrize("name", ITERATED)
def test_groups_and_queries_are_apart(name: str) -> None:
    """Both intervals of a group are those of a fit to it alone, whatever the others hold."""
    complete = ir.Impressions(rows(every_pattern(3)), by="site")
    alone = ir.Impressions(rows([p for p in every_pattern(3) if p.group == "x"]), by="site")
    for method in ("information", "profile"):
        of = "attraction" if method == "profile" else None
        actual, other = (
            log.fit(name, prior=(1, 1), iterations=500, tolerance=1e-9).intervals(method, of=of).parameters()
            for log in (complete, alone)
        )
        for column in ("low", "high"):
            both = (
                keyed(t.filter(pl.col("site") == "x").with_columns(pl.col(column).fill_null(-1.0)), column)
                for t in (actual, other)
            )
            assert next(both) == pytest.approx(next(both), rel=1e-3, abs=1e-4)


def test_what_can_be_asked() -> None:
    log = ir.Impressions(rows(expected("DBN")[0]))
    model = log.fit("DBN", prior=(0, 0), tolerance=1e-4)
    table = model.parameters()
    some = table.filter(pl.int_range(pl.len()) == 1)
    one = model.intervals("profile", of=some, confidence=0.9).parameters()
    assert one["low"].is_not_null().to_list() == [False, True, False, False, False, False, False]
    wide = model.intervals("profile", of=["attraction", "continuation"])
    assert wide.parameters()["low"].is_not_null().to_list() == [True, True, True, False, False, False, True]
    assert wide.parameters()["low"][1] < one["low"][1] < one["high"][1] < wide.parameters()["high"][1]
    # Relevance is a product of two: its interval needs how they go together.
    assert wide.relevance()["low"].null_count() == 3
    informed = model.intervals().relevance()
    assert informed.select((pl.col("low") < pl.col("relevance")) & (pl.col("relevance") < pl.col("high")))["low"].all()
    drawn = model.bootstrap(80, seed=1).relevance()
    widths = [t["high"] - t["low"] for t in (informed, drawn)]
    assert (widths[0] / widths[1]).to_list() == pytest.approx([1.0] * 3, abs=0.3)
    again: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: model.intervals("wald"), errors.UnknownName, "'wald'"),
        (lambda: model.intervals(of="examination"), errors.UnknownName, "DBN has no parameter 'examination'"),
        (lambda: model.intervals(of=3), errors.InvalidParameter, "of is 3"),  # type: ignore[arg-type]
        (lambda: model.intervals(of=some.drop("doc_id")), errors.MissingColumn, "of has no column 'doc_id'"),
        (lambda: model.intervals(of=some.with_columns(doc_id=pl.lit("z"))), errors.InvalidParameter, "not fitted to"),
        (lambda: model.intervals(confidence=95), errors.InvalidParameter, "confidence is 95"),
        (lambda: models.of_parameters("DBN", table).intervals(), errors.NotDefined, "no data to look at"),
    ]
    for call, kind, words in again:
        with pytest.raises(kind, match=words):
            call()
    closed = log.fit("SDBN")
    assert closed.intervals(confidence=0.5).parameters().equals(log.fit("SDBN", confidence=0.5).parameters())
    retained = log.fit("DBN", fixed={"continuation": 0.8}).intervals("profile").parameters()
    assert retained.filter(parameter="continuation").select("value", "low").row(0) == (0.8, None)
    assert retained["low"].null_count() == 1
