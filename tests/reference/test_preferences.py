"""trec_eval 10 on judgments of several assessors and on preferences: its own test data, and made ones beside this.

Its preference code breaks ties by ascending ids, all else by descending ones.  What its code counts otherwise than its
documentation says is `PrefsRnonrel(counting="trec_eval")`.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import IrevalError
from tests.contract.kit import ENGINES
from tests.reference.test_trec_eval import last_digit, outputs

engines = pytest.mark.parametrize("engine", ENGINES)
HERE = Path(__file__).parent / "preferences"
NOT_HERE = {"runid", "num_q"}


def compared(agrees, qrels: pl.DataFrame, run: Path, printed: Path, engine: str, policy: str, rel: int = 1) -> int:
    """Every figure that it printed is ours; how many these were."""
    expected = outputs(printed)
    measures = {name: ir.Measure.parse(name) for _, name in expected if name not in NOT_HERE}
    measures = {name: m(rel=rel) if "rel" in m.definition.parameters else m for name, m in measures.items()}
    evaluation = ir.evaluate(
        qrels, ir.read_run(run).drop("run_id"), list(measures.values()), policy=policy, engine=engine
    )
    values = {(r["query_id"], r["measure"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}
    values |= {("all", r["measure"]): r["value"] for r in evaluation.summary().iter_rows(named=True)}
    wrong = []
    for (query, name), text in expected.items():
        if name in NOT_HERE:
            continue
        value = values[query, str(measures[name])]
        shown = f"{value:.0f}" if "num_prefs" in name else f"{value:.4f}"
        if shown != text and not last_digit(value, text):
            wrong.append(f"{name} {query}: {value!r} instead of {text}")
    assert not wrong, "\n".join(wrong[:20])
    agrees("trec_eval", *measures.values())
    return len(expected)


@engines
@pytest.mark.parametrize("qrels", ["qrels.123", "qrels.comments.123"])
def test_its_judgments_of_several_assessors(reference_data: Path, qrels: str, engine: str, agrees) -> None:
    folder = reference_data / "trec_eval"
    judged = ir.read_qrels(folder / qrels, second="assessor_id")
    assert compared(agrees, judged, folder / "results.test", folder / "out.test.qrels_jg", engine, "") == 82


@engines
@pytest.mark.parametrize("prefs", ["prefs.test", "prefs.comment.test"])
def test_its_preferences(reference_data: Path, prefs: str, engine: str, agrees) -> None:
    folder = reference_data / "trec_eval"
    judged = ir.read_qrels(folder / prefs)
    assert judged.columns == ["query_id", "doc_id", "relevance", "assessor_id", "subgroup_id"]
    assert (
        compared(agrees, judged, folder / "prefs.results.test", folder / "out.test.prefs", engine, "ties=doc_id") == 352
    )


@engines
def test_its_judgments_as_preferences(reference_data: Path, engine: str, agrees) -> None:
    folder = reference_data / "trec_eval"
    judged = ir.read_qrels(folder / "qrels.test", second="assessor_id")
    assert (
        compared(agrees, judged, folder / "results.test", folder / "out.test.qrels_prefs", engine, "ties=doc_id") == 58
    )


@engines
@pytest.mark.parametrize("name", ["groups", "one-group"])
def test_preferences(name: str, engine: str, agrees) -> None:
    judged = ir.read_qrels(HERE / f"{name}.prefs", format="prefs")
    assert compared(agrees, judged, HERE / f"{name}.run", HERE / f"{name}.out", engine, "ties=doc_id") > 200


@engines
def test_judgments_of_assessors_as_preferences(engine: str, agrees) -> None:
    judged = ir.read_qrels(HERE / "assessors-graded.qrels", second="assessor_id")
    assert compared(agrees, judged, HERE / "assessors.run", HERE / "assessors-graded.out", engine, "ties=doc_id") > 200


@engines
@pytest.mark.parametrize("options, policy, rel", [("", "", 1), ("-l2", "", 2), ("-J", "unjudged=skip", 1)])
def test_several_assessors(options: str, policy: str, rel: int, engine: str, agrees) -> None:
    judged = ir.read_qrels(HERE / "assessors.qrels", second="assessor_id")
    assert compared(agrees, judged, HERE / "assessors.run", HERE / f"assessors{options}.out", engine, policy, rel) > 280


def test_the_names_are_all_there() -> None:
    for path in HERE.glob("*.out"):
        for _, name in outputs(path):
            try:
                ir.Measure.parse(name)
            except IrevalError:
                assert name in NOT_HERE
