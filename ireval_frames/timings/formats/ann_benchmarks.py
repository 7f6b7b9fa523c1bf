"""Results of ann-benchmarks: the times of queries, and the table of qualities and costs."""

from __future__ import annotations

from typing import Any

import polars as pl

from ireval_frames.errors import (
    EngineError,
    IrevalWarning,
    MissingColumn,
    UnknownName,
    WrongType,
    listed,
    nearest,
    warn,
)
from ireval_frames.io.any_table import scan_table
from ireval_frames.io.storage.places import Options
from ireval_frames.io.storage.source import files
from ireval_frames.timings.formats.lines import Path, nothing, refuse_same_name


def read_ann_benchmarks(source: Path, *, storage_options: Options | None = None) -> pl.DataFrame:
    """The times of the queries in result files of ann-benchmarks (`.hdf5`), for `ir.Timings`.

    They are those of the last of the runs, each query once, one after another, or all at once where `batch` is true:
    then a time is the mean of all.  It needs the package h5py.

    Args:
        source: a file, a folder or a pattern.
        storage_options: options of the stores of remote paths.

    Returns:
        run_id query_id seconds batch build_seconds index_kilobytes: a row per query; its id is its place, from 0, and
        the run is the name that the file has of the algorithm with its parameters.

    Raises:
        EngineError: h5py is not installed.
        InvalidParameter: two files are of the same configuration, such as those of two data sets.
        MalformedFile: a file has no times.

    Source: ann-benchmarks, results.
    """
    try:
        import h5py
    except ImportError:
        raise EngineError(
            "Result files of ann-benchmarks are HDF5, and the package h5py is not installed.", "pip install h5py"
        ) from None
    parts = []
    named: dict[str, str] = {}
    for file in files(source, storage_options):
        try:
            with h5py.File(file.path) as stored:
                times = stored["times"][:].astype("float64")
                attributes: dict[str, Any] = dict(stored.attrs)
        except (OSError, KeyError):
            raise nothing(file.name, "times of ann-benchmarks", "Its result files are results/…/*.hdf5.") from None
        name = attributes.get("name", file.stem)
        name = name.decode() if isinstance(name, bytes) else str(name)
        refuse_same_name(named, name, file)
        columns = {
            "run_id": [name] * len(times),
            "query_id": range(len(times)),
            "seconds": times,
            "batch": [bool(attributes.get("batch_mode", False))] * len(times),
            "build_seconds": [float(attributes.get("build_time", "nan"))] * len(times),
            "index_kilobytes": [float(attributes.get("index_size", "nan"))] * len(times),
        }
        parts.append(pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None)))
    return pl.concat(parts)


def read_ann_benchmarks_table(
    source: Path, *, quality: str = "k-nn", dataset: str | None = None, storage_options: Options | None = None
) -> pl.DataFrame:
    r"""The table that ann-benchmarks' `data_export.py` writes, for `ir.tradeoff`: a row per configuration.

    Args:
        source: the CSV.
        quality: the column that is the quality: recall is "k-nn".
        dataset: only its rows, where there are several.
        storage_options: options of the stores of remote paths.

    Returns:
        run_id quality cost dataset: the cost is the seconds of a query, 1 / qps, where qps is that of the best of the
        runs.  Configurations without an answer (qps 0) are left out, with a
        warning.

    Raises:
        MissingColumn: it is no such table.
        UnknownName: it has no such dataset.
        WrongType: the quality holds no numbers.

    Source: ann-benchmarks, data_export.

    Example:
        >>> import pathlib, tempfile, ireval_frames as ir
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "export.csv"
        >>> rows = ["algorithm,parameters,count,qps,k-nn,dataset", "a,a(M=8),10,1000,0.9,d", "a,a(M=16),10,250,0.95,d"]
        >>> _ = path.write_text("\n".join(rows))
        >>> ir.tradeoff(ir.timings.read_ann_benchmarks_table(path)).best(budget=0.002)["run_id"].item()
        'a(M=8)'
    """
    table = scan_table(source, storage_options).collect()
    for name in ("algorithm", "parameters", "dataset", "qps", quality):
        if name not in table.columns:
            raise MissingColumn(
                f"The table has no column {name!r} (it has: {listed(table.columns, 20)}).",
                "Write it with ann-benchmarks: python data_export.py --output export.csv",
            )
    try:
        table = table.with_columns(pl.col(quality, "qps").cast(pl.Float64))
    except pl.exceptions.InvalidOperationError:
        raise WrongType(f"Column {quality!r} or 'qps' holds no numbers.", "Name the column of quality.") from None
    if dataset is not None:
        names = table["dataset"].unique().sort().to_list()
        if dataset not in names:
            raise UnknownName(f"The table has no dataset {dataset!r}.", nearest(dataset, names))
        table = table.filter(pl.col("dataset") == dataset)
    several = table["dataset"].n_unique() > 1
    run = pl.format("{} {}", "dataset", "parameters") if several else pl.col("parameters")
    rows = table.filter(pl.col("qps") > 0)
    if n := table.height - rows.height:
        one = (
            "1 configuration has no answer (qps 0) and is" if n == 1 else f"{n:,} configurations have no answer and are"
        )
        warn(f"{one} left out.", IrevalWarning)
    return rows.select(
        run.alias("run_id"), pl.col(quality).alias("quality"), (1.0 / pl.col("qps")).alias("cost"), "dataset"
    )
