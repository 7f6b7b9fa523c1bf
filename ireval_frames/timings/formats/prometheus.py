"""Histograms of Prometheus, in its text format."""

from __future__ import annotations

import re

import polars as pl

from ireval_frames.errors import Argument, Hint, UnknownName, listed, nearest
from ireval_frames.io.storage.places import Options
from ireval_frames.timings.formats.lines import Path, lines, malformed, nothing
from ireval_frames.timings.histogram import Histogram, bucket_bounds, unit_of_time
from ireval_frames.timings.inputs import PER_SECOND

BUCKET = re.compile(r"^\s*(?P<name>[A-Za-z_:][\w:]*)_bucket\{(?P<labels>.*)\}\s+(?P<count>\S+)")
LABEL = re.compile(r'\s*([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
ESCAPED = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}


def read_prometheus(
    source: Path, metric: str | None = None, *, time_unit: str = "s", storage_options: Options | None = None
) -> Histogram:
    r"""A histogram of a file in Prometheus' text format: `NAME_bucket{le="0.1",…} 5` and so on.

    Its labels are columns.  Buckets are cumulative there, and begin at 0.

    Args:
        source: the file: a scrape of `/metrics`.
        metric: the name of the histogram, where there are several; without `_bucket`.
        time_unit: the unit of its bounds.
        storage_options: options of the stores of remote paths.

    Raises:
        MalformedFile: a bucket is none, or there is no histogram.
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
    scale = unit_of_time(time_unit, PER_SECOND)
    found: dict[str, dict[tuple[tuple[str, str], ...], list[tuple[float, float]]]] = {}
    for file, n, line in lines(source, storage_options):
        match = BUCKET.match(line)
        if match is None:
            continue
        labels = {k: re.sub(r"\\.", lambda m: ESCAPED.get(m[0], m[0]), v) for k, v in LABEL.findall(match["labels"])}
        try:
            bound, count = float(labels.pop("le")), float(match["count"])
        except (KeyError, ValueError):
            raise malformed(file, n, line, 'a bucket has no number in le="…", or no count') from None
        found.setdefault(match["name"], {}).setdefault(tuple(sorted(labels.items())), []).append((bound, count))
    if not found:
        raise nothing(source, "histogram of Prometheus", 'Its lines are NAME_bucket{le="0.1"} 5.')
    name = _chosen(metric, list(found))
    rows = []
    for labels_of, buckets in found[name].items():
        of = f"{name}{{{', '.join(f'{k}={v}' for k, v in labels_of)}}}"
        bounds, counts = [bound for bound, _ in buckets], [count for _, count in buckets]
        for low, high, count in bucket_bounds(bounds, counts, of):
            rows.append({**dict(labels_of), "low": low / scale, "high": high / scale, "count": count})
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
