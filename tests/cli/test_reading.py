"""Files of other kinds on the command line: what options say of them by name, and values that other tools wrote."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import InvalidParameter, MalformedFile, MissingColumn, ReadingWarning
from tests.cli.commands import BM25, QRELS, invoke

LSA = BM25.replace("bm25", "lsa")


def lines(path: str, *places: int) -> str:
    rows = [line.split() for line in Path(path).read_text("utf-8").splitlines()]
    return "".join(" ".join(row[p] for p in places) + "\n" for row in rows)


def values(*arguments: object, code: int = 0) -> dict[str, float]:
    actual = invoke("evaluate", *arguments, "--format", "json")
    assert actual.exit_code == code, actual.output
    return {row["measure"]: row["value"] for row in json.loads(actual.stdout)}


def test_what_cannot_be_seen_in_files_is_said_by_options(tmp_path: Path) -> None:
    options = ("-m", "AP P@10 nDCG@10")
    usual = values(QRELS, BM25, *options)
    pairs, order, ranks = tmp_path / "pairs.txt", tmp_path / "order.txt", tmp_path / "ranks.txt"
    relevant = [line.split() for line in Path(QRELS).read_text("utf-8").splitlines()]
    pairs.write_text("".join(f"{q} {d}\n" for q, _, d, g in relevant if int(g) > 0), "utf-8")
    order.write_text(lines(BM25, 0, 2), "utf-8")
    ranks.write_text(lines(BM25, 0, 1, 2, 3, 5), "utf-8")
    # The first try says what to write, and the second one does.
    for files, option, hint in (
        ((pairs, BM25), ("--qrels-format", "pairs"), "--qrels-format pairs"),
        ((QRELS, order), ("--score-from", "order"), "--score-from order"),
        ((QRELS, ranks), ("--score-from", "rank"), "--score-from rank"),
    ):
        first = invoke("evaluate", *files, *options)
        assert first.exit_code == 1
        assert hint in first.stderr
        assert "ir." not in first.stderr
        actual = values(*files, *options, *option)
        same = ("AP", "P@10") if files[0] == pairs else usual
        assert {m: actual[m] for m in same} == {m: pytest.approx(usual[m], abs=0.002) for m in same}


@pytest.mark.parametrize(
    "verb",
    [
        ("compare", "-m", "AP"),
        ("diagnose", "-m", "AP", "--baseline", "bm25"),
        ("gate", "-m", "AP"),
        ("reproduce", "-m", "AP"),
        ("store", "add", "-m", "AP"),
    ],
    ids=lambda verb: verb[0],
)
def test_verbs_of_rankings_read_alike(tmp_path: Path, verb: tuple[str, ...]) -> None:
    qrels, folder = tmp_path / "qrels.json", tmp_path / "runs"
    folder.mkdir()
    judged = ir.read_qrels(QRELS)
    qrels.write_text(json.dumps(ir.interop.dicts.to_qrels(judged.filter(pl.col("query_id") < "110"))), "utf-8")
    for path in (BM25, LSA):
        (folder / Path(path).name).write_text(lines(path, 0, 2), "utf-8")
    one, other = folder / "bm25.txt", folder / "lsa.txt"
    files = {
        "gate": (qrels, "--baseline", one, "--candidate", other),
        "reproduce": (qrels, "--original", one, "--replica", other),
        "store": (qrels, one, other, "--store", tmp_path / "results"),
    }.get(verb[0], (qrels, one, other))
    command = verb[:2] if verb[0] == "store" else verb[:1]
    first = invoke(*command, *files, *verb[len(command) :])
    assert first.exit_code == 1
    assert "--score-from order" in first.stderr
    actual = invoke(*command, *files, *verb[len(command) :], "--score-from", "order")
    assert actual.exit_code in ((0, 3) if verb[0] == "gate" else (0,)), actual.output


def test_runs_alone_are_read_alike(tmp_path: Path) -> None:
    runs = [tmp_path / Path(path).name for path in (BM25, LSA)]
    for path, file in zip((BM25, LSA), runs, strict=True):
        file.write_text("query,docno\n" + lines(path, 0, 2).replace(" ", ","), "utf-8")
    for verb in (("similarity", "-m", "RBO"), ("interleave", "lists")):
        first = invoke(*verb, *runs)
        assert "--score-from order" in first.stderr
        actual = invoke(*verb, *runs, "--score-from", "order")
        assert actual.exit_code == 0, actual.output
    named = ("--column", "query_id=query")
    assert invoke("similarity", *runs, *named, "--score-from", "order").exit_code == 0
    judged = tmp_path / "judged.csv"
    judged.write_text("query,docno,mark\n" + lines(QRELS, 0, 2, 3).replace(" ", ","), "utf-8")
    options = ("--column", "qrels.relevance=mark", "--store", tmp_path / "results", "-m", "AP")
    assert invoke("store", "add", judged, *runs, *options, "--score-from", "order").exit_code == 0


def test_documents_of_standard_input_and_formats_that_are_none() -> None:
    run = json.dumps({"101": {"weakref.proxy": 2.5}})
    actual = invoke("evaluate", QRELS, "-", "-m", "NumRet", "--format", "json", text=run.encode())
    assert json.loads(actual.stdout)[0]["value"] == 1
    wrong = invoke("evaluate", QRELS, BM25, "-m", "AP", "--run-format", "pair")
    assert wrong.exit_code == 2
    assert "Did you mean pairs?" in wrong.stderr
    assert "--run-format trec" in wrong.stderr


def trec(folder: Path, name: str, shift: float, *, means: bool = False) -> Path:
    rows = ["runid                 \tall\tSTANDARD"] if means else []
    for q in range(1, 9):
        at = "all" if means else f"q{q}"
        value = min(0.1 * q + shift * (q % 3), 1.0)
        rows += [f"num_rel               \t{at}\t7", f"map                   \t{at}\t{value:6.4f}"]
        rows += [f"P_10                  \t{at}\t{value / 2:6.4f}", f"unj_10                \t{at}\t{0.3 - shift:6.4f}"]
    path = folder / name
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def test_outputs_of_trec_eval_are_compared(tmp_path: Path) -> None:
    a, b = trec(tmp_path, "a.txt", 0.0), trec(tmp_path, "b.out.txt", 0.1)
    actual = invoke("compare", "--values", a, b, "-m", "map,P_10", "--format", "json")
    assert actual.exit_code == 0, actual.output
    rows = {row["measure"]: row for row in json.loads(actual.stdout)}
    assert [*rows] == ["P_10", "map"] or [*rows] == ["map", "P_10"]
    assert (rows["map"]["baseline"], rows["map"]["system"], rows["map"]["n"]) == ("a", "b.out", 8)
    assert rows["map"]["difference"] == pytest.approx(0.1 * 9 / 8)
    by_our_names = invoke("compare", "--values", a, b, "-m", "AP P@10", "--format", "json")
    assert json.loads(by_our_names.stdout) == json.loads(actual.stdout)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        everything = invoke("compare", "--values", a, b, "--format", "json")
    assert everything.stderr.startswith("ireval: num_rel, unj_10: neither more nor less")
    assert "num_rel" not in {row["measure"] for row in json.loads(everything.stdout)}


def test_values_of_other_tools(tmp_path: Path) -> None:
    a = trec(tmp_path, "a.txt", 0.0)
    rows = ir.comparison.read_values(a)
    assert rows.columns == ["run_id", "query_id", "measure", "value"]
    (tmp_path / "m.txt").write_text("q1\tAP\t0.5\nq2\tAP\t0.25\nall\tAP\t0.375\n", "utf-8")
    (tmp_path / "r.json").write_text('{"map": {"q1": 0.5, "q2": 0.25}}', "utf-8")
    (tmp_path / "p.json").write_text('{"q1": {"map": 0.5}, "q2": {"map": 0.25}}', "utf-8")
    (tmp_path / "t.csv").write_text("qid;metric;value\nq1;AP;0.5\nq2;AP;0.25\n", "utf-8")
    (tmp_path / "n.csv").write_text("run_id,query_id,measure,value\nx,q1,AP,0.5\ny,q1,AP,0.25\n", "utf-8")
    for name in ("m.txt", "r.json", "p.json", "t.csv"):
        actual = ir.comparison.read_values(tmp_path / name)
        assert actual.drop("measure").rows() == [(name[0], "q1", 0.5), (name[0], "q2", 0.25)]
    assert ir.comparison.read_values(tmp_path / "n.csv")["run_id"].to_list() == ["x", "y"]
    assert ir.comparison.read_values([tmp_path / "m.txt", tmp_path / "t.csv"])["run_id"].unique().sort().to_list() == [
        "m",
        "t",
    ]
    with pytest.raises(MalformedFile, match=r"no values per query.*\n.*trec_eval -q"):
        ir.comparison.read_values(trec(tmp_path, "means.txt", 0.0, means=True))
    (tmp_path / "x.txt").write_text("map\tq1\t0.5\nmap q2 0.5\n", "utf-8")
    (tmp_path / "x.csv").write_text("query_id,value\nq1,1\n", "utf-8")
    with pytest.raises(MalformedFile, match="line 2: "):
        ir.comparison.read_values(tmp_path / "x.txt")
    with pytest.raises(MissingColumn, match="'measure'"):
        ir.comparison.read_values(tmp_path / "x.csv")
    (tmp_path / "again").mkdir()
    with pytest.raises(InvalidParameter, match="both be called 'a'"):
        ir.comparison.read_values([a, trec(tmp_path / "again", "a.txt", 0.0)])


def test_what_several_files_of_values_do_not_take(tmp_path: Path) -> None:
    a, b = trec(tmp_path, "a.txt", 0.0), trec(tmp_path, "b.txt", 0.1)
    for arguments, message in (
        ((a,), "--values is of several files"),
        ((a, b, "--unit", "qid"), "--unit is not of --values"),
        ((a, b, "--policy", "trec_eval-9"), "--policy is not of --values"),
        ((a, b, "-m", "nDCG@3"), "There are no values of 'nDCG@3'"),
    ):
        actual = invoke("compare", "--values", *arguments)
        assert actual.exit_code == 2
        assert message in actual.stderr


def test_left_out_rows_are_reported_on_stderr(tmp_path: Path) -> None:
    path = tmp_path / "basic.csv"
    path.write_text("query,docid,rating\n101,weakref.proxy,3\n101,memoryview.cast,\nnothing\n", "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        actual = invoke("evaluate", path, BM25, "-m", "P@1")
    assert actual.exit_code == 0, actual.output
    assert "2 rows have no rating" in actual.stderr
    with pytest.warns(ReadingWarning, match="2 rows have no rating"):
        ir.read_qrels(path)
