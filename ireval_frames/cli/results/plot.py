"""`ireval plot`: pictures as files."""

from __future__ import annotations

import inspect
from enum import StrEnum
from typing import Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Cluster, Label, Measures, Prediction, Score, several
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.progress import working
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.subject import request_of

EXAMPLES = """\b
Examples:
  ireval plot systems qrels.txt runs/*.run -m "nDCG@10 AP" -o systems.svg
  ireval plot cutoffs qrels.txt runs/*.run -m "nDCG@1 nDCG@5 nDCG@10 nDCG@20" -o cutoffs.png
  ireval plot differences qrels.txt bm25.run lsa.run -m AP --baseline bm25 -o differences.html
  ireval plot rank_changes qrels.txt bm25.run lsa.run -m AP --baseline bm25 --query 115 -o rank_changes.pdf
  ireval plot confusion items.csv --label gold -o confusion.svg
  ireval plot curve scored.parquet --kind precision-recall --positive yes -o curve.svg
  ireval plot contingency items.csv -o contingency.svg
  ireval plot silhouettes points.parquet --features x,y -o silhouettes.svg
  ireval plot history results -m nDCG@10 --collection news -o history.svg

\b
FILES are judgments and runs, one table of items or points, or a store, as the picture needs.
The ending of -o says the kind of file; a page (.html) holds no script.
"""
# What each picture is made of.
RANKINGS = (
    "systems", "cutoffs", "units", "distribution", "precision_recall", "judged", "differences", "scatter", "effects",
    "matrix", "rank_changes",
)  # fmt: skip
LABELS = ("confusion", "curve", "thresholds", "reliability")
OTHERS = ("contingency", "silhouettes", "elbow", "history")
DEFAULT = ("nDCG@10",)
OF_CUTOFFS = ("nDCG@1", "nDCG@5", "nDCG@10", "nDCG@20", "nDCG@50", "nDCG@100")


class Theme(StrEnum):
    """The ground a picture stands on."""

    image = "image"
    page = "page"


@command(epilog=EXAMPLES)
def plot(
    name: Annotated[str, Argument(metavar="NAME", help=f"One of: {', '.join((*RANKINGS, *LABELS, *OTHERS))}.")],
    files: Annotated[list[str], Argument(metavar="FILES", help="QRELS RUN…, a table, or a store.")],
    output: Annotated[str, Option("-o", "--output", metavar="FILE", help="x.svg, x.png, x.pdf or x.html.")],
    measures: Measures = None,
    baseline: Annotated[str | None, Option("--baseline", metavar="NAME", help="What is subtracted.")] = None,
    system: Annotated[str | None, Option("--system", metavar="NAME", help="The other system.")] = None,
    run: Annotated[str | None, Option("--run", metavar="NAME", help="Which run, classifier or group.")] = None,
    query: Annotated[str | None, Option("--query", metavar="ID", help="The topic of rank_changes.")] = None,
    kind: Annotated[
        str | None, Option("--kind", metavar="KIND", help="roc, precision-recall, det or gain, of curve.")
    ] = None,
    top: Annotated[int | None, Option("--top", metavar="N", help="So many systems, rows or ranks.")] = None,
    margin: Annotated[float | None, Option("--margin", metavar="X", help="The grey band of effects.")] = None,
    collection: Annotated[
        str | None, Option("--collection", metavar="NAME", help="What was searched, of history.")
    ] = None,
    label: Label = None,
    prediction: Prediction = None,
    score: Score = None,
    positive: Annotated[str | None, Option("--positive", metavar="CLASS", help="The positive class.")] = None,
    cluster: Cluster = None,
    features: Annotated[
        list[str] | None, Option("--features", metavar="COLUMNS", help="Columns of coordinates, or of vectors.")
    ] = None,
    by: By = None,
    theme: Annotated[Theme, Option("--theme", help="On white, or in the colours of a page.")] = Theme.image,
    width: Annotated[int | None, Option("--width", metavar="PIXELS", help="Of the plot.")] = None,
    height: Annotated[int | None, Option("--height", metavar="PIXELS", help="Of the plot.")] = None,
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="Instead of its own.")] = None,
    *,
    reading: RankingOptions,
) -> None:
    """Draw a result as SVG, PNG, PDF or a page without scripts."""
    name = name.replace("-", "_")
    known = (*RANKINGS, *LABELS, *OTHERS)
    if name not in known:
        raise UnknownName(f"There is no picture {name!r}.", nearest(name, known))
    from ireval_frames import plots

    options = {
        "baseline": baseline, "system": system, "run": run, "query": query, "kind": kind, "top": top,
        "margin": margin, "collection": collection,
    }  # fmt: skip
    given = {n: v for n, v in options.items() if v is not None}
    drawn = getattr(plots, name)
    with working("drawing"):
        if name in RANKINGS:
            result = _ranked(name, files, measures, by, reading, given)
        elif name == "history":
            result = _store(files, measures, given)
        else:
            of_items = {"label": label, "prediction": prediction, "score": score, "cluster": cluster}
            result = _items(
                name, files, measures, positive, several(features), of_items, {**reading.arguments(), "by": by or ()}
            )
        _takes(name, drawn, given)
        chart = drawn(result, **given, theme=theme.value, width=width, height=height, title=title)
        plots.save(chart, output)


