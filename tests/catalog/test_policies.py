"""The conventions of all families: typed in Python, words in text, each choice with its sentence and source."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.conventions.base import Conventions
from ireval_frames.conventions.rankings import POLICIES
from ireval_frames.errors import NotDefined, UnknownName
from ireval_frames.subject import Subject


def test_every_subject_has_its_policy_there() -> None:
    for policy_class in (ir.Rankings, ir.Labels, ir.Clusters, ir.Points, ir.Organization, ir.Similarity):
        assert issubclass(policy_class, Subject)
        assert POLICIES[policy_class.family] is policy_class._conventions


def test_every_choice_has_its_own_sentence_and_a_source() -> None:
    frame = ir.policies()
    assert frame.select("family", "field", "sentence").is_unique().all()
    assert frame.filter(pl.col("source") == "").is_empty()
    assert frame.filter("default").select("family", "field").is_unique().all()
    assert set(POLICIES) == set(frame["family"])
    with pytest.raises(UnknownName, match="labels"):
        ir.policies("label")


@pytest.mark.parametrize("policy_class", POLICIES.values())
def test_what_text_writes_is_what_is_typed(policy_class: type[Conventions]) -> None:
    for field, choices in policy_class.choices().items():
        for choice in choices:
            typed, text = (3, "3") if choice.text == "N" else (choice.value, choice.text)
            assert (
                policy_class.of(f"{field}={text}") == policy_class(**{field: typed}) == policy_class.of({field: typed})
            )
            assert (field, typed) in [described[:2] for described in policy_class(**{field: typed}).described()]


@pytest.mark.parametrize("ask", [ir.labels.LabelPolicy.named, ir.labels.LabelPolicy.of])
def test_an_unknown_preset_names_the_nearest(ask: Callable[[str], Conventions]) -> None:
    with pytest.raises(UnknownName, match=r"preset 'scikit-lern'\.\n.*scikit-learn"):
        ask("scikit-lern")
    assert ask("scikit-learn") == ir.labels.LabelPolicy(undefined=0, unlabelled="error", missing="error")


RUNS = pl.concat([ir.examples.ranking()[1].with_columns(run_id=pl.lit(r)) for r in "ab"])
EVALUATED: dict[str, Callable[[Conventions], ir.Evaluation]] = {
    "ranking": lambda policy: ir.evaluate(*ir.examples.ranking(), "AP", policy=policy),
    "labels": lambda policy: ir.Labels(ir.examples.labels(), policy=policy).evaluate("F1(average='macro')"),
    "clusters": lambda policy: ir.Clusters(ir.examples.clusters(), policy=policy).evaluate("Purity"),
    "points": lambda policy: ir.Points(ir.examples.points(), ["x"], cluster="k3", policy=policy).evaluate("SSE"),
    "organization": lambda policy: ir.Organization(*ir.examples.ranking(), policy=policy).evaluate("RS"),
    "ratings": lambda policy: ir.Ratings(ir.examples.ratings(), policy=policy).evaluate("FleissKappa"),
    "similarity": lambda policy: ir.Similarity(RUNS, policy=policy).evaluate("Tau"),
    "coreference": lambda policy: ir.Coreference(*ir.examples.coreference(), policy=policy).evaluate("CoNLL"),
    "spans": lambda policy: ir.Spans(*ir.examples.spans(), policy=policy).evaluate("F1"),
    "links": lambda policy: ir.Links(*ir.examples.links(), policy=policy).evaluate("F1"),
    "relations": lambda policy: ir.Relations(*ir.examples.relations(), policy=policy).evaluate("F1"),
    "segmentation": lambda policy: ir.Segmentation(ir.examples.segments(), policy=policy).evaluate("Pk"),
    "timings": lambda policy: ir.Timings(ir.examples.timings(), policy=policy).evaluate("Latency(p=50)"),
    "answers": lambda policy: ir.Answers(*ir.examples.answers(), policy=policy).evaluate("TokenF1"),
    "exposure": lambda policy: ir.FairExposure(**ir.examples.exposure(), policy=policy).evaluate("AWRF"),
    "recommendations": lambda policy: ir.Recommendations(**ir.examples.recommendations(), policy=policy).evaluate(
        "MIUF"
    ),
    "nuggets": lambda policy: ir.Nuggets(*ir.examples.nuggets(), policy=policy).evaluate("NuggetRecall"),
    "citations": lambda policy: ir.Citations(*ir.examples.citations(), policy=policy).evaluate("CitationF"),
    "verdicts": lambda policy: ir.verdicts.Verdicts(ir.examples.verdicts(), policy=policy).evaluate("Faithfulness"),
    "clicks": lambda policy: ir.Impressions(ir.examples.click_log(), policy=policy).evaluate("CTR"),
}


@pytest.mark.parametrize("family", POLICIES)
def test_the_sentence_of_the_choice_in_force_is_explained(family: str) -> None:
    """Of every field the chosen sentence, and no other one of the field."""
    policy_class = POLICIES[family]
    for field, choices in policy_class.choices().items():
        for choice in choices:
            typed = 3 if choice.text == "N" else choice.value
            try:
                message = EVALUATED[family](policy_class(**{field: typed})).explain()
            except NotDefined:
                continue  # not for this measure
            lines = message.partition("\npolicies\n")[2].splitlines()
            (at,) = (i for i, line in enumerate(lines) if line.startswith(f"  {field} = "))
            (described,) = (d for d in policy_class(**{field: typed}).described() if d[0] == field)
            assert lines[at].startswith(f"  {field} = {typed}")
            assert lines[at + 1].strip() == described[2]
            others = [c.sentence for c in choices if c is not choice]
            assert not [s for s in others if s in lines[at + 1]]
