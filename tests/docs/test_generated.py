"""The generated pages are up to date and complete."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

import ireval_frames as ir
from benchmarks.recording import record
from benchmarks.rows import Row
from ireval_frames.catalog import listing
from ireval_frames.conventions import rankings as policy
from tests.docs.generated import DOCS, FOLDERS, pages
from tests.docs.generators import benchmark_page, context_pages, plot_page, scale_page


def test_they_are_up_to_date() -> None:
    texts = pages()
    for folder in FOLDERS:
        files = {path.relative_to(DOCS) for path in (DOCS / folder).glob("*.md")}
        assert files == {path for path in texts if path.parent.name == folder}, "run: make docs"
    for path, text in texts.items():
        assert (DOCS / path).read_text(encoding="utf-8") == text, f"docs/{path} is stale; run: make docs"


def test_the_page_of_benchmarks_has_the_rows_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = SimpleNamespace(installed={"ranx": "0.3.21"}, recorded={})
    for group, disturbed in (("memory", ""), ("labels", "Other processes used 1.0 of 2 cores meanwhile.")):
        record(tmp_path, group, [Row(f"a|b of {group}", "89 ms", "1 s", 11.2, "≥", 6)], disturbed, bench)  # type: ignore[arg-type]
    monkeypatch.setattr(benchmark_page, "PAGE", tmp_path / "benchmarks.md")
    (tmp_path / "benchmarks.md").write_text("# Benchmarks\n", encoding="utf-8")
    text = benchmark_page.page()
    assert text.startswith(f"# Benchmarks\n{benchmark_page.MARK}\n## memory\n")
    assert "| a\\|b of labels | 89 ms | 1 s | 11.20× | ≥ 6× |" in text
    assert text.count("peers: ranx 0.3.21.") == 2
    assert "meanwhile." in text


def test_the_figure_is_of_the_record() -> None:
    assert scale_page.drawn(), "docs/scale.svg is stale; run: make docs"


def test_the_figure_is_drawn() -> None:
    pytest.importorskip("altair")
    from tests.docs.generators import scale_figure

    svg = scale_figure.svg()
    record = scale_page.record()
    assert all(svg.count(f">{name}</text>") == 1 for name in scale_page.LINES)
    assert all(f">{title.capitalize()}</text>" in svg for title in scale_page.GROWS)
    points = sum(len(line["points"]) for title in scale_page.GROWS for line in record[title].values())
    assert points == svg.count('aria-roledescription="point"')


def test_every_choice_is_on_the_page_of_conventions() -> None:
    text = pages()[Path("conventions.md")].replace("\\", "")
    for row in listing.policies().iter_rows(named=True):
        assert f"`{row['value']}`" in text
        assert f"| {row['sentence']} | {row['source']} |" in text
    for cls in policy.POLICIES.values():
        assert all(f"`{preset}`" in text for preset in cls.presets)


@pytest.mark.parametrize("family", context_pages.CONTEXTS)
def test_attributes_of_contexts_have_levels(family: str) -> None:
    """Expressions of a context are annotated by levels of `per`, and have a sentence."""
    for cls, _ in context_pages.classes(family):
        for attribute in context_pages.attributes(cls):
            assert "Expr" not in attribute.annotation, f"{cls.__name__}.{attribute.text}"
            assert set(attribute.levels) <= context_pages.levels().keys()
            assert attribute.sentence.endswith("."), f"{cls.__name__}.{attribute.text}"


def test_the_page_of_pictures_has_all_of_them() -> None:
    names = [name for names in plot_page.FAMILIES.values() for name in names]
    assert sorted([*names, "save"]) == sorted(ir.plots.__all__), "FAMILIES of generators/plot_page.py has others"
    assert sorted(plot_page.drawn()) == sorted(names), "`drawn` of generators/plot_page.py has others"
    assert sorted(path.stem for path in plot_page.FOLDER.glob("*.svg")) == sorted(names), "run: make docs"
