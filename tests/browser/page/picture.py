"""Writes the picture of the page for its documentation: `python -m tests.browser.page.picture`."""

from __future__ import annotations

from pathlib import Path

from tests.browser import finding
from tests.browser.page.conftest import BUILT, Opened, served

PICTURE = Path(__file__).resolve().parents[3] / "docs" / "pictures" / "page.png"


def main() -> None:
    """The demo collection, evaluated."""
    from playwright.sync_api import sync_playwright

    server = served(BUILT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=finding.chromium(), args=[*finding.OPTIONS])
        page = browser.new_page(viewport={"width": 960, "height": 1240})
        opened = Opened(page, f"http://127.0.0.1:{server.server_port}/")
        page.get_by_role("button", name="Example: rankings").click()
        page.get_by_text("tfidf: run").first.wait_for()
        page.get_by_role("button", name="Evaluate", exact=True).click()
        page.locator("#results svg").first.wait_for(timeout=60_000)
        assert opened.messages == []
        page.locator("#measures").evaluate("part => scrollTo(0, part.offsetTop)")
        page.screenshot(path=PICTURE)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
