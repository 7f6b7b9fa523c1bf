"""ir_measures, where it is right.

Left out, and why: `SetF(beta=…)` takes its beta as β²; `NumRel` over all queries miss queries the run lacks;
`ERR`, the exponential nDCG and `RBP` need Perl or further packages when called (their stored values are compared);
`BPM`, `SDCG`, `INST`, `INSQ` and `NERR*` are in test_cwl_eval.py, `Compat` in test_compat.py; two nDCG of which one has
`gains=` disturb each other in one call; `NumRet` is counted in condensed lists when another measure of the call has
`judged_only=True`, depending on the hash seed.
"""

from __future__ import annotations

import json
from pathlib import Path

import ir_measures
import polars as pl
import pytest

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.reference.files import CASES, frames, qrels_frame, run_frame
from tests.reference.test_pytrec_eval import random_tables

engines = pytest.mark.parametrize("engine", ENGINES)

# Computed by trec_eval inside: documents of equal 32-bit scores in descending order of their ids.
AS_TREC_EVAL = (
    "AP AP@10 AP(rel=2) P@5 P(rel=2)@10 R@5 R(rel=2)@20 Success@1 Success(rel=2)@5 RR RR(rel=2) Rprec Rprec(rel=2) "
    "Bpref Bpref(rel=2) nDCG nDCG@10 nDCG(judged_only=True)@10 SetP SetP(relative=True) SetR SetR(rel=2) SetF SetAP "
    "IPrec@0.1 IPrec(rel=2)@0.5 infAP infAP(rel=2) P(judged_only=True)@5 AP(judged_only=True)@10"
)


def theirs(measures: str, qrels: dict, run: dict) -> dict[tuple[str, str], float]:
    names = {ir_measures.parse_measure(m): m for m in measures.split()}
    return {(r.query_id, names[r.measure]): r.value for r in ir_measures.iter_calc(list(names), qrels, run)}


def ours(measures: str, qrels: pl.DataFrame, run: pl.DataFrame, **options: object) -> dict[tuple[str, str], float]:
    names = measures.split()
    evaluation = ir.evaluate(qrels, run, names, **options)
    written = {str(ir.Measure.parse(m)): m for m in names}
    return {(r["query_id"], written[r["measure"]]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}


@engines
def test_random_tables_as_trec_eval(engine: str, agrees) -> None:
    qrels, run = random_tables(7)
    run.pop("q3")
    expected = theirs(AS_TREC_EVAL, qrels, run)
    actual = ours(AS_TREC_EVAL, qrels_frame(qrels), run_frame(run), policy="trec_eval-9", engine=engine)
    assert len(expected) > 1500
    for key, value in expected.items():
        # Its precision at recall 0 and others are NaN for lists that are empty once condensed.
        assert actual[key] == pytest.approx(value, rel=1e-9, abs=1e-9), key
    agrees("ir-measures", *AS_TREC_EVAL.split())


@engines
def test_ids_in_ascending_order(engine: str, agrees) -> None:
    """RR with a cutoff comes from another tool there, which breaks ties by ascending id."""
    qrels, run = random_tables(8)
    measures = "RR@10 RR(rel=2)@5 RR@1"
    expected = theirs(measures, qrels, run)
    actual = ours(measures, qrels_frame(qrels), run_frame(run), policy="ties=doc_id", engine=engine)
    for key, value in expected.items():
        assert actual[key] == pytest.approx(value, rel=1e-9, abs=1e-9), key
    agrees("ir-measures", *measures.split())


def in_order(run: pl.DataFrame) -> pl.DataFrame:
    """Ranks by descending score, ties as they stand in the table: what cwl_eval does, which computes its RBP."""
    position = pl.struct(-pl.col("score"), pl.int_range(pl.len())).rank("ordinal").over("query_id").cast(pl.Int64)
    return run.with_columns(rank=position)


# Policy and number of decimals by measure, as far as the stored values of that tool are right.
STORED = {
    "ERR@10": ("", 5),
    "ERR@20": ("", 5),
    "nDCG(dcg='exp-log2')@10": ("", 5),
    "nDCG(dcg='exp-log2')@20": ("", 5),
    "RR@10": ("ties=doc_id", 12),
    "RBP(rel=1)": ("ties=rank", 9),
    "RBP(rel=1,p=0.95)": ("ties=rank", 9),
    "Judged": ("", 12),
    "Judged@10": ("", 12),
}


@engines
@pytest.mark.parametrize("measure", STORED)
@pytest.mark.parametrize("case", CASES)
def test_stored_values(reference_data: Path, case: str, measure: str, engine: str, agrees) -> None:
    stored = json.loads((reference_data / "expected" / f"{case}.ir_measures_0.4.3.json").read_text(encoding="utf-8"))
    policy, decimals = STORED[measure]
    qrels, run = frames(reference_data, case)
    if measure.startswith("Judged") and case == "trec_eval_rel_level":
        # There a negative grade counts as a judgment.
        qrels = qrels.with_columns(pl.col("relevance").clip(0))
    actual = ours(measure, qrels, in_order(run), policy=policy, engine=engine)
    assert stored[measure]
    for query, value in stored[measure].items():
        assert actual[query, measure] == pytest.approx(value, abs=0.500001 * 10**-decimals), query
    agrees("ir-measures", measure)
