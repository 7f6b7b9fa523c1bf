"""Hints are followed as they stand: the second try succeeds, or fails for another reason."""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import Argument, Code, IrevalError
from tests.cli.commands import invoke

QRELS, RUN = ir.examples.ranking()
RUNS = pl.concat([RUN.with_columns(run_id=pl.lit(r)) for r in "ab"])
LABELS = ir.examples.labels()
WEIGHED = LABELS.with_columns(weight=pl.lit(1.0))
NUMBER = pl.int_range(pl.len())
Frames = dict[str, Any]


def ranked(f: Frames, **more: Any) -> pl.DataFrame:
    return ir.evaluate(f["qrels"], f["run"], "AP", **more).summary()


def labelled(f: Frames, **more: Any) -> pl.DataFrame:
    return ir.Labels(f["frame"], **more).evaluate("Accuracy").summary()


def rankings(**frames: Any) -> Frames:
    return {"qrels": QRELS, "run": RUN, **frames}


def second(column: str, value: Any) -> pl.Expr:
    return pl.when(NUMBER == 1).then(value).otherwise(pl.col(column)).alias(column)


def floats(frame: pl.DataFrame) -> pl.DataFrame:
    """Ids as pandas has them where it has read a null."""
    return frame.with_columns(query_id=pl.lit(1.0), doc_id=pl.col("doc_id").str.slice(1).cast(pl.Float64))


