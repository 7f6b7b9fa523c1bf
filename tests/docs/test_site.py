"""The site has all pages: public names and verbs have a page, links lead to pages, the menu is complete."""

from __future__ import annotations

import inspect
import posixpath
import re
from pathlib import Path

import pytest

import ireval_frames as ir
from tests.docs import index
from tests.docs.generators.api_subjects import SUBJECTS, members, resolve
from tests.docs.generators.command_page import commands
from tests.docs.site import staging
from tests.docs.site.requests import requests


def test_every_public_name_has_a_page() -> None:
    places = [name for subject in SUBJECTS.values() for name in subject.names]
    assert sorted(places) == sorted(ir.__all__), "enter it in SUBJECTS of tests/docs/generators/api_subjects.py"
    documented = [resolve(name) for subject in SUBJECTS.values() for name in members(subject)]
    assert not [name for name in ir.__all__ if callable(getattr(ir, name)) and getattr(ir, name) not in documented]


def test_code_in_docstrings_stands_on_one_line() -> None:
    """The site converts docstrings line by line."""
    documented = {name: resolve(name) for subject in SUBJECTS.values() for name in members(subject)}
    for name, at in list(documented.items()):
        if inspect.isclass(at):
            own = [(n, inspect.getattr_static(at, n)) for n in dir(at) if not n.startswith("_")]
            documented |= {f"{name}.{n}": member for n, member in own}
    assert len(documented) > 300
    broken = [f"{name}: {line.strip()}" for name, at in documented.items() for line in _open(at.__doc__ or "")]
    assert not broken, "put the code between backticks on one line"


def _open(doc: str) -> list[str]:
    """The lines of prose with an open backtick."""
    prose = re.sub(r"^ *>>> (.+\n)+", "", doc, flags=re.MULTILINE)
    return [line for line in prose.splitlines() if line.count("`") % 2]


def test_open_code_is_detected() -> None:
    doc = """Takes `a`.

    Use `f("a",
        "b")` or `g`.

    Example:
        >>> print("`")
        `
    """
    assert _open(doc) == ['    Use `f("a",', '        "b")` or `g`.']


def test_every_verb_has_a_section() -> None:
    page = (index.ROOT / "docs" / "commands.md").read_text("utf-8")
    assert re.findall(r"^##+ `(ireval .+)`$", page, re.MULTILINE) == list(commands())
    guide = (index.ROOT / "docs" / "cli.md").read_text("utf-8")
    assert {c for c in commands() if c.count(" ") == 1} <= set(
        re.findall(r"^\| `(ireval [\w-]+)` \|", guide, re.MULTILINE)
    )


def test_links_lead_to_pages(tmp_path: Path) -> None:
    count, plain = staging.stage(tmp_path)
    staged = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert count == len([name for name in staged if name.endswith((".md", ".ipynb"))]) > 60
    for place, text in plain.items():
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:\s]+)[)#]", prose):
            at = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
            assert at in staged, f"{place} leads to {target}"


def test_the_menu_has_every_page_once(tmp_path: Path) -> None:
    staging.stage(tmp_path)
    listed = []
    for path in tmp_path.rglob("*.md"):
        for menu in re.findall(r"^```{toctree}\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            entries = [line for line in menu.splitlines() if line and not line.startswith(":")]
            here = posixpath.dirname(path.relative_to(tmp_path).as_posix())
            listed += [posixpath.join(here, re.sub(r"^.* <(.*)>$", r"\1", entry)) for entry in entries]
    pages = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.suffix in (".md", ".ipynb")}
    assert sorted(listed) == sorted(pages - {"index.md"})


@pytest.mark.parametrize("html, expected", [
    ('<script src="https://cdn.example/x.js"></script>', 1),
    ('<link rel="stylesheet" href="//fonts.example/a.css">', 1),
    ('<img src="https://example.org/a.png" srcset="b.png">', 1),
    ('<p style="background: url(https://example.org/a.png)">', 1),
    ("<style>@import 'https://example.org/a.css';</style>", 1),
    ('<a href="https://example.org">a link</a><img src="a.png"><script src="../a.js"></script>', 0),
    ('<link rel="canonical" href="https://example.org/page">', 0),
])  # fmt: skip
def test_requests_are_detected(tmp_path: Path, html: str, expected: int) -> None:
    (tmp_path / "page.html").write_text(html, "utf-8")
    assert len(requests(tmp_path)) == expected
