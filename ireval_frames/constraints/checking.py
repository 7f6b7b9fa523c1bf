"""Formal constraints, tried on a measure."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.catalog import parsing
from ireval_frames.constraints import clustering, filtering, retrieval
from ireval_frames.constraints.cases import Case, Compared, Kind
from ireval_frames.constraints.values import Function, compared, frame
from ireval_frames.declaration import Definition, Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, nearest

KINDS: tuple[Kind, ...] = ("retrieval", "clustering", "filtering")
VERDICTS = {"retrieval": retrieval.VERDICTS, "clustering": clustering.VERDICTS, "filtering": filtering.VERDICTS}
KIND_OF: dict[str, tuple[Kind, ...]] = {
    "ranking": ("retrieval",),
    "clusters": ("clustering",),
    "labels": ("filtering",),
    "organization": KINDS,
}
FAMILIES = {"retrieval": "ranking", "clustering": "clusters", "filtering": "labels"}
# The cases of each constraint in each setting.
Groups = dict[tuple[str, str | None], list[Case]]
# Smaller differences are rounding.
TOLERANCE = 1e-10
SCHEMA = {
    "measure": pl.String,
    "kind": pl.String,
    "constraint": pl.String,
    "setting": pl.String,
    "n": pl.Int64,
    "satisfied": pl.Int64,
    "ties": pl.Int64,
    "violated": pl.Int64,
    "verdict": pl.String,
    "gold": pl.String,
    "better": pl.String,
    "worse": pl.String,
    "better_value": pl.Float64,
    "worse_value": pl.Float64,
}


def check_constraints(
    measure: str | Measure | Function | Iterable[str | Measure | Function],
    kind: Kind | None = None,
    *,
    constraints: str | Sequence[str] | None = None,
    instances: int = 200,
    seed: int = 0,
    higher_is_better: bool | None = None,
    engine: str | Engine | None = None,
) -> pl.DataFrame:
    """Try the formal constraints on a measure: which of two outputs over the same gold standard must score higher.

    Args:
        measure: "nDCG@10", a measure of the catalog, a function, or several of these.  A function is handed a Polars
            frame with all outputs at once, a row per `instance` and item, and gives a frame of `instance` and `value`.
            The frame's other columns are for retrieval doc_id, relevance, rank, score (null: not retrieved); for
            clustering item_id, label, cluster; for filtering item_id, label, prediction (1 or 0).
        kind: "retrieval", "clustering" or "filtering"; by default what the measure's family is for.
        constraints: only these.
        instances: how many cases are made at random for a constraint.
        seed: of the random cases; equal seeds give equal cases.
        higher_is_better: by default what the measure declares, and True for functions.
        engine: "polars", "duckdb" or "spark".

    Constraints on retrieval: `priority` (swapping neighbours, of which only the second is relevant, makes it better),
    `deepness` (the more so the higher they stand), `deepness threshold` (from some n on, one relevant document alone is
    better than n others followed by n relevant ones), `closeness threshold` (for some m it is worse), `confidence`
    (adding a document that is not relevant at the end makes it worse).  The collections hold documents that are not
    retrieved, with grade 0.

    On clustering, in a `closed` setting (the classes in question stand in the clusters in question) and an `open` one
    (they have items elsewhere): `homogeneity` (splitting a cluster of two classes), `completeness` (merging two
    clusters of one class), `rag bag` (an item that belongs nowhere goes to a cluster of all sorts rather than to a
    clean one), `size versus quantity` (one error in a large cluster rather than one in each of many small ones).

    On filtering, families by what outputs without information get: `class-oriented` (more with every document
    returned), `utility` (linear, by how many are relevant), `informativeness` (always the same), `zero ends` (nothing
    for returning nothing and for returning everything, something in between).  Undefined values are left out here.

    Grades are 0 and 1, and measures are evaluated as `evaluate` does it, with the parameters given: `ERR` on its
    default scale, where 1 of 4 satisfies few, and `ERR(max_rel=1)` on that of the cases.  Verdicts are of the cases
    tried: rare violations need many.  AP, published as satisfying deepness, breaks it in some of 200, where many
    relevant documents stand between the two swaps.  Where a measure has nothing to count it ties, as Jaccard and
    Fowlkes-Mallows do on homogeneity where no two items of a class share a cluster.

    Returns:
        A row per measure and constraint: measure, kind, constraint, setting, n, satisfied, ties, violated, verdict, and
        the first case that shows the verdict: gold, better, worse (the output that must score higher, and the other
        one), better_value, worse_value.  The verdict is OK, TIES (the measure does not react, or is undefined) or
        VIOLATED.

    Raises:
        UnknownName: there is no such measure, kind or constraint.
        InvalidParameter: a function without a kind, or one that gives no frame of instance and value.
        NotDefined: the measure is for another kind.

    Source: Amigó, Gonzalo, Artiles and Verdejo, Information Retrieval 12, 2009; Amigó, Gonzalo and Verdejo, SIGIR 2013.

    Example:
        >>> import ireval_frames as ir
        >>> ir.constraints.check_constraints("P@5", instances=50).select("constraint", "verdict").rows()[:3]
        [('priority', 'TIES'), ('deepness', 'VIOLATED'), ('deepness threshold', 'OK')]
    """
    if kind is not None and kind not in KINDS:
        raise UnknownName(f"There is no kind {kind!r}.", nearest(kind, KINDS))
    if isinstance(instances, bool) or not isinstance(instances, int) or instances < 1:
        raise InvalidParameter(
            f"instances is {instances!r}; it must be a whole number of at least 1.", "Write instances=200."
        )
    wanted = None if constraints is None else [constraints] if isinstance(constraints, str) else list(constraints)
    known = [c for k in KINDS for c in VERDICTS[k] if kind in (None, k)]
    for name in wanted or ():
        if name not in known:
            raise UnknownName(f"There is no constraint {name!r}.", nearest(name, known))

    # All measures are tried on the same.
    @functools.cache
    def cases(which: Kind) -> tuple[Groups, pl.DataFrame]:
        some = [c for c in VERDICTS[which] if wanted is None or c in wanted]
        groups = _groups(which, some, instances, seed)
        return groups, frame([case for of in groups.values() for case in of], which)

    rows: list[dict[str, Any]] = []
    for one in _measures(measure, kind):
        rising = _rising(one, higher_is_better)
        for which in _kinds(one, kind):
            some = [c for c in VERDICTS[which] if wanted is None or c in wanted]
            rows += _checked(one, which, some, *cases(which), rising=rising, engine=engine) if some else []
    return pl.DataFrame(rows, schema=SCHEMA)


def _measures(given: Any, kind: Kind | None) -> list[Measure | Function]:
    if isinstance(given, str):
        return [_parsed(text, kind) for text in parsing.split(given)]
    if isinstance(given, Definition):
        return [given()]
    if isinstance(given, Measure) or callable(given):
        return [given]
    if not isinstance(given, Iterable):
        raise InvalidParameter(f"{given!r} is not a measure.", 'Write, for example, "RS".')
    return [m for part in given for m in _measures(part, kind)]


def _parsed(text: str, kind: Kind | None) -> Measure:
    """A measure of the kind's own family, or of any."""
    if kind is not None:
        name = parsing.split(text)[0].partition("(")[0].partition("@")[0]
        families = {d.family for d in catalog.definitions() if name in (d.name, *d.aliases)}
        if families and not families & {FAMILIES[kind], "organization"}:
            fit = [k for family in sorted(families) for k in KIND_OF.get(family, ())]
            line = f'Write kind="{fit[0]}", or leave it out.' if fit else f"Measures of {FAMILIES[kind]} are."
            raise NotDefined(f"{text} is not for {kind}.", line)
        return catalog.parse(text, "organization" if "organization" in families else FAMILIES[kind])
    return catalog.parse(text)


