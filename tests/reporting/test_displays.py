"""What notebooks show of results: the numbers that the text has, and no name that acts."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.comparison.text.tables import number
from ireval_frames.displayed import displays_of
from ireval_frames.escaping import plain
from ireval_frames.reporting import rendering
from tests.reporting import cases
from tests.reporting.reading import Reader

SEEN = {"div", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "b", "u", "sup"}


RESULTS: dict[str, Callable[[Path], Any]] = {
    "evaluation": lambda _: cases.hostile_rankings(),
    "a table": lambda _: cases.hostile_rankings().per_unit.result(),
    "a method": lambda _: cases.hostile_rankings().per_unit,
    "comparison": lambda _: ir.compare(cases.hostile_values(), by="lang"),
    "diagnosis": lambda _: cases.hostile_rankings().diagnose(*cases.HOSTILE[:2], "RR"),
    "stability": lambda _: ir.comparison.rank_stability(cases.hostile_rankings(), n_resamples=20),
    "power": lambda _: ir.comparison.discriminative_power(cases.hostile_values(), by="lang"),
    "bootstrap": lambda _: ir.resampling.bootstrap(cases.hostile_rankings(), n_resamples=30),
    "gate": lambda _: ir.gate(*[cases.hostile_rankings()] * 2, "drop <= 0.1"),
    "store": cases.hostile_store,
    **{name: lambda _, make=make: make() for name, make in cases.ESTIMATED.items()},
    "consensus": lambda _: ir.Ratings(hostile_ratings()).aggregate("majority"),
    "click model": lambda _: ir.Impressions(cases.click_log()).fit("DCTR"),
}


def hostile_ratings() -> pl.DataFrame:
    rows = [(cases.HOSTILE[u], f"r{r}", (u + r) % 2) for u in range(5) for r in range(3)]
    return pl.DataFrame(rows, schema=["item_id", "rater_id", "rating"], orient="row")


@pytest.mark.parametrize("name", RESULTS)
def test_hostile_names_are_text(name: str, tmp_path: Path) -> None:
    result = RESULTS[name](tmp_path)
    shown = result._repr_mimebundle_(include=None, exclude=None)
    assert shown["text/plain"] == str(result)
    read = Reader(shown["text/html"])
    assert read.open == []
    assert {tag for tag, _ in read.tags} <= SEEN
    assert not {name for _, a in read.tags for name in a} - {
        "class",
        "scope",
        "title",
        "align",
        "cellpadding",
        "tabindex",
    }
    assert not any(rule in shown["text/html"] for rule in ("@import", "url("))
    texts = {t for table in read.tables for row in [table.header, *table.rows] for t in row} | set(
        read.texts.get("p", ())
    )
    assert any(plain(h) in text for h in cases.HOSTILE[:5] for text in texts)


def test_the_numbers_are_those_of_the_frames() -> None:
    ev = cases.evaluation()
    (read,) = Reader(ev._repr_html_()).tables
    wide = ev.wide()
    assert read.header == wide.columns
    assert read.rows == [[r[0], *map(number, r[1:])] for r in wide.rows()]
    (read,) = Reader(ev.summary.result()._repr_html_()).tables
    assert read.column("value") == [number(v) for v in ev.summary()["value"]]
    compared = ev.compare("a")
    tables = Reader(compared._repr_html_()).tables
    (shown,) = displays_of(compared)
    assert [t.header for t in tables] == [list(b.header) for b in (shown.overview, *shown.details)]
    cells = [[c.text for c in row] for row in shown.overview.rows]
    assert [[t.rstrip("▲▼") for t in row] for row in tables[0].rows] == cells


def test_without_styles_numbers_stand_under_their_heads() -> None:
    """Some places that show notebooks take styles away."""
    text = re.sub("<style>.*?</style>", "", cases.evaluation("RR").summary.result()._repr_html_(), flags=re.DOTALL)
    heads = [a for tag, a in Reader(text).tags if tag == "th"]
    cells = [a.get("align", "left") for tag, a in Reader(text).tags if tag == "td"]
    aligned = [a["align"] for a in heads]
    assert {*aligned} == {"left", "right"}
    assert cells == aligned * (len(cells) // len(aligned))
    assert "ireval {" not in text


def test_of_many_rows_the_first_are_shown() -> None:
    frame = pl.DataFrame({"item_id": range(500), "label": [0, 1] * 250, "prediction": [0] * 500})
    ev = ir.Labels(frame, unit="item_id").evaluate("Accuracy")
    text = ev.per_unit.result()._repr_html_()
    assert len(Reader(text).tables[0].rows) == 100
    assert "<p>100 of 500 rows.</p>" in text


def test_a_method_that_needs_an_argument_says_how_it_is_called() -> None:
    needs = cases.evaluation("RR").diagnose("a", "b").documents
    assert repr(needs).startswith("documents(query_id")
    assert Reader(needs._repr_html_()).texts["p"] == [repr(needs)]


def test_without_jinja_there_is_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    rendering._templates.cache_clear()
    ev = cases.evaluation("RR")
    assert ev._repr_html_() is None
    assert ev._repr_mimebundle_() == {"text/plain": str(ev)}