def integers(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.cast({"query_id": pl.Int64, "doc_id": pl.Int64})


def compared(f: Frames, test: str = "wilcoxon(zeros='pratt')", **more: Any) -> pl.DataFrame:
    return ir.evaluate(f["qrels"], f["run"], "AP").compare("a", test=test, **more).table()


CASES: dict[str, tuple[Frames, Callable[..., Any]]] = {
    "a null score": (rankings(run=RUN.with_columns(second("score", None))), ranked),
    "a score that is NaN": (rankings(run=RUN.with_columns(second("score", float("nan")))), ranked),
    "a null document": (rankings(qrels=QRELS.with_columns(second("doc_id", None))), ranked),
    "a grade that is infinite": (rankings(qrels=QRELS.with_columns(second("relevance", float("inf")))), ranked),
    "a document twice": (rankings(run=pl.concat([RUN.with_columns(score=-pl.col("score")), RUN])), ranked),
    "runs in a column of another name": (rankings(run=RUNS.rename({"run_id": "system name"})), ranked),
    "other names": (rankings(qrels=QRELS.rename({"doc_id": "URL", "relevance": "stars"})), ranked),
    "names that say nothing": (
        rankings(qrels=QRELS.select(metric_score="relevance", details="doc_id", relevance="relevance")), ranked,
    ),
    "a name of ids": (rankings(run=RUN.rename({"score": "search_id"})), ranked),
    "names of both tables": (
        rankings(qrels=QRELS.rename({"query_id": "topic of it"}), run=RUN.rename({"doc_id": "page"})), ranked,
    ),
    "ids that are floats": (rankings(run=floats(RUN), qrels=integers(floats(QRELS))), ranked),
    "weights below 0": ({"frame": WEIGHED.with_columns(second("weight", -1.0))}, labelled),
    "weights of another name": (
        {"frame": WEIGHED.rename({"weight": "sample_weight"}).with_columns(second("sample_weight", -1.0))}, labelled,
    ),
    "scores of another name": (
        {"frame": pl.DataFrame({"y_true": [0, 1, 1], "p of 1": [0.1, None, 0.8]})},
        lambda f, **more: ir.Labels(f["frame"], score="p of 1", **more).evaluate("ROCAUC").summary(),
    ),
    "a group in other letters": (
        {"frame": LABELS.with_columns(vip=pl.lit(1))},
        lambda f, measure="VIP", **_: ir.Labels(f["frame"], by=measure).evaluate("Accuracy").summary(),
    ),
    "a unit by our name": (
        {"frame": LABELS.rename({"item_id": "row"})},
        lambda f, unit="item_id": ir.Labels(f["frame"], item="row", unit=unit).evaluate("Accuracy").summary(),
    ),
    "a group that there is not": (
        {"frame": LABELS},
        lambda f, by="customer": ir.Labels(f["frame"], by=by).evaluate("Accuracy").summary(),
    ),
    "ids that a split needs": (
        {"frame": LABELS.select("label", mine="item_id")}, lambda f, **more: ir.splits.kfold(f["frame"], **more),
    ),
    "folds of a wide table": (
        {"frame": pl.DataFrame({"svm": [0.1, 0.2, 0.4], "bert": [0.3, 0.5, 0.4], "part": [0, 1, 2]})},
        lambda f, **more: ir.compare(f["frame"], baseline="svm", **more).table(),
    ),
    "logits": (
        {"frame": pl.DataFrame({"y_true": [0, 1, 1], "logit": [-1.1, 2.0, 0.8]})},
        lambda f, **more: ir.Labels(f["frame"], score="logit", **more).evaluate("Brier").summary(),
    ),
    "no label": ({"frame": LABELS.rename({"label": "mine"})}, labelled),
    "a test with options": (
        rankings(run=RUNS),
        compared,
    ),
    "items without weights": (
        {"gold": WEIGHED.drop("prediction").head(6), "predicted": LABELS.select("item_id", "prediction")},
        lambda f, **more: ir.Labels(f["gold"], f["predicted"], **more).evaluate("Accuracy").summary(),
    ),
    "an item twice in rankings": (
        {"runs": pl.concat([RUNS, RUNS])}, lambda f, **more: ir.Similarity(f["runs"], **more).evaluate("Tau").summary(),
    ),
    "a measure that needs a cutoff": (
        rankings(), lambda f, measure="P5", **_: ir.evaluate(f["qrels"], f["run"], measure).summary(),
    ),
    "a misspelt measure": (
        rankings(), lambda f, measure="nDGC@5", **_: ir.evaluate(f["qrels"], f["run"], measure).summary(),
    ),
    "SQL of a name with NUL": (
        {"frame": LABELS.with_columns(pl.lit("g").alias("a\0b"))},
        lambda f, **more: ir.Labels(f["frame"], engine="duckdb", **more).evaluate("Accuracy").summary(),
    ),
}  # fmt: skip


def failed(call: Callable[[], Any]) -> IrevalError | None:
    try:
        call()
    except IrevalError as error:
        return error
    return None


def followed(error: IrevalError, frames: Frames) -> tuple[Frames, dict[str, Any]]:
    """The tables and arguments as the hint says; where it says several, the first of them that can be done."""
    scope, more = {"pl": pl, **frames}, {}
    parts = getattr(error.hint, "parts", (str(error.hint),))
    done = next((p for p in parts if isinstance(p, Argument | Code)), None)
    meant = re.search(r"Did you mean ([^?]*?)(?: or .*)?\?", str(error.hint))
    renamed = re.search(r"frame\.rename\(.*\)", str(error.hint))
    if isinstance(done, Argument):
        more[done.name] = done.value
    elif isinstance(done, Code) and re.match(r"\w+\.", done.line):
        table = done.line.partition(".")[0]
        # Errors that do not know the name of the table call it a frame.
        for name in [table] if table in frames else frames:
            scope[table] = frames[name]
            frames = {**frames, name: eval(done.line, scope)}
    elif isinstance(done, Code):
        more |= eval(f"dict({done.line})")
    elif meant:
        more["measure"] = meant[1]
    elif renamed:
        frames = {**frames, "frame": eval(renamed[0], {**scope, "pl": pl})}
    return frames, more


@pytest.mark.parametrize("case", CASES)
def test_in_python(case: str) -> None:
    frames, call = CASES[case]
    error = failed(lambda: call(frames))
    assert error is not None
    assert error.hint
    other, more = followed(error, frames)
    assert more or any(other[name] is not frames[name] for name in frames), error.hint
    again = failed(lambda: call(other, **more))
    assert again is None or again.what != error.what


def test_the_best_row_of_a_document_counts() -> None:
    frames = rankings(run=pl.concat([RUN.with_columns(score=pl.col("score") - 100), RUN]))
    error = failed(lambda: ranked(frames))
    assert error is not None
    other, more = followed(error, frames)
    assert ranked(other, **more)["value"].item() == ranked(rankings())["value"].item()
    # Of rankings that are compared, the line keeps these rows.
    runs = {"runs": pl.concat([RUNS.with_columns(score=pl.col("score") - 100), RUNS])}
    error = failed(lambda: ir.Similarity(runs["runs"]).evaluate("Tau").summary())
    assert error is not None
    remaining = followed(error, runs)[0]["runs"]
    assert remaining.sort(RUNS.columns).equals(RUNS.sort(RUNS.columns))


def test_floats_that_are_whole_numbers_meet_them() -> None:
    frames = CASES["ids that are floats"][0]
    for _ in ("query_id", "doc_id"):
        error = failed(functools.partial(ranked, frames))
        assert error is not None
        frames = followed(error, frames)[0]
    assert ranked(frames)["value"].item() == ranked(rankings())["value"].item()


def test_tables_of_a_connection_are_reported_at_once() -> None:
    con = duckdb.connect()
    con.execute("CREATE TABLE q AS SELECT 'x' AS of_whom, 'd' AS page, 1 AS g")
    con.execute("CREATE TABLE r AS SELECT 'x' AS k, 'd' AS l, 2.0 AS m")
    error = failed(lambda: ir.evaluate("q", "r", "AP", con=con).summary())
    assert error is not None
    (part,) = (p for p in error.hint.parts if isinstance(p, Argument))
    assert {t: [*names] for t, names in part.value.items()} == {
        "qrels": ["query_id", "doc_id", "relevance"],
        "run": ["query_id", "doc_id", "score"],
    }


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Files that are wrong in one way or another."""
    ir.io.write_qrels(QRELS, tmp_path / "qrels.txt")
    ir.io.write_run(RUN, tmp_path / "a.run")
    QRELS.write_csv(tmp_path / "qrels.csv")
    RUN.write_csv(tmp_path / "run.csv")
    RUNS.rename({"run_id": "system name"}).write_csv(tmp_path / "two.csv")
    RUNS.write_csv(tmp_path / "runs.csv")
    QRELS.rename({"relevance": "stars"}).write_csv(tmp_path / "stars.csv")
    QRELS.write_csv(tmp_path / "bare.csv", include_header=False)
    (tmp_path / "numbers.csv").write_text("7,8,1\n7,9,0\n")
    QRELS.with_columns(pl.col("relevance") / 2).write_csv(tmp_path / "halves.csv")
    LABELS.rename({"label": "mine"}).write_csv(tmp_path / "labels.csv")
    return tmp_path


LINES = (
    "evaluate qrels.csv two.csv -m AP",
    "evaluate stars.csv run.csv -m AP",
    "evaluate numbers.csv run.csv -m AP",
    "evaluate halves.csv run.csv -m AP",
    "evaluate qrels.csv run.csv -m P5",
    "evaluate qrels.csv run.csv -m nDGC@10",
    "evaluate a.run qrels.txt -m AP",
    "compare qrels.csv runs.csv -m AP --test wilcoxon(zeros='pratt')",
    "compare qrels.csv runs.csv -m AP --test wilcoxn",
    "labels labels.csv Accuracy",
    "labels labels.csv nDCG@10",
    "store list --store nowhere",
    "store show 1234 --store nowhere",
    "evaluate qrels.csv run.csv -m AP --policy missing=zeros",
    "evaluate qrels.csv run.csv --by lang",
)  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_on_the_command_line(line: str, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    words = shlex.split(line) if "'" not in line else line.split()
    first = invoke(*words)
    assert first.exit_code in (1, 2)
    message, _, hint = first.stderr.partition("\n")
    assert not re.search(r"\b(?:ir|pl|frame|run|qrels|store|ev|log|con)\.\w+\(|\blambda\b|=True|=\{|=\[", hint), hint
    options = re.findall(r"(--[\w-]+)(?: ('[^']*'|\"[^\"]*\"|[^\s,;]+?))?(?=[.,;]?(?:\s|$))", hint)
    if not options:
        return
    for option, value in options:
        # What is said again takes the place of what was said.
        if option in words:
            del words[(at := words.index(option)) : at + 2]
        words += [option, *shlex.split(value)]
    again = invoke(*words)
    assert again.exit_code == 0 or again.stderr.partition("\n")[0] != message