def _rising(measure: Measure | Function, given: bool | None) -> bool:  # noqa: FBT001 - what the user said, or nothing
    if given is not None or not isinstance(measure, Measure):
        return given is not False
    if measure.definition.higher_is_better is None:
        raise InvalidParameter(f"{measure} does not say whether higher is better.", "Say which: higher_is_better=True")
    return measure.definition.higher_is_better


def _kinds(measure: Measure | Function, kind: Kind | None) -> tuple[Kind, ...]:
    if not isinstance(measure, Measure):
        if kind is None:
            raise InvalidParameter(
                "A function does not say which kind it is for.", 'Say so: kind="retrieval", "clustering" or "filtering"'
            )
        return (kind,)
    allowed = KIND_OF.get(measure.definition.family, ())
    if not allowed or (kind is not None and kind not in allowed):
        what = kind or "formal constraints"
        raise NotDefined(
            f"{measure} is a measure of {measure.definition.family}, which is not for {what}.",
            "Ask for measures of rankings, clusters, labels or organization.",
        )
    return allowed if kind is None else (kind,)


def _checked(
    measure: Measure | Function,
    kind: Kind,
    constraints: Sequence[str],
    groups: Groups,
    outputs: pl.DataFrame,
    *,
    rising: bool,
    engine: str | Engine | None,
) -> list[dict[str, Any]]:
    every = [case for cases in groups.values() for case in cases]
    found = compared(measure, every, outputs, kind, engine, rising=rising)
    name = str(measure) if isinstance(measure, Measure) else getattr(measure, "__name__", type(measure).__name__)
    rows, start = [], 0
    for (constraint, setting), cases in groups.items():
        part = found[start : start + len(cases)]
        start += len(cases)
        if kind == "filtering":
            rows += [
                _row(name, kind, c, None, filtering.outcomes(c, part, TOLERANCE), rising=rising) for c in constraints
            ]
        else:
            rows.append(_row(name, kind, constraint, setting, [(c.outcome(TOLERANCE), c) for c in part], rising=rising))
    return rows


