"""Requests of k6, from its results as lines of JSON, or as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, MalformedFile
from ireval_frames.io.storage.places import Options
from ireval_frames.timings.formats.lines import Path, lines, malformed, nothing

DURATION = "http_req_duration"
SCHEMA = {
    "run_id": pl.String,
    "query_id": pl.String,
    "ended": pl.String,
    "seconds": pl.Float64,
    "status": pl.Boolean,
    "status_code": pl.String,
    "scenario": pl.String,
}


def read_k6(source: Path, *, metric: str = DURATION, storage_options: Options | None = None) -> pl.DataFrame:
    """The requests of a test with k6, for `ir.Timings`: files of `--out json=FILE` or `--out csv=FILE`.

    A query is the tag `name`, which is the URL unless the script says otherwise.  A request succeeded as the tag
    `expected_response` says, else by its status.  k6 notes when a request ended, so it started `seconds` earlier; where
    times are whole seconds, as in CSV by default, they are left out.  The metric leaves out the time for a connection.

    Args:
        source: a file, or several, each a run of its name.
        metric: the metric whose values are latencies in milliseconds, such as "grpc_req_duration".
        storage_options: options of the stores of remote paths.

    Returns:
        run_id query_id [started] seconds status status_code scenario, a row per request.

    Raises:
        MalformedFile: a line is none of k6, or no request is there.

    Source: k6, results output, JSON and CSV.

    Example:
        >>> import json, pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "night.json"
        >>> tags = {"name": "/search", "status": "200", "expected_response": "true"}
        >>> data = {"time": "2026-03-01T12:00:00.5+01:00", "value": 12.5, "tags": tags}
        >>> _ = path.write_text(json.dumps({"metric": "http_req_duration", "type": "Point", "data": data}))
        >>> ir.timings.read_k6(path).select("run_id", "query_id", "seconds", "status").row(0)
        ('night', '/search', 0.0125, True)
    """
    rows: list[tuple[Any, ...]] = []
    header: dict[str, list[str]] = {}
    for file, number, line in lines(source, storage_options):
        if not line.strip():
            continue
        try:
            if line.startswith("{"):
                row = _of_json(json.loads(line), metric)
            elif file.name not in header:
                header[file.name] = next(csv.reader([line]))
                if not {"metric_name", "metric_value", "timestamp"} <= {*header[file.name]}:
                    raise malformed(file, number, line, "it is neither JSON nor the header of a CSV of k6")
                continue
            else:
                row = _of_csv(dict(zip(header[file.name], next(csv.reader(io.StringIO(line))), strict=True)), metric)
        except MalformedFile:
            raise
        except (ValueError, KeyError, TypeError, StopIteration, RecursionError, csv.Error) as error:
            raise malformed(file, number, line, f"it is no line of k6 ({type(error).__name__})") from error
        if row is not None:
            rows.append((file.stem, *row))
    if not rows:
        raise nothing(
            source,
            f"values of the metric {metric!r}",
            Hint("Name one that it has: ", Argument("metric", "iteration_duration"), "."),
        )
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return _with_starts(frame)


def _of_json(record: dict[str, Any], metric: str) -> tuple[Any, ...] | None:
    if record["type"] != "Point" or record["metric"] != metric:
        return None
    data = record["data"]
    return _request(data["time"], float(data["value"]), (data.get("tags") or {}).get)


def _of_csv(row: dict[str, str], metric: str) -> tuple[Any, ...] | None:
    if row["metric_name"] != metric:
        return None
    return _request(row["timestamp"], float(row["metric_value"]), row.get)


def _request(ended: str, milliseconds: float, tag: Callable[[str], Any]) -> tuple[Any, ...]:
    status, expected = tag("status") or "", tag("expected_response") or ""
    good = expected == "true" if expected else not tag("error") and (status[:1] in ("1", "2", "3") or not status)
    name, scenario = tag("name") or tag("url"), tag("scenario")
    if not math.isfinite(milliseconds) or any(not isinstance(t, str | None) for t in (name, ended, status, scenario)):
        raise ValueError(ended)
    return name, ended, milliseconds / 1e3, good, status or None, scenario


def _with_starts(frame: pl.DataFrame) -> pl.DataFrame:
    """With the starts, where times are finer than seconds."""
    ended = frame["ended"]
    if ended.str.contains(r"^\d+(\.\d+)?$").all():
        # Seconds, or milliseconds or less, by their size.
        numbers = ended.cast(pl.Float64)
        latest = max(numbers.to_list())
        power = next((p for p, most in ((1.0, 1e11), (1e3, 1e14), (1e6, 1e17)) if latest < most), 1e9)
        times, whole = numbers / power, power == 1.0 and not ended.str.contains(".", literal=True).any()
    else:
        instants = ended.str.to_datetime("%+", time_unit="ns", strict=False)
        whole = bool(instants.null_count())
        times = instants.dt.epoch("ns") / 1e9
    started = [] if whole else [(times - frame["seconds"]).alias("started")]
    columns = ["run_id", "query_id", *(["started"] if started else []), "seconds", "status", "status_code", "scenario"]
    return frame.with_columns(started).select(columns)
