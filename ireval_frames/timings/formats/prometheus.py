"""Histograms of Prometheus, in its text format."""

from __future__ import annotations

import math
import re

import polars as pl

from ireval_frames.errors import Argument, Hint, MalformedFile, UnknownName, listed, nearest
from ireval_frames.io.storage.places import Options
from ireval_frames.timings.formats.lines import Path, lines, malformed, nothing
from ireval_frames.timings.histogram import COLUMNS, Histogram, bucket_bounds
from ireval_frames.timings.inputs import PER_SECOND, TIME_UNIT

# Behind the count may stand a time, and an example of a request with labels of its own.
LABELS = r'(?P<labels>(?:[^"}]|"(?:[^"\\]|\\.)*")*)'
BUCKET = re.compile(r"^\s*(?P<name>[A-Za-z_:][\w:]*)_bucket\{" + LABELS + r"\}\s+(?P<count>\S+)")
LABEL = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
Labels = tuple[tuple[str, str], ...]
ESCAPED = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def read_prometheus(
    source: Path, metric: str | None = None, *, time_unit: str = "s", storage_options: Options | None = None
) -> Histogram:
    r"""A histogram of a file in Prometheus' text format: `NAME_bucket{le="0.1",…} 5` and so on.

    Its labels are columns.  Buckets are cumulative there, and begin at 0.  Of several files each is a run, named as the
    file in a column `run_id`.

    Args:
        source: a file, or several, each a scrape of `/metrics`.
        metric: the name of the histogram, where there are several; without `_bucket`.
        time_unit: the unit of its bounds.
        storage_options: options of the stores of remote paths.

    Raises:
        MalformedFile: a bucket is none, or is there twice, or there is no histogram.
        UnknownName: there is no such histogram, or there are several.

    Source: Prometheus, text-based exposition format.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "metrics.txt"
        >>> bounds = [("0.01", 5), ("0.05", 8), ("+Inf", 10)]
        >>> _ = path.write_text("".join(f'seconds_bucket{{le="{le}"}} {n}\n' for le, n in bounds))
        >>> ir.timings.read_prometheus(path).percentiles(50).select("value", "n").row(0)
        (0.01, 10.0)
    """
    scale = PER_SECOND[TIME_UNIT.check("time_unit", time_unit)]
    by_name: dict[str, dict[Labels, dict[float, float]]] = {}
    stems: set[str] = set()
    for file, n, line in lines(source, storage_options):
        match = BUCKET.match(line)
        if match is None:
            continue
        labels = {k: re.sub(r"\\.", lambda m: ESCAPED.get(m[0], m[0]), v) for k, v in LABEL.findall(match["labels"])}
        try:
            bound, count = float(labels.pop("le")), float(match["count"])
        except (KeyError, ValueError):
            raise malformed(file, n, line, 'a bucket has no number in le="…", or no count') from None
        if taken := [name for name in ("run_id", *COLUMNS) if name in labels]:
            raise malformed(file, n, line, f"a label is called {taken[0]}, and so is a column of histograms")
        stems.add(file.stem)
        labels = {"run_id": file.stem, **labels}
        buckets = by_name.setdefault(match["name"], {}).setdefault(tuple(sorted(labels.items())), {})
        if bound in buckets:
            raise malformed(file, n, line, "the file has this bucket twice", "Read each scrape by itself.")
        buckets[bound] = count
    if not by_name:
        raise nothing(source, "histogram of Prometheus", 'Its lines are NAME_bucket{le="0.1"} 5.')
    name = _chosen(metric, list(by_name))
    rows = []
    for labels_of, buckets in by_name[name].items():
        own = {k: v for k, v in labels_of if k != "run_id" or len(stems) > 1}
        of = f"{name}{{{', '.join(f'{k}={v}' for k, v in own.items())}}}"
        for low, high, count in bucket_bounds(list(buckets), list(buckets.values()), of):
            rows.append({**own, "low": low / scale, "high": high / scale, "count": count})
        if math.inf not in buckets:
            raise MalformedFile(f'{of} has no bucket le="+Inf", which counts all latencies.', "Read a whole scrape.")
    return Histogram(pl.DataFrame(rows, infer_schema_length=None))


def _chosen(metric: str | None, names: list[str]) -> str:
    if metric is None and len(names) == 1:
        return names[0]
    if metric is None:
        raise UnknownName(
            f"The file has {len(names)} histograms: {listed(names)}.", Hint("Name one: ", Argument("metric", names[0]))
        )
    name = metric.removesuffix("_bucket")
    if name not in names:
        raise UnknownName(f"The file has no histogram {name!r}.", nearest(name, names))
    return name
