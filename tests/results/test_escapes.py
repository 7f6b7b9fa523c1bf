r"""Signs in names that a terminal acts on are seen as escapes, wherever people read; the data have them as they are."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import displayed
from ireval_frames.cli.output.tables import Format as OutputFormat
from ireval_frames.cli.output.tables import deliver_table, text_table, write_bytes
from tests.cli.commands import invoke

# Colours, the title of the window, another line, the direction of text, and what nobody sees.
ESCAPED_NAME = "a\x1b[31m\x1b]0;t\x07\nb\u202e\u200b\x9b1m"
OTHER = f"{ESCAPED_NAME}2"
FORBIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]")
QRELS, ONE = ir.examples.ranking()
RUNS = pl.concat([ONE.with_columns(run_id=pl.lit(r)) for r in (ESCAPED_NAME, OTHER)])
TOPICS = QRELS.select(pl.col("query_id").unique().sort()).with_columns(pl.lit(ESCAPED_NAME).alias("by\x1b[1m"))
LABELS = ir.examples.labels().with_columns(
    pl.lit(ESCAPED_NAME).alias("who"), pl.lit(ESCAPED_NAME).cast(pl.Categorical).alias("what")
)


def test_texts_of_results(tmp_path: Path) -> None:
    ev = ir.evaluate(QRELS, RUNS, "AP RR", queries=TOPICS, by="by\x1b[1m")
    plain = ir.evaluate(QRELS, RUNS, "AP RR")
    ratings = ir.examples.ratings().with_columns(
        pl.concat_str(pl.col("item_id"), pl.lit(ESCAPED_NAME)).alias("item_id")
    )
    store = ir.Store(tmp_path)
    store.add(plain, collection=ESCAPED_NAME)
    click_log = ir.examples.click_log().with_columns(
        pl.concat_str(pl.col("query_id"), pl.lit(ESCAPED_NAME)).alias("query_id")
    )
    shown = {
        "evaluation": ev, "summary": ev.summary.result(), "units": ev.per_unit.result(), "wide": plain,
        "comparison": plain.compare(ESCAPED_NAME), "bootstrap": ir.resampling.bootstrap(plain, n_resamples=20),
        "jackknife": ir.resampling.jackknife(plain),
        "labels": ir.Labels(LABELS, by=["who", "what"]).evaluate("Accuracy"),
        "ratings": ir.Ratings(ratings).aggregate("majority"),
        "model": ir.Impressions(click_log).fit("SDBN"),
        "gate": ir.gate(ir.evaluate(QRELS, ONE, "AP"), ir.evaluate(QRELS, RUNS.filter(run_id=ESCAPED_NAME), "AP")),
        "diagnosis": plain.diagnose(ESCAPED_NAME, OTHER, "AP"), "store": store,
    }  # fmt: skip
    for name, result in shown.items():
        for text in (str(result), repr(result), result._repr_mimebundle_()["text/plain"]):
            assert FORBIDDEN.search(text) is None, name
    assert {ESCAPED_NAME, OTHER} == {*ev.summary()["run_id"]}
    # The base of results escapes the texts of every class.
    texts = [
        vars(c)[name]
        for c in displayed.Displayed.__subclasses__()
        for name in ("__str__", "__repr__")
        if name in vars(c)
    ]
    assert len(texts) >= 9
    assert all(text.__code__.co_name == "escaped_text" for text in texts)


def test_what_the_command_prints(tmp_path: Path) -> None:
    qrels, run, items = tmp_path / "qrels.parquet", tmp_path / "run.parquet", tmp_path / "items.parquet"
    QRELS.write_parquet(qrels)
    RUNS.write_parquet(run)
    LABELS.with_columns(item_id=pl.concat_str(pl.col("item_id"), pl.lit(ESCAPED_NAME))).write_parquet(items)
    for words in (
        ("evaluate", qrels, run, "-m", "AP RR"),
        ("evaluate", qrels, run, "-m", "AP", "-q"),
        ("compare", qrels, run, "-m", "AP", "--baseline", ESCAPED_NAME),
        ("compare", qrels, run, "-m", "AP", "--baseline", ESCAPED_NAME, "--explain"),
        ("diagnose", qrels, run, "-m", "AP", "--system", ESCAPED_NAME, "--baseline", OTHER),
        ("similarity", run, "Tau", "--matrix"),
        ("labels", items, "Accuracy", "--by", "who"),
        ("labels", items, "Accuracy", "--by", "what", "-q"),
        ("gate", qrels, "--baseline", run, "--candidate", run, "-m", "AP"),
        # Errors and warnings.
        ("evaluate", qrels, ESCAPED_NAME),
        ("evaluate", qrels, run, "-m", ESCAPED_NAME),
        ("labels", items, "Accuracy", "--by", ESCAPED_NAME),
        (ESCAPED_NAME,),
    ):
        done = invoke(*words)
        assert FORBIDDEN.search(done.stdout + done.stderr) is None, words
        assert done.stdout or done.stderr
    # What programs read has the data.
    assert "\x1b" in invoke("evaluate", qrels, run, "-m", "AP", "--format", "csv").stdout


class Terminal(io.TextIOWrapper):
    """Standard output of a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("shape", [OutputFormat.csv, OutputFormat.json, OutputFormat.table])
def test_a_terminal(monkeypatch: pytest.MonkeyPatch, shape: OutputFormat) -> None:
    frame = pl.DataFrame({"run_id": [ESCAPED_NAME], f"x{ESCAPED_NAME}": [ESCAPED_NAME], "value": [0.5]})
    for print_it in (lambda: deliver_table(frame, shape, None), lambda: text_table(frame)):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", terminal := Terminal(io.BytesIO(), "utf-8"))
            patched.setenv("NO_COLOR", "1")
            print_it()
            terminal.flush()
            warned = terminal.buffer.getvalue().decode()
        assert "a" in warned
        assert FORBIDDEN.search(re.sub(r"\x1b\[[0-9;]*m", "", warned)) is None
        assert "31m" not in re.findall(r"\x1b\[([0-9;]*m)", warned)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal(io.BytesIO(), "utf-8"))
    write_bytes(b"a\x1b[31m\tb\n", None)
    assert terminal.buffer.getvalue() == b"a\\x1b[31m\tb\n"
