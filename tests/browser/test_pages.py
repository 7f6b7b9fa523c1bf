"""Pages in a real browser: they ask nothing, run nothing of the data, and can be read by all, on screen and paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ireval_frames.reporting.cells import name
from tests.browser import finding, pages
from tests.browser.watching import Watched
from tests.reporting.cases import HOSTILE
from tests.reporting.reading import Reader

if why := finding.lacking():
    pytest.skip(why, allow_module_level=True)

Open = Callable[..., Watched]
# The pages of the site are looked at in so many tests, none of which takes long.
PARTS = 10
of_reports = pytest.mark.parametrize("path", pages.REPORTS, indirect=True)
of_all = pytest.mark.parametrize("path", [*pages.REPORTS, *pages.built()], indirect=True)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=finding.chromium(), args=[*finding.OPTIONS])
        yield started
        started.close()


@pytest.fixture(scope="module")
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pages.page(request.param, tmp_path_factory.mktemp("page"))


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    contexts = []

    def open_page(path: Path, **options: Any) -> Watched:
        contexts.append(browser.new_context(offline=True, **options))
        return Watched(contexts[-1].new_page(), path)

    yield open_page
    for context in contexts:
        context.close()


@of_all
def test_nothing_is_requested_and_nothing_said(path: Path, opened: Open) -> None:
    watched = opened(path)
    watched.page.wait_for_load_state("networkidle")
    assert watched.requests == []
    assert watched.messages == []


@of_reports
def test_hostile_names_run_nothing_and_are_read(path: Path, opened: Open) -> None:
    watched = opened(path)
    for summary in watched.page.locator("summary").all():
        summary.click()
    assert watched.messages == []
    ours = "script[type='application/json'], script[type=module]" if path.stem in pages.LIVE else "#none"
    others = f"script:not({ours}), iframe, object, embed, link, body img:not([src^='data:'])"
    assert watched.page.locator(others).count() == 0
    seen = watched.page.inner_text("body")
    assert name(HOSTILE[0]).text in seen
    # What the file holds is what is seen: nothing hides a name or turns its direction.
    names = {cell for table in Reader(path.read_text("utf-8")).tables for row in table.rows for cell in row}
    assert {n for n in names if n not in seen} == set()


@of_all
def test_nobody_is_shut_out(path: Path, opened: Open) -> None:
    # axe is a script, which no report would let in.
    watched = opened(path, bypass_csp=True)
    assert watched.violations() == []
    watched.page.emulate_media(color_scheme="dark")
    assert watched.violations("color-contrast") == []


@of_all
def test_a_narrow_window_is_wide_enough(path: Path, opened: Open) -> None:
    assert opened(path, viewport={"width": 360, "height": 800}).wider() == []


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_of_the_site(browser: Any, part: int) -> None:
    """Each page once, in one window: what it asks for and says, what axe finds, and whether it fits."""
    if not pages.every():
        pytest.skip("The site is not there: make site")
    actual = {}
    context = browser.new_context(offline=True, bypass_csp=True, viewport={"width": 360, "height": 800})
    window = context.new_page()
    for place, path in [*pages.every().items()][part::PARTS]:
        watched = Watched(window, path)
        # Colours are those of the pages of each kind, and take as long as all else.
        problems = [
            *watched.requests,
            *watched.messages,
            *watched.violations(without=("color-contrast",)),
            *watched.wider(),
        ]
        if problems:
            actual[place] = problems
        watched.left()
    context.close()
    assert actual == {}


@of_reports
def test_paper_has_all_of_it(path: Path, opened: Open) -> None:
    watched = opened(path, color_scheme="dark")
    titles = watched.page.locator("h2").all_inner_texts()
    paper = watched.page.pdf(outline=True, tagged=True)
    assert titles
    assert [t for t in titles if f"({t})".encode() not in paper] == []
    watched.page.emulate_media(media="print")
    assert not watched.page.locator("nav").is_visible()
    watched.page.set_viewport_size({"width": 680, "height": 900})
    assert watched.wider() == []
    folded = watched.page.locator("details > :not(summary)")
    assert folded.count() > 0
    assert all(part.is_visible() for part in folded.all())
    assert watched.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("path", pages.LIVE, indirect=True)
def test_pictures_answer_where_scripts_may_run(path: Path, opened: Open) -> None:
    count = opened(path, java_script_enabled=False).page.locator("figure svg").count()
    assert count > 0
    page = opened(path).page
    page.wait_for_selector(".vega-embed svg")
    assert page.locator("figure svg").count() == page.locator("figure .vega-embed svg").count() == count
    mark = page.locator("figure .vega-embed svg .mark-rect path").first
    mark.scroll_into_view_if_needed()
    corner = mark.bounding_box()
    for step in (3, 5):
        page.mouse.move(corner["x"] + step, corner["y"] + step)
    page.wait_for_selector("#vg-tooltip-element.visible", timeout=5_000)
    tooltip = page.inner_text("#vg-tooltip-element")
    assert any(name(h).text in tooltip for h in HOSTILE)
