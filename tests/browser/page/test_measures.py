"""Measures by name, the console, and what both say where something is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import ireval_frames as ir
from tests.browser.page.conftest import Opened
from tests.browser.page.tables import load
from tests.macros.cases import items, rankings

WRONG = {
    "nDGC@10": ("There is no measure nDGC of ranking", "Did you mean nDCG?"),
    "AP(rel='x')": ("rel must be a number", "Write rel=1."),
    "nDCG@": ("nDCG@ cannot be read", "Write it like AP(rel=2)@5."),
    "P": ("P needs cutoff: an integer >= 1", "Write P@10."),
    "P@-1": ("P@-1: k must be an integer >= 1", ""),
    "nDCG@10@5": ("nDCG@10@5 cannot be read", "Write it like AP(rel=2)@5."),
    "nDCG@99999999999999999999": ("cutoff must be an integer >= 1", "Write cutoff=10."),
    "AP(rel=1e400)": ("AP(rel=1e400) has a number that is too large", "Write a smaller one."),
    "statAP": ("statAP: The qrels table has no column iprob", "or a file that has it"),
    "P@1.5": ("cutoff must be an integer >= 1", "Write cutoff=10."),
    "F1": ("There is no measure F1 of ranking", "choose that family"),
    "ERR(foo=3)": ("ERR has no parameter foo", "It has max_rel, stop, cutoff"),
    "AP(rel=1, 2)": ("there must be name=value pairs", "Write it like P(rel=2)@5."),
    "nDCG(base=3)": ("There is no macro of nDCG(base=3)", 'ireval macros -m "nDCG(base=3)"'),
    "": ("No measure is named", "Write nDCG@10 AP"),
}
STATEMENTS = {
    "FORM run": 'syntax error at or near "FORM"',
    "FROM judged\nWHERE query_id = 'x": "LINE 2: WHERE query_id = 'x",
    "COPY judged TO 'x.csv'": "COPY writes no file from a tab.",
    "FROM nowhere": "There is no table nowhere. SHOW TABLES lists those that there are.",
    "FROM ireval_p('judged', 'bm', k := 0)": "k must be an integer >= 1.",
    "FROM ireval_p('judged', 'bm')": "It is ireval_p(qrels, run, k BIGINT, rel DOUBLE := 1.0",
    "SELECT '[1]'::JSON": "This needs an extension of DuckDB, which would come from another host.",
}


@pytest.fixture
def loaded(opened: Callable[..., Opened]) -> Opened:
    """The page with judgments and a run, by a link that carries measures."""
    watched, (qrels, run) = opened("#m=AP(rel=2)+nDCG@5"), rankings()
    load(watched.page, {"judged": qrels, "bm": run}, {"judged": "qrels", "bm": "run"})
    return watched


def test_a_link_carries_measures_as_python_writes_them(loaded: Opened) -> None:
    page = loaded.page
    asked = page.get_by_role("textbox", name="Measures")
    assert asked.input_value() == "AP(rel=2) nDCG@5"
    asked.fill("map(rel=2.0), NDCG @ 5 P(rel=1)@3 RBP( p=0.5 )")
    page.keyboard.press("Enter")
    page.get_by_role("table", name="Means over units").wait_for()
    names = [str(m) for m in ("AP(rel=2)", "nDCG@5", "P@3", "RBP(p=0.5)")]
    assert page.evaluate("ireval.measures.map(m => m.text)") == names
    assert [str(ir.Measure.parse(n, "ranking")) for n in names] == names
    assert page.url.endswith("#m=AP(rel=2)+nDCG@5+P@3+RBP(p=0.5)")


def test_what_is_wrong_is_said_with_what_to_write(loaded: Opened) -> None:
    page, said = loaded.page, {}
    for text in WRONG:
        page.get_by_role("textbox", name="Measures").fill(text)
        page.get_by_role("button", name="Evaluate", exact=True).click()
        said[text] = page.locator("#measures [role=alert] .error").inner_text()
    assert [f"{t}: {s}" for t, s in said.items() if any(words not in s for words in WRONG[t])] == []
    # DuckDB's worker writes its errors.
    assert [m for m in loaded.messages if "worker.js" not in m] == []


def test_the_list_adds_measures_with_their_parameters(loaded: Opened) -> None:
    page = loaded.page
    page.get_by_role("textbox", name="Measures").fill("")
    page.get_by_text("All measures, with their parameters").click()
    page.get_by_label("Search measures").fill("expected reciprocal rank cascade")
    page.get_by_label("Search measures").fill("rank-biased precision")
    assert "of" in page.locator(".count").inner_text()
    page.locator("li:not([hidden]) > details > summary", has_text="RBP ").first.click()
    page.get_by_label("p", exact=True).fill("0.5")
    page.get_by_role("button", name="Add RBP(p=0.5)").click()
    assert page.get_by_role("textbox", name="Measures").input_value() == "RBP(p=0.5)"


def test_the_console_runs_stops_and_says_what_failed(loaded: Opened) -> None:
    page, said = loaded.page, {}
    console, run = page.locator("#console"), page.locator("#console").get_by_role("button", name="Run")
    for statement in STATEMENTS:
        page.locator("#sql").fill(statement)
        run.click()
        said[statement] = console.locator("[role=alert] .error").inner_text()
    assert {s: text for s, text in said.items() if STATEMENTS[s] not in text} == {}
    page.locator("#sql").fill("SELECT sum(hash(a.range * b.range) % 7) FROM range(100000) a, range(1000000) b")
    run.click()
    console.get_by_role("button", name="Stop").click()
    console.get_by_text("Stopped.").wait_for()
    page.locator("#sql").fill("CREATE TABLE x AS SELECT ';' AS a; -- one; two\nFROM x")
    run.click()
    console.get_by_role("cell", name=";").wait_for()
    page.locator("#sql").fill("SELECT/* no blank */E'a\\';b' AS text, 1e-9 AS small, 1e300 AS large, 0.5 AS half")
    run.click()
    assert console.get_by_role("row").last.inner_text().split("\t") == ["a';b", "1.00e-9", "1e+300", "0.5000"]
    with page.expect_download() as download:
        console.get_by_role("button", name="Rows as CSV").click()
    assert download.value.path().read_text("utf-8").splitlines()[1] == "a';b,1e-9,1e+300,0.5"


def test_a_class_must_be_chosen_for_measures_of_one(opened: Callable[..., Opened]) -> None:
    watched = opened()
    load(watched.page, {"judged": items(["a", "b", "c"])}, {"judged": "labels"})
    page = watched.page
    page.get_by_label("Positive class").wait_for()
    page.get_by_role("textbox", name="Measures").fill("F1")
    page.get_by_role("button", name="Evaluate", exact=True).click()
    assert "F1 is of one class" in page.locator("#measures [role=alert] .error").inner_text()
