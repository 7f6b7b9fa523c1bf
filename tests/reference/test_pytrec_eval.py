"""pytrec_eval, which wraps trec_eval 9.

All shared measures at full precision, on random tables and on the stored outputs.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
import pytrec_eval

import ireval_frames as ir
from tests.contract.kit import ENGINES
from tests.reference.files import CASES, frames, qrels_frame, run_frame
from tests.reference.trec_names import measure_of

engines = pytest.mark.parametrize("engine", ENGINES)
levels = pytest.mark.parametrize("level", [1, 2, 3])
condensed = pytest.mark.parametrize("judged_only", [False, True])
TOLERANCE = 1e-9
# Its other measures need preferences or several assessors (asking for them ends the process), or are not in the
# catalog.
ASKED = {
    "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "map_cut", "Rprec", "bpref", "gm_bpref", "infAP",
    "recip_rank", "P", "recall",
    "success", "11pt_avg", "iprec_at_recall", "ndcg", "ndcg_cut", "set_P", "set_recall", "set_F", "set_map",
    "set_relative_P",
    "num_nonrel_judged_ret", "Rprec_mult", "utility", "binG", "G", "ndcg_rel", "Rndcg", "relative_P",
}  # fmt: skip


def random_tables(seed: int) -> tuple[dict, dict]:
    """Judgments with all grades, and lists with many ties; ids that start alike and differ in case."""
    rng = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(60):
        pool = [f"{rng.choice('aAzZé')}{i}" for i in range(rng.choice((4, 20, 60)))]
        judged, *others = rng.sample(pool, rng.randint(1, len(pool)))
        # One judged document at least: pytrec_eval ends the process where -2 is the largest grade of a query.
        qrels[f"q{number}"] = {judged: 0} | {d: rng.choice((-2, -1, 0, 0, 0, 1, 1, 2, 3)) for d in others}
        retrieved = rng.sample(pool, rng.randint(1, len(pool)))
        tied = rng.random() < 0.6
        run[f"q{number}"] = {d: float(rng.randint(0, 5)) if tied else rng.random() for d in retrieved}
    return qrels, run


def compared(ours: ir.Evaluation, theirs: dict, measures: dict[str, ir.Measure]) -> int:
    """Every figure of theirs that we have is ours; how many these were."""
    values = {(q, m): v for q, m, v in ours.per_unit().select("query_id", "measure", "value").iter_rows()}
    ours_of = {name: str(measure) for name, measure in measures.items()}
    seen = 0
    for query, figures in theirs.items():
        for name, value in figures.items():
            if name not in ours_of:
                continue
            actual = values[query, ours_of[name]]
            if math.isnan(value):
                # Its fault: where no relevant document is needed, precision divides by the length of the list, also by
                # 0.
                assert name.startswith("iprec_at_recall") or name == "11pt_avg"
                assert actual == values[query, "NumRet"] == 0.0
                continue
            # Its values of geometric measures are logarithms, taken of 0.00001 at least.
            actual = math.log(max(actual, 1e-5)) if name.startswith("gm_") else actual
            # Not pytest.approx, which would take longer than the evaluation.
            assert abs(actual - value) <= TOLERANCE * max(1.0, abs(value)), (name, query, actual, value)
            seen += 1
    return seen


@engines
@levels
@condensed
def test_random_tables(level: int, engine: str, agrees, *, judged_only: bool) -> None:
    for seed in (level, level + 10):
        qrels, run = random_tables(seed)
        theirs = pytrec_eval.RelevanceEvaluator(
            qrels, ASKED, relevance_level=level, judged_docs_only_flag=judged_only
        ).evaluate(run)
        names = {name: measure_of(name, level) for name in next(iter(theirs.values()))}
        measures = {name: m for name, m in names.items() if m is not None}
        policy = "trec_eval-9" + (",unjudged=skip" if judged_only else "")
        ours = ir.evaluate(qrels_frame(qrels), run_frame(run), list(measures.values()), policy=policy, engine=engine)
        assert compared(ours, theirs, measures) > 60 * 60
    agrees("pytrec-eval-terrier", *measures.values())


@levels
@condensed
@pytest.mark.parametrize("case", CASES)
def test_stored_outputs(reference_data: Path, case: str, level: int, agrees, *, judged_only: bool) -> None:
    stored = json.loads(
        (reference_data / "expected" / f"{case}.pytrec_eval_0.5.11_trec_eval9.0.8.json").read_text(encoding="utf-8")
    )
    theirs = stored[f"rel_level={level},judged_only={int(judged_only)}"]
    names = {name: measure_of(name, level) for name in next(iter(theirs.values()))}
    measures = {name: m for name, m in names.items() if m is not None}
    policy = "trec_eval-9" + (",unjudged=skip" if judged_only else "")
    ours = ir.evaluate(*frames(reference_data, case), list(measures.values()), policy=policy)
    assert compared(ours, theirs, measures) > 100
    agrees("pytrec-eval-terrier", *measures.values())
