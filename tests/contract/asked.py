"""Every measure of the catalog with many values of its parameters, and what the oracles say of them."""

from __future__ import annotations

import functools
import random
from typing import Any

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.errors import InvalidParameter
from ireval_frames.parameters import REQUIRED
from ireval_frames.ranking import facets
from tests.contract.worlds import World, world
from tests.oracles import evaluate as oracle

ENGINES = ("polars", "duckdb")
DEFINITIONS = catalog.definitions("ranking")
NAMES = [d.name for d in DEFINITIONS]
BY_NAME = {d.name: d for d in DEFINITIONS}

# What to try for a parameter of that name; others try the pool. A parameter's own check says which of these it takes.
TRIED: dict[str, tuple[Any, ...]] = {
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
    "over": ("retrieved",),
    "dcg": ("log2", "exp-log2", "jk", "exp-jk"),
    # The random tables have grades up to 4, and a smaller scale refuses them.
    "max_rel": (4, 6, None, "topic"),
}
POOL: tuple[Any, ...] = (True, 0.5, 3, "exp-log2", "jk", "exp-jk", [0.5], {1: 2})


def allowed(definition: Definition, name: str) -> list[Any]:
    """The values to try for a parameter, those it accepts."""
    parameter, out = definition.parameters[name], []
    for value in TRIED.get(name, POOL):
        try:
            parameter.convert(value)
        except ValueError:
            continue
        out.append(value)
    assert out, f"no value to try for {name} of {definition.name}: add one to TRIED"
    return out


def variants(definition: Definition, pairs: int = 4) -> list[Measure]:
    """The measure with its defaults, with each parameter changed alone, and with several changed at once.

    What all measures share is acted on outside of them: averaged over subtopics, over assessors, and
    over both with the rest changed.
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
    for _ in range(pairs if len(tried) > 1 else 0):
        out.append(definition(**{name: rng.choice(values) for name, values in tried.items()}))
    return [m for m in dict.fromkeys(out) if fits(m)]


def few(engine: str, measures: list[Measure], step: int = 4) -> list[Measure]:
    """Fewer measures for DuckDB, where what is tested is the same for all."""
    return measures if engine == "polars" else measures[::step]


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


VARIANTS = {d.name: variants(d) for d in DEFINITIONS}
ALL = [m for measures in VARIANTS.values() for m in measures]
FIRST = [measures[0] for measures in VARIANTS.values()]
# The defaults, and two with several parameters changed; those that judgments by subtopic do for.
SOME = list(
    dict.fromkeys(
        m for measures in VARIANTS.values() for m in (measures[0], *measures[-2:]) if "assessor_id" not in judged_by(m)
    )
)

Values = dict[tuple[Any, ...], float | None]


def values(evaluation: ir.Evaluation) -> Values:
    """The value by (measure, run_id …, query_id)."""
    frame = evaluation.per_unit()
    keys = [c for c in frame.columns if c not in ("measure", "value")]
    return {(row["measure"], *(row[k] for k in keys)): row["value"] for row in frame.iter_rows(named=True)}


def evaluated(world: World, measures: Any, engine: str, **options: Any) -> Values:
    """The measures' values, each on judgments that are told apart as it asks for."""
    asked, out = catalog.parse_all(measures, "ranking"), {}
    for by in dict.fromkeys(map(judged_by, asked)):
        alike = [m for m in asked if judged_by(m) == by]
        # Planning grows faster than the plan, DuckDB's most.
        size = 75 if engine == "polars" else 30
        for part in (alike[i : i + size] for i in range(0, len(alike), size)):
            out |= values(ir.evaluate(world.qrels_frame(*by), world.run_frame(), part, engine=engine, **options))
    return out


def largest(judgments: list[Any]) -> Any:
    """Several assessors' judgments as one's: the largest grades."""
    if not all(isinstance(j, dict) for j in judgments):
        return max(judgments)
    keys = list(dict.fromkeys(key for j in judgments for key in j))
    return {key: largest([j[key] for j in judgments if key in j]) for key in keys}


def expected(world: World, measure: Measure, **options: Any) -> Values:
    """What the oracle says of every run and query."""
    arguments = measure.arguments()
    judged_only = arguments.pop("judged_only", False)
    if "gains" in arguments:
        arguments["gains"] = dict(arguments["gains"])
    options.setdefault("judged_only", judged_only)
    options.setdefault("undefined", measure.definition.undefined)
    over = [f for f in judged_by(measure) if f]
    judged = world.judged_by(*over)
    if arguments.get("assessors") == "max":
        over = over[1:]
        judged = {query: largest(list(by_assessor.values())) for query, by_assessor in judged.items()}
    own = measure.definition.parameters
    arguments = {k: v for k, v in arguments.items() if own[k] is not facets.SHARED.get(k)}
    out: Values = {}
    name = str(measure)
    for run_id, lists in world.runs.items():
        found = oracle.per_query(judged, lists, measure.name, judged_by=over, **options, **arguments)
        out |= {(name, run_id, query): value for query, value in found.items()}
    return out


def differences(got: Values, wanted: Values, tolerance: float) -> list[str]:
    """Where two evaluations differ: keys that one of them lacks, and values further apart than the tolerance."""
    out = [f"{key} is not there" for key in wanted.keys() - got.keys()] + [
        f"{key} is too much" for key in got.keys() - wanted.keys()
    ]
    for key in wanted.keys() & got.keys():
        a, b = got[key], wanted[key]
        if a is None or b is None:
            if a is not b:
                out.append(f"{key}: {a} instead of {b}")
        elif not abs(a - b) <= tolerance * max(1.0, abs(b)):
            out.append(f"{key}: {a!r} instead of {b!r}")
    return sorted(out)


def nothing_differs(got: Values, wanted: Values, tolerance: float) -> None:
    found = differences(got, wanted, tolerance)
    assert not found, f"{len(found)} of {len(wanted)} differ:\n" + "\n".join(found[:10])


# Text ids, integer ids, and a single run.
WORLDS = (world(1, 56, 2), world(2, 56, 2, integers=True), world(3, 56, 1))
# DuckDB sees the first two.
WORLDS_OF = {"polars": range(3), "duckdb": range(2)}


# The defaults, and two with several parameters changed.
MIXED = list(dict.fromkeys(m for measures in VARIANTS.values() for m in (measures[0], *measures[-2:])))


def tried(number: int, engine: str, name: str | None = None) -> list[Measure]:
    """What is asked of a world on an engine: every variant on the first world in Polars, a twelfth there in DuckDB too.

    DuckDB takes thirty milliseconds to plan a measure, whatever the tables.
    """
    several = MIXED if engine == "polars" else MIXED[::2]
    asked = several if number else ALL if engine == "polars" else list(dict.fromkeys([*MIXED, *ALL[::12]]))
    return [m for m in asked if name in (None, m.name)]


@functools.cache
def evaluated_world(number: int, engine: str) -> dict[str, Values]:
    """What is tried on one of the worlds, by measure."""
    return by_measure(evaluated(WORLDS[number], tried(number, engine), engine))


def by_measure(found: Values) -> dict[str, Values]:
    """The values of each measure."""
    out: dict[str, Values] = {}
    for key, value in found.items():
        out.setdefault(key[0], {})[key] = value
    return out
