"""Summaries that Locust and wrk print: percentiles that cannot be pooled any more."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from ireval_frames.io.storage.places import Options
from ireval_frames.timings.formats.lines import Path, lines, malformed, nothing
from ireval_frames.timings.inputs import PER_SECOND

SCHEMA = {"run_id": pl.String, "name": pl.String, "measure": pl.String, "value": pl.Float64, "approximate": pl.Boolean}
# Locust's columns in milliseconds, and its counts.
TIMES = {"Average": "MeanLatency", "Min": "Latency(p=0)", "Max": "Latency(p=100)"}
COUNTS = {"Request Count": "NumRequests", "Failure Count": "NumFailed", "Requests/s": "Throughput"}
TIME = " Response Time"
PERCENTILE = re.compile(r"^([0-9.]+)%$")
AMOUNT = re.compile(r"^([0-9.]+)(us|ms|s|m|h)$")
UNITS = {**{k: 1.0 / v for k, v in PER_SECOND.items()}, "m": 60.0, "h": 3600.0}


def read_locust(source: Path, *, storage_options: Options | None = None) -> pl.DataFrame:
    r"""The summary of a test with Locust: the file `PREFIX_stats.csv` of `--csv=PREFIX`.

    Locust rounds latencies to two digits before it counts them, and so its percentiles are approximate; its failures
    have the latencies that they took.  Rows of several files or endpoints must not be averaged.

    Args:
        source: a file, or several, each a run of its name.
        storage_options: options of the stores of remote paths.

    Returns:
        run_id name measure value approximate: a row per endpoint (`name`; "Aggregated" are all) and value, in seconds,
        requests and requests per second.

    Raises:
        MalformedFile: it is no such file.

    Source: Locust, retrieve test statistics in CSV format.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "night_stats.csv"
        >>> _ = path.write_text("Type,Name,Request Count,50%,95%\nGET,/,10,12,250\n")
        >>> ir.timings.read_locust(path).select("name", "measure", "value").rows()
        [('/', 'NumRequests', 10.0), ('/', 'Latency(p=50)', 0.012), ('/', 'Latency(p=95)', 0.25)]
    """
    rows: list[tuple[Any, ...]] = []
    header: dict[str, list[str]] = {}
    for file, number, line in lines(source, storage_options):
        try:
            fields = next(csv.reader([line]), [])
        except csv.Error as error:
            raise malformed(file, number, line, f"it is no line of CSV ({error})") from error
        if file.name not in header:
            header[file.name] = fields
            if not {"Name", "Request Count"} <= {*fields} or not any(map(PERCENTILE.match, fields)):
                raise malformed(file, number, line, "it is no header of PREFIX_stats.csv")
            continue
        if not fields:
            continue
        try:
            row = dict(zip(header[file.name], fields, strict=True))
            rows += [(file.stem.removesuffix("_stats"), row["Name"], *value) for value in _of_endpoint(row)]
        except ValueError as error:
            raise malformed(file, number, line, "it has other fields than the header, or no numbers") from error
    if not rows:
        raise nothing(source, "endpoint", "Read the file PREFIX_stats.csv of --csv=PREFIX.")
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _of_endpoint(row: dict[str, str]) -> Iterator[tuple[str, float, bool]]:
    for column, text in row.items():
        if text in ("", "N/A"):
            continue
        if column in COUNTS:
            yield COUNTS[column], float(text), False
        elif column.endswith(TIME) and column.removesuffix(TIME) in TIMES:
            yield TIMES[column.removesuffix(TIME)], float(text) / 1e3, False
        elif match := PERCENTILE.match(column):
            yield f"Latency(p={float(match[1]):g})", float(text) / 1e3, True


def read_wrk(source: Path, *, storage_options: Options | None = None) -> pl.DataFrame:
    r"""The summary that wrk or wrk2 prints: requests, errors, requests per second, and latencies.

    wrk's clients wait for answers, so that its latencies leave out requests that would have waited; wrk2 sends at a
    fixed rate and counts from the schedule.  Of wrk2 `read_hdr_histogram` reads the whole distribution.  Percentiles
    are there with `--latency`.

    Args:
        source: a file, or several, with what the tool printed, each a run of its name.
        storage_options: options of the stores of remote paths.

    Returns:
        run_id name measure value approximate, as of `read_locust`; the name is the address.

    Raises:
        MalformedFile: it is no such file.

    Source: wrk; wrk2.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "a.txt"
        >>> text = ["Running 30s test @ http://x/", "     50%  250.00us", "  9 requests in 30.00s"]
        >>> _ = path.write_text("\n".join(text))
        >>> ir.timings.read_wrk(path).select("measure", "value").rows()
        [('Latency(p=50)', 0.00025), ('NumRequests', 9.0)]
    """
    rows: list[tuple[Any, ...]] = []
    name, known = "", set()
    for file, number, line in lines(source, storage_options):
        words = line.split()
        if line.startswith("Running ") and "@" in words:
            name = words[-1]
            known.add(file.name)
        if file.name not in known or not words:
            continue
        try:
            rows += [(file.stem, name, *value) for value in _of_line(line, words)]
        except ValueError as error:
            raise malformed(file, number, line, "it has no number where wrk prints one") from error
    if not rows:
        raise nothing(source, "summary of wrk", "Its first line is: Running 30s test @ http://…")
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _of_line(line: str, words: list[str]) -> Iterator[tuple[str, float, bool]]:
    if (match := PERCENTILE.match(words[0])) and len(words) == 2:
        yield f"Latency(p={float(match[1]):g})", _seconds(words[1]), True
    elif words[0] == "Latency" and len(words) >= 4 and AMOUNT.match(words[1]):
        yield "MeanLatency", _seconds(words[1]), False
        yield "Latency(p=100)", _seconds(words[3]), False
    elif words[1:3] == ["requests", "in"]:
        yield "NumRequests", float(words[0]), False
    elif words[0] == "Requests/sec:":
        yield "Throughput", float(words[1]), False
    elif line.strip().startswith("Socket errors:"):
        yield "NumFailed", float(sum(int(n) for n in re.findall(r"\d+", line))), False
    elif line.strip().startswith("Non-2xx or 3xx responses:"):
        yield "NumNot2xxOr3xx", float(words[-1]), False


def _seconds(text: str) -> float:
    match = AMOUNT.match(text)
    if match is None:
        raise ValueError(text)
    return float(match[1]) * UNITS[match[2]]
