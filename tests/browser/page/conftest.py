"""The page that evaluates, served from this machine and opened in a browser."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.browser import finding
from tests.browser.watching import Seen

BUILT = Path(__file__).resolve().parents[3] / "build" / "page"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def served(folder: Path) -> ThreadingHTTPServer:
    """A server of a folder, on a port that is free."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture(scope="session")
def hosted() -> Iterator[Callable[[Path], str]]:
    """Serves a folder, and says where it is."""
    servers = []

    def host(folder: Path) -> str:
        servers.append(served(folder))
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield host
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the page."""
    if not (BUILT / "index.html").exists():
        pytest.skip("The page is not there: make page")
    return BUILT


@pytest.fixture(scope="session")
def address(hosted: Callable[[Path], str], built: Path) -> str:
    """Where the page is."""
    return hosted(built)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if why := finding.lacking():
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=finding.chromium(), args=[*finding.OPTIONS])
        yield started
        started.close()


class Opened(Seen):
    """The page in a window.

    Attributes:
        page: of Playwright.
        requests: all addresses that were asked for.
        messages: messages of the console, and errors of scripts.
    """

    def __init__(self, page: Any, address: str) -> None:
        self.page = page
        self.requests: list[str] = []
        self.messages: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.goto(address)
        page.locator("main[aria-busy=false]").wait_for(state="attached")

    def query(self, sql: str) -> list[list[Any]]:
        """The rows of a statement in the page's database."""
        rows: list[list[Any]] = self.page.evaluate("sql => ireval.database.query(sql).then(r => r.rows)", sql)
        return rows


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Callable[..., Opened]]:
    """Opens the page, or one at another address, in a new window, with options of Playwright's contexts."""
    contexts = []

    def open_page(place: str = "", **options: Any) -> Opened:
        contexts.append(browser.new_context(**options))
        return Opened(contexts[-1].new_page(), urljoin(address, place))

    yield open_page
    for context in contexts:
        context.close()
