"""A measure declares whether it is a query or has a step in Python, and its plan is what it declares."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure
from ireval_frames.errors import NotDefined
from ireval_frames.parameters import REQUIRED

IN_PYTHON = "through Python"
LABELS = ir.examples.labels().with_columns(score=pl.col("item_id") / 8, **{c: pl.lit(1 / 3) for c in ("cat", "cow")})
SUBJECTS: dict[str, Any] = {
    "ranking": ir.Rankings(ir.examples.diversity()[0], ir.examples.diversity()[1]),
    "labels": ir.Labels(
        LABELS, positive="cat", probabilities={"cat": "cat", "cow": "cow", "dog": "cow"}, hierarchy={"cat": "root"}
    ),
    "clusters": ir.Clusters(ir.examples.clusters()),
    "points": ir.Points(ir.examples.points(), ["x", "y"], cluster="k3"),
    "organization": ir.Organization(*ir.examples.ranking()),
    "ratings": ir.Ratings(ir.examples.ratings(), level="ratio"),
    "coreference": ir.Coreference(*ir.examples.coreference()),
    "spans": ir.Spans(*ir.examples.spans()),
    "links": ir.Links(*ir.examples.links()),
    "relations": ir.Relations(*ir.examples.relations()),
    "segmentation": ir.Segmentation(ir.examples.segments()),
    "timings": ir.Timings(ir.examples.timings()),
    "answers": ir.Answers(*ir.examples.answers()),
    "exposure": ir.FairExposure(**ir.examples.exposure()),
    "recommendations": ir.Recommendations(**ir.examples.recommendations()),
    "nuggets": ir.Nuggets(*ir.examples.nuggets()),
    "citations": ir.Citations(*ir.examples.citations()),
    "verdicts": ir.verdicts.Verdicts(ir.examples.verdicts()),
    "clicks": ir.Impressions(ir.examples.click_log()),
}


def planned(definition: Definition) -> ir.Evaluation | None:
    """The measure on the examples, or None if it needs parameters or other tables."""
    if any(p.default is REQUIRED for n, p in definition.parameters.items() if n != definition.at):
        return None
    measure: Measure = definition()
    if definition.at in definition.parameters and definition.parameters[definition.at].default is REQUIRED:
        measure = measure @ (1 if definition.at == "cutoff" else 0.5)
    try:
        evaluation: ir.Evaluation = SUBJECTS[definition.family].evaluate(measure)
    except (ir.errors.NotDefined, ir.errors.MissingColumn, ir.errors.WrongType):
        return None
    return evaluation


@pytest.mark.parametrize("family", SUBJECTS)
def test_plans_are_what_is_declared(family: str) -> None:
    tried = 0
    for definition in catalog.definitions(family):
        if (evaluation := planned(definition)) is None:
            continue
        tried += 1
        (measure,) = evaluation.measures
        assert (IN_PYTHON in evaluation.explain()) == (measure.runs == "python"), measure
        if measure.runs == "python":
            assert definition.cost
            with pytest.raises(NotDefined, match="a step in Python"):
                evaluation.per_unit.sql()
    assert tried > 0.6 * len(catalog.definitions(family))


def test_parameters_may_decide() -> None:
    points = SUBJECTS["points"]
    for text, runs in {
        "XieBeni": "relational",
        "XieBeni(separation='points')": "python",
        "Dunn": "python",
        "Dunn(separation='centroids', diameter='radius')": "relational",
    }.items():
        evaluation = points.evaluate(text)
        assert evaluation.measures[0].runs == runs
        assert (IN_PYTHON in evaluation.explain()) == (runs == "python")
        assert bool(evaluation.measures[0].cost) == (runs == "python")


def test_the_catalog_says_it() -> None:
    frame = ir.measures()
    assert set(frame["runs"]) == {"relational", "python"}
    assert frame.filter(pl.col("runs") == "python", pl.col("cost") == "").is_empty()
    assert frame.filter(name="alpha_nDCG")["runs"].item() == "python"
