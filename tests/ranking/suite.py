"""The suite of ranking measures."""

from __future__ import annotations

import math
import random
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import REQUIRED
from ireval_frames.ranking.inputs import facets
from ireval_frames.ranking.measures.gain import gaining
from ireval_frames.ranking.parameters import documents, positive_grades
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, values_of
from tests.oracles import evaluate as oracle
from tests.oracles.measures import GRADED, NEEDS_NO_RELEVANT, ORACLES
from tests.ranking.cases import Case, make_case

# Values of parameters. Values that a parameter does not accept are skipped.
VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (5, None, 1, 10, 1000),
    "rel": (1, 2, 0, 0.5),
    "recall": (0.3, 0, 0.05, 1),
    "recalls": ([0.2, 0.5, 0.8], [1]),
    "gains": ({1: 1, 2: 5, 3: 10}, {0: 0.5, 4: 4.5}, {0: 1, 1: -1}, {-2: 3, 2: 0.25, 3: 0.5}),
    "unjudged": (0, 1, 6, -0.5),
    "relative": (True,),
    "base": (3,),
    "p": (0.5,),
    "multiple": (1, 0.2, 0.05, 2, 0),
    "judged_only": (False, True),
    "assessors": (None, "mean"),
    "alpha": (0.5, 0.3, 1, 0.001),
    "hit": (0.5, 3),
    "noise": (0.5, 3),
    "miss": (0.5, 3),
    "rest": (0.5, 3),
    "n_docs": (0.5, 3),
    "AUC.n_docs": (10_000, 2000),
    "FallOut.n_docs": (10_000, 1000.5),
    "beta": (0.5, 0.9, 0.1, 2),
    "gamma": (0.5, 0, 0.8),
    "retrieved": (0, 1, 2),
    "counting": ("stated", "trec_eval"),
    # User models: depths shorter and longer than lists.
    "max_depth": (7, "longest", None),
    "measurement": ("ETU", "ED"),
    "residual": (True, False),
    "T": (2.5, 0.6),
    "gain_med": (0.5,),
    "b1": (0.5, 3),
    "R1": (0.5, 3),
    "b2": (0.5, 3),
    "R2": (0.5, 3),
    "min_rel": (0, 1),
    "hb": (0.3,),
    "halflife": (2.5,),
    "L": (3.5, 4),
    "cost": (2.5,),
    "hc": (0.3,),
    "A": (1.5,),
    "model": ("goal", "rate"),
    "stop": ("graded", "uniform"),
    # Relevance that is a probability: tests/ranking/test_click_measures.py.
    "ERR.stop": ("grade",),
    "nERR.stop": ("grade",),
    "RBU.stop": ("grade",),
    "effort": (0.2, 0, 1),
    "unretrieved": (True,),
    "complete": (True,),
    "variant": ("a", "b"),
    "normalize": (True,),
    "over": ("retrieved", "retrievable"),
    "dcg": ("log2", "exp-log2", "jk", "exp-jk"),
    # Grades of the random tables are at most 4; a smaller scale is an error.
    "max_rel": (4, 6, None, "topic"),
}


PLACE = "VALUES of tests/ranking/suite.py"
PLACE_OF_LISTS = "tests/oracles/measures.py"


def allowed(definition: Definition, name: str) -> list[Any]:
    """The values of a parameter that it accepts."""
    return values_of(definition, [name], VALUES, PLACE)[name]


