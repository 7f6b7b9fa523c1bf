"""The pages that are looked at in a browser: reports of all families with hostile names, and the documentation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import ireval_frames as ir
from tests.reporting import cases

ROOT = Path(__file__).resolve().parents[2]
# Folders of pages that are looked at where they have been built.
BUILT = [ROOT / "build" / "site"]
# Their pages of each kind: prose, tables, code, pictures; those in inner folders too.
SEEN = ("index", "cli", "plots", "measures", "conventions", "search")
# The results that are reported; some need a folder.
REPORTS: dict[str, Callable[[Path], object]] = {
    "rankings": lambda _: cases.hostile_rankings(),
    "groups": lambda _: cases.hostile_groups(),
    "labels": lambda _: cases.hostile_labels(),
    "scores": lambda _: cases.hostile_scores(),
    "clusters": lambda _: cases.hostile_clusters(),
    "points": lambda _: cases.hostile_points(),
    "organization": lambda _: cases.hostile_organization(),
    "comparison": lambda _: ir.compare(cases.hostile_values(), by="lang"),
    "store": cases.hostile_store,
    **{name: lambda _, make=make: make() for name, make in cases.ESTIMATED.items()},
    "interactive": lambda _: cases.hostile_clusters(),
}
# Those whose pictures answer, with the one script that does it.
LIVE = ("interactive",)


def built() -> dict[str, Path]:
    """Of every built folder its first pages, and one of each folder in it, by their place."""
    inner = [
        sorted(f.glob("*.html"))[:1] for root in BUILT for f in sorted(root.rglob("*")) if f.is_dir() and _of_site(f)
    ]
    named = [root / f"{name}.html" for root in BUILT for name in SEEN]
    every = [*(p for p in named if p.exists()), *(p for some in inner for p in some)]
    return {p.relative_to(ROOT).as_posix(): p for p in every}


def _of_site(path: Path) -> bool:
    """Whether it is a page of the site; the page for the browser, a folder in it, needs a server."""
    return not any(path.is_relative_to(root / "page") for root in BUILT)


def every() -> dict[str, Path]:
    """All pages of the built folders, by their place."""
    return {p.relative_to(ROOT).as_posix(): p for root in BUILT for p in sorted(root.rglob("*.html")) if _of_site(p)}


def page(name: str, folder: Path) -> Path:
    """The page of that name; a report is written into the folder."""
    if name in REPORTS:
        live = name in LIVE
        return ir.report(REPORTS[name](folder), folder / f"{name}.html", title=cases.HOSTILE[0], interactive=live)
    return built()[name]
