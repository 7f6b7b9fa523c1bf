"""The pages are safe and open to all: hostile names, narrow windows, darkness, keyboards, no network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened
from tests.reporting.cases import HOSTILE, hostile_clusters, hostile_store

Open = Callable[..., Opened]
# axe is a script, which no page would let in.
FOR_AXE = {"bypass_csp": True}


@pytest.fixture(scope="module")
def places(
    built: Path, address: str, hosted: Callable[[Path], str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The address of each page; stores and reports have hostile names."""
    folder = tmp_path_factory.mktemp("hostile")
    store = hostile_store(folder).page(folder / "store", title=HOSTILE[0], page=built)
    report = ir.report(hostile_clusters(), folder / "report", interactive=True, title=HOSTILE[1], page=built)
    return {"page": address, "store": hosted(store), "report": f"{hosted(report)}sql.html"}


@pytest.fixture(params=["page", "store", "report"])
def place(request: pytest.FixtureRequest, places: dict[str, str]) -> str:
    return places[request.param]


def full(watched: Opened) -> Opened:
    """The page once it shows results, with all that is folded open."""
    page = watched.page
    if (example := page.get_by_role("button", name="Example: rankings")).count():
        example.click()
        page.get_by_text("tfidf: run").first.wait_for()
        page.get_by_role("button", name="Evaluate", exact=True).click()
    page.locator("#results table").nth(1).wait_for()
    page.locator("#results svg").first.wait_for()
    for folded in page.locator("#tables details").all():
        folded.locator("summary").click()
        folded.locator("table").wait_for()
    return watched


def test_axe_finds_nothing(place: str, opened: Open) -> None:
    watched = full(opened(place, **FOR_AXE))
    assert watched.violations() == []
    watched.page.emulate_media(color_scheme="dark")
    assert watched.violations("color-contrast") == []


def test_a_narrow_window_is_wide_enough(place: str, opened: Open) -> None:
    assert full(opened(place, viewport={"width": 360, "height": 800})).wider() == []


@pytest.mark.parametrize("name", ["store", "report"])
def test_hostile_names_are_text(places: dict[str, str], name: str, opened: Open) -> None:
    watched = full(opened(places[name]))
    assert watched.messages == []
    assert watched.page.locator("script:not([src]), iframe, object, embed, body img, body link").count() == 0
    seen = watched.page.inner_text("body")
    assert HOSTILE[0] in seen
    assert "\u202e" not in seen
    assert "\0" not in seen
    assert [url for url in watched.requests if not url.startswith(places[name].removesuffix("sql.html"))] == []


def test_nothing_is_asked_of_others_nor_stored(place: str, opened: Open) -> None:
    watched = full(opened(place))
    origin = place.removesuffix("sql.html")
    assert [url for url in watched.requests if not url.startswith((origin, "blob:", "data:"))] == []
    for sql in ("SELECT '{\"a\": 1}'::JSON", "LOAD json", "LOAD icu", "FROM read_parquet('https://example.org/x')"):
        with pytest.raises(Exception, match=r"\S"):
            watched.query(sql)
    assert [url for url in watched.requests if not url.startswith((origin, "blob:", "data:"))] == []
    stored = "[document.cookie, localStorage.length, sessionStorage.length].join()"
    assert watched.page.evaluate(stored) == ",0,0"
    assert watched.page.evaluate("indexedDB.databases().then(d => d.length)") == 0


def test_it_works_offline_once_it_is_loaded(place: str, opened: Open) -> None:
    watched = opened(place)
    watched.page.context.set_offline(True)
    assert watched.query("SELECT sum(i) FROM range(10) t(i)") == [[45]]
    if place.endswith("sql.html"):
        assert watched.query("SELECT count(*) > 0 FROM results") == [[True]]


def reach(page: Any, label: str) -> None:
    """Press Tab until the element of that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(document.activeElement.labels?.[0] ?? document.activeElement).textContent").strip() == label:
            return
    raise AssertionError(f"Tab never comes to {label!r}.")


def test_a_keyboard_is_enough(address: str, opened: Open) -> None:
    watched = opened(address)
    page = watched.page
    reach(page, "Example: rankings")
    page.keyboard.press("Enter")
    page.get_by_text("tfidf: run").first.wait_for()
    reach(page, "Measures")
    page.keyboard.press("Control+A")
    page.keyboard.type("RR")
    reach(page, "Evaluate")
    page.keyboard.press("Enter")
    page.locator("#results table").first.wait_for()
    assert watched.query("SELECT DISTINCT measure FROM results") == [["RR"]]
    page.locator("#console textarea").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("SELECT 40 + 2 AS answer")
    page.keyboard.press("Control+Enter")
    page.locator("#console td", has_text="42").wait_for()


def test_a_file_says_how_the_page_is_opened(built: Path, browser: Any) -> None:
    for name in ("index.html", "store.html"):
        page = browser.new_page()
        page.goto((built / name).as_uri())
        page.get_by_text("python -m http.server").wait_for(timeout=10_000)
        page.close()
