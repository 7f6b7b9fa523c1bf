"""The page of ireval-frames for the browser: static files, which `store.page` and `ir.report` copy."""

from pathlib import Path

FOLDER = Path(__file__).parent / "page"
