"""Checking formal constraints of a measure."""

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
from ireval_frames.constraints.values import Function, compare_outputs, frame
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
# The largest difference that counts as a tie.
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
    """Check formal constraints of a measure: which of two outputs over the same gold standard must score higher.

    Args:
        measure: "nDCG@10", a measure of the catalog, a function, or several of these.  A function gets a Polars
            frame with all outputs, a row per `instance` and item, and returns a frame of `instance` and `value`.  The
            other columns of its input are for retrieval doc_id, relevance, rank, score (null: not retrieved); for
            clustering item_id, label, cluster; for filtering item_id, label, prediction (1 or 0).
        kind: "retrieval", "clustering" or "filtering"; by default those of the measure's family.
        constraints: check only these.
        instances: the number of random cases per constraint.
        seed: of the random cases; equal seeds give equal cases.
        higher_is_better: by default what the measure declares, and True for functions.
        engine: "polars", "duckdb" or "spark".

    Constraints on retrieval: `priority` (swapping neighbours, of which only the second is relevant, makes it better),
    `deepness` (the more so the higher they are), `deepness threshold` (from some n on, one relevant document alone is
    better than n others followed by n relevant ones), `closeness threshold` (for some m it is worse), `confidence`
    (adding a document that is not relevant at the end makes it worse).  The collections have documents that are not
    retrieved, with grade 0.

    On clustering, in a `closed` setting (the classes of the constraint are only in its clusters) and an `open` one
    (they have items elsewhere): `homogeneity` (splitting a cluster of two classes), `completeness` (merging two
    clusters of one class), `rag bag` (an unrelated item is better in a cluster of many classes than in a
    clean one), `size versus quantity` (one error in a large cluster is better than one in each of many small ones).

    On filtering, families by their values for outputs without information: `class-oriented` (increases with every
    document returned), `utility` (linear, with a slope by the number of relevant documents), `informativeness`
    (constant), `zero ends` (0 for returning nothing and for returning everything, above 0 in between).  Undefined
    values are left out here.

    Grades are 0 and 1, and measures are evaluated by `evaluate` with their parameters: `ERR` on its default scale,
    where grade 1 of 4 satisfies few users, and `ERR(max_rel=1)` on that of the cases.  Collections have up to 1,250
    documents; `AUC(n_docs=2000)` and `FallOut(n_docs=2000)` take all for collections of one size.

    Verdicts depend on the cases: rare violations need many.  AP, published as satisfying deepness, violates it in some
    of 200, where many relevant documents are between the two swaps.  A measure may tie because it has nothing to count,
    as Jaccard and Fowlkes-Mallows on homogeneity if no two items of a class share a cluster.

    Returns:
        A row per measure and constraint: measure, kind, constraint, setting, n, satisfied, ties, violated, verdict, and
        the first case that shows the verdict: gold, better, worse (the output that must score higher, and the other
        one), better_value, worse_value.  The verdict is OK, TIES (the measure does not react, or is undefined) or
        VIOLATED.

    Raises:
        UnknownName: there is no such measure, kind or constraint.
        InvalidParameter: a function without a kind, or one that returns no frame of instance and value.
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
    requested = None if constraints is None else [constraints] if isinstance(constraints, str) else list(constraints)
    known = [c for k in KINDS for c in VERDICTS[k] if kind in (None, k)]
    for name in requested or ():
        if name not in known:
            raise UnknownName(f"There is no constraint {name!r}.", nearest(name, known))

    # All measures are checked on the same cases.
    @functools.cache
    def cases(kind_of_cases: Kind) -> tuple[Groups, pl.DataFrame]:
        selected = [c for c in VERDICTS[kind_of_cases] if requested is None or c in requested]
        groups = _groups(kind_of_cases, selected, instances, seed)
        return groups, frame([case for of in groups.values() for case in of], kind_of_cases)

    rows: list[dict[str, Any]] = []
    for one in _measures(measure, kind):
        higher = _is_higher_better(one, higher_is_better)
        for kind_of_cases in _kinds(one, kind):
            selected = [c for c in VERDICTS[kind_of_cases] if requested is None or c in requested]
            rows += (
                _checked(one, kind_of_cases, selected, *cases(kind_of_cases), higher=higher, engine=engine)
                if selected
                else []
            )
    return pl.DataFrame(rows, schema=SCHEMA)


def _measures(measure: Any, kind: Kind | None) -> list[Measure | Function]:
    if isinstance(measure, str):
        return [_parsed(text, kind) for text in parsing.split(measure)]
    if isinstance(measure, Definition):
        return [measure()]
    if isinstance(measure, Measure) or callable(measure):
        return [measure]
    if not isinstance(measure, Iterable):
        raise InvalidParameter(f"{measure!r} is not a measure.", 'Write, for example, "RS".')
    return [m for part in measure for m in _measures(part, kind)]


def _parsed(text: str, kind: Kind | None) -> Measure:
    """A measure of the kind's own family, or of any."""
    if kind is not None:
        name = parsing.split(text)[0].partition("(")[0].partition("@")[0]
        families = {d.family for d in catalog.definitions() if name in (d.name, *d.aliases)}
        if families and not families & {FAMILIES[kind], "organization"}:
            kinds = [k for family in sorted(families) for k in KIND_OF.get(family, ())]
            hint = f'Write kind="{kinds[0]}", or leave it out.' if kinds else f"Measures of {FAMILIES[kind]} are."
            raise NotDefined(f"{text} is not for {kind}.", hint)
        return catalog.parse(text, "organization" if "organization" in families else FAMILIES[kind])
    return catalog.parse(text)


