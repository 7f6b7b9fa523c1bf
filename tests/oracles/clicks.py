"""Measures of click logs once more, as plain loops over pages and their results."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Maybe = float | None


@dataclass(frozen=True)
class Result:
    """What a page showed at a position."""

    position: int
    doc: Any
    clicked: bool
    dwell: float | None = None
    click_time: float | None = None


@dataclass(frozen=True)
class Page:
    """A result page, which may show nothing."""

    serp: Any
    query: Any
    user: Any = None
    session: Any = None
    time: float | None = None
    dwell: float | None = None
    weight: float = 1.0
    results: tuple[Result, ...] = field(default=())

    @property
    def clicked(self) -> list[int]:
        """The positions of the clicks, from the top."""
        return sorted(r.position for r in self.results if r.clicked)


Pages = Sequence[Page]


def over(above: float, below: float) -> Maybe:
    return above / below if below != 0 else None


def counted(pages: Pages, empty: str = "count") -> list[Page]:
    """The pages that count."""
    return [p for p in pages if p.results or empty == "count"]


def mean(pages: Pages, value: Callable[[Page], Maybe]) -> Maybe:
    """The mean over pages of what they have; pages without a value are left out."""
    above = below = 0.0
    for page in pages:
        of_page = value(page)
        if of_page is not None:
            above += page.weight * of_page
            below += page.weight
    return over(above, below)


# ---- how much there is


def num_pages(pages: Pages, _: Pages, *, empty: str = "count") -> float:
    return sum(p.weight for p in counted(pages, empty))


def num_results(pages: Pages, _: Pages) -> float:
    return sum(p.weight * len(p.results) for p in pages)


def num_clicks(pages: Pages, _: Pages) -> float:
    return sum(p.weight * len(p.clicked) for p in pages)


# ---- rates


def rate(pages: Pages, cutoff: int | None = None, which: Callable[[Page, Result], bool] | None = None) -> Maybe:
    """Clicks over what was shown, of those results."""
    clicks = shown = 0.0
    for page in pages:
        for result in page.results:
            if (cutoff is None or result.position <= cutoff) and (which is None or which(page, result)):
                shown += page.weight
                clicks += page.weight * result.clicked
    return over(clicks, shown)


def ctr(pages: Pages, _: Pages, *, cutoff: int | None = None, per: str = "result") -> Maybe:
    if per == "result":
        return rate(pages, cutoff)
    if per == "page":
        return mean(pages, lambda p: rate([p], cutoff))

    def of(p: Page, r: Result) -> Any:
        return {"query": p.query, "document": r.doc, "position": r.position}[per]

    groups = {of(p, r) for p in pages for r in p.results}
    rates = [rate(pages, cutoff, lambda p, r, g=g: of(p, r) == g) for g in groups]
    known = [r for r in rates if r is not None]
    return over(sum(known), len(known))


def satisfied(r: Result, dwell: float, *, unknown: bool) -> bool:
    return r.clicked and (unknown if r.dwell is None else r.dwell >= dwell)


def sat_ctr(pages: Pages, _: Pages, *, cutoff: int | None = None, dwell: float = 30.0, unknown: bool = False) -> Maybe:
    shown = [(p.weight, r) for p in pages for r in p.results if cutoff is None or r.position <= cutoff]
    return over(sum(w for w, r in shown if satisfied(r, dwell, unknown=unknown)), sum(w for w, _ in shown))


def sat_click_share(pages: Pages, log: Pages, *, dwell: float = 30.0, unknown: bool = False) -> Maybe:
    good = sum(p.weight for p in pages for r in p.results if satisfied(r, dwell, unknown=unknown))
    return over(good, num_clicks(pages, log))


def p_skip(pages: Pages, _: Pages) -> Maybe:
    skipped = above = 0.0
    for page in pages:
        for r in page.results:
            if page.clicked and r.position < page.clicked[-1]:
                above += page.weight
                skipped += page.weight * (not r.clicked)
    return over(skipped, above)


def click_entropy(pages: Pages, _: Pages) -> Maybe:
    by_query: dict[Any, dict[Any, float]] = {}
    for page in pages:
        for r in page.results:
            if r.clicked and page.weight:
                of_query = by_query.setdefault(page.query, {})
                of_query[r.doc] = of_query.get(r.doc, 0.0) + page.weight
    bits = []
    for of_query in by_query.values():
        total = sum(of_query.values())
        bits.append(-sum(n / total * math.log2(n / total) for n in of_query.values()))
    return over(sum(bits), len(bits))


def rates_by_position(log: Pages) -> dict[int, float]:
    shown: dict[int, float] = {}
    clicks: dict[int, float] = {}
    for page in log:
        for r in page.results:
            shown[r.position] = shown.get(r.position, 0.0) + page.weight
            clicks[r.position] = clicks.get(r.position, 0.0) + page.weight * r.clicked
    return {position: clicks[position] / n for position, n in shown.items() if n}


def coec(pages: Pages, log: Pages, *, shrinkage: float = 0.0, rates: Sequence[float] | None = None) -> Maybe:
    of = rates_by_position(log) if rates is None else dict(enumerate(rates, 1))
    expected = sum(p.weight * of[r.position] for p in pages for r in p.results if p.weight)
    return over(num_clicks(pages, log) + shrinkage, expected + shrinkage)


def debiased_ctr(
    pages: Pages, log: Pages, *, examination: Sequence[float] | None = None, estimator: str = "ratio"
) -> Maybe:
    if examination is None:
        rates = rates_by_position(log)
        if not rates.get(1):
            return None
        gamma = {position: r / rates[1] for position, r in rates.items()}
    else:
        gamma = dict(enumerate(examination, 1))
    shown = [(p.weight, r) for p in pages for r in p.results if p.weight]
    if estimator == "ratio":
        return over(sum(w for w, r in shown if r.clicked), sum(w * gamma[r.position] for w, r in shown))
    return over(sum(w / gamma[r.position] for w, r in shown if r.clicked), sum(w for w, _ in shown))


# ---- pages


def abandonment(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: 0.0 if p.clicked else 1.0)


def good_abandonment(pages: Pages, _: Pages, *, dwell: float = 30.0, empty: str = "count", good: bool = True) -> Maybe:
    def value(p: Page) -> Maybe:
        if p.clicked:
            return 0.0
        return None if p.dwell is None else float((p.dwell >= dwell) == good)

    return mean(counted(pages, empty), value)


def page_ctr(pages: Pages, _: Pages, *, cutoff: int | None = None, empty: str = "count") -> Maybe:
    def value(p: Page) -> Maybe:
        return float(bool(p.clicked) and (cutoff is None or p.clicked[0] <= cutoff))

    return mean(counted(pages, empty), value)


def page_success(pages: Pages, _: Pages, *, dwell: float = 30.0, unknown: bool = False, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: float(any(satisfied(r, dwell, unknown=unknown) for r in p.results)))


def clicks_per_page(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: float(len(p.clicked)))


def zero_result_rate(pages: Pages, _: Pages) -> Maybe:
    return mean(pages, lambda p: 0.0 if p.results else 1.0)


def reciprocal(value: Callable[[Page], float]) -> Callable[..., Maybe]:
    """A mean of what pages with a click have."""

    def measure(pages: Pages, _: Pages, *, empty: str = "count", no_click: str = "zero") -> Maybe:
        nothing = 0.0 if no_click == "zero" else None
        return mean(counted(pages, empty), lambda p: value(p) if p.clicked else nothing)

    return measure


def last_click_position(pages: Pages, _: Pages) -> Maybe:
    return mean(pages, lambda p: float(p.clicked[-1]) if p.clicked else None)


# ---- times


def time_to(pick: Callable[[Sequence[float]], float]) -> Callable[..., Maybe]:
    def measure(pages: Pages, _: Pages) -> Maybe:
        def value(p: Page) -> Maybe:
            times = [r.click_time for r in p.results if r.clicked and r.click_time is not None]
            return pick(times) if times else None

        return mean(pages, value)

    return measure


def time_to_success(pages: Pages, _: Pages, *, dwell: float = 30.0, unknown: bool = False) -> Maybe:
    def value(p: Page) -> Maybe:
        good = [r for r in p.results if satisfied(r, dwell, unknown=unknown)]
        times = [r.click_time for r in good if r.click_time is not None]
        return min(times) if times else None

    return mean(pages, value)


# ---- sessions


def reformulation_rate(pages: Pages, log: Pages, *, within: float | None = None, empty: str = "count") -> Maybe:
    def known(p: Page) -> bool:
        return p.session is not None and p.time is not None and p.query is not None

    requests = [p for p in counted(log, empty) if known(p)]
    reformulated = total = 0.0
    for page in counted(pages, empty):
        if not known(page):
            continue
        total += page.weight
        later = [p for p in requests if p.session == page.session and (p.time, p.serp) > (page.time, page.serp)]
        if later:
            follows = min(later, key=lambda p: (p.time, p.serp))
            in_time = within is None or (follows.time or 0.0) - (page.time or 0.0) <= within
            reformulated += page.weight * (follows.query != page.query and in_time)
    return over(reformulated, total)


def sessions(pages: Pages) -> dict[Any, list[Page]]:
    out: dict[Any, list[Page]] = {}
    for page in pages:
        if page.session is not None:
            out.setdefault(page.session, []).append(page)
    return out


def queries_per_session(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    counts = sessions(counted(pages, empty))
    return over(sum(map(len, counts.values())), len(counts))


def sessions_per_user(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    both = {(p.user, p.session) for p in counted(pages, empty) if p.user is not None and p.session is not None}
    return over(len(both), len({user for user, _ in both}))


def session_success(
    pages: Pages, _: Pages, *, dwell: float = 30.0, unknown: bool = False, empty: str = "count"
) -> Maybe:
    good = total = 0
    for own in sessions(counted(pages, empty)).values():
        total += 1
        good += any(satisfied(r, dwell, unknown=unknown) for p in own for r in p.results)
    return over(good, total)


ORACLES: dict[str, Callable[..., Maybe]] = {
    "NumPages": num_pages,
    "NumResults": num_results,
    "NumClicks": num_clicks,
    "CTR": ctr,
    "SatCTR": sat_ctr,
    "SatClickShare": sat_click_share,
    "PSkip": p_skip,
    "ClickEntropy": click_entropy,
    "COEC": coec,
    "DebiasedCTR": debiased_ctr,
    "Abandonment": abandonment,
    "GoodAbandonment": good_abandonment,
    "BadAbandonment": functools.partial(good_abandonment, good=False),
    "PageCTR": page_ctr,
    "PageSuccess": page_success,
    "ClicksPerPage": clicks_per_page,
    "ZeroResultRate": zero_result_rate,
    "MRRFirstClick": reciprocal(lambda p: 1.0 / p.clicked[0]),
    "MRRLastClick": reciprocal(lambda p: 1.0 / p.clicked[-1]),
    "MRRClicks": reciprocal(lambda p: sum(1.0 / position for position in p.clicked)),
    "LastClickPosition": last_click_position,
    "TimeToFirstClick": time_to(min),
    "TimeToLastClick": time_to(max),
    "TimeToSuccess": time_to_success,
    "ReformulationRate": reformulation_rate,
    "QueriesPerSession": queries_per_session,
    "SessionsPerUser": sessions_per_user,
    "SessionSuccess": session_success,
}
