"""Where the page for the browser has been built."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from ireval_frames.errors import Argument, EngineError, FileError, Hint
from ireval_frames.version import __version__

# The file of the built page that shows tables.
MAIN = "store.html"


def find_page(page: str | os.PathLike[str] | None = None) -> Path:
    """The folder of the built page: the given one, that of a checkout, or that of the package `ireval_frames_page`.

    Raises:
        FileError: the given folder does not hold it.
        EngineError: there is none, or it was built from another release.
    """
    if page is not None:
        folder = Path(page).expanduser()
        if not (folder / MAIN).is_file():
            raise FileError(f"{folder} does not hold the page: it has no {MAIN}.", "Build it: make page")
    else:
        folder = next((f for f in _places() if (f / MAIN).is_file()), None) or _missing()
    try:
        built = json.loads((folder / "data" / "catalog.json").read_text("utf-8"))["version"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise FileError(
            f"The page in {folder} is incomplete: data/catalog.json cannot be read.", "Build it: make page"
        ) from error
    if built != __version__:
        raise EngineError(
            f"The page in {folder} is of release {built}, and this is {__version__}.",
            f'pip install "ireval-frames-page=={__version__}"',
        )
    return folder


def _places() -> Iterator[Path]:
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "page" / "build.mjs").is_file():
        yield checkout / "build" / "page"
    try:
        yield Path(import_module("ireval_frames_page").FOLDER)
    except ImportError:
        return


def _missing() -> Path:
    raise EngineError(
        "The page for the browser is not installed.",
        Hint("pip install ireval-frames-page, or build it (make page) and write ", Argument("page", "build/page"), "."),
    )
