"""Files of load tests and of monitoring are read as their tools write them."""

from __future__ import annotations

import datetime as dt
import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import (
    InvalidParameter,
    InvalidValue,
    IrevalWarning,
    MalformedFile,
    MismatchedTables,
    MissingColumn,
    UnknownName,
    WrongType,
)

PROMETHEUS = """# HELP latency_seconds Latency.
# TYPE latency_seconds histogram
latency_seconds_bucket{path="/a \\"b\\"",le="0.01"} 5
latency_seconds_bucket{path="/a \\"b\\"",le="0.05"} 8
latency_seconds_bucket{path="/a \\"b\\"",le="0.1"} 9
latency_seconds_bucket{path="/a \\"b\\"",le="+Inf"} 10 1395066363000
latency_seconds_sum{path="/a \\"b\\""} 1.5
latency_seconds_bucket{le="0.01",path="/c"} 0
latency_seconds_bucket{le="0.05",path="/c"} 0
latency_seconds_bucket{le="0.1",path="/c"} 10
latency_seconds_bucket{le="+Inf",path="/c"} 10
other_bucket{le="1"} 1
other_bucket{le="+Inf"} 1
"""


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_prometheus(tmp_path: Path) -> None:
    path = written(tmp_path, "metrics.txt", PROMETHEUS)
    histogram = ir.timings.read_prometheus(path, "latency_seconds")
    table = histogram.percentiles([50, 75, 90, 95])
    first = table.filter(path='/a "b"')
    assert first["value"].to_list() == pytest.approx([0.01, 0.01 + 0.04 * 2.5 / 3, 0.1, 0.1])
    assert first["capped"].to_list() == [False, False, False, True]
    assert first["high"][3] == math.inf
    assert table.filter(path="/c")["value"].to_list() == pytest.approx([0.075, 0.0875, 0.095, 0.0975])
    assert table["approximate"].all()
    with pytest.raises(UnknownName, match=r"2 histograms.*\n.*metric="):
        ir.timings.read_prometheus(path)
    with pytest.raises(UnknownName, match="no histogram 'latency'"):
        ir.timings.read_prometheus(path, "latency")


def test_pooled_counts_are_no_averaged_percentiles(tmp_path: Path) -> None:
    histogram = ir.timings.read_prometheus(written(tmp_path, "m.txt", PROMETHEUS), "latency_seconds")
    pooled = histogram.pooled().percentiles(50)
    # 10 of 20: 8 are at most 0.05, then 11 in the bucket up to 0.1.
    assert pooled["value"].item() == pytest.approx(0.05 + 0.05 * 2 / 11)
    assert pooled["n"].item() == 20
    assert histogram.pooled("path").frame.equals(histogram.pooled().frame)
    with pytest.raises(UnknownName, match="no column 'instance'"):
        histogram.pooled("instance")
    other = pl.concat([histogram.frame, pl.DataFrame({"path": ["/d"], "low": [0.0], "high": [0.02], "count": [3.0]})])
    with pytest.raises(MismatchedTables, match="different buckets"):
        ir.timings.Histogram(other).pooled()


def test_prometheus_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match="no histogram"):
        ir.timings.read_prometheus(written(tmp_path, "a.txt", "up 1\n"))
    with pytest.raises(MalformedFile, match="line 1: a bucket has no number"):
        ir.timings.read_prometheus(written(tmp_path, "b.txt", 'x_bucket{le="a"} 1\n'))
    with pytest.raises(InvalidValue, match="Cumulative counts ascend"):
        ir.timings.read_prometheus(written(tmp_path, "c.txt", 'x_bucket{le="1"} 3\nx_bucket{le="2"} 1\n'))


def test_prometheus_of_several_files(tmp_path: Path) -> None:
    """Each file is a run; a file with two scrapes is none."""
    text = 's_bucket{le="0.01"} 5\ns_bucket{le="+Inf"} 8\n'
    paths = [written(tmp_path, name, text) for name in ("a.txt", "b.txt")]
    histogram = ir.timings.read_prometheus(paths)  # type: ignore[arg-type]
    assert histogram.percentiles(50).select("run_id", "n").rows() == [("a", 8.0), ("b", 8.0)]
    assert histogram.pooled().frame["count"].to_list() == [10.0, 6.0]
    with pytest.raises(MalformedFile, match="line 3: the file has this bucket twice"):
        ir.timings.read_prometheus(written(tmp_path, "c.txt", text + text.replace("5", "7")))
    with pytest.raises(MalformedFile, match=r'no bucket le="\+Inf"'):
        ir.timings.read_prometheus(written(tmp_path, "d.txt", 's_bucket{le="1"} 3\n'))
    with pytest.raises(MalformedFile, match="a label is called count"):
        ir.timings.read_prometheus(written(tmp_path, "e.txt", 's_bucket{le="1",count="x"} 3\n'))


