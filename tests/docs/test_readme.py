"""Targets, files and measures that README.md, CONTRIBUTING.md and the pages name exist."""

from __future__ import annotations

import contextlib
import posixpath
import re
from pathlib import Path
from typing import Any

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Measure
from ireval_frames.errors import UnknownName
from tests.docs import index
from tests.docs.blocks import blocks, run
from tests.docs.generators import plot_page
from tests.reference.agreement import versions
from tests.together import each_of

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_it_is_short_and_shows_every_language() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert {b.language for b in blocks(text) if b.expected} == {"python", "sql", "sh"}


def test_its_picture_is_what_its_lines_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("altair")
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    run(blocks(README.read_text("utf-8"))[0], names)
    assert names["picture"].to_dict() == plot_page.compared().to_dict()


def test_its_figures_are_those_of_the_package() -> None:
    """Of measures, of the tools that the tests compare, and of the benchmarks."""
    text = README.read_text("utf-8")
    listed = ir.measures()
    measures, families = round(listed.height, -1), listed["family"].n_unique()
    assert f"Some {measures} [measures](docs/measures.md) of {families} families" in text
    assert f"the numbers of {len(versions())} tools" in text
    rows = [row.split(" | ") for row in (ROOT / "docs" / "benchmarks.md").read_text("utf-8").splitlines()]
    # A recorded run stands below what is written by hand.
    ours, theirs = [row[1:3] for row in rows if "in memory" in row[0] and "ranx, second" in row[0]][-1]
    assert f"take {ours.split(',')[0]} for five measures (ranx: {theirs.split(',')[0]};" in text


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", ".ci/run"])
def test_make_targets_exist(page: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = [inline or line for inline, line in re.findall(r"`(make [^`]+)`|^\s*(make .+)$", text, re.MULTILINE)]
    words = {word for command in commands for word in re.split(r"#|  |\|\|", command)[0].split()[1:] if word.isalpha()}
    assert words
    assert words <= targets


PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))


@each_of(["README.md", "CONTRIBUTING.md", "data/README.md", *PAGES])
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / page).parent / path).exists(), path


def test_the_index_has_every_page() -> None:
    """Or, for a page of a folder, the page with the name of the folder does."""
    named = {page.path for pages in index.sections().values() for page in pages}
    files = {str(p.relative_to(ROOT)) for p in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "notebooks").glob("*.ipynb")]}
    for path in sorted(files - named - {"docs/README.md"}):
        above = ROOT / f"{posixpath.dirname(path)}.md"
        assert above.exists(), f"docs/README.md has no row for {path}"
        assert f"({path.removeprefix('docs/')})" in above.read_text("utf-8"), f"{above.name} does not name {path}"
    assert named - files == {"CHANGELOG.md", "CONTRIBUTING.md", "data/README.md"}


FAMILIES = ("labels", "clusters", "points", "similarity", "spans", "answers", "segmentation")
# What measures of other pages than those of rankings are of.
OF_PAGES = {
    "expeval": ("exposure",),
    "nuggetizer": ("nuggets",),
    "rag_suites": ("citations", "verdicts"),
    "recommenders": ("recommendations",),
}


def names_of_tools() -> list[tuple[str, tuple[str, ...], str]]:
    """From docs/coming_from/: a tool's words, the families, and how we write a measure."""
    names = []
    for page in sorted((ROOT / "docs" / "coming_from").glob("*.md")):
        text = page.read_text("utf-8").partition("<!--")[0]
        rows = re.findall(
            rf"^\| (.+?) \| (?:({'|'.join(FAMILIES)}): )?(`(?:[A-Z]\w*|nDCG).*?`) \|$", text, re.MULTILINE
        )
        for name, family, cell in rows:
            families = (family,) if family else OF_PAGES.get(page.stem, ("ranking",))
            names += [(name, families, ours) for ours in re.findall(r"`((?:[A-Z]\w*|nDCG).*?)`", cell)]
    return names


def parsed(families: tuple[str, ...], ours: str) -> Measure:
    """The measure, of the first of these families that has it."""
    for family in families[:-1]:
        with contextlib.suppress(UnknownName):
            return catalog.parse(ours, family)
    return catalog.parse(ours, families[-1])


@each_of(names_of_tools())
def test_names_side_by_side(name: str, families: tuple[str, ...], ours: str) -> None:
    """Our names are canonical, and what trec_eval has for them is understood."""
    measure = parsed(families, ours)
    assert re.split(r"[(@]", ours)[0] in (measure.name, *measure.definition.named)
    if (option := re.fullmatch(r"`-m (\S+)`", name)) and option[1] != "gm_map":
        assert parsed(families, option[1]) == measure


def test_names_of_all_tools_are_read() -> None:
    assert len(names_of_tools()) > 30
    read = {family for _, families, _ in names_of_tools() for family in families}
    assert read == {"ranking", *FAMILIES, *(f for of in OF_PAGES.values() for f in of)}
