"""`ireval trec-eval` prints what trec_eval 10 prints, byte for byte.

The outputs in trec_eval/ were printed by trec_eval 10, compiled with its own Makefile, from the inputs beside them.
"""

import gzip
from pathlib import Path

import pytest

from tests.cli.commands import ROOT, invoke, process
from tests.reference.trec_names import printed

HERE = Path(__file__).parent / "trec_eval"
SHARED = ROOT.parent / "shared" / "data"


def _table(path: Path) -> list[list[str]]:
    """The rows of a file between tabs, without its header."""
    return [line.split("\t") for line in path.read_text().splitlines()[1:]]


CASES = _table(HERE / "cases.tsv")


@pytest.mark.parametrize("output, arguments, name", CASES, ids=[c[0] for c in CASES])
def test_own_inputs(output: str, arguments: str, name: str, monkeypatch: pytest.MonkeyPatch, agrees) -> None:
    monkeypatch.chdir(HERE)
    files = [f"{name}.qrels", f"{name}.run"] if name else []
    result = invoke("trec-eval", *arguments.split(), *files)
    assert result.exit_code == 0, result.stderr
    assert result.stdout_bytes == (HERE / f"{output}.out").read_bytes()
    agrees("trec_eval", *printed(result.stdout))


def test_compressed_run_keeps_its_name(tmp_path: Path) -> None:
    packed = tmp_path / "graded.run.gz"
    packed.write_bytes(gzip.compress((HERE / "graded.run").read_bytes()))
    expected = (HERE / "graded-official.out").read_bytes()
    assert invoke("trec-eval", "-c", HERE / "graded.qrels", packed).stdout_bytes == expected


def test_standard_input() -> None:
    actual = process("trec-eval", "-c", HERE / "graded.qrels", "-", text=(HERE / "graded.run").read_bytes())
    assert actual.stdout == (HERE / "graded-official.out").read_bytes()


def _shared_cases() -> list[tuple[str, str]]:
    table = SHARED / "trec_eval" / "cases.tsv"
    return [(output, arguments) for output, arguments in _table(table)] if table.exists() else []


@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not here")
@pytest.mark.parametrize("output, arguments", _shared_cases())
def test_its_own_test_data(output: str, arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SHARED / "trec_eval")
    result = invoke("trec-eval", *arguments.split())
    assert result.exit_code == 0, result.stderr
    assert result.stdout_bytes == Path(output).read_bytes()


INPUTS = {
    "trec_eval_test": ("trec_eval/qrels.test", "trec_eval/results.test"),
    "trec_eval_rel_level": ("trec_eval/qrels.rel_level", "trec_eval/results.test"),
    "trec_eval_trunc": ("trec_eval/qrels.test", "trec_eval/results.trunc"),
    "trectools_small": ("trectools_small/qrel1.txt", "trectools_small/r4.run"),
}
OPTIONS = {"qc": ["-q", "-c"], "qcJ": ["-q", "-c", "-J"], "qcM30": ["-q", "-c", "-M30"], "qcl2": ["-q", "-c", "-l2"]}


@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not here")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("version", ["10.0", "9.0.8"])
@pytest.mark.parametrize("name", INPUTS)
def test_reference_outputs(name: str, version: str, options: str) -> None:
    expected = (SHARED / "expected" / f"{name}.trec_eval_v{version}.{options}.txt").read_text()
    files = [SHARED / f for f in INPUTS[name]]
    result = invoke("trec-eval", *OPTIONS[options], "-m", "all_trec", "--compat", version.partition(".")[0], *files)
    assert result.exit_code == 0, result.stderr
    ours, original = result.stdout.splitlines(), expected.splitlines()
    assert len(ours) == len(original)
    # Where a list is empty, precision at recall 0 is not a number there, and 0 here.
    assert [
        o
        for o, t in zip(ours, original, strict=True)
        if o != t and not ("nan" in t and o.startswith(("iprec_at_recall", "11pt_avg")))
    ] == []


def _files(
    folder: Path, qrels: str = "1 0 a 1\n1 0 b 0\n2 0 a 1\n", run: str = "1 Q0 a 1 1 t\n1 Q0 c 2 .5 t\n2 Q0 b 1 1 t\n"
) -> tuple[Path, Path]:
    (folder / "q").write_text(qrels)
    (folder / "r").write_text(run)
    return folder / "q", folder / "r"