def test_examples_of_requests_behind_a_bucket(tmp_path: Path) -> None:
    text = 's_bucket{le="0.01"} 5 # {trace_id="a}b"} 0.005 1.5\ns_bucket{le="+Inf"} 8\n'
    histogram = ir.timings.read_prometheus(written(tmp_path, "a.txt", text))
    assert histogram.frame.rows() == [(0.0, 0.01, 5.0), (0.01, math.inf, 3.0)]


@pytest.mark.parametrize(
    "read, name, text",
    [
        (ir.timings.read_hdr_histogram, "a.hgrm", "2.0 0.5 5 2.00\n"),
        (ir.timings.read_locust, "a_stats.csv", "Type,Name,Request Count,50%\nGET,/,10,12\n"),
    ],
)
def test_files_of_the_same_name(tmp_path: Path, read: Any, name: str, text: str) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, name, text)
    with pytest.raises(InvalidParameter, match="would both be called run 'a"):
        read(f"{tmp_path}/*/{name}")


@pytest.mark.parametrize("bounds", [(0.0, math.nan), (-math.inf, 1.0), (2.0, 1.0), (0.0, None)])
def test_buckets_that_are_none(bounds: tuple[float, float | None]) -> None:
    frame = pl.DataFrame({"low": [bounds[0]], "high": [bounds[1]], "count": [1]})
    with pytest.raises(InvalidValue, match="A bucket from"):
        ir.timings.Histogram(frame)


def test_histograms_of_other_tables() -> None:
    frame = pl.DataFrame({"low": [0.0, 1.0], "high": [1.0, 9.0], "count": [161, 839]})
    histogram = ir.timings.Histogram(frame.to_pandas(), inside="upper")
    # 16.1 % of 1000 is a little more than 161 in floats.
    assert histogram.percentiles(16.1)["value"].item() == 1.0
    with pytest.raises(WrongType, match="'low' of the histogram table is String"):
        ir.timings.Histogram(frame.with_columns(pl.col("low").cast(pl.String)))
    with pytest.raises(WrongType, match="is no table"):
        ir.timings.Histogram(5)


HGRM = """       Value     Percentile TotalCount 1/(1-Percentile)

       1.000 0.000000000000          1           1.00
       1.000 0.100000000000          1           1.11
       2.000 0.500000000000          5           2.00
       3.000 0.900000000000          9          10.00
       9.000 1.000000000000         10
#[Mean    =        2.900, StdDeviation   =        2.000]
#[Max     =        9.000, Total count    =           10]
#[Buckets =           11, SubBuckets     =         2048]
"""


def test_hdr_histogram(tmp_path: Path) -> None:
    path = written(tmp_path, "a.hgrm", HGRM)
    histogram = ir.timings.read_hdr_histogram(path)
    assert histogram.frame["count"].to_list() == [1, 4, 4, 1]
    assert histogram.percentiles([10, 50, 51, 90, 91])["value"].to_list() == [0.001, 0.002, 0.003, 0.003, 0.009]
    two = ir.timings.read_hdr_histogram([path, written(tmp_path, "b.hgrm", HGRM.replace("9.000", "8.000"))])
    assert two.percentiles(100).select("run_id", "value").rows() == [("a", 0.009), ("b", 0.008)]
    assert two.pooled().percentiles([90, 95])["value"].to_list() == [0.003, 0.008]
    wrk2 = "Running 1s test @ http://x\n  Detailed Percentile spectrum:\n" + HGRM
    assert ir.timings.read_hdr_histogram(written(tmp_path, "a.txt", wrk2)).frame.equals(histogram.frame)
    cut = written(tmp_path, "c.hgrm", HGRM.replace("       9.000 1.000000000000         10\n", ""))
    with pytest.raises(InvalidValue, match="count 9 latencies, and its last lines 10"):
        ir.timings.read_hdr_histogram(cut)
    with pytest.raises(MalformedFile, match="no percentiles"):
        ir.timings.read_hdr_histogram(written(tmp_path, "d.txt", "x\n"))