def _ranked(
    name: str,
    files: list[str],
    measures: list[str] | None,
    by: list[str] | None,
    reading: RankingOptions,
    given: dict[str, Any],
) -> Any:
    """The evaluation of runs, or the diagnosis of two."""
    if len(files) < 2:
        raise InvalidParameter(
            f"The picture {name} needs judgments and runs.", f"ireval plot {name} QRELS RUN… -o FILE"
        )
    default = OF_CUTOFFS if name == "cutoffs" else DEFAULT
    runs, asked = runs_and_measures(files[1:], measures or (), default=default)
    evaluation = reading.rankings(files[0], runs, by=by).evaluate(asked)
    if name != "rank_changes":
        return evaluation
    for option in ("baseline", "query"):
        if option not in given:
            raise InvalidParameter(f"The picture rank_changes needs --{option}.", f"Write --{option} NAME.")
    names = [str(n) for n in evaluation.wide()["run_id"]]
    others = [n for n in names if n != given["baseline"]]
    system = given.pop("system", others[0] if len(others) == 1 else None)
    if system is None:
        raise InvalidParameter(f"There are {len(names)} runs.", "Write --system NAME.")
    given["query_id"] = given.pop("query")
    return evaluation.diagnose(system, given.pop("baseline"), asked[0])


def _items(
    name: str,
    files: list[str],
    measures: list[str] | None,
    positive: str | None,
    features: list[str],
    columns: dict[str, Any],
    shared: dict[str, Any],
) -> Any:
    """The labels, clusters or points of one table."""
    if len(files) != 1:
        raise InvalidParameter(f"The picture {name} is of one table, not of {len(files)}.", "Name one file.")
    if name == "contingency":
        from ireval_frames.clusters import Clusters

        return Clusters(files[0], label=columns["label"], cluster=columns["cluster"], **shared)
    if name in LABELS:
        from ireval_frames.items.class_types import literal_class
        from ireval_frames.labels import Labels

        own: dict[str, Any] = {n: columns[n] for n in ("label", "prediction", "score")}
        subject = Labels(files[0], **own, **shared)
        if positive is None:
            return subject
        return Labels(
            files[0],
            positive=literal_class(positive, request_of(subject).class_type(), "positive", text=True),
            **own,
            **shared,
        )
    from ireval_frames.points import Points

    if not features:
        raise InvalidParameter(f"The picture {name} needs the coordinates of points.", "Write --features x,y")
    at: Any = features[0] if len(features) == 1 else features
    subject_of_points = Points(files[0], at, cluster=columns["cluster"], **shared)
    if name == "silhouettes":
        return subject_of_points
    return subject_of_points.evaluate(["NumClusters", *(measures or ("Silhouette", "DaviesBouldin"))])


def _store(files: list[str], measures: list[str] | None, given: dict[str, Any]) -> Any:
    """A store, and which measure of it."""
    from ireval_frames.store import Store

    if len(files) != 1 or not measures or len(measures) != 1:
        raise InvalidParameter(
            "History is of one store and one measure.", "ireval plot history STORE -m nDCG@10 -o FILE"
        )
    given["measure"] = measures[0]
    return Store(files[0], create=False)


def _takes(name: str, drawn: Any, given: dict[str, Any]) -> None:
    """Refuse options that the picture does not have.

    Raises:
        InvalidParameter: there is one.
    """
    own = inspect.signature(drawn).parameters
    for option in given:
        if option not in own:
            raise InvalidParameter(f"The picture {name} has no --{option}.", f"Leave out --{option}.")