def variants(definition: Definition, case: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with one parameter changed, and with several changed.

    Shared parameters (means over subtopics and assessors) are changed separately, and together with the others.
    Cases with integer ids have few variants, as no parameter depends on ids.
    """
    own = [name for name, p in definition.parameters.items() if p is not facets.SHARED.get(name)]
    values_by_name = values_of(definition, own, VALUES, PLACE)
    required = {name: values_by_name[name][0] for name, p in definition.parameters.items() if p.default is REQUIRED}
    out = [definition(**required)]
    for name, values in values_by_name.items():
        out += [definition(**required | {name: value}) for value in values]
    rng = random.Random(definition.name)
    mean = {name: "mean" for name, p in definition.parameters.items() if p is facets.SHARED.get(name)}
    out += [definition(**required | {name: value}) for name, value in mean.items()]
    out += [definition(**{name: rng.choice(values) for name, values in values_by_name.items()} | mean)] if mean else []
    for _ in range(4 if len(values_by_name) > 1 else 0):
        out.append(definition(**{name: rng.choice(values) for name, values in values_by_name.items()}))
    valid = [m for m in dict.fromkeys(out) if is_valid(m)]
    return valid if case is None or case.id_type == pl.String else list(dict.fromkeys([*valid[:1], *valid[-2:]]))


def is_valid(measure: Measure) -> bool:
    """Whether the combination of parameters is valid."""
    try:
        measure.arguments()
    except InvalidParameter:
        return False
    return True


def judged_by(measure: Measure) -> tuple[str, ...]:
    """The facets of judgments that a measure needs, the outermost first; an empty text if none."""
    columns = facets.reads([measure])
    return tuple(f for f in ("assessor_id", "subtopic_id") if f in columns) or ("",)


def largest(judgments: list[Any]) -> Any:
    """The largest grades of several assessors."""
    if not all(isinstance(j, dict) for j in judgments):
        return max(judgments)
    keys = list(dict.fromkeys(key for j in judgments for key in j))
    return {key: largest([j[key] for j in judgments if key in j]) for key in keys}


def expected(case: Case, measure: Measure, **options: Any) -> Values:
    """The oracle's value for every run and query."""
    arguments = measure.arguments()
    judged_only = arguments.pop("judged_only", False)
    if "gains" in arguments:
        arguments["gains"] = dict(arguments["gains"])
    options.setdefault("judged_only", judged_only)
    options.setdefault("undefined", measure.definition.undefined)
    over = [f for f in judged_by(measure) if f]
    judged = case.judged_by(*over)
    if arguments.get("assessors") == "max":
        over = over[1:]
        judged = {query: largest(list(by_assessor.values())) for query, by_assessor in judged.items()}
    parameters = measure.definition.parameters
    arguments = {k: v for k, v in arguments.items() if parameters[k] is not facets.SHARED.get(k)}
    out: Values = {}
    name = str(measure)
    for run_id, lists in case.runs.items():
        values_by_query = oracle.per_query(judged, lists, measure.name, judged_by=over, **options, **arguments)
        out |= {(name, run_id, query): value for query, value in values_by_query.items()}
    return out


def tables(case: Case, facets: tuple[str, ...]) -> Frames:
    """The judgments by facets, and the runs."""
    return {"qrels": case.qrels_frame(*facets), "run": case.run_frame()}


def evaluate(_: Case, frames: Frames, measures: list[Measure], engine: str, **options: Any) -> ir.Evaluation:
    policy = allow_no_overlap(options.pop("policy", None), ir.ranking.RankingPolicy)
    return ir.evaluate(frames["qrels"], frames["run"], measures, engine=engine, policy=policy, **options)


def bounds(measure: Measure) -> tuple[float, float]:
    """The declared range.

    Normalized gains may fall below 0 with negative gains, and rise above 1 with gains for
    documents that are not judged.
    """
    low, high = measure.range
    parameters = dict(measure.values)
    gains, unjudged = parameters.get("gains", ()), parameters.get("unjudged", 0)
    if unjudged < 0 or any(gain < 0 for _, gain in gains):
        low = -math.inf
    if unjudged > 0 or any(grade < 0 < gain for grade, gain in gains):
        high = math.inf
    return low, high


def lists_of_oracles(definition: Definition) -> str:
    """Which list of the oracles' file lacks a measure: they know by their names what a query must have for each."""
    for relevant, which, listed in (
        ((None,), "NEEDS_NO_RELEVANT", NEEDS_NO_RELEVANT),
        ((positive_grades, gaining), "GRADED", GRADED),
    ):
        if definition.relevant in relevant and definition.name not in listed:
            what = getattr(definition.relevant, "__name__", None)
            return f'relevant={what} of {definition.name}: write "{definition.name}" in {which} of {PLACE_OF_LISTS}.'
    if definition.relevant is documents and definition.name in GRADED:
        return f"relevant=documents of {definition.name}: take it out of GRADED of {PLACE_OF_LISTS}."
    return ""


# Text ids and integer ids.
CASES = {"text": make_case(1, 56, 2), "integers": make_case(2, 42, 2, integers=True)}
SMALL = {
    "one hit": Case({"q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one miss": Case({"q": {"a": 1.0}}, {"r": {"q": [("b", 1.0)]}}),
    "one document judged not relevant": Case({"q": {"a": 0.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one pooled document": Case({"q": {"a": -1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "no common query": Case({"q": {"a": 1.0}}, {"r": {"p": [("a", 1.0)]}}),
    "all tied": Case(
        {"q": {c: float(i % 3) for i, c in enumerate("abcdefgh")}}, {"r": {"q": [(c, 0.0) for c in "hagbfced"]}}
    ),
    "all unjudged": Case({"q": {"a": 2.0}}, {"r": {"q": [(f"x{i}", float(i)) for i in range(20)]}}),
    "all relevant": Case({"q": {f"d{i}": 1.0 for i in range(12)}}, {"r": {"q": [(f"d{i}", 0.5) for i in range(12)]}}),
    "one of two queries": Case({"p": {"a": 1.0}, "q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
    "one of two runs answers": Case(
        {"p": {"a": 1.0}, "q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}, "s": {"p": [("a", 1.0)]}}
    ),
    "empty ids": Case({"": {"": 1.0}}, {"": {"": [("", 1.0), (" ", 1.0)]}}),
}
RANKINGS = Suite(
    name="rankings",
    family="ranking",
    oracles=ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/measures.py",
    oracle_lists=lists_of_oracles,
    cases=CASES,
    small=SMALL,
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    form=judged_by,
    bounds=bounds,
    constant=("NumQ",),
    # Ties are broken by id: names keep their order.
    renamings={
        "text": Renaming(("query_id", "doc_id"), lambda old: {o: f"id{i:05d}" for i, o in enumerate(old)}, pl.String),
        "integers": Renaming(
            ("query_id", "doc_id"), lambda old: {o: 3 * i - 1000 for i, o in enumerate(old)}, pl.Int64
        ),
    },
    grouped="qrels",
    skip={"weights": "documents have grades, which are gains and no weights"},
)
SUITES = (RANKINGS,)
DEFINITIONS = RANKINGS.definitions
VARIANTS = {d.name: RANKINGS.variants_of("text", d.name) for d in DEFINITIONS}
NAMES = list(VARIANTS)
FIRST = [measures[0] for measures in VARIANTS.values() if measures]


def evaluated(case: Case, measures: Any, engine: str, **options: Any) -> Values:
    """The values of measures, each on judgments with the facets that it needs."""
    results = RANKINGS.compute(case, catalog.parse_all(measures, "ranking"), engine, **options)
    return {key: value for of in results.values() for key, value in of.items()}