def test_percentiles_of_a_histogram_are_those_of_its_latencies() -> None:
    """Where every latency is a bucket of its own, at its upper end."""
    frame = pl.DataFrame({"seconds": [1.0, 2.0, 3.0, 5.0, 8.0], "weight": [3.0, 1.0, 4.0, 1.0, 5.0]})
    histogram = ir.timings.Histogram(frame.select(low="seconds", high="seconds", count="weight"), inside="upper")
    for p in (0, 10, 50, 60, 99, 100):
        exact = ir.Timings(frame).evaluate(ir.timings.Latency(p=p)).summary()["value"].item()
        assert histogram.percentiles(p)["value"].item() == exact


def k6_line(time: str, value: float, **tags: str) -> str:
    data = {"time": time, "value": value, "tags": tags}
    return json.dumps({"metric": "http_req_duration", "type": "Point", "data": data})


def test_k6_json(tmp_path: Path) -> None:
    lines = [
        json.dumps({"type": "Metric", "metric": "http_req_duration", "data": {"type": "trend"}}),
        k6_line("2026-03-01T12:00:01.250000001+01:00", 250.0, name="/s", status="200", expected_response="true"),
        k6_line("2026-03-01T11:00:02.5Z", 500.0, name="/s", status="404", expected_response="true", scenario="x"),
        k6_line("2026-03-01T11:00:04Z", 1000.0, name="/t", status="0", error="dial: i/o timeout"),
        json.dumps(
            {"metric": "vus", "type": "Point", "data": {"time": "2026-03-01T11:00:00Z", "value": 1, "tags": None}}
        ),
    ]
    frame = ir.timings.read_k6(written(tmp_path, "night.json", "\n".join(lines)))
    assert frame["query_id"].to_list() == ["/s", "/s", "/t"]
    assert frame["status"].to_list() == [True, True, False]
    start = dt.datetime(2026, 3, 1, 11, 0, 1, tzinfo=dt.UTC).timestamp()
    assert frame["started"].to_list() == pytest.approx([start, start + 1, start + 2], abs=1e-5)
    values = ir.Timings(frame).evaluate("Throughput ErrorRate Latency(p=50) NumRequests").summary()["value"]
    assert values.to_list() == pytest.approx([2 / 3, 1 / 3, 0.5, 3], rel=1e-5)


def test_k6_csv(tmp_path: Path) -> None:
    header = "metric_name,timestamp,metric_value,check,error,expected_response,name,scenario,status,url,extra_tags"
    rows = ["http_reqs,1772362800,1.0,,,true,/s,d,200,u,", 'http_req_duration,1772362800,12.5,,,true,"/s, 1",d,200,u,']
    rows += ["http_req_duration,1772362801,20.0,,x,,/s,d,500,u,"]
    frame = ir.timings.read_k6(written(tmp_path, "a.csv", "\n".join([header, *rows])))
    assert frame.select("query_id", "seconds", "status").rows() == [("/s, 1", 0.0125, True), ("/s", 0.02, False)]
    # Whole seconds say nothing of starts.
    assert "started" not in frame.columns
    millis = [row.replace("1772362800,", "1772362800250,").replace("1772362801,", "1772362801000,") for row in rows]
    frame = ir.timings.read_k6(written(tmp_path, "b.csv", "\n".join([header, *millis])))
    assert frame["started"].to_list() == pytest.approx([1772362800.2375, 1772362800.98])


def test_k6_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(MalformedFile, match="line 1: it is neither JSON nor the header"):
        ir.timings.read_k6(written(tmp_path, "a.csv", "a,b\n1,2\n"))
    good = k6_line("2026-03-01T11:00:02.5Z", 1)
    with pytest.raises(MalformedFile, match="line 2: it is no line of k6"):
        ir.timings.read_k6(written(tmp_path, "b.json", f'{good}\n{{"type": "Point"}}\n'))
    with pytest.raises(MalformedFile, match="no values of the metric 'x'"):
        ir.timings.read_k6(written(tmp_path, "c.json", k6_line("2026-03-01T11:00:02Z", 1)), metric="x")


