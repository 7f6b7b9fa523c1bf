"""A page in the browser, and all that it asks for or says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# What is drawn beyond the right edge of a window, and in no part that scrolls.
_WIDER = """() => { // What scrolls by itself fits, and so does a drawer that waits outside of the window.
  const edge = document.documentElement.clientWidth;
  const inside = (e) => { for (let p = e; p; p = p.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(p).overflowX)
      || getComputedStyle(p).position === "fixed") return true; return false; };
  return [...document.body.querySelectorAll("*")].filter((e) => !inside(e)
    && e.getBoundingClientRect().right > edge + 1).map((e) => e.outerHTML.slice(0, 120)); }"""


class Seen:
    """What is seen in a window: `page` of Playwright."""

    page: Any

    def violations(self, *rules: str, without: tuple[str, ...] = ()) -> list[str]:
        """What axe finds, by these rules or all but some, with the first places."""
        from axe_playwright_python.sync_playwright import Axe

        options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        options |= {"rules": {rule: {"enabled": False} for rule in without}}
        violations = Axe().run(self.page, options=options).response["violations"]
        return [f"{v['id']}: {v['help']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in violations]

    def wider(self) -> list[str]:
        """What does not fit the width of the window."""
        wider: list[str] = self.page.evaluate(_WIDER)
        overflow = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return wider if wider or overflow <= 0 else [f"the page, by {overflow} pixels"]


class Watched(Seen):
    """A page that was opened.

    Attributes:
        page: of Playwright.
        requests: the addresses that it requested; without files and data in it.
        messages: messages of the console, errors of scripts, and dialogs.
    """

    def __init__(self, page: Any, path: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.messages: list[str] = []
        self._heard: dict[str, Any] = {
            "request": self._request,
            "console": lambda message: self.messages.append(message.text),
            "pageerror": lambda error: self.messages.append(str(error)),
            "dialog": self._dialog,
        }
        for event, hear in self._heard.items():
            page.on(event, hear)
        page.goto(path.as_uri())

    def left(self) -> None:
        """Listen no longer, so that the window can show another page."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.requests.append(request.url)

    def _dialog(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        dialog.dismiss()
