"""Make the site: `python -m tests.docs.site [FOLDER]` (`make site`), into `build/site` by default.

Sphinx's warnings are errors, and so is a page that would ask for anything from elsewhere.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from tests.docs.index import ROOT
from tests.docs.site.accessible import mend
from tests.docs.site.requests import requests
from tests.docs.site.staging import stage


def main(folder: Path) -> int:
    """Make it, and tell how large it is; the exit code."""
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
    mend(folder)
    if found := requests(folder):
        sys.stderr.write("\n  ".join(["pages ask for what is elsewhere:", *found]) + "\n")
        return 1
    weight = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    seconds = time.perf_counter() - started
    sys.stdout.write(f"{count} pages, {weight / 1e6:.1f} MB, {seconds:.0f} s: {folder / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "site"))
