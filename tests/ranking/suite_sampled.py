"""The suite of ranking measures that read judgments that are a sample."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.ranking.inputs import facets
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, one_at_a_time
from tests.oracles import order, sampled_variance
from tests.oracles import sampled as oracle
from tests.ranking.cases import Case, make_case

PLACE = "VALUES of tests/ranking/suite_sampled.py"
VALUES: dict[str, tuple[Any, ...]] = {
    "rel": (2, 0.5),
    "cutoff": (5, 1, 10),
    "gains": ({1: 1, 2: 5, 3: 10}, {0: 0.5, 4: 4.5}, {0: 1, 1: -1}),
    "variant": ("2011", "2012-trecvid"),
    "rates": ("iprob", "strata"),
    "chosen": ("drop", "drawn"),
    "estimator": ("ratio",),
    "form": (),
    "of": (
        "infAP",
        "xinfAP",
        "xinfAP(variant='2012-trecvid', rel=2)@3",
        "infNDCG@4",
        "infNDCG(variant='2012-trecvid', gains={1: 1, 2: 5, 3: 10})",
        "infP@5",
        "infR@5",
        "infNumRel",
        "infNumRelRet",
        "statAP@5",
        "statAP(chosen='drop')",
        "statP(estimator='ratio')@5",
        "statP(rates='strata', estimator='ratio')@5",
        "statNumRel(chosen='drawn')",
    ),
}


@dataclass(frozen=True, eq=False)
class SampledCase:
    """Judgments and runs, and how each pooled document came into the sample."""

    case: Case
    designs: dict[Any, oracle.Design]

    def frame(self) -> pl.DataFrame:
        """The judgments with the columns of the sample."""
        rows = [
            (query, doc, grade, *self.designs[query][doc])
            for query, docs in self.case.qrels.items()
            for doc, grade in docs.items()
        ]
        ids = self.case.id_type
        types = {"query_id": ids, "doc_id": ids, "relevance": pl.Float64, "stratum": ids, "method": ids}
        return pl.DataFrame(rows, schema={**types, "iprob": pl.Float64}, orient="row")


def sampled_case(case: Case, seed: int) -> SampledCase:
    """A case whose documents are in up to three strata, of which some have no judgment."""
    rng = random.Random(seed)
    numbers = case.id_type == pl.Int64

    def named(number: int | None) -> Any:
        return number if numbers or number is None else str(number)

    designs: dict[Any, oracle.Design] = {}
    for query, docs in case.qrels.items():
        strata = rng.choice(((1,), (1, 2), (1, 2, 10)))
        designs[query] = {
            doc: oracle.Drawn(
                named(rng.choice(strata)),
                named(rng.choice((None, 0, 1, 1, 1, 2))),
                rng.choice((1.0, 0.5, 0.25, 0.1)) if grade >= 0 or rng.random() < 0.5 else None,
            )
            for doc, grade in docs.items()
        }
    return SampledCase(case, designs)


def variants(definition: Definition, case: SampledCase | None = None) -> list[Measure]:
    """One parameter changed at a time, and several together; few with integers, on which no parameter depends."""
    out = one_at_a_time(definition, VALUES, PLACE, without=tuple(facets.SHARED))
    if "variant" in definition.parameters:
        out += [out[0](variant=variant, cutoff=3) for variant in ("2011", "2012-trecvid")]
    if "form" in definition.parameters:
        out += [definition(of=f"statAP{cutoff}", form="statAP_MQ_eval") for cutoff in ("", "@5")]
    if "rates" in definition.parameters:
        out.append(out[0](rates="strata", chosen="drop"))
    return out if case is None or case.case.id_type == pl.String else out[:1] + out[-1:]


def tables(case: SampledCase, _: Any = None) -> Frames:
    return {"qrels": case.frame(), "run": case.case.run_frame()}


def evaluate(_: SampledCase, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    policy = allow_no_overlap(options.pop("policy", None), ir.ranking.RankingPolicy)
    return ir.evaluate(frames["qrels"], frames["run"], measures, engine=engine, policy=policy, **options)


def oracle_of(measure: Measure) -> Any:
    return variance if measure.name == "SamplingVariance" else oracle.ORACLES[measure.name]


def variance(ranking: list[Any], judgments: Any, design: oracle.Design, *, of: str, form: str) -> float | None:
    estimate = catalog.parse(of, "ranking")
    parameters = {k: v for k, v in estimate.arguments().items() if k not in facets.SHARED}
    if form == "statAP_MQ_eval":
        return sampled_variance.of_statap_mq_eval(ranking, judgments, design, **parameters)
    return sampled_variance.variance(estimate.name, ranking, judgments, design, parameters)


def expected(case: SampledCase, measure: Measure) -> Values:
    parameters, out = {k: v for k, v in measure.arguments().items() if k not in facets.SHARED}, {}
    for run_id, lists in case.case.runs.items():
        for query, judgments in case.case.qrels.items():
            ranking = order.ranking(lists.get(query, []))
            value = oracle_of(measure)(ranking, judgments, case.designs[query], **parameters)
            undefined = measure.definition.undefined
            if query not in lists and (value is None or undefined is None):
                value = 0.0
            value = undefined if value is None else value
            out[str(measure), run_id, query] = value
    return out


def small(qrels: dict[Any, dict[Any, float]], runs: Any) -> SampledCase:
    return SampledCase(
        Case(qrels, runs), {q: {d: oracle.Drawn("s", "1", 0.5) for d in docs} for q, docs in qrels.items()}
    )


SAMPLED = Suite(
    name="sampled judgments",
    family="ranking",
    oracles=("SamplingVariance", *oracle.ORACLES),
    oracle_place="ORACLES of tests/oracles/sampled.py",
    cases={
        "text": sampled_case(make_case(21, 42, 2), 5),
        "integers": sampled_case(make_case(22, 28, 2, integers=True), 6),
    },
    main=("text",),
    small={
        "one hit": small({"q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
        "one miss": small({"q": {"a": 1.0}}, {"r": {"q": [("b", 1.0)]}}),
        "one pooled document": small({"q": {"a": -1.0}}, {"r": {"q": [("a", 1.0)]}}),
        "one of two queries": small({"p": {"a": 1.0}, "q": {"a": 1.0}}, {"r": {"q": [("a", 1.0)]}}),
    },
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "text": Renaming(("query_id", "doc_id"), lambda old: {o: f"id{i:05d}" for i, o in enumerate(old)}, pl.String)
    },
    grouped="qrels",
    skip={"weights": "documents have grades, which are gains and no weights"},
)
SUITES = (SAMPLED,)