def test_locust(tmp_path: Path) -> None:
    header = (
        "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Min Response Time,"
        "Max Response Time,Average Content Size,Requests/s,Failures/s,50%,66%,95%,99.9%,100%"
    )
    rows = [
        "GET,/s,10,1,12,20.5,3.25,250.0,0,5.5,0.1,12,15,210,250,250",
        ",Aggregated,10,1,12,20.5,3.25,250,0,5.5,0.1,12,N/A,210,250,250",
    ]
    table = ir.timings.read_locust(written(tmp_path, "night_stats.csv", "\n".join([header, *rows])))
    of = {(r["name"], r["measure"]): r for r in table.iter_rows(named=True) if not r["approximate"]}
    assert of["/s", "MeanLatency"]["value"] == 0.0205
    assert of["/s", "Latency(p=100)"]["value"] == 0.25
    assert of["Aggregated", "NumFailed"]["value"] == 1
    assert table.filter(measure="Latency(p=99.9)", name="/s")["value"].item() == 0.25
    assert table.filter(measure="Latency(p=66)")["name"].to_list() == ["/s"]
    assert table["run_id"].unique().to_list() == ["night"]
    with pytest.raises(MalformedFile, match="no header of PREFIX_stats"):
        ir.timings.read_locust(written(tmp_path, "x_stats_history.csv", "Timestamp,User Count\n"))


def test_wrk(tmp_path: Path) -> None:
    text = """Running 30s test @ http://127.0.0.1:8080/index.html
  12 threads and 400 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   635.91us    0.89ms  12.92ms   93.69%
    Req/Sec    56.20k     8.07k   62.00k    86.54%
  Latency Distribution
     50%  250.00us
     99%    5.80ms
  22464657 requests in 30.00s, 17.76GB read
  Socket errors: connect 0, read 1, write 0, timeout 3
  Non-2xx or 3xx responses: 5
Requests/sec: 748868.53
Transfer/sec:    606.33MB
"""
    values = dict(ir.timings.read_wrk(written(tmp_path, "a.txt", text)).select("measure", "value").rows())
    assert values == pytest.approx(
        {
            "MeanLatency": 635.91e-6, "Latency(p=100)": 0.01292, "Latency(p=50)": 0.00025, "Latency(p=99)": 0.0058,
            "NumRequests": 22464657, "NumFailed": 4, "NumNot2xxOr3xx": 5, "Throughput": 748868.53,
        }
    )  # fmt: skip
    with pytest.raises(MalformedFile, match="no summary of wrk"):
        ir.timings.read_wrk(written(tmp_path, "b.txt", "50% 1ms\n"))


def test_ann_benchmarks_table(tmp_path: Path) -> None:
    text = "algorithm,parameters,qps,k-nn,dataset\na,a(1),100,0.9,d\na,a(2),0,0.0,d\nb,b,10,0.95,d\n"
    with pytest.warns(IrevalWarning, match=r"1 configuration has no answer \(qps 0\) and is left out"):
        table = ir.timings.read_ann_benchmarks_table(written(tmp_path, "e.csv", text))
    with pytest.raises(UnknownName, match="no dataset 'c'"):
        ir.timings.read_ann_benchmarks_table(str(tmp_path / "e.csv"), dataset="c")
    assert table.select("run_id", "quality", "cost").rows() == [("a(1)", 0.9, 0.01), ("b", 0.95, 0.1)]
    with pytest.raises(MissingColumn, match="no column 'recall'"):
        ir.timings.read_ann_benchmarks_table(str(tmp_path / "e.csv"), quality="recall")


@pytest.mark.external
def test_ann_benchmarks_files(tmp_path: Path) -> None:
    import h5py

    with h5py.File(tmp_path / "a.hdf5", "w") as file:
        file["times"] = [0.01, 0.02]
        file.attrs.update({"name": "a(M=4)", "batch_mode": False, "build_time": 3.0})
    frame = ir.timings.read_ann_benchmarks(tmp_path / "a.hdf5")
    assert frame.select("run_id", "query_id", "build_seconds").rows() == [("a(M=4)", 0, 3.0), ("a(M=4)", 1, 3.0)]
    assert frame["seconds"].to_list() == pytest.approx([0.01, 0.02])
    (tmp_path / "b.hdf5").write_bytes((tmp_path / "a.hdf5").read_bytes())
    with pytest.raises(InvalidParameter, match=r"would both be called run 'a\(M=4\)'"):
        ir.timings.read_ann_benchmarks(tmp_path / "*.hdf5")
