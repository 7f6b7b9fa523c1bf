"""The suite of ranking measures that use a click model."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.declaration import Definition, Measure
from tests.contract.kit import Frames, Renaming, Suite, Values, allow_no_overlap, one_at_a_time
from tests.oracles import click_measures as oracle
from tests.oracles import order
from tests.ranking.cases import Case, make_case

PLACE = "VALUES of tests/ranking/suite_clicks.py"
VALUES: dict[str, tuple[Any, ...]] = {
    "cutoff": (5, None, 1, 10),
    "uUBM.cutoff": (4, 1, 7),
    "judged_only": (True,),
    "continuation": (0.9, 1.0, 0.0),
    "satisfaction": (0.5, 1.0, 0.0),
    "unseen": (0.5, 1.0),
    "gain": ("linear",),
    "max_rel": (6,),
    "min_n": (10, 1000),
}
Parameters = dict[Any, tuple[float | None, float | None, float]]


@dataclass(frozen=True, eq=False)
class ModelCase:
    """Judgments and runs, with attraction, satisfaction and impressions of documents or grades."""

    case: Case
    documents: Parameters
    graded: bool
    model: oracle.Model

    def docs(self, query: Any, ranking: list[Any]) -> list[oracle.Doc]:
        """A list for the oracle."""
        judged, out = self.case.qrels[query], []
        for doc in ranking:
            grade = max(judged.get(doc, 0.0), 0.0)
            key = grade if self.graded else (query, doc)
            attraction, satisfaction, n = self.documents.get(key, (None, None, 0.0))
            out.append(oracle.Doc(attraction, satisfaction, grade, n))
        return out

    def frame(self) -> pl.DataFrame:
        """The table of parameters."""
        keys = {"relevance": pl.Float64} if self.graded else dict.fromkeys(("query_id", "doc_id"), self.case.id_type)
        none = (None,) * len(keys)
        rows: list[tuple[Any, ...]] = []
        for key, (attraction, satisfaction, n) in self.documents.items():
            of = (key,) if self.graded else key
            rows.append(("attraction", *of, None, None, attraction, n))
            rows.append(("satisfaction", *of, None, None, satisfaction, n / 2))
        rows.append(("continuation", *none, None, None, self.model.continuation, 9.0))
        rows += [("continuation", *none, r, None, v, 9.0) for r, v in self.model.continuation_at.items()]
        rows += [("examination", *none, r, None, v, 9.0) for r, v in self.model.examination.items()]
        rows += [("examination", *none, r, last, v, 9.0) for (r, last), v in self.model.examination_after.items()]
        types = {"parameter": pl.String, **keys, "position": pl.Int64, "last_click": pl.Int64}
        return pl.DataFrame(rows, schema={**types, "value": pl.Float64, "n": pl.Float64}, orient="row")


def model_case(case: Case, seed: int, *, graded: bool) -> ModelCase:
    """A case with parameters of most documents or grades, some of them undefined."""
    rng = random.Random(seed)

    def drawn() -> tuple[float | None, float | None, float]:
        first = rng.choice((rng.random(), rng.random(), rng.random(), 0.0, 1.0, None))
        second = rng.choice((rng.random(), rng.random(), 0.0, 1.0, None))
        return first, second, float(rng.randint(1, 40))

    retrieved = {(q, d): None for lists in case.runs.values() for q, docs in lists.items() for d, _ in docs}
    keys: list[Any] = [0.0, 0.25, 1.0, 2.0, 4.0] if graded else [k for k in retrieved if rng.random() < 0.7]
    documents = {key: drawn() for key in keys}
    if graded:
        documents[0.0] = (0.2, 0.1, 50.0)
    longest = 6
    model = oracle.Model(
        0.8,
        {r: rng.random() for r in range(1, longest + 1)},
        {r: rng.random() for r in range(1, longest + 1)},
        {(r, last): rng.random() for r in range(1, longest + 1) for last in range(r)},
    )
    return ModelCase(case, documents, graded, model)


def variants(definition: Definition, _: Any = None) -> list[Measure]:
    """One parameter changed at a time, and `unseen` with a cutoff."""
    variants = one_at_a_time(definition, VALUES, PLACE)
    if "unseen" in definition.parameters:
        variants.append(variants[0](unseen=0.3, cutoff=5))
    return variants


def tables(case: ModelCase, _: Any = None) -> Frames:
    """The model comes before the run, as in macros."""
    return {"qrels": case.case.qrels_frame(""), "click_model": case.frame(), "run": case.case.run_frame()}


def evaluate(_: ModelCase, frames: Frames, measures: Any, engine: str, **options: Any) -> ir.Evaluation:
    policy = allow_no_overlap(options.pop("policy", None), ir.ranking.RankingPolicy)
    parameters = {"click_model": frames["click_model"], "engine": engine, "policy": policy}
    return ir.evaluate(frames["qrels"], frames["run"], measures, **parameters, **options)


def expected(case: ModelCase, measure: Measure) -> Values:
    parameters, out = measure.arguments(), {}
    judged_only, cutoff = parameters.pop("judged_only"), parameters.pop("cutoff")
    for run_id, lists in case.case.runs.items():
        for query, judged in case.case.qrels.items():
            ranking = order.ranking(lists.get(query, []))
            if judged_only:
                ranking = [d for d in ranking if judged.get(d, -1.0) >= 0]
            value = oracle.value(measure.name, case.docs(query, ranking), case.model, cutoff, parameters)
            # A query without a list has 0.
            out[str(measure), run_id, query] = 0.0 if query not in lists else value
    return out


CLICK_MEASURES = Suite(
    name="click measures",
    family="ranking",
    oracles=oracle.ORACLES.keys(),
    oracle_place="ORACLES of tests/oracles/click_measures.py",
    cases={
        "documents": model_case(make_case(3, 28, 2), 5, graded=False),
        "grades": model_case(make_case(4, 28, 2, integers=True), 6, graded=True),
    },
    small={},
    unit="query_id",
    tables=tables,
    evaluate=evaluate,
    variants=variants,
    oracle=expected,
    renamings={
        "text": Renaming(("query_id", "doc_id"), lambda old: {o: f"id{i:05d}" for i, o in enumerate(old)}, pl.String)
    },
    grouped="qrels",
    # Parameters of positions are not rows of a unit.
    across_units=("EBU", "uDCM", "uPBM", "uUBM", "rrDBN", "rrDCM"),
    skip={"weights": "documents have grades, which are gains and no weights"},
)
SUITES = (CLICK_MEASURES,)
