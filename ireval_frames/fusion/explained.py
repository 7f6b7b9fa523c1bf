"""The tables of a fusion in words: what one row of each is, and how its columns come about."""

from __future__ import annotations

from ireval_frames.errors import listed
from ireval_frames.fusion.options import AVERAGE, OF_SCORES, FusionOptions

# The score of a document: s is its normalised score in a list, r its rank, h the number of lists that have it.
FORMULAS = {
    "combsum": "Σ s",
    "combmnz": "h · Σ s",
    "combanz": "Σ s / h",
    "combmax": "the largest s",
    "combmin": "the smallest s",
    "combmed": "the median of s",
    "combgmnz": "h^γ · Σ s",
    "wsum": "Σ w · s",
    "wmnz": "Σ w · s · Σ w of the lists that have it",
    "mixed": "√h · Σ w · s",
    "rrf": "Σ w / (k + r)",
    "isr": "h · Σ 1/r²",
    "logisr": "ln h · Σ 1/r²",
    "lognisr": "ln(h + σ) · Σ 1/r²",
    "rbc": "Σ (1 − φ) φ^(r−1)",
    "borda": "Σ (c − r + 1), (c − n + 1)/2 where a list of n lacks it",
    "condorcet": "C + M / (2 m c), by pairwise majorities",
    "mapfuse": "Σ MAP / r",
    "posfuse": "Σ P(r)",
    "probfuse": "Σ P(segment) / its number",
    "segfuse": "Σ P(segment) (1 + s)",
    "slidefuse": "Σ mean of P(r − w) … P(r + w)",
    "bayesfuse": "Σ log odds of the band of r, less those of not being retrieved",
}
ORDERS = {
    "trec_eval": "equal scores by descending ids",
    "doc_id": "equal scores by ascending ids",
    "rank": "equal scores by ascending ids",
    AVERAGE: "equal scores by descending ids",
}


def explained(engine: str, names: list[str], options: FusionOptions, fitted: str) -> str:
    """The lines of `Fusion.explain`.

    Args:
        engine: its name.
        names: those of the runs.
        options: how they are fused.
        fitted: where the weights come from, or what was learned; empty where nothing is.
    """
    reads = options.method in OF_SCORES
    ranked = "" if options.ties == "rank" else f", {ORDERS[options.ties]}"
    ranked = ", tied documents by their mean rank" if options.ties == AVERAGE else ranked
    rank = f"rank = the place in the list{ranked}"
    ranks = rank if options.depth is None else f"{rank}; down to rank {options.depth}"
    lines = [f"engine: {engine}", "", "tables"]
    lines.append(f"  run: a row per (run_id, query_id, doc_id); the runs {listed(names)}")
    if options.depth is not None or not options.reads_scores:
        lines.append(f"    {ranks}")
    if not options.learns:
        lines.append("  lists: a row per (query_id, doc_id); a column per run")
        lines.append(
            f"    value = {'the score' if options.reads_scores else 'the rank'} in the list, null if it lacks it"
        )
    if reads:
        lines.append(f"    s = value, normalised by {options.normalization}; {_absent(options)}")
    if fitted:
        lines.append(f"  weights: {fitted}" if fitted.startswith("w = ") else f"  learned: {fitted}")
    lines.append("  fused: a row per (query_id, doc_id)")
    lines.append(f"    score = {FORMULAS[options.method]}  ← {options.method}")
    top = "" if options.top is None else f"; the first {options.top}"
    lines.append(f"    rank = the place by score, {ORDERS[options.ties]}{top}")
    return "\n".join(lines)


def _absent(options: FusionOptions) -> str:
    return {
        "skip": "a list that lacks the document is passed over",
        "zero": "0 where a list lacks the document",
        "min": "the lowest of the list where it lacks the document",
        "own": "½ − (n − 1)/(2c) where a list of n lacks the document",
    }[options.absent]
