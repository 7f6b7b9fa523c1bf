"""Checking formal constraints of a measure."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from ireval_frames import catalog
from ireval_frames.catalog import parsing
from ireval_frames.constraints.cases import Compared, Kind
from ireval_frames.constraints.kinds import CONSTRAINTS, Groups, kinds_of, usual_kinds
from ireval_frames.constraints.values import Function, compare_outputs, frame
from ireval_frames.declaration import Definition, Measure
from ireval_frames.engines.base import Engine
from ireval_frames.errors import InvalidParameter, NotDefined, UnknownName, listed, nearest

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
            clustering item_id, label, cluster; for filtering item_id, label, prediction (1 or 0); for ordinal the same
            with classes 1, 2 …; for diversity a row per document and aspect: doc_id, subtopic_id (null: of none),
            subtopic_weight, relevance, rank, score.
        kind: "retrieval", "clustering", "filtering", "ordinal" or "diversity"; by default the first three by the
            measure's family, and diversity for measures of subtopics, such as `RBU(subtopics="mean")`.
        constraints: check only these.
        instances: the number of random cases per constraint.
        seed: of the random cases; equal seeds give equal cases.
        higher_is_better: by default what the measure declares, and True for functions.
        engine: "polars", "duckdb" or "spark".

    Constraints on retrieval: `priority` (swapping neighbours, of which only the second is relevant, makes it better),
    `deepness` (the higher such a swap, the more it changes), `deepness threshold` (from some n on, one relevant
    document alone is better than n others followed by n relevant ones), `closeness threshold` (for some n it is
    worse), `confidence` (adding a document that is not relevant at the end makes it worse).  The collections have
    documents that are not retrieved, with grade 0.

    On clustering, in a `closed` setting (the classes of the constraint are only in its clusters) and an `open` one
    (they have items elsewhere): `homogeneity` (splitting a cluster of two classes), `completeness` (merging two
    clusters of one class), `rag bag` (an unrelated item is better in a cluster of many classes than in a
    clean one), `size versus quantity` (one error in a large cluster is better than one in each of many small ones).

    On filtering, families by their values for outputs without information: `class-oriented` (increases with every
    document returned), `utility` (linear, with a slope by the number of relevant documents), `informativeness`
    (constant), `zero ends` (0 for returning nothing and for returning everything, above 0 in between).  Undefined
    values are left out here.

    On ordered classes: `ordinal invariance` (other numbers in the same order change nothing), `ordinal monotonicity` (a
    prediction nearer to its label, on the same side, is better), `class imbalance` (one item of a frequent class in the
    neighbouring class is better than one of a rare class).

    On diversity: `aspect diversity` (a document that is relevant to one more aspect is better in the same place); at
    the end of a list `redundancy` (a document of an aspect that no document above has is better than one of an aspect
    that was there), `monotonic redundancy` (of two aspects that were there, the less frequent one is better),
    `aspect weight` (of two new aspects, that with the larger weight is better).

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

    Source: Amigó, Gonzalo, Artiles and Verdejo, Information Retrieval 12, 2009; Amigó, Gonzalo and Verdejo, SIGIR 2013;
    after Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz, ACL 2020, for ordered classes, and Amigó, Spina and
    Carrillo-de-Albornoz, SIGIR 2018, for diversity.

    Example:
        >>> import ireval_frames as ir
        >>> ir.constraints.check_constraints("P@5", instances=50).select("constraint", "verdict").rows()[:3]
        [('priority', 'TIES'), ('deepness', 'VIOLATED'), ('deepness threshold', 'OK')]
    """
    if kind is not None and kind not in CONSTRAINTS:
        raise UnknownName(f"There is no kind {kind!r}.", nearest(kind, CONSTRAINTS))
    if isinstance(instances, bool) or not isinstance(instances, int) or instances < 1:
        raise InvalidParameter(
            f"instances is {instances!r}; it must be a whole number of at least 1.", "Write instances=200."
        )
    requested = None if constraints is None else [constraints] if isinstance(constraints, str) else list(constraints)
    known = [c for k, of in CONSTRAINTS.items() for c in of.verdicts if kind in (None, k)]
    for name in requested or ():
        if name not in known:
            raise UnknownName(f"There is no constraint {name!r}.", nearest(name, known))

    # All measures are checked on the same cases.
    @functools.cache
    def cases(kind_of_cases: Kind) -> tuple[Groups, pl.DataFrame]:
        of = CONSTRAINTS[kind_of_cases]
        groups = of.groups([c for c in of.verdicts if requested is None or c in requested], instances, seed)
        return groups, frame([case for of in groups.values() for case in of], kind_of_cases)

    rows: list[dict[str, Any]] = []
    for one in _measures(measure, kind):
        higher = _is_higher_better(one, higher_is_better)
        for kind_of_cases in _kinds(one, kind):
            selected = [c for c in CONSTRAINTS[kind_of_cases].verdicts if requested is None or c in requested]
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
        own = CONSTRAINTS[kind].family
        allowed = {own, *(["organization"] if kind in kinds_of("organization") else [])}
        if families and not families & allowed:
            kinds = [k for family in sorted(families) for k in kinds_of(family)]
            hint = f'Write kind="{kinds[0]}", or leave it out.' if kinds else f"Measures of {own} are."
            raise NotDefined(f"{text} is not for {kind}.", hint)
        return catalog.parse(text, "organization" if "organization" in families & allowed else own)
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
            raise InvalidParameter("A function needs a kind.", f"Write kind= one of: {listed(CONSTRAINTS)}.")
        return (kind,)
    allowed = kinds_of(measure.definition.family)
    if not allowed or (kind is not None and kind not in allowed):
        what = kind or "formal constraints"
        raise NotDefined(
            f"{measure} is a measure of {measure.definition.family}, which is not for {what}.",
            "Use measures of rankings, clusters, labels or organization.",
        )
    return usual_kinds(measure) if kind is None else (kind,)


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
    if of_all := CONSTRAINTS[kind].outcomes:
        return [_row(name, kind, c, None, of_all(c, values, TOLERANCE), higher=higher) for c in constraints]
    rows, start = [], 0
    for (constraint, setting), cases in groups.items():
        part = values[start : start + len(cases)]
        start += len(cases)
        rows.append(_row(name, kind, constraint, setting, [(c.outcome(TOLERANCE), c) for c in part], higher=higher))
    return rows


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
    of = CONSTRAINTS[kind]
    verdict, first = of.verdicts[constraint](names) if names else ("TIES", None)
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
    example = outcomes[first][1]
    values = [v if v is None or higher else -v for v in (example.better, example.worse)]
    texts = (of.gold_text(example.case), of.text(example.case.better), of.text(example.case.worse))
    return (
        row
        | dict(zip(("gold", "better", "worse"), texts, strict=True))
        | dict(zip(("better_value", "worse_value"), values, strict=True))
    )