def _is_higher_better(measure: Measure | Function, option: bool | None) -> bool:  # noqa: FBT001 - the user's option
    if option is not None or not isinstance(measure, Measure):
        return option is not False
    if measure.definition.higher_is_better is None:
        raise InvalidParameter(f"{measure} does not declare whether higher is better.", "Write higher_is_better=True")
    return measure.definition.higher_is_better


def _kinds(measure: Measure | Function, kind: Kind | None) -> tuple[Kind, ...]:
    if not isinstance(measure, Measure):
        if kind is None:
            raise InvalidParameter("A function needs a kind.", 'Write kind="retrieval", "clustering" or "filtering"')
        return (kind,)
    allowed = KIND_OF.get(measure.definition.family, ())
    if not allowed or (kind is not None and kind not in allowed):
        what = kind or "formal constraints"
        raise NotDefined(
            f"{measure} is a measure of {measure.definition.family}, which is not for {what}.",
            "Use measures of rankings, clusters, labels or organization.",
        )
    return allowed if kind is None else (kind,)


def _checked(
    measure: Measure | Function,
    kind: Kind,
    constraints: Sequence[str],
    groups: Groups,
    outputs: pl.DataFrame,
    *,
    higher: bool,
    engine: str | Engine | None,
) -> list[dict[str, Any]]:
    all_cases = [case for cases in groups.values() for case in cases]
    values = compare_outputs(measure, all_cases, outputs, kind, engine, higher=higher)
    name = str(measure) if isinstance(measure, Measure) else getattr(measure, "__name__", type(measure).__name__)
    rows, start = [], 0
    for (constraint, setting), cases in groups.items():
        part = values[start : start + len(cases)]
        start += len(cases)
        if kind == "filtering":
            rows += [
                _row(name, kind, c, None, filtering.outcomes(c, part, TOLERANCE), higher=higher) for c in constraints
            ]
        else:
            rows.append(_row(name, kind, constraint, setting, [(c.outcome(TOLERANCE), c) for c in part], higher=higher))
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
    return random.Random(" ".join(map(str, of)))  # noqa: S311 - not for cryptography


TEXTS: dict[str, tuple[Callable[[Any], str], Callable[[Any], str]]] = {
    "retrieval": (retrieval.gold_text, retrieval.text),
    "clustering": (clustering.text, clustering.text),
    "filtering": (filtering.gold_text, filtering.text),
}


def _row(
    name: str,
    kind: Kind,
    constraint: str,
    setting: str | None,
    outcomes: Sequence[tuple[str, Compared]],
    *,
    higher: bool,
) -> dict[str, Any]:
    names = [o for o, _ in outcomes]
    verdict, first = VERDICTS[kind][constraint](names) if names else ("TIES", None)
    row = {
        "measure": name,
        "kind": kind,
        "constraint": constraint,
        "setting": setting,
        "n": len(names),
        "verdict": verdict,
    }
    row |= {w: names.count(w) for w in ("satisfied", "ties", "violated")}
    if first is None:
        return row
    example, text_of = outcomes[first][1], TEXTS[kind]
    values = [v if v is None or higher else -v for v in (example.better, example.worse)]
    case = example.case
    return (
        row
        | dict(
            zip(
                ("gold", "better", "worse"),
                (text_of[0](case.gold), text_of[1](case.better), text_of[1](case.worse)),
                strict=True,
            )
        )
        | dict(zip(("better_value", "worse_value"), values, strict=True))
    )