# What stands after the files, and the exit code of trec_eval.
ENDS = {
    "": 0, "-h": 0, "-v": 0, "--vers": 0, "-o": 0, "-qnc": 0, "-qmmap": 0, "-cM1": 0, "--Rel=qrels": 0, "--": 0,
    "-m official.5": 0,
    "-x": 1, "--no-such": 1, "--n": 0, "--Re=qrels": 1, "--N=x": 1, "--h=1": 1, "-m": 1, "-m nope": 1, "-m P.": 1,
    "third": 1, "-q=": 1,
    "-m P.abc": 2, "-m P.0": 2, "-m P.-5": 2, "-m P.5,5": 2, "-m ndcg.1": 2, "-R nope": 2, "-T nope": 2,
    "-R prefs -m prefs": 2, "-m utility.1": 4, "-m utility.1,2,3,4,5": 4, "-m prefs_simp": 4, "-m map_avgjg": 4,
    "-R qrels_jg": 4,
    "-R qrels_prefs -m P": 4, "-R qrels_jg -m qrels_jg": 0, "-R qrels_prefs -m all_prefs": 0,
    "-R qrels_prefs -m runid -m num_q": 0,
    "-D 1.9": 7, "-Z nofile": 255,
}  # fmt: skip


@pytest.mark.parametrize("arguments", ENDS)
def test_exit_codes(arguments: str, tmp_path: Path) -> None:
    result = invoke("trec-eval", *_files(tmp_path), *arguments.split())
    assert result.exit_code == ENDS[arguments], result.stderr
    assert bool(result.stderr) == (ENDS[arguments] != 0 or "-v" in arguments)
    assert not (result.exit_code and result.stdout)


@pytest.mark.parametrize(
    "qrels, run, code",
    [
        ("1 0 a\n", "1 Q0 a 1 1 t\n", 2),
        ("1 0 a 1\n", "1 Q0 a 1 1\n", 2),
        ("1 0 a 1\n", "1 Q0 a 1 abc t\n", 2),
        ("1 0 a 1.7\n", "1 Q0 a 1 1 t\n", 2),
        ("", "1 Q0 a 1 1 t\n", 2),
        ("1 0 a 1\n1 0 a 1\n", "1 Q0 a 1 1 t\n", 4),
        ("1 0 a 1\n", "1 Q0 a 1 1 t\n1 Q0 a 2 1 t\n", 4),
        ("1 0 a 1\n", "1 Q0 a 1 1 t\n9 Q0 a 1 1 t\n9 Q0 a 2 1 t\n", 0),
        ("1 0 a 1\n", "2 Q0 a 1 1 t\n", 7),
    ],
)
def test_exit_codes_of_data(qrels: str, run: str, code: int, tmp_path: Path) -> None:
    result = invoke("trec-eval", "-q", *_files(tmp_path, qrels, run))
    assert result.exit_code == code, result.stderr
    assert bool(result.stdout) == (code == 0)


@pytest.mark.parametrize(
    "kind, judgments, code",
    [
        ("qrels_jg", "1 A a 1\n1 A a 0\n", 2),
        ("qrels_jg", "1 A a 1\n1 B a 0\n", 0),
        ("qrels_prefs", "1 A a 1\n1 A a 0\n", 4),
        ("prefs", "1 A s a 1\n1 A s b 2.5\n", 0),
        ("prefs", "1 A s a 1\n1 A s b x\n", 2),
        ("prefs", "1 A s a 1\n1 A s b 2\n1 A t a 2\n1 A t b 1\n", 4),
        ("prefs", "1 A s a 0\n1 A s b 2\n1 A t a 2\n1 A t c 3\n", 4),
        ("prefs", "1 A a 1\n", 2),
    ],
)
def test_exit_codes_of_other_judgments(kind: str, judgments: str, code: int, tmp_path: Path) -> None:
    measure = "qrels_jg" if kind == "qrels_jg" else "all_prefs"
    result = invoke("trec-eval", "-R", kind, "-m", measure, *_files(tmp_path, judgments))
    assert result.exit_code == code, result.stderr
    assert bool(result.stdout) == (code == 0)


