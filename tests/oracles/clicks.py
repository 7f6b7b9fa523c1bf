"""Measures of click logs once more, as plain loops over pages and their results."""

from __future__ import annotations

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


def num_pages(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return sum(p.weight for p in counted(pages, empty))


def num_results(pages: Pages, _: Pages) -> Maybe:
    return sum(p.weight * len(p.results) for p in pages)


def num_clicks(pages: Pages, _: Pages) -> Maybe:
    return sum(p.weight * len(p.clicked) for p in pages)


# ---- rates


def ctr(pages: Pages, _: Pages, *, cutoff: int | None = None) -> Maybe:
    clicks = shown = 0.0
    for page in pages:
        for result in page.results:
            if cutoff is None or result.position <= cutoff:
                shown += page.weight
                clicks += page.weight * result.clicked
    return over(clicks, shown)


def rates_by_position(log: Pages) -> dict[int, float]:
    shown: dict[int, float] = {}
    clicks: dict[int, float] = {}
    for page in log:
        for r in page.results:
            shown[r.position] = shown.get(r.position, 0.0) + page.weight
            clicks[r.position] = clicks.get(r.position, 0.0) + page.weight * r.clicked
    return {position: clicks[position] / n for position, n in shown.items() if n}


def coec(pages: Pages, log: Pages, *, shrinkage: float = 0.0) -> Maybe:
    rates = rates_by_position(log)
    expected = sum(p.weight * rates[r.position] for p in pages for r in p.results if p.weight)
    return over(num_clicks(pages, log) + shrinkage, expected + shrinkage)


# ---- pages


def abandonment(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: 0.0 if p.clicked else 1.0)


def page_ctr(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: 1.0 if p.clicked else 0.0)


def clicks_per_page(pages: Pages, _: Pages, *, empty: str = "count") -> Maybe:
    return mean(counted(pages, empty), lambda p: float(len(p.clicked)))


def mrr_first_click(pages: Pages, _: Pages, *, empty: str = "count", no_click: str = "zero") -> Maybe:
    nothing = 0.0 if no_click == "zero" else None
    return mean(counted(pages, empty), lambda p: 1.0 / p.clicked[0] if p.clicked else nothing)


ORACLES: dict[str, Callable[..., Maybe]] = {
    "NumPages": num_pages,
    "NumResults": num_results,
    "NumClicks": num_clicks,
    "CTR": ctr,
    "COEC": coec,
    "Abandonment": abandonment,
    "PageCTR": page_ctr,
    "ClicksPerPage": clicks_per_page,
    "MRRFirstClick": mrr_first_click,
}
