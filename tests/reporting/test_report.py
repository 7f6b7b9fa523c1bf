"""A report tells what the frames hold, and nothing in it acts."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import polars as pl
import pytest
from scipy import stats

import ireval_frames as ir
from ireval_frames.comparison.text.tables import number, p_value, signed
from ireval_frames.escaping import plain
from ireval_frames.reporting.page import Cell, Page, Section, Table
from ireval_frames.reporting.rendering import render
from tests.reporting import cases
from tests.reporting.reading import Reader

HARMLESS = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "nav", "ul", "li", "a", "main",
    "section", "figure", "figcaption", "details", "summary", "pre", "div", "img", "table", "caption", "thead", "tbody",
    "tr", "th", "td", "svg", "g", "path", "text", "line", "rect", "defs", "clippath", "lineargradient", "stop",
    "tspan", "image", "b", "u", "sup", "wbr",
}  # fmt: skip


def page(tmp_path: Path, result: object, **options: object) -> str:
    return ir.report(result, tmp_path / "r.html", **options).read_text("utf-8")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> tuple[ir.Evaluation, str]:
    ev = cases.evaluation()
    return ev, page(tmp_path_factory.mktemp("reported"), ev, baseline="a")


def test_tables_hold_what_the_frames_hold(reported: tuple[ir.Evaluation, str]) -> None:
    ev, text = reported
    read = Reader(text)
    assert read.open == []
    shown = read.table("Values, the best first")
    expected = {(r, m): (v, n) for r, m, v, n in ev.summary().select("run_id", "measure", "value", "n_units").rows()}
    assert {(r, m) for r, m in zip(shown.column("run_id"), shown.column("measure"), strict=True)} == set(expected)
    units = ev.per_unit()
    for row in shown.rows:
        cells = dict(zip(shown.header, row, strict=True))
        value, n = expected[cells["run_id"], cells["measure"]]
        assert (cells["value"], cells["n_units"], cells["n_undefined"]) == (number(value), str(n), "0")
        of = units.filter(pl.col("run_id") == cells["run_id"], pl.col("measure") == cells["measure"])["value"]
        if of.var():
            ends = stats.t.interval(0.95, len(of) - 1, of.mean(), stats.sem(of))
            assert (cells["low"], cells["high"]) == tuple(map(number, ends))
    table = ev.compare("a").table()
    pairs = read.table("Pairs of systems")
    assert len(pairs.rows) == table.height
    for row in table.iter_rows(named=True):
        at = [i for i, r in enumerate(pairs.rows) if r[0] == row["measure"] and r[1] == row["system"]]
        assert pairs.column("difference")[at[0]] == signed(row["difference"])
        assert pairs.column("p_adjusted")[at[0]] == p_value(row["p_adjusted"])
        assert pairs.column("wins/ties/losses")[at[0]] == "{wins}/{ties}/{losses}".format(**row)
    sizes = [
        abs(float(d)) for d, m in zip(pairs.column("difference"), pairs.column("measure"), strict=True) if m == "RR"
    ]
    assert sizes == sorted(sizes, reverse=True)
    every = read.table("Values per unit")
    assert len(every.rows) == units.select("run_id", "query_id").n_unique()
    actual = dict(zip(zip(every.column("run_id"), every.column("unit"), strict=True), every.column("RR"), strict=True))
    for r, q, v in units.filter(pl.col("measure") == "RR").select("run_id", "query_id", "value").rows():
        assert actual[r, q] == number(v)


def test_the_first_sentence_says_what_was_found(
    reported: tuple[ir.Evaluation, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases.blank_drawings(monkeypatch)
    ev, text = reported
    row = max(ev.compare("a").table().filter(measure="RR").iter_rows(named=True), key=lambda r: r["mean"])
    finding = Reader(text).finding
    assert finding.startswith(f"Of the 2 systems compared with a, {row['system']} has the highest mean RR")
    assert f"its difference to a is {signed(row['difference'])}" in finding
    assert f"p {p_value(row['p_adjusted']).replace('0.', '= 0.', 1)}" in finding or "p <0.0001" in finding
    assert finding.endswith("significantly better." if row["significant"] else "the difference is not significant.")
    # The same values without differences, with less as better, and with one system.
    frame = pl.DataFrame({"query_id": [1, 2, 3] * 2, "run_id": [*"aaabbb"], "value": [1.0, 2.0, 4.0, 1.0, 2.0, 4.5]})
    assert "the difference is not significant." in Reader(page(tmp_path, ir.compare(frame))).finding
    less = Reader(page(tmp_path, ir.compare(frame, lower_is_better="value"))).finding
    assert less.startswith(
        "a has the lowest mean value of 2 systems, 2.3333 over 3 queries; its difference to b is -0.1667"
    )
    alone = Reader(page(tmp_path, ir.evaluate(*cases.rankings(("only",)), "RR"))).finding
    assert alone.startswith("RR of only is ")
    assert "the mean over 12 queries (95% interval" in alone


@pytest.mark.parametrize(
    "make",
    [
        cases.hostile_rankings,
        cases.hostile_labels,
        cases.hostile_clusters,
        lambda: ir.compare(cases.hostile_values(), by="lang"),
    ],
    ids=["rankings", "labels", "clusters", "values"],
)
def test_hostile_names_stay_names(make, tmp_path: Path) -> None:
    text = page(tmp_path, make(), title=cases.HOSTILE[0])
    read = Reader(text)
    assert read.open == []
    assert {tag for tag, _ in read.tags} <= HARMLESS
    for tag, attributes in read.tags:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        for name in ("src", "href", "xlink:href", "action", "data"):
            assert (attributes.get(name) or "#").startswith(("#", "data:image/png;base64,"))
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", text)
    assert read.texts["h1"] == [plain(cases.HOSTILE[0])]
    cells = {c for t in read.tables for row in t.rows for c in row}
    assert plain(cases.HOSTILE[0]) in cells or plain(cases.HOSTILE[0]) in {h for t in read.tables for h in t.header}


def test_the_policy_allows_the_style_and_nothing_else(reported: tuple[ir.Evaluation, str]) -> None:
    text = reported[1]
    style = text.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = (a["content"] for t, a in Reader(text).tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    assert not re.search(r"@import|url\(|@font-face", style)
    outside = re.sub(r'xmlns(:xlink)?="http://www\.w3\.org/[^"]+"', "", text)
    assert not re.search(r"https?://|<script|<link|<iframe", outside)


def test_links_and_names_of_parts_are_whole(reported: tuple[ir.Evaluation, str]) -> None:
    read = Reader(reported[1])
    ids = [a["id"] for _, a in read.tags if a.get("id")]
    assert len(ids) == len(set(ids))
    targets = [str(a["href"])[1:] for t, a in read.tags if t == "a"]
    named = [str(a["aria-labelledby"]) for _, a in read.tags if "aria-labelledby" in a]
    used = re.findall(r"url\(#([^)]+)\)", reported[1])
    assert targets
    assert {*targets, *named, *used} <= set(ids)
    figures = [i for i, (t, _) in enumerate(read.tags) if t == "figure"]
    for start, end in zip(figures, [*figures[1:], len(read.tags)], strict=True):
        within = [t for t, _ in read.tags[start:end]]
        assert {"svg", "details", "table"} <= set(within)
    assert all(a.get("aria-label") and a.get("role") == "img" for t, a in read.tags if t == "svg")


def test_the_same_input_gives_the_same_bytes(reported: tuple[ir.Evaluation, str], tmp_path: Path) -> None:
    assert page(tmp_path, cases.evaluation(), baseline="a") == reported[1]


def test_values_that_are_not_means_have_no_interval_of_the_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases.blank_drawings(monkeypatch)
    ev = ir.evaluate(*cases.rankings(("a",)), "AP AP(aggregation='geometric')")
    shown = Reader(page(tmp_path, ev)).table("Values, the best first")
    assert shown.column("value") == [number(v) for v in ev.summary()["value"]]
    assert [low == "–" for low in shown.column("low")] == [False, True]


def test_estimates_are_shown_where_some_are_no_mean_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases.blank_drawings(monkeypatch)
    caption = "Pairs of systems, the largest differences of each measure first; difference: system − baseline"
    for tests, shown in ((("t",), False), (("t", "wilcoxon"), True)):
        comparison = cases.evaluation().compare("a", test=list(tests))
        assert ("estimate" in Reader(page(tmp_path, comparison)).table(caption).header) == shown


def test_too_large_a_page_names_its_largest_section() -> None:
    rows = tuple((Cell("x" * 40),) for _ in range(100))
    table = Table("rows", ("name",), rows, (False,))
    report = Page("t", "f", (Section("a", "Small"), Section("b", "Large", blocks=(table,))))
    assert render(report)
    with pytest.raises(ir.errors.InvalidParameter, match="largest section is “Large”"):
        render(report, most=4_000)


def test_long_tables_show_the_extremes_and_say_where_the_rest_is(tmp_path: Path) -> None:
    frame = pl.DataFrame({"query_id": [*range(300)] * 2, "run_id": ["a"] * 300 + ["b"] * 300,
                          "value": [i / 300 for i in range(300)] * 2})  # fmt: skip
    text = page(tmp_path, ir.compare(frame))
    hard = Reader(text).table("By value, the mean over systems")
    assert hard.column("query") == [f"{i:,}" for i in range(200)]
    assert "200 of 300 rows; all of them: ev.per_unit()." in text


@pytest.mark.parametrize(
    "make,options,path,message",
    [
        (cases.evaluation, {}, "r.txt", "ends in '.txt'"),
        (lambda: 1, {}, "r.html", "A int has no report"),
        (lambda: ir.evaluate(*cases.rankings(("a",)), "RR"), {"baseline": "b"}, "r.html", "There is one system"),
        (lambda: cases.evaluation().compare("a"), {"baseline": "b"}, "r.html", "not one with the baseline 'b'"),
        (cases.evaluation, {"baseline": "x"}, "r.html", "x"),
    ],
)
def test_what_cannot_be_reported_is_an_error(make, options, path: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ir.errors.IrevalError, match=re.escape(message)):
        ir.report(make(), tmp_path / path, **options)
    assert list(tmp_path.iterdir()) == []


def test_without_altair_tables_are_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    text = page(tmp_path, cases.evaluation("RR"))
    read = Reader(text)
    assert not any(t == "svg" for t, _ in read.tags)
    assert "Pictures need Altair. pip install &#34;ireval-frames[plots]&#34;" in text
    assert sum(t.caption.startswith("Data of the picture") for t in read.tables) > 3