def test_a_missing_file(tmp_path: Path) -> None:
    qrels, _ = _files(tmp_path)
    assert invoke("trec-eval", qrels, tmp_path / "nowhere").exit_code == 2
    assert invoke("trec-eval", qrels).exit_code == 1


# ---- differences on purpose: docs/trec_eval.md


def test_missing_queries_are_left_out_without_c() -> None:
    printed = invoke("trec-eval", "-q", "-m", "num_q", "-m", "map", HERE / "graded.qrels", HERE / "graded.run").stdout
    assert "num_q                 \tall\t7\n" in printed
    assert "\t11\t" not in printed


def test_nothing_left_by_J_is_0(tmp_path: Path) -> None:
    qrels, run = _files(tmp_path)
    printed = invoke("trec-eval", "-J", "-m", "iprec_at_recall.0", "-m", "11pt_avg", qrels, run).stdout
    assert printed == "iprec_at_recall_0.00  \tall\t0.5000\n11pt_avg              \tall\t0.5000\n"


def test_missing_queries_have_empty_lists_whatever_the_parameters(tmp_path: Path) -> None:
    files = _files(tmp_path, run="1 Q0 a 1 1 t\n")
    options = ["-m", "relstring.3", "-m", "utility.1,-1,-0.5,0", "-m", "ndcg.-1=5", "-m", "rbp_resid.p=0.5"]
    printed = [
        line.split("\t")[2] for line in invoke("trec-eval", "-q", "-c", "-n", *options, *files).stdout.splitlines()
    ]
    assert printed == ["'1'", "1.0000", "1.0000", "0.0000", "''", "-0.5000", "0.0000", "0.0000"]


def test_gains_of_several_measures_do_not_mix(tmp_path: Path) -> None:
    files = _files(tmp_path)
    printed = invoke("trec-eval", "-m", "dcg", "-m", "ndcg.1=3", "-m", "ideal_dcg.1=5", *files).stdout
    assert printed == (
        "dcg                   \tall\t0.5000\n"
        "ideal_dcg_1=5         \tall\t5.0000\n"
        "ndcg_1=3              \tall\t0.5000\n"
    )


def test_comments_anywhere(tmp_path: Path) -> None:
    files = _files(tmp_path, qrels="# one\n# two\n1 0 a 1\n\n# three\n2 0 a 1\n# end\n")
    assert invoke("trec-eval", "-m", "map", *files).stdout == "map                   \tall\t0.5000\n"


def test_a_level_below_0_takes_every_judged_document(tmp_path: Path) -> None:
    files = _files(tmp_path)
    assert invoke("trec-eval", "-l", "-1", *files).stdout == invoke("trec-eval", "-l0", *files).stdout


def test_a_query_with_negative_grades_alone_has_nothing_to_find(tmp_path: Path) -> None:
    files = _files(tmp_path, qrels="1 0 a 3\n1 0 c 3\n2 0 b -2\n")
    printed = invoke("trec-eval", "-q", "-n", "-m", "ndcg", "-m", "num_rel", *files).stdout
    assert printed.splitlines()[2:] == ["num_rel               \t2\t0", "ndcg                  \t2\t0.0000"]


def test_ndcg_p_is_there(tmp_path: Path) -> None:
    files = _files(tmp_path, qrels="1 0 a 3\n1 0 c 3\n")
    assert invoke("trec-eval", "-m", "ndcg_p", *files).stdout == "ndcg_p                \tall\t1.0000\n"


def test_version_9_knows_what_it_knew(tmp_path: Path) -> None:
    printed = invoke(
        "trec-eval", "--compat", "9", "-q", "-c", "-m", "all_trec", *_files(tmp_path, run="1 Q0 a 1 1 t\n")
    ).stdout
    assert "unj_5" not in printed
    assert "rbp" not in printed
    assert "\t2\t" not in printed  # missing queries count in the means only
    assert "num_q                 \tall\t2\n" in printed


def test_help_has_the_pages_of_the_measures_requested() -> None:
    printed = invoke("trec-eval", "-h", "-m", "map", "-m", "set").stdout
    assert "--complete_rel_info_wanted" in printed
    assert "AP@cutoff  (ranking)" in printed
    assert "SetF  (ranking)" in printed
    assert "nDCG@cutoff  (ranking)" not in printed
