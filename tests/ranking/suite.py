"""Every measure of rankings with many values of its parameters, and what the oracles say of them."""

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
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, parameter_values
from tests.oracles import evaluate as oracle
from tests.oracles.measures import ORACLES
from tests.ranking.cases import Case, make_case

# What to try for a parameter of that name; others try the pool. A parameter's own check says which of these it takes.
VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (5, None, 1, 10, 1000),
    "rel": (1, 2, 0, 0.5),
    "recall": (0.3, 0, 0.05, 1),
    "recalls": ([0.2, 0.5, 0.8], [1]),
    "gains": ({1: 1, 2: 5, 3: 10}, {0: 0.5, 4: 4.5}, {0: 1, 1: -1}, {-2: 3, 2: 0.25, 3: 0.5}),
    "unjudged": (0, 1, 6, -0.5),
    "multiple": (1, 0.2, 0.05, 2, 0),
    "judged_only": (False, True),
    "assessors": (None, "mean"),
    "alpha": (0.5, 0.3, 1, 0.001),
    "FallOut.n_docs": (10_000, 1000.5),
    "beta": (0.5, 0.9, 0.1, 2),
    "gamma": (0.5, 0, 0.8),
    "retrieved": (0, 1, 2),
    "counting": ("stated", "trec_eval"),
    # Readers: every depth is tried with every list shorter and longer than it.
    "max_depth": (7, "longest", None),
    "measurement": ("ETU", "ED"),
    "residual": (True, False),
    "T": (2.5, 0.6),
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
    "over": ("retrieved", "retrievable"),
    "dcg": ("log2", "exp-log2", "jk", "exp-jk"),
    # The random tables have grades up to 4, and a smaller scale refuses them.
    "max_rel": (4, 6, None, "topic"),
}
POOL: tuple[Any, ...] = (True, 0.5, 3, "exp-log2", "jk", "exp-jk", [0.5], {1: 2})


PLACE = "VALUES of tests/ranking/suite.py"


def allowed(definition: Definition, name: str) -> list[Any]:
    """The values to try for a parameter, those it accepts."""
    return parameter_values(definition, name, VALUES, PLACE, POOL)


def variants(definition: Definition, made: Case | None = None) -> list[Measure]:
    """The measure with its defaults, with each parameter changed alone, and with several changed at once.

    What all measures share is acted on outside of them: averaged over subtopics, over assessors, and
    over both with the rest changed.  Integers as ids are tried on the defaults and on several values changed at once:
    no parameter looks at ids.
    """
    tried = {
        name: allowed(definition, name) for name, p in definition.parameters.items() if p is not facets.SHARED.get(name)
    }
    needed = {name: tried[name][0] for name, p in definition.parameters.items() if p.default is REQUIRED}
    out = [definition(**needed)]
    for name, values in tried.items():
        out += [definition(**needed | {name: value}) for value in values]
    rng = random.Random(definition.name)
    mean = {name: "mean" for name, p in definition.parameters.items() if p is facets.SHARED.get(name)}
    out += [definition(**needed | {name: value}) for name, value in mean.items()]
    out += [definition(**{name: rng.choice(values) for name, values in tried.items()} | mean)] if mean else []
    for _ in range(4 if len(tried) > 1 else 0):
        out.append(definition(**{name: rng.choice(values) for name, values in tried.items()}))
    fitting = [m for m in dict.fromkeys(out) if fits(m)]
    return fitting if made is None or made.id_type == pl.String else list(dict.fromkeys([*fitting[:1], *fitting[-2:]]))


def fits(measure: Measure) -> bool:
    """Whether the parameters go together."""
    try:
        measure.arguments()
    except InvalidParameter:
        return False
    return True


def judged_by(measure: Measure) -> tuple[str, ...]:
    """By what the judgments must be told apart for a measure, the outermost first.

    An empty text for plain judgments.
    """
    read = facets.reads([measure])
    return tuple(f for f in ("assessor_id", "subtopic_id") if f in read) or ("",)


def largest(judgments: list[Any]) -> Any:
    """Several assessors' judgments as one's: the largest grades."""
    if not all(isinstance(j, dict) for j in judgments):
        return max(judgments)
    keys = list(dict.fromkeys(key for j in judgments for key in j))
    return {key: largest([j[key] for j in judgments if key in j]) for key in keys}


def expected(case: Case, measure: Measure, **options: Any) -> Values:
    """What the oracle says of every run and query."""
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
    own = measure.definition.parameters
    arguments = {k: v for k, v in arguments.items() if own[k] is not facets.SHARED.get(k)}
    out: Values = {}
    name = str(measure)
    for run_id, lists in case.runs.items():
        found = oracle.per_query(judged, lists, measure.name, judged_by=over, **options, **arguments)
        out |= {(name, run_id, query): value for query, value in found.items()}
    return out


def tables(made: Case, way: tuple[str, ...]) -> Frames:
    """The judgments, told apart as a measure asks for, and the runs."""
    return {"qrels": made.qrels_frame(*way), "run": made.run_frame()}


def evaluate(_: Case, frames: Frames, measures: list[Measure], engine: str, **options: Any) -> ir.Evaluation:
    policy = allow_no_overlap(options.pop("policy", None), ir.ranking.RankingPolicy)
    return ir.evaluate(frames["qrels"], frames["run"], measures, engine=engine, policy=policy, **options)


def bounds(measure: Measure) -> tuple[float, float]:
    """The declared range.

    Normalized gains may fall below 0 with negative gains, and rise above 1 with gains for
    documents that are not judged.
    """
    low, high = measure.range
    given = dict(measure.values)
    gains, unjudged = given.get("gains", ()), given.get("unjudged", 0)
    if unjudged < 0 or any(gain < 0 for _, gain in gains):
        low = -math.inf
    if unjudged > 0 or any(grade < 0 < gain for grade, gain in gains):
        high = math.inf
    return low, high


# Text ids and integer ids; each run of them is evaluated alone, too.
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


def evaluated(made: Case, measures: Any, engine: str, **options: Any) -> Values:
    """The measures' values, each on judgments that are told apart as it asks for."""
    found = RANKINGS.compute(made, catalog.parse_all(measures, "ranking"), engine, **options)
    return {key: value for of in found.values() for key, value in of.items()}
