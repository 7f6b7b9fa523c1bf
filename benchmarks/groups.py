"""The groups of cases, each with what it is compared with and what it should reach."""

import sys
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.answer_groups import answers
from benchmarks.click_groups import click_models, clicks, counterfactual
from benchmarks.comparison_groups import bootstrap, compare, experiments, ratings
from benchmarks.engine_groups import dialects, orders, spark, start
from benchmarks.extraction_groups import extraction
from benchmarks.fusion_groups import fusion
from benchmarks.item_groups import clusters, labels, organization, points
from benchmarks.jobs import Bench, Missing, Result
from benchmarks.latency_groups import latency, units
from benchmarks.names import FIVE, FORTY, TREC_EVAL
from benchmarks.output_groups import pictures, store
from benchmarks.pools_groups import pools
from benchmarks.recommender_groups import recommenders
from benchmarks.rows import Row, below, faster, peak, within, within_per_row
from benchmarks.scale_groups import scale

MEMORY_LIMIT = "2GB"
LARGE_LIMIT = "4GB"


def memory(bench: Bench) -> list[Row]:
    """Tables that are loaded already."""
    passages = bench.parquet("passages")

    def ours(duplicates: str = "error", measures: Sequence[str] = FIVE) -> Result:
        return bench.work("ours.frames", calls=5, **passages, measures=measures, duplicates=duplicates)

    checked, trusted, ranx = bench.turns(
        [ours, partial(ours, duplicates="trust"), partial(bench.work, "peers.ranx", calls=3, **passages)]
    )
    rows = [
        faster("in memory, ranx, second call", checked, ranx, 6),
        faster("… duplicates not looked for", trusted, ranx, 8),
        faster("in memory, ir_measures on pandas", checked, bench.work("peers.ir_measures", calls=2, **passages), 40),
        faster("in memory, pytrec_eval on dicts", checked, bench.work("peers.pytrec_eval", calls=2, **passages)),
    ]
    return [*rows, within("40 measures, 5 measures", ours(measures=FORTY), checked, 1.6)]


def process(bench: Bench) -> list[Row]:
    """Whole processes, from text files."""
    qrels, run = bench.path("passages", "qrels.txt"), bench.path("passages", "run.txt")
    ours = bench.process(*_evaluate(qrels, run), processes=3)
    peer: Result = Missing("ir_measures is not installed")
    if "ir_measures" in bench.installed:
        peer = bench.process(bench.peers, "-m", "ir_measures", "--places", "12", qrels, run, *FIVE, processes=2)
    return [faster("whole process from text, ir_measures", ours, peer, 6), peak("… peak memory", ours, "≤", 1.5)]


def trec_eval(bench: Bench) -> list[Row]:
    """The command that replaces trec_eval, and what all of its measures cost."""
    files = bench.path("passages", "qrels.txt"), bench.path("passages", "run.txt")
    five = [option for name in TREC_EVAL for option in ("-m", name)]
    rows = []
    for case, options, limit in (
        ("trec-eval, five measures", five, 4),
        ("trec-eval -q -m all_trec", ["-q", "-m", "all_trec"], 1),
    ):
        ours = bench.process(sys.executable, "-m", "ireval_frames", "trec-eval", *options, *files, processes=2)
        peer: Result = Missing("trec_eval is not there")
        if bench.trec_eval:
            peer = bench.process(bench.trec_eval, *options, *files)
        rows.append(faster(case, ours, peer, limit))
    everything = bench.work("ours.all_trec", calls=3, **bench.parquet("passages"))
    standard = bench.work("ours.frames", calls=5, **bench.parquet("passages"), measures=FIVE, duplicates="error")
    return [*rows, within("in memory, all of all_trec, 5 measures", everything, standard, 3)]


def duckdb(bench: Bench) -> list[Row]:
    """Tables inside DuckDB."""
    passages = bench.parquet("passages")
    bare = bench.work("bare.row_number", calls=3, **passages)
    checked = bench.work("ours.tables", calls=3, **passages, measures=FIVE)
    trusted = bench.work("ours.tables", calls=3, **passages, measures=FIVE, duplicates="trust")
    frames = bench.work("ours.frames", calls=5, **passages, measures=FIVE, duplicates="error")
    return [
        within("DuckDB tables, bare row_number and join", checked, bare, 1.5),
        within("… duplicates not looked for", trusted, bare, 1.5),
        within("DuckDB tables, ours on Polars frames", checked, frames),
    ]


