"""`ireval plot`: pictures as files."""

from __future__ import annotations

import inspect
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from ireval_frames.cli.options.arguments import runs_and_measures
from ireval_frames.cli.options.command import Argument, Option, command
from ireval_frames.cli.options.common import By, Cluster, Label, Measures, Prediction, Score, split_names
from ireval_frames.cli.options.rankings import RankingOptions
from ireval_frames.cli.output.running import working
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.subject import request_of

if TYPE_CHECKING:
    from ireval_frames.clusters import Clusters
    from ireval_frames.evaluation.evaluation import Evaluation
    from ireval_frames.labels import Labels
    from ireval_frames.points import Points
    from ireval_frames.ranking.diagnosis.result import RankingDiagnosis
    from ireval_frames.ranking.evaluation import RankingEvaluation
    from ireval_frames.store import Store

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
The suffix of -o sets the format; a page (.html) has no scripts.
"""
# The pictures by their data.
RANKINGS = (
    "systems", "cutoffs", "units", "distribution", "precision_recall", "judged", "bounds", "differences", "scatter",
    "effects", "matrix", "rank_changes",
)  # fmt: skip
LABELS = ("confusion", "curve", "thresholds", "reliability")
OTHERS = ("contingency", "silhouettes", "elbow", "history")
DEFAULT = ("nDCG@10",)
OF_CUTOFFS = ("nDCG@1", "nDCG@5", "nDCG@10", "nDCG@20", "nDCG@50", "nDCG@100")


class Theme(StrEnum):
    """The background of a picture."""

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
    top: Annotated[int | None, Option("--top", metavar="N", help="The number of systems, rows or ranks.")] = None,
    margin: Annotated[float | None, Option("--margin", metavar="X", help="The grey band of effects.")] = None,
    collection: Annotated[str | None, Option("--collection", metavar="NAME", help="The collection of history.")] = None,
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
    width: Annotated[int | None, Option("--width", metavar="PIXELS", help="The width of the plot.")] = None,
    height: Annotated[int | None, Option("--height", metavar="PIXELS", help="The height of the plot.")] = None,
    title: Annotated[str | None, Option("--title", metavar="TEXT", help="A title instead of the plot's own.")] = None,
    *,
    reading: RankingOptions,
) -> None:
    """Draw a result as SVG, PNG, PDF or a page without scripts."""
    name = name.replace("-", "_")
    known = (*RANKINGS, *LABELS, *OTHERS)
    if name not in known:
        raise UnknownName(f"There is no picture {name!r}.", nearest(name, known))
    from ireval_frames import plots

    values = {
        "baseline": baseline, "system": system, "run": run, "query": query, "kind": kind, "top": top,
        "margin": margin, "collection": collection,
    }  # fmt: skip
    options = {n: v for n, v in values.items() if v is not None}
    draw = getattr(plots, name)
    result: Any
    with working("drawing"):
        if name in RANKINGS:
            result = _rankings(name, files, measures, by, reading, options)
        elif name == "history":
            result = _store(files, measures, options)
        else:
            of_items = {"label": label, "prediction": prediction, "score": score, "cluster": cluster}
            result = _items(
                name,
                files,
                measures,
                positive,
                split_names(features),
                of_items,
                {**reading.arguments(), "by": by or ()},
            )
        parameters = inspect.signature(draw).parameters
        for option in options:
            if option not in parameters:
                raise InvalidParameter(f"The picture {name} has no --{option}.", f"Leave out --{option}.")
        chart = draw(result, **options, theme=theme.value, width=width, height=height, title=title)
        plots.save(chart, output)


def _rankings(
    name: str,
    files: list[str],
    measures: list[str] | None,
    by: list[str] | None,
    reading: RankingOptions,
    options: dict[str, Any],
) -> RankingEvaluation | RankingDiagnosis:
    """The evaluation of runs, or the diagnosis of two."""
    if len(files) < 2:
        raise InvalidParameter(
            f"The picture {name} needs judgments and runs.", f"ireval plot {name} QRELS RUN… -o FILE"
        )
    default = OF_CUTOFFS if name == "cutoffs" else DEFAULT
    runs, parsed = runs_and_measures(files[1:], measures or (), default=default)
    evaluation = reading.rankings(files[0], runs, by=by).evaluate(parsed)
    if name != "rank_changes":
        return evaluation
    for option in ("baseline", "query"):
        if option not in options:
            raise InvalidParameter(f"The picture rank_changes needs --{option}.", f"Write --{option} NAME.")
    names = [str(n) for n in evaluation.wide()["run_id"]]
    others = [n for n in names if n != options["baseline"]]
    system = options.pop("system", others[0] if len(others) == 1 else None)
    if system is None:
        raise InvalidParameter(f"There are {len(names)} runs.", "Write --system NAME.")
    options["query_id"] = options.pop("query")
    return evaluation.diagnose(system, options.pop("baseline"), parsed[0])


def _items(
    name: str,
    files: list[str],
    measures: list[str] | None,
    positive: str | None,
    features: list[str],
    columns: dict[str, Any],
    shared: dict[str, Any],
) -> Labels | Clusters | Points | Evaluation:
    """The labels, clusters or points of one table."""
    if len(files) != 1:
        raise InvalidParameter(f"The picture {name} is of one table, not of {len(files)}.", "Name one file.")
    if name == "contingency":
        from ireval_frames.clusters import Clusters

        return Clusters(files[0], label=columns["label"], cluster=columns["cluster"], **shared)
    if name in LABELS:
        from ireval_frames.items.class_types import literal_class
        from ireval_frames.labels import Labels

        arguments: dict[str, Any] = {**{n: columns[n] for n in ("label", "prediction", "score")}, **shared}
        subject = Labels(files[0], **arguments)
        if positive is None:
            return subject
        label = literal_class(positive, request_of(subject).class_type(), "positive", text=True)
        return Labels(files[0], positive=label, **arguments)
    from ireval_frames.points import Points

    if not features:
        raise InvalidParameter(f"The picture {name} needs the coordinates of points.", "Write --features x,y")
    coordinates = features[0] if len(features) == 1 else features
    points = Points(files[0], coordinates, cluster=columns["cluster"], **shared)
    if name == "silhouettes":
        return points
    return points.evaluate(["NumClusters", *(measures or ("Silhouette", "DaviesBouldin"))])


def _store(files: list[str], measures: list[str] | None, options: dict[str, Any]) -> Store:
    """The store; its measure becomes an option."""
    from ireval_frames.store import Store

    if len(files) != 1 or not measures or len(measures) != 1:
        raise InvalidParameter(
            "History is of one store and one measure.", "ireval plot history STORE -m nDCG@10 -o FILE"
        )
    options["measure"] = measures[0]
    return Store(files[0], create=False)
