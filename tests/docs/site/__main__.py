"""Build the site: `python -m tests.docs.site [FOLDER]` (`make site`), into `build/site` by default.

Sphinx's warnings are errors, and so are pages that load anything from other servers.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from tests.docs.index import ROOT
from tests.docs.site.accessible import correct
from tests.docs.site.requests import requests
from tests.docs.site.staging import PAGE, page_is_built, stage


def copy_page(folder: Path) -> None:
    """Copy the page for the browser into the site, if it has been built; else say that it has not."""
    if page_is_built():
        shutil.copytree(PAGE, folder / "page")
    else:
        sys.stdout.write("The site has no page for the browser: make page\n")


def main(folder: Path) -> int:
    """Build it, print its size, and return the exit code."""
    from sphinx.cmd.build import build_main

    started = time.perf_counter()
    pages = ROOT / "build" / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    count, plain = stage(pages)
    options = [
        "-q",
        "-n",
        "-W",
        "--keep-going",
        "-c",
        str(Path(__file__).parent),
        "-d",
        str(ROOT / "build" / "doctrees"),
    ]
    if failed := build_main([*options, str(pages), str(folder)]):
        return failed
    for place, text in plain.items():
        (folder / place).write_text(text, "utf-8")
    correct(folder)
    copy_page(folder)
    if loads := requests(folder):
        sys.stderr.write("\n  ".join(["pages load from other servers:", *loads]) + "\n")
        return 1
    weight = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    seconds = time.perf_counter() - started
    sys.stdout.write(f"{count} pages, {weight / 1e6:.1f} MB, {seconds:.0f} s: {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "site"))
