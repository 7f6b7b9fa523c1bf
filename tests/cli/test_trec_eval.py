"""`ireval trec-eval` prints what trec_eval 10 prints, byte for byte."""

import gzip
from pathlib import Path

import pytest

from ireval_frames import catalog
from ireval_frames.cli.trec_names import OFFICIAL, ORDER
from tests.cli.commands import ROOT, invoke

HERE = Path(__file__).parent / "trec_eval"
SHARED = ROOT.parent / "shared" / "data"


def _table(path: Path) -> list[list[str]]:
    """The rows of a file between tabs, without its header."""
    return [line.split("\t") for line in path.read_text().splitlines()[1:]]


CASES = _table(HERE / "cases.tsv")
# rbp of trec_eval 10 reads uninitialised memory.
SUPPORTED = [n for n in ORDER if n in {"runid", *catalog.trec_names()} and n != "rbp"]


@pytest.mark.parametrize("output, arguments, name", CASES, ids=[c[0] for c in CASES])
def test_own_inputs(output: str, arguments: str, name: str) -> None:
    result = invoke("trec-eval", *arguments.split(), HERE / f"{name}.qrels", HERE / f"{name}.run")
    assert result.stdout_bytes == (HERE / f"{output}.out").read_bytes()


def test_compressed_run_keeps_its_name(tmp_path: Path) -> None:
    packed = tmp_path / "graded.run.gz"
    packed.write_bytes(gzip.compress((HERE / "graded.run").read_bytes()))
    expected = (HERE / "graded-official.out").read_bytes()
    assert invoke("trec-eval", "-c", HERE / "graded.qrels", packed).stdout_bytes == expected


def test_missing_queries_are_left_out_without_c() -> None:
    printed = invoke("trec-eval", "-q", "-m", "num_q", "-m", "map", HERE / "graded.qrels", HERE / "graded.run").stdout
    assert "num_q                 \tall\t7\n" in printed
    assert "\t11\t" not in printed


def test_nothing_left_by_J_is_0(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n")
    printed = invoke("trec-eval", "-J", "-m", "iprec_at_recall.0", "-m", "11pt_avg", tmp_path / "q", tmp_path / "r").stdout
    assert printed == "iprec_at_recall_0.00  \tall\t0.5000\n11pt_avg              \tall\t0.5000\n"


def _kept(text: str, names: set[str]) -> list[str]:
    """The lines of measures the catalog has; not a number is 0 here."""
    return [line for line in text.splitlines() if _name(line) in names and "nan" not in line]


def _name(line: str) -> str:
    printed = line.partition("\t")[0].strip()
    roots = [n for n in ORDER if printed == n or printed.startswith(n + "_")]
    return max(roots, key=len, default="")


def _shared_cases() -> list[tuple[str, str]]:
    table = SHARED / "trec_eval" / "cases.tsv"
    if not table.exists():
        return []
    return [(output, arguments) for output, arguments in _table(table) if "-R" not in arguments and "-Z" not in arguments]


def _available(arguments: list[str]) -> tuple[list[str], set[str]]:
    """The options with every measure the catalog lacks taken out, and the names of the others."""
    kept: list[str] = []
    names: set[str] = set()
    words = iter(arguments)
    for word in words:
        if not word.startswith("-m"):
            kept.append(word)
            continue
        measure = word[2:] or next(words)
        root = measure.partition(".")[0]
        for name in SUPPORTED if root == "all_trec" else [root] if root in SUPPORTED else []:
            names.add(name)
            kept += ["-m", measure if name == root else name]
    return kept, names or set(OFFICIAL)


@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not here")
@pytest.mark.parametrize("output, arguments", _shared_cases())
def test_its_own_test_data(output: str, arguments: str) -> None:
    folder = SHARED / "trec_eval"
    *options, qrels, run = arguments.split()
    options, names = _available(options)
    result = invoke("trec-eval", *options, folder / qrels, folder / run)
    expected = (folder / output).read_text()
    assert result.exit_code == 0, result.stderr
    if names == set(OFFICIAL):
        assert result.stdout == expected
    # One option asks for dcg and gains of ndcg at once, which the reference program mixes up.
    assert _kept(result.stdout, names - {"dcg"}) == _kept(expected, names - {"dcg"})


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
    wanted = {n for n in SUPPORTED if n != "dcg"}
    measures = [word for n in SUPPORTED if n in wanted for word in ("-m", n)]
    files = [SHARED / f for f in INPUTS[name]]
    result = invoke("trec-eval", *OPTIONS[options], *measures, "--compat", version.partition(".")[0], *files)
    assert result.exit_code == 0, result.stderr
    ours, theirs = _kept(result.stdout, wanted), _kept(expected, wanted)
    nan = {tuple(line.split("\t")[:2]) for line in expected.splitlines() if "nan" in line}
    assert [line for line in ours if tuple(line.split("\t")[:2]) not in nan] == theirs
