"""The complete outputs of trec_eval 9.0.8 and 10.0.

Every figure we have, per query and for all, to the printed digit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ireval_frames as ir
from ireval_frames import catalog
from tests.contract.kit import ENGINES
from tests.reference.files import CASES, frames
from tests.reference.trec_names import measure_of

OPTIONS = {"qc": (1, ""), "qcl2": (2, ""), "qcJ": (1, ",unjudged=skip"), "qcM30": (1, ",depth=30")}


def outputs(path: Path) -> dict[tuple[str, str], str]:
    """The printed figure by (query, name)."""
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {(query, name): value for name, query, value in (row for row in rows if len(row) == 3)}


# All outputs on Polars; on DuckDB those of the graded judgments.
OUTPUTS = [
    (c, o, v, e)
    for c in CASES
    for o in OPTIONS
    for v in ("9.0.8", "10.0")
    for e in ENGINES
    if e == "polars" or c == "trec_eval_rel_level"
]


@pytest.mark.parametrize("case, options, version, engine", OUTPUTS)
def test_to_the_printed_digit(reference_data: Path, case: str, options: str, version: str, engine: str, agrees) -> None:
    level, policy = OPTIONS[options]
    printed = outputs(reference_data / "expected" / f"{case}.trec_eval_v{version}.{options}.txt")
    names = {name: measure_of(name, level) for _, name in printed}
    measures = {name: m for name, m in names.items() if m is not None}
    evaluation = ir.evaluate(
        *frames(reference_data, case),
        [*measures.values(), ir.NumRel],
        policy=f"trec_eval-{version.partition('.')[0]}{policy}",
        engine=engine,
    )
    values = {(r["query_id"], r["measure"]): r["value"] for r in evaluation.per_unit().iter_rows(named=True)}
    values |= {("all", r["measure"]): r["value"] for r in evaluation.summary().iter_rows(named=True)}
    wrong = []
    for (query, name), text in printed.items():
        if name not in measures:
            continue
        # With -c it counts the documents above 0 for all queries, whatever level was asked for.
        measure = ir.NumRel if (query, name) == ("all", "num_rel") else measures[name]
        value = values[query, str(measure)]
        if "nan" in text:
            # Its fault: where no relevant document is needed, precision divides by the length of the list, also by 0.
            assert name.startswith("iprec_at_recall") or name == "11pt_avg"
            continue
        whole = catalog.trec_names().get(name, (None, None))[1]
        shown = f"{value:.0f}" if whole is not None and whole.whole else f"{value:.4f}"
        if shown != text and not last_digit(value, text):
            wrong.append(f"{name} {query}: {value!r} instead of {text}")
    assert not wrong, f"{len(wrong)} of {len(printed)}:\n" + "\n".join(wrong[:20])
    agrees("trec_eval", *measures.values())


def last_digit(value: float, text: str) -> bool:
    """The same figure at the edge of rounding.

    Sums taken in another order differ by 1e-12 and may print another digit.
    """
    return abs(abs(value - float(text)) - 0.00005) < 1e-9
