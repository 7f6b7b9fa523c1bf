"""Percentiles of HdrHistogram, as it prints them, and as wrk2 does."""

from __future__ import annotations

import re

import polars as pl

from ireval_frames.errors import InvalidValue
from ireval_frames.io.storage.places import Options
from ireval_frames.timings.formats.lines import Path, lines, nothing
from ireval_frames.timings.histogram import Histogram, bucket_bounds
from ireval_frames.timings.inputs import PER_SECOND, TIME_UNIT

ROW = re.compile(r"^\s*([0-9.]+)[,\s]+([01]\.[0-9]+)[,\s]+([0-9]+)(?:[,\s]+(?:[0-9.]+|inf|Infinity))?\s*$")
TOTAL = re.compile(r"Total count\s*=\s*([0-9]+)", re.IGNORECASE)


def read_hdr_histogram(
    source: Path, *, time_unit: str = "ms", run: str = "run_id", storage_options: Options | None = None
) -> Histogram:
    r"""Histograms from files that HdrHistogram prints: `Value Percentile TotalCount 1/(1-Percentile)`.

    wrk2 prints the same with `--latency`, in milliseconds.  The file has a row per tick of percentiles, so each is a
    bucket of what lies between two of them; a percentile is the value at its upper end.  Several files are several
    runs, named as the files.

    Args:
        source: a file, or several, of percentiles (`.hgrm`, `.txt`, `.csv`).
        time_unit: the unit of values, which the file does not say.
        run: the column that has the names of files.
        storage_options: options of the stores of remote paths.

    Raises:
        MalformedFile: a file has no such rows.
        InvalidValue: the numbers do not add up to the total that the file states.

    Source: HdrHistogram, outputPercentileDistribution; wrk2.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.hgrm"
        >>> rows = ["1.0 0.0 1 1.00", "2.0 0.5 5 2.00", "9.0 1.0 10 inf", "#[Max = 9.0, Total count = 10]"]
        >>> _ = path.write_text("\n".join(rows))
        >>> ir.timings.read_hdr_histogram(path).percentiles([50, 99])["value"].to_list()
        [0.002, 0.009]
    """
    scale = PER_SECOND[TIME_UNIT.check("time_unit", time_unit)]
    runs: dict[str, list[tuple[float, float]]] = {}
    stated: dict[str, float] = {}
    for file, _, line in lines(source, storage_options):
        if match := ROW.match(line):
            runs.setdefault(file.stem, []).append((float(match[1]), float(match[3])))
        elif total := TOTAL.search(line):
            stated[file.stem] = float(total[1])
    if not runs:
        raise nothing(source, "percentiles of HdrHistogram", "Its rows are Value, Percentile, TotalCount and 1/(1-p).")
    rows = []
    for name, points in runs.items():
        last: dict[float, float] = {}
        for value, count in points:
            last[value] = max(count, last.get(value, 0.0))
        buckets = bucket_bounds(list(last), list(last.values()), name)
        n = sum(count for *_, count in buckets)
        if stated.get(name, n) != n:
            raise InvalidValue(
                f"The rows of {name} count {n:,.0f} latencies, and its last lines {stated[name]:,.0f}.",
                "The file was cut off, or two were joined; read each by itself.",
            )
        rows += [(name, low / scale, high / scale, count) for low, high, count in buckets]
    frame = pl.DataFrame(rows, schema=[run, "low", "high", "count"], orient="row")
    return Histogram(frame, inside="upper")
