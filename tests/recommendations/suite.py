"""Every measure of recommended items with values of its parameters, and what the oracle says of them."""

from __future__ import annotations

from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, one_at_a_time
from tests.oracles import recommendations as oracle
from tests.recommendations.cases import Case, make_case

# What to try for a parameter of that name.
VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (3, 1),
    "unseen": ("null", "add_one"),
    "over": ("k", "lengths"),
    "share": (True,),
    "head": (0.5,),
    "at_least": (3,),
    "browsing": ("log", "geometric", "none"),
    "p": (0.85,),
    "normalized": (True,),
    "base": (10.0,),
    "distance": ("cosine", "hamming", "table"),
    "unknown": ("one", "null"),
    "single": ("zero", "one"),
    "of": ("train", "distances", "history", "baseline"),
    "relevance": (False,),
    "rel": (2.0,),
    "capped": (True, False),
    "gain": ("exponential",),
    "ideal": ("k",),
    "items": ("whole",),
    "divergence": ("js", "hellinger"),
    "alpha": (0.2,),
    "feature": ("g1", "g 4"),
}
CASES = {
    "text": make_case(1),
    "integers": make_case(2, runs=2, integers=True, ranked=True),
    "policies": make_case(3, baseline=True, policy="no_relevant=zero,repeats=rows"),
}


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with each parameter changed alone; what needs a cutoff has one.

    Where policies are tried, the measure itself, and with the baseline that users have there.
    """
    tried = one_at_a_time(definition, VALUES, "VALUES of tests/recommendations/suite.py")
    if case is not None and case.policy:
        tried = tried[:1] + [m for m in tried if dict(m.values).get("of") == "baseline"]
    tried = [m(browsing="geometric") if "p" in dict(m.values) else m for m in tried]
    return list(dict.fromkeys(m if _is_whole(m) else m @ 3 for m in tried))


def _is_whole(measure: Measure) -> bool:
    try:
        measure.arguments()
    except ir.errors.InvalidParameter:
        return False
    return True


def tables(case: Case, _: Any = None) -> Frames:
    return case.frames()


def evaluate(case: Case, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    keywords: dict[str, Any] = {"policy": case.policy or None, "engine": engine} | options
    keywords["policy"] = allow_no_overlap(keywords["policy"], ir.recommendations.RecommendationPolicy)
    return ir.Recommendations(**frames, **keywords).evaluate(measures)


def expected(case: Case, measure: Measure) -> Values:
    """What the oracle says of every run and user."""
    return {
        (str(measure), *([run] if case.several else []), user): None
        if measure.name in oracle.OF_ALL
        else oracle.value(measure.name, case.data(run), [user], **measure.arguments())
        for run in case.runs
        for user in case.users
    }


def turned(old: list[Any]) -> dict[Any, Any]:
    """Other text, in another order."""
    return {name: f"{len(old) - i:03d} {name}"[::-1] for i, name in enumerate(old)}


RECOMMENDATIONS = Suite(
    name="recommendations",
    family="recommendations",
    oracles=oracle.ORACLES,
    oracle_place="ORACLES of tests/oracles/recommendations.py",
    cases=CASES,
    main=("integers",),
    unit="user_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={"users are other text": Renaming(("user_id",), turned)},
    grouped="users",
    constant={"NumUsers"},
    across_units={d.name for d in catalog.definitions("recommendations") if "train" in d.reads} | {"ILS"},
    skip={"weights": "users have weights, which count where they are pooled: tests/recommendations/test_pooled.py"},
)
SUITES = (RECOMMENDATIONS,)