def _groups(kind: Kind, constraints: Sequence[str], n: int, seed: int) -> Groups:
    """The cases of every constraint; each has random numbers of its own."""
    match kind:
        case "retrieval":
            return {(c, None): retrieval.cases(c, n, _random(seed, c)) for c in constraints}
        case "clustering":
            return {
                (c, s): clustering.cases(c, n, _random(seed, c, s), s) for c in constraints for s in clustering.SETTINGS
            }
    return {("filtering", None): filtering.cases()}


def _random(*of: object) -> random.Random:
    """Random numbers that are the same on every machine."""
    return random.Random(" ".join(map(str, of)))  # noqa: S311 - nothing is hidden


SHOWN: dict[str, tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    "retrieval": (retrieval.shown_gold, retrieval.shown),
    "clustering": (clustering.shown, clustering.shown),
    "filtering": (filtering.shown_gold, filtering.shown),
}


def _row(
    name: str,
    kind: Kind,
    constraint: str,
    setting: str | None,
    outcomes: Sequence[tuple[str, Compared]],
    *,
    rising: bool,
) -> dict[str, Any]:
    words = [o for o, _ in outcomes]
    verdict, first = VERDICTS[kind][constraint](words) if words else ("TIES", None)
    row = {
        "measure": name,
        "kind": kind,
        "constraint": constraint,
        "setting": setting,
        "n": len(words),
        "verdict": verdict,
    }
    row |= {w: words.count(w) for w in ("satisfied", "ties", "violated")}
    if first is None:
        return row
    shown, of = outcomes[first][1], SHOWN[kind]
    values = [v if v is None or rising else -v for v in (shown.better, shown.worse)]
    case = shown.case
    return (
        row
        | dict(zip(("gold", "better", "worse"), (of[0](case.gold), of[1](case.better), of[1](case.worse)), strict=True))
        | dict(zip(("better_value", "worse_value"), values, strict=True))
    )
