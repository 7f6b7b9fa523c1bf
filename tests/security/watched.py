"""What Python does while hostile data are read, evaluated, stored and reported: a script, run in its own process.

    python -m tests.security.watched FOLDER

It first works on plain data, so that everything is loaded, and then on hostile ones; it prints, as JSON, what happened
in the second round that code from data would need.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

import ireval_frames as ir
from ireval_frames.errors import IrevalError

HOSTILE = (
    "__import__('os').system('touch owned')", "os.system('touch owned')", "${IFS}touch${IFS}owned", "$(touch owned)",
    "`touch owned`", "; touch owned", "| touch owned", "=cmd|' /C calc'!A0", "@SUM(1+1)*cmd|' /C calc'!A0",
    "{{ 7*7 }}", "{% import os %}{{ os.system('touch owned') }}", "{0.__class__.__init__.__globals__}", "%(x)s",
    "'; COPY (SELECT 1) TO 'owned'; --", "'); INSTALL httpfs; LOAD httpfs; --", "\"); ATTACH 'owned'; --",
    "<script>fetch('http://127.0.0.1:9/')</script>", "http://127.0.0.1:9/x.parquet", "s3://127.0.0.1/x", "file:///etc/passwd",
    "../../../../etc/passwd", "/etc/passwd", "~/.ssh/id_rsa", "!!python/object/apply:os.system ['touch owned']",
    "cos\nsystem\n(S'touch owned'\ntR.", "<!ENTITY x SYSTEM 'file:///etc/passwd'>", "::error::x", "\x1b]0;x\x07",
)  # fmt: skip
PLAIN = tuple(f"name {i}" for i in range(len(HOSTILE)))
# What Python reports of itself when it runs code, opens a connection, or starts a program.
WATCHED = (
    "exec", "import", "pickle.find_class", "marshal.loads", "ctypes.dlopen", "code.__new__",
    "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "subprocess.Popen", "pty.spawn",
    "socket.connect", "socket.getaddrinfo", "urllib.Request", "webbrowser.open",
)  # fmt: skip


def work(folder: Path, names: Sequence[str]) -> None:
    """Each name is a run, a topic, a document, a class, a column, a collection, a tag, and a text in files."""
    folder.mkdir()
    n = len(names)
    qrels = pl.DataFrame({"query_id": names, "doc_id": names[::-1], "relevance": [1] * n, names[0]: names})
    runs = pl.DataFrame({"run_id": names[:2] * n, "query_id": names * 2, "doc_id": [*names, *names[::-1]]})
    runs = runs.with_columns(score=1.0).unique(["run_id", "query_id", "doc_id"])
    topics = pl.DataFrame({"query_id": names, names[1]: [*names[: n // 2]] * 2})
    labels = pl.DataFrame({"item_id": names, "label": [*names[:2]] * (n // 2), "prediction": [names[0]] * n})
    qrels.write_parquet(folder / "qrels.parquet")
    runs.write_csv(folder / "runs.csv")
    labels.write_ndjson(folder / "labels.jsonl")
    store = ir.Store(folder / "store")
    for tables in ((qrels, runs), (folder / "qrels.parquet", folder / "runs.csv")):
        for engine in ("polars", "duckdb"):
            ev = ir.evaluate(*tables, "AP nDCG@10", queries=topics, by=names[1], engine=engine)
            ev.summary()
            ev.per_unit()
    (folder / "statement.sql").write_text(ev.summary.sql(), encoding="utf-8")
    str(ev.compare(names[0]))
    labelled = ir.Labels(folder / "labels.jsonl").evaluate("Accuracy F1(average='macro')")
    labelled.per_unit().write_csv(folder / "labels.csv")
    plain = ir.evaluate(qrels, runs, "AP")
    store.add(plain, collection=names[2], tags={names[3]: names[4]}, command=names[5])
    store.leaderboard(names[2]).collect()
    store.sql("FROM latest(?)", [names[2]])
    one, other = (ir.evaluate(qrels, runs.filter(run_id=name).drop("run_id"), "AP") for name in names[:2])
    str(ir.gate(one, other, "AP drop <= 0.5"))
    ir.report(plain, folder / "report.html", baseline=names[0], title=names[6], command=names[7])
    for name in names:
        for call in (
            lambda name=name: ir.evaluate(qrels, runs, name),
            lambda name=name: ir.evaluate(qrels, runs, f"nDCG({name})@10"),
            lambda name=name: ir.evaluate(qrels, runs, "AP", policy=name),
            lambda name=name: store.find(name),
        ):
            try:
                call()
            except (IrevalError, ValueError):
                continue


def main(folder: Path) -> None:
    """Print what was seen."""
    warnings.simplefilter("ignore")
    seen: list[tuple[str, str]] = []
    watching = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not watching:
            return
        if event in WATCHED:
            seen.append((event, str(arguments)[:300]))
        elif event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
            seen.append((event, str(arguments[0])))

    work(folder / "plain", PLAIN)
    sys.addaudithook(hook)
    watching = True
    work(folder / "hostile", HOSTILE)
    first = len(seen)
    # The hook does see code that runs.
    exec("pass")
    watching = False
    print(json.dumps({"seen": seen[:first], "of code": seen[first:]}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
