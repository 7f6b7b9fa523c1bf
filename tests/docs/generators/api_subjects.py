"""The pages of the Python reference: every public name is on one of them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import ireval_frames as ir

PACKAGE = "ireval_frames"


@dataclass(frozen=True)
class Subject:
    """A page: its title and sentence, its public names, and classes of results.

    A module in `names` stands for the functions and classes of its `__all__`, or of its own if it has none.
    """

    title: str
    sentence: str
    names: tuple[str, ...]
    results: tuple[str, ...] = ()


SUBJECTS = {
    "rankings": Subject(
        "Rankings", "Ranked retrieval: runs and judgments.",
        ("evaluate", "Rankings", "pool_bias", "ranking", "reusability"), ("ranking.evaluation.RankingEvaluation",),
    ),
    "labels": Subject(
        "Labels", "Classifiers: labels, predictions, scores and probabilities of items.",
        ("Labels", "labels"), ("labels.result.LabelEvaluation",),
    ),
    "clusters": Subject(
        "Clusters", "Clusterings compared with the classes of their items.", ("Clusters", "clusters"),
    ),
    "exposure": Subject(
        "FairExposure", "Rankings whose groups of documents should get a fair share of attention.",
        ("FairExposure", "exposure"),
    ),
    "recommendations": Subject(
        "Recommendations", "Lists of items that were recommended to users, and what lies beyond their accuracy.",
        ("Recommendations", "recommendations"),
    ),
    "coreference": Subject(
        "Coreference", "Mentions in documents, and the entities they refer to.", ("Coreference", "coreference"),
    ),
    "relations": Subject(
        "Relations", "Relations between entities, and events with their arguments.", ("Relations", "relations"),
    ),
    "links": Subject(
        "Links", "Links of mentions to entities, and slots, by what must be equal.", ("Links", "links"),
    ),
    "points": Subject(
        "Points", "Clusterings compared with the distances of their points.",
        ("Points", "points"), (),
    ),
    "organization": Subject(
        "Document organization", "Documents ranked, filtered and clustered at once.",
        ("Organization", "organization"),
    ),
    "clicks": Subject(
        "Click logs", "Result pages with shown and clicked documents; counterfactual values of other rankings.",
        ("Impressions", "clicks"),
    ),
    "interleaving": Subject(
        "Interleaving", "Lists of several rankings, and which of them clicks prefer.",
        ("interleaving",),
    ),
    "fusion": Subject(
        "Fusion", "Several runs as one, and what each adds to it.", ("fuse", "fusion"),
    ),
    "pools": Subject(
        "Pools", "Which documents of several runs people should judge.", ("pool", "pools"),
    ),
    "experiments": Subject(
        "A/B tests", "Experiments with users who saw one of several variants.", ("Experiment", "experiments"),
    ),
    "ratings": Subject(
        "Ratings", "Raters and their judgments: agreement, consensus, people beside models.",
        ("Ratings", "ratings", "judging"),
    ),
    "answers": Subject(
        "Answers", "Text answers to queries compared with gold answers.", ("Answers", "answers"),
    ),
    "timings": Subject(
        "Timings", "Requests to systems: how long each took, whether it was answered, and what it cost.",
        ("Timings", "timings"),
    ),
    "nuggets": Subject(
        "Nuggets", "Facts that good answers state, and which of them the answers of systems support.",
        ("Nuggets", "nuggets"),
    ),
    "citations": Subject(
        "Citations", "Citations of generated answers, and whether they support them.", ("Citations", "citations"),
    ),
    "verdicts": Subject(
        "Verdicts", "The ratios that suites for generated answers compute of verdicts.", ("verdicts",),
    ),
    "segmentation": Subject(
        "Segmentation", "Documents divided into segments: windows, boundaries and edits of them.",
        ("Segmentation", "segmentation"),
    ),
    "spans": Subject(
        "Spans", "Marked and typed spans of documents, such as entities, and tags of tokens.", ("Spans", "spans"),
    ),
    "similarity": Subject(
        "Similarity", "Rankings compared with each other.", ("Similarity", "similarity"),
    ),
    "results": Subject(
        "Results", "The results of an evaluation, as frames, SQL, tables and text.",
        ("Evaluation",), ("results.Result",),
    ),
    "comparing": Subject(
        "Comparing systems", "Differences, tests, intervals and effect sizes; planning and meta-evaluation.",
        ("compare", "comparison", "tradeoff"),
    ),
    "resampling": Subject(
        "Resampling", "Intervals of any measure, and the influence of each unit.",
        ("resampling",),
    ),
    "gate": Subject(
        "Gate and reproduction", "A candidate beside a baseline; a replica beside its original.",
        ("gate", "replication"), ("gating.Gate",),
    ),
    "store": Subject("Store", "Evaluations stored in a folder, with queries over them.", ("Store",)),
    "plots": Subject("Plots and reports", "Results as plots, and as one page.", ("plots", "report")),
    "splits": Subject("Splits", "Folds and holdouts as a column.", ("splits",)),
    "files": Subject(
        "Files", "Judgments, runs and queries, read and written.",
        ("read_qrels", "read_run", "io"),
    ),
    "interop": Subject("Other tools", "Objects of other tools as tables, and back.", ("interop",)),
    "measures": Subject(
        "Measures", "The catalog, measures of your own, constraints, and measures in SQL.",
        ("measures", "policies", "Measure", "measure", "parameters", "expr", "constraints", "macros"),
    ),
    "errors": Subject(
        "Errors and examples", "Exceptions, and small tables for examples.",
        ("errors", "examples"),
    ),
}  # fmt: skip


def members(subject: Subject) -> list[str]:
    """The names of a page, relative to the package; a name with a short path is listed under that alone."""
    short = [n for n in subject.names if not inspect.ismodule(getattr(ir, n))]
    modules = [n for n in subject.names if n not in short]
    return [*short, *(n for m in modules for n in _of_module(getattr(ir, m), m)), *subject.results]


def _of_module(module: Any, path: str) -> list[str]:
    """The functions and classes of a module, for `interop` also of its modules."""
    names = getattr(module, "__all__", None) or [
        n for n, v in vars(module).items() if not n.startswith("_") and getattr(v, "__module__", "") == module.__name__
    ]
    out: list[str] = []
    for name in names:
        at = getattr(module, name)
        if inspect.ismodule(at):
            out += _of_module(at, f"{path}.{name}") if path == "interop" else []
        elif at is not getattr(ir, name, None) and (path != "errors" or inspect.isclass(at)):
            out.append(f"{path}.{name}")
    return out


def resolve(name: str) -> Any:
    """The object of a name of the package, at any depth."""
    at: Any = ir
    for part in name.split("."):
        at = getattr(at, part)
    return at
