"""What each page of the Python reference tells: every public name has its place on one of them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import ireval_frames as ir

PACKAGE = "ireval_frames"


@dataclass(frozen=True)
class Subject:
    """A page: its title and sentence, its names of the package, and further ones that are met but not called.

    Of a module in `names` all functions and classes of its `__all__` are told, or of its own if it has none.
    """

    title: str
    says: str
    names: tuple[str, ...]
    results: tuple[str, ...] = ()


SUBJECTS = {
    "rankings": Subject(
        "Rankings", "Ranked retrieval: runs held against judgments.",
        ("evaluate", "Rankings", "ranking"), ("ranking.evaluation.RankingEvaluation",),
    ),
    "labels": Subject(
        "Labels", "Classifiers: labels, predictions, scores and probabilities of items.",
        ("Labels", "labels"), ("labels.result.LabelEvaluation",),
    ),
    "clusters": Subject(
        "Clusters", "Clusterings held against the classes of their items.", ("Clusters", "clusters"),
    ),
    "points": Subject(
        "Points", "Clusterings held against the distances of their points.",
        ("Points", "points"), ("points.result.PointEvaluation",),
    ),
    "organization": Subject(
        "Document organization", "Documents ranked, filtered and clustered at once.",
        ("Organization", "organization"),
    ),
    "clicks": Subject(
        "Click logs", "Result pages with what was shown and clicked; what other rankings would be worth.",
        ("Impressions", "clicks"),
    ),
    "interleaving": Subject(
        "Interleaving", "Lists made of several rankings, and whom their clicks prefer.",
        ("interleaving",),
    ),
    "experiments": Subject(
        "A/B tests", "Users who saw one of several variants.", ("Experiment", "experiments"),
    ),
    "ratings": Subject(
        "Ratings", "Who judged what: agreement, consensus, judgments of people and of models.",
        ("Ratings", "ratings", "judging"),
    ),
    "similarity": Subject(
        "Similarity", "Rankings compared with each other.", ("Similarity", "similarity"),
    ),
    "results": Subject(
        "Results", "What every evaluation gives, and the table in all the ways it can be had.",
        ("Evaluation",), ("results.Result",),
    ),
    "comparing": Subject(
        "Comparing systems", "Differences, tests, intervals and effect sizes; planning and meta-evaluation.",
        ("compare", "comparison"),
    ),
    "resampling": Subject(
        "Resampling", "Intervals of any measure, and the influence of each unit.",
        ("resampling",),
    ),
    "gate": Subject(
        "Gate and reproduction", "A candidate held against a baseline; a replica against its original.",
        ("gate", "replication"), ("gating.Gate",),
    ),
    "store": Subject("Store", "Evaluations kept in a folder, and asked.", ("Store",)),
    "plots": Subject("Pictures and reports", "Results as pictures, and as one page.", ("plots", "report")),
    "splits": Subject("Splits", "Folds and holdouts as a column.", ("splits",)),
    "files": Subject(
        "Files", "Judgments, runs and queries, read and written.",
        ("read_qrels", "read_run", "io"),
    ),
    "interop": Subject("Other tools", "Other tools' own objects as our tables, and back.", ("interop",)),
    "measures": Subject(
        "Measures", "The catalog, measures of your own, their constraints, and measures in SQL.",
        ("measures", "policies", "Measure", "measure", "parameters", "expr", "constraints", "macros"),
    ),
    "errors": Subject(
        "Errors and examples", "What can go wrong, and small tables to try things with.",
        ("errors", "examples"),
    ),
}  # fmt: skip


def members(subject: Subject) -> list[str]:
    """The names that a page tells, from the package on; what has a short name is told under it alone."""
    short = [n for n in subject.names if not inspect.ismodule(getattr(ir, n))]
    modules = [n for n in subject.names if n not in short]
    return [*short, *(n for m in modules for n in _of_module(getattr(ir, m), m)), *subject.results]


def _of_module(module: Any, path: str) -> list[str]:
    """The functions and classes of a module, and of those it exports where these hold no measures."""
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


def found(name: str) -> Any:
    """What a name of the package is, at any depth."""
    at: Any = ir
    for part in name.split("."):
        at = getattr(at, part)
    return at
