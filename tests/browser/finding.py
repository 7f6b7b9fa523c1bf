"""Whether there is a browser to look with, and which: the one place that decides.

`python -m tests.browser.finding` says so, and ends with 1 where there is none.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
# It looks at files of this machine, and asks nobody anything by itself.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium() -> str | None:
    """The path of the browser: what IREVAL_CHROMIUM names, or the first one on PATH."""
    given = os.environ.get("IREVAL_CHROMIUM")
    return shutil.which(given) if given else next(filter(None, map(shutil.which, NAMES)), None)


def lacking() -> str | None:
    """What is missing, and how it is had; None where all is there."""
    if any(importlib.util.find_spec(name) is None for name in ("playwright", "axe_playwright_python")):
        return "Playwright is not installed: make test-browser installs it."
    if chromium() is not None:
        return None
    if given := os.environ.get("IREVAL_CHROMIUM"):
        return f"IREVAL_CHROMIUM is {given!r}, which is no program: give it the path of Chromium or Chrome."
    return (
        f"There is no browser: none of {', '.join(NAMES)} is on PATH. "
        "Install one (Debian: apt-get install chromium), or set IREVAL_CHROMIUM to the path of one."
    )


if __name__ == "__main__":
    sys.exit(lacking())
