"""The pages that are made from the package are those of this package."""

from __future__ import annotations

from pathlib import Path

from ireval_frames import listing, policy
from tests.docs.generated import DOCS, pages


def test_they_are_up_to_date() -> None:
    made = pages()
    there = {path.relative_to(DOCS) for path in (DOCS / "measures").glob("*.md")}
    assert there == {path for path in made if path.parent.name == "measures"}, "run: make docs"
    for path, text in made.items():
        assert (DOCS / path).read_text(encoding="utf-8") == text, f"docs/{path} is stale; run: make docs"


def test_every_choice_is_on_the_page_of_conventions() -> None:
    text = pages()[Path("conventions.md")].replace("\\", "")
    for row in listing.policies().iter_rows(named=True):
        assert f"`{row['value']}`" in text
        assert f"| {row['sentence']} | {row['source']} |" in text
    for kind in policy.POLICIES.values():
        assert all(f"`{preset}`" in text for preset in kind.presets)