def big(bench: Bench) -> list[Row]:
    """A run that is larger than one wants in memory, from Parquet."""
    files = bench.parquet("big")
    polars = _from_parquet(bench, "big")
    ranked = bench.work("bare.rank", run=files["run"])
    spill = bench.path("big", "spill")
    duck = bench.work("ours.views", calls=1, **files, measures=FIVE, memory_limit=MEMORY_LIMIT, spill=spill)
    million = _from_parquet(bench, "million")
    size = bench.sizes.described("big")
    large, small = bench.sizes.rows("big"), bench.sizes.rows("million")
    return [
        within(f"{size} from Parquet, bare ranking of all rows", polars, ranked, 2),
        peak("… peak memory", polars, "<", 3.5),
        within(f"{size}, DuckDB in {MEMORY_LIMIT}, bare ranking of all rows", duck, ranked, 3),
        within(f"{size}, DuckDB in {MEMORY_LIMIT}, ours on Polars", duck, polars),
        within_per_row(
            f"time per row of {size}, of {bench.sizes.described('million')}", polars, large, million, small, 3
        ),
    ]


def text(bench: Bench) -> list[Row]:
    """A run whose ids are text, larger than one wants in memory: whole processes, from text and from Parquet."""
    qrels, size = bench.path("texts", "qrels.txt"), bench.sizes.described("texts")
    rows = []
    for kind, run in ((f"{size} of text", "run.txt"), (f"{size} from Parquet, ids are text", "run.parquet")):
        ours = bench.process(*_evaluate(qrels, bench.path("texts", run)))
        rows += [below(f"whole process, {kind}", ours, 25), peak("… peak memory", ours, "<", 4)]
    return rows


def billion(bench: Bench) -> list[Row]:
    """A run ten times larger than memory, in a folder of Parquet files: a whole process, and DuckDB."""
    files, size = bench.parquet("billion"), bench.sizes.described("billion")
    polars = bench.process(*_evaluate(files["qrels"], files["run"]))
    spill = bench.path("billion", "spill")
    duck = bench.work("ours.views", calls=1, **files, measures=FIVE, memory_limit=LARGE_LIMIT, spill=spill)
    return [
        below(f"whole process, {size} from Parquet", polars, 120),
        peak("… peak memory", polars, "<", 4),
        below(f"{size}, DuckDB in {LARGE_LIMIT}", duck, 240),
        within("… Polars", duck, polars),
    ]


def floors(bench: Bench) -> list[Row]:
    """What reading the columns and ranking the rows costs at least."""
    rows = []
    for table in ("passages", "big"):
        files = bench.parquet(table)
        size = bench.sizes.described(table)
        ours = _from_parquet(bench, table)
        calls = _calls(table)
        rows += [
            within(
                f"{size} from Parquet, reading and semi-joining",
                ours,
                bench.work("bare.semi_join", calls=calls, **files),
            ),
            within("… reading and ranking every row", ours, bench.work("bare.rank", calls=calls, run=files["run"])),
        ]
    return rows


def reading(bench: Bench) -> list[Row]:
    """Text into frames."""
    single, double = bench.path("passages", "run.txt"), bench.path("blanks", "run.txt")
    bare = bench.work("bare.scan_csv", calls=3, run=single)
    return [
        within("read_run of text, bare scan_csv", bench.work("ours.read", calls=3, run=single), bare, 1.6),
        within("… with two blanks between fields", bench.work("ours.read", calls=3, run=double), bare, 5),
    ]


def small(bench: Bench) -> list[Row]:
    """What a small run and the bare import cost."""
    qrels, run = bench.path("small", "qrels.txt"), bench.path("small", "run.txt")
    ours, polars = (
        bench.process(sys.executable, "-c", f"import {name}", processes=5) for name in ("ireval_frames", "polars")
    )
    return [
        below(
            f"whole process, {bench.sizes.described('small')} of text",
            bench.process(*_evaluate(qrels, run), processes=3),
            1,
        ),
        within("import ireval_frames, import polars", ours, polars),
    ]


GROUPS: dict[str, Callable[[Bench], list[Row]]] = {
    "memory": memory,
    "orders": orders,
    "process": process,
    "trec_eval": trec_eval,
    "duckdb": duckdb,
    "dialects": dialects,
    "spark": spark,
    "big": big,
    "text": text,
    "billion": billion,
    "scale": scale,
    "floors": floors,
    "reading": reading,
    "small": small,
    "labels": labels,
    "clusters": clusters,
    "points": points,
    "organization": organization,
    "extraction": extraction,
    "clicks": clicks,
    "click_models": click_models,
    "counterfactual": counterfactual,
    "compare": compare,
    "experiments": experiments,
    "ratings": ratings,
    "answers": answers,
    "bootstrap": bootstrap,
    "fusion": fusion,
    "pools": pools,
    "recommenders": recommenders,
    "latency": latency,
    "start": start,
    "units": units,
    "store": store,
    "pictures": pictures,
}


def _evaluate(qrels: str, run: str) -> tuple[str, ...]:
    """`ireval evaluate`, with the interpreter that runs now."""
    return sys.executable, "-m", "ireval_frames", "evaluate", qrels, run, "-m", " ".join(FIVE), "--format", "csv"


def _from_parquet(bench: Bench, table: str) -> Result:
    return bench.work("ours.files", calls=_calls(table), **bench.parquet(table), measures=FIVE)


def _calls(table: str) -> int:
    return 1 if table == "big" else 3
