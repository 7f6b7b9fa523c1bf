"""The files that the examples of help pages name: small ones of the right kind, in a folder for each verb."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

import ireval_frames as ir
from tests.cli.commands import DATA, ROOT, invoke
from tests.cli.example_raters import OF_RATERS
from tests.cli.example_texts import OF_TEXTS

TOPICS = tuple(str(number) for number in range(105, 117))


def written(folder: Path, verb: str) -> None:
    """Write the files that the examples of a verb name."""
    for name in ("runs", "first", "again", "old", "models", "colleague", "other"):
        (folder / name).mkdir()
    if verb in _OF_RUNS:
        _rankings(folder)
    _OF.get(verb, lambda _: None)(folder)


def _lines(path: Path) -> list[list[str]]:
    """The lines of some topics, in their fields."""
    return [f for f in map(str.split, path.read_text("utf-8").splitlines()) if f[0] in TOPICS]


def _text(path: Path, rows: list[list[str]]) -> None:
    path.write_text("".join(" ".join(row) + "\n" for row in rows), "utf-8")


def _rankings(folder: Path) -> None:
    qrels = _lines(DATA / "qrels.txt")
    for name in ("qrels.txt", "old.txt", "new.txt"):
        _text(folder / name, qrels)
    # Its second field is a subtopic, or who judged.
    for name in ("diversity.qrels", "assessed.qrels"):
        _text(folder / name, [[q, str(1 + i % 2), d, g] for i, (q, _, d, g) in enumerate(qrels)])
    # A stratum of every document; a third of them is not judged.
    _text(
        folder / "sampled.qrels",
        [[q, "0", d, str(1 + i % 2), "-1" if i % 3 == 0 else g] for i, (q, _, d, g) in enumerate(qrels)],
    )
    runs = {name: _lines(DATA / "runs" / f"{name}.txt") for name in ("bm25", "lsa", "tfidf")}
    for name, rows in runs.items():
        for place in ("runs", "first", "again"):
            _text(folder / place / f"{name}.run", rows)
    _text(folder / "bm25.run", runs["bm25"])
    _text(folder / "lsa.run", runs["lsa"])
    for place in (folder, folder / "runs"):
        (place / "bm25.run.gz").write_bytes(gzip.compress((folder / "bm25.run").read_bytes()))
    other = {"main": "bm25", "new": "bm25", "dense": "lsa", "mine": "bm25", "a": "bm25", "b": "lsa", "c": "tfidf"}
    for name, of in {**other, "old": "bm25"}.items():
        _text(folder / f"{name}.run", [[*row[:5], name] for row in runs[of]])
    _text(folder / "a2.run", [[*row[:5], "a"] for row in runs["bm25"]])
    topics = pl.DataFrame({"query_id": TOPICS}).with_columns(
        lang=pl.when(pl.int_range(pl.len()) < 6).then(pl.lit("de")).otherwise(pl.lit("en"))
    )
    topics.write_csv(folder / "topics.tsv", separator="\t")
    judged = pl.DataFrame([(q, d, int(g)) for q, _, d, g in qrels], ["query_id", "doc_id", "relevance"], orient="row")
    rows_of_run = [(q, d, float(s), n) for rows in runs.values() for q, _, d, _, s, n in rows]
    run = pl.DataFrame(rows_of_run, ["query_id", "doc_id", "score", "run_id"], orient="row")
    judged.write_parquet(folder / "qrels.parquet")
    run.write_parquet(folder / "run.parquet")
    judged.rename({"relevance": "grade"}).write_csv(folder / "judged.csv")
    run.filter(run_id="bm25").rename({"score": "sim"}).write_parquet(folder / "found.parquet")


def _converted(folder: Path) -> None:
    _text(folder / "pairs.txt", [["1", "d7"], ["2", "d1"]])
    (folder / "cacm.all").write_text(".I 1\n.T\nOn trees\n.W\nTrees are tall.\n", "utf-8")
    (folder / "train-labels-idx1-ubyte").write_bytes(b"\0\0\x08\x01\0\0\0\x03\x05\0\x04")
    (folder / "truth.txt").write_text("2\n1\n3\n", "utf-8")
    (folder / "synset_words.txt").write_text("n01 tench\nn02 goldfish\nn03 shark\n", "utf-8")


def _values(unit: str, system: str, measure: str = "rating") -> pl.DataFrame:
    """Values per unit of two systems."""
    rows = [(s, i, measure, (i * 7 + j) % 5 / 4) for j, s in enumerate("ab") for i in range(20)]
    return pl.DataFrame(rows, [system, unit, "measure", "value"], orient="row")


def _evaluated(folder: Path) -> None:
    shown = [(f"{q}-{page}", q, d, rank) for page in "ab" for q, _, d, rank, *_ in _lines(DATA / "runs" / "bm25.txt")]
    log = pl.DataFrame(shown, ["serp_id", "query_id", "doc_id", "position"], orient="row")
    log = log.with_columns(
        pl.col("position").cast(pl.Int64), click=(pl.int_range(pl.len()) * 7 % 5 == 0).cast(pl.Int64)
    )
    ir.Impressions(log).fit("SDBN").save(str(folder / "sdbn.parquet"))


def _compared(folder: Path) -> None:
    _values("user_id", "variant").write_parquet(folder / "values.parquet")
    _values("query_id", "run_id", "latency").write_csv(folder / "values.csv")
    for name in ("a", "b"):
        printed = invoke("trec-eval", "-q", "-m", "map", "-m", "P.10", folder / "qrels.txt", folder / f"{name}.run")
        (folder / f"{name}.txt").write_text(printed.stdout, "utf-8")


def _gated(folder: Path) -> None:
    ev = ir.evaluate(folder / "qrels.txt", folder / "bm25.run", "nDCG@10 AP")
    ev.per_unit().with_columns(run_id=pl.lit("new")).write_parquet(folder / "baseline.parquet")
    ir.Store(folder / "results").add(ev, tags={"night": "monday"})
    assert invoke("store", "tag", "nightly", *_ids(folder), "--store", folder / "results").exit_code == 0
    (folder / "gate.toml").write_text('rules = ["AP drop <= 0.01", "nDCG@10 non-inferior within 0.05"]\n', "utf-8")
    values = _values("user_id", "run_id").filter(run_id="a")
    for name in ("old.csv", "new.csv"):
        values.write_csv(folder / name)


def _ids(folder: Path) -> list[str]:
    return ir.Store(folder / "results").evaluations().collect()["evaluation_id"].to_list()


def _reproduced(folder: Path) -> None:
    for name in ("first.csv", "again.csv"):
        _values("user_id", "variant").write_csv(folder / name)


def _items() -> pl.DataFrame:
    """Items of two classes with all columns that examples read."""
    n = pl.int_range(40)
    items = pl.select(item_id=n).with_columns(
        label=pl.when(n % 3 == 0).then(pl.lit("cat")).otherwise(pl.lit("dog")),
        prediction=pl.when(n % 4 == 0).then(pl.lit("cat")).otherwise(pl.lit("dog")),
        score=(n * 7 % 40) / 40,
        cat=(n * 7 % 40) / 40,
        segment=pl.concat_str(pl.lit("s"), n % 2),
        language=pl.when(n % 2 == 0).then(pl.lit("de")).otherwise(pl.lit("en")),
        user=n // 2,
        cluster_id=n % 5,
        topic=n % 3,
        found=n % 4,
    )
    return items.with_columns(dog=1 - pl.col("cat"), gold="label", guess="prediction")


def _labels(folder: Path) -> None:
    _items().write_csv(folder / "items.csv")
    _items().write_parquet(folder / "items.parquet")
    _items().group_by("label", "prediction").len("count").write_csv(folder / "counts.csv")
    sets = pl.DataFrame({"item_id": [1, 1, 2, 3], "label": ["a", "b", "a", "c"]})
    sets.write_csv(folder / "gold.csv")
    sets.rename({"label": "prediction"}).head(3).write_csv(folder / "guesses.csv")
    raters = pl.DataFrame({"item_id": [1, 2, 3], "y": [1.0, 0.5, 0.2], "yes": [0.8, 0.6, 0.4]})
    raters.with_columns(n=1 - pl.col("y"), no=1 - pl.col("yes")).write_csv(folder / "raters.csv")


def _clusters(folder: Path) -> None:
    _labels(folder)
    _items().select("item_id", "label").write_csv(folder / "classes.csv")
    _items().select("item_id", "cluster_id").head(30).write_csv(folder / "clusters.csv")


def _timings(folder: Path) -> None:
    requests = ir.examples.timings().with_columns(day=pl.col("started") < 0.45)
    requests.write_csv(folder / "requests.csv")
    requests.with_columns(ms=pl.col("seconds") * 1000).drop("seconds").write_parquet(folder / "requests.parquet")
    tags = {"name": "/search", "status": "200"}
    data = {"time": "2026-03-01T12:00:00.5Z", "value": 12.5, "tags": tags}
    point = {"metric": "http_req_duration", "type": "Point", "data": data}
    (folder / "night.json").write_text(json.dumps(point))
    (folder / "metrics.txt").write_text('s_bucket{le="0.1"} 5\ns_bucket{le="+Inf"} 6\n')
    (folder / "night_stats.csv").write_text("Type,Name,Request Count,50%\nGET,/,10,12\n")


def _tradeoff(folder: Path) -> None:
    _timings(folder)
    names = pl.col("run_id").replace({"a": "bm25", "b": "lsa"})
    requests = ir.examples.timings().with_columns(names, status=200)
    requests.write_csv(folder / "requests.csv")
    systems = {"run_id": ["a", "b"], "quality": [0.3, 0.4], "cost": [12.0, 40.0]}
    pl.DataFrame(systems).write_csv(folder / "systems.csv")
    export = "algorithm,parameters,qps,k-nn,dataset\na,a(1),100,0.9,d\n"
    (folder / "export.csv").write_text(export)


def _points(folder: Path) -> None:
    words = pl.DataFrame({"item_id": [*"abcdef"], "cluster_id": [*"xxxyyy"]})
    words.write_csv(folder / "words.csv")
    pairs = itertools.combinations(range(6), 2)
    edits = [("abcdef"[i], "abcdef"[j], 1 + (j - i) + 3 * (i // 3 != j // 3)) for i, j in pairs]
    pl.DataFrame(edits, ["item_id", "other_id", "distance"], orient="row").write_csv(folder / "edits.csv")
    ir.examples.points().with_columns(cluster_id="k3").write_parquet(folder / "points.parquet")
    points = ir.examples.points().select("item_id", embedding=pl.concat_list("x", "y").cast(pl.List(pl.Float64)))
    points.with_columns(cluster_id=pl.col("item_id") % 3).write_parquet(folder / "vectors.parquet")


def _pictures(folder: Path) -> None:
    _points(folder)
    _items().write_csv(folder / "items.csv")
    yes = pl.when(pl.col("label") == "cat").then(pl.lit("yes")).otherwise(pl.lit("no"))
    _items().select("item_id", "score", label=yes).write_parquet(folder / "scored.parquet")
    store = ir.Store(folder / "results")
    for run in ("bm25", "lsa"):
        store.add(ir.evaluate(folder / "qrels.txt", folder / f"{run}.run", "nDCG@10"), collection="news")


def _organized(folder: Path) -> None:
    n = pl.int_range(24)
    items = pl.select(item_id=n, label=n % 3, relevance=n % 2, score=(24 - n) / 24, cluster_id=n % 4).with_columns(
        language=pl.when(n < 12).then(pl.lit("de")).otherwise(pl.lit("en")), query_id=n // 12
    )
    items.write_csv(folder / "items.csv")
    items.rename({"relevance": "grade", "score": "sim"}).write_parquet(folder / "items.parquet")
    items.select("item_id", "label", "relevance").write_csv(folder / "gold.csv")
    items.select("item_id", "cluster_id", "score").write_csv(folder / "found.csv")


def _experiment(folder: Path) -> None:
    visits = ir.examples.experiment()
    visits.write_parquet(folder / "visits.parquet")
    visits.drop("variant").write_parquet(folder / "history.parquet")
    users = visits.group_by("user_id", "variant").agg(pl.col("revenue", "revenue_before").sum())
    users.write_parquet(folder / "users.parquet")


def _clicks(folder: Path) -> None:
    log = pl.read_csv(ROOT / "data" / "clicks" / "log.csv")
    log.with_columns(pl.col("position") - 1).write_csv(folder / "log.csv")
    early, even = pl.col("user_id") < "u2", pl.col("user_id").str.slice(1).cast(pl.Int64) % 2 == 0
    log = log.with_columns(
        locale=pl.when(early).then(pl.lit("de")).otherwise(pl.lit("en")),
        variant=pl.when(even).then(pl.lit("a")).otherwise(pl.lit("b")),
        device=pl.when(early).then(pl.lit("phone")).otherwise(pl.lit("desk")),
    )
    log.write_parquet(folder / "log.parquet")
    (folder / "train.tsv").write_text("7\tM\t1\t3\n7\t0\tQ\t0\t11\t5,6\t21,31\t22,32\n7\t5\tC\t0\t22\n", "utf-8")
    (folder / "queries.jsonl").write_text(
        json.dumps({"query_id": "p", "user_query": "tea", "query_response_hit_ids": ["a", "b"]}) + "\n", "utf-8"
    )
    clicked = {"action_name": "click", "query_id": "p", "event_attributes": {"object": {"object_id": "b"}}}
    (folder / "events.jsonl").write_text(json.dumps(clicked) + "\n", "utf-8")
    shown = log.drop_nulls("doc_id").select("query_id", "doc_id").unique().sort("query_id", "doc_id")
    _text(folder / "qrels.txt", [[q, "0", d, str(i * 5 % 3)] for i, (q, d) in enumerate(shown.iter_rows())])
    for name, hashed in (("new", 3), ("runs/bm25", 5), ("runs/lsa", 7)):
        places = shown.with_columns(score=pl.int_range(pl.len()) * hashed % 11).sort("query_id", -pl.col("score"))
        rows = [[q, "Q0", d, "1", str(s), Path(name).name] for q, d, s in places.iter_rows()]
        _text(folder / f"{name}.run", rows)
    pl.DataFrame({"position": range(1, 11), "propensity": [1 / k for k in range(1, 11)]}).write_csv(folder / "p.csv")


def _interleaved(folder: Path) -> None:
    pl.DataFrame({"serp_id": range(24), "query_id": TOPICS * 2}).write_csv(folder / "pages.csv")
    runs = [folder / "a.run", folder / "b.run"]
    pages = pl.DataFrame({"serp_id": range(120), "query_id": TOPICS * 10})
    lists = ir.interleaving.interleave(
        [*map(str, runs)], None, "team-draft", seed=1, depth=5, pages=pages, names=["a", "b"]
    )
    row = pl.int_range(pl.len())
    log = lists.with_columns(click=(row * 7 % 3 == 0).cast(pl.Int8), user_id=pl.col("serp_id") // 3)
    log.write_parquet(folder / "log.parquet")


def _stored(folder: Path) -> None:
    for name, place in (("bm25", "old/bm25.eval"), ("bm25", "bm25.eval"), ("lsa", "lsa.eval")):
        result = invoke("trec-eval", "-q", "-m", "map", folder / "qrels.txt", folder / f"{name}.run")
        (folder / place).write_text(result.stdout, "utf-8")
    # What it keeps of other verbs.
    _labels(folder)
    _clicks(folder)
    # Those of clicks have judgments and runs of their own, under the same names.
    _rankings(folder)
    ir.examples.experiment().write_parquet(folder / "visits.parquet")
    _values("query_id", "run_id").write_csv(folder / "values.csv")
    _values("qid", "name").filter(name="a").write_parquet(folder / "values.parquet")
    ev = ir.evaluate(folder / "qrels.txt", folder / "dense.run", "nDCG@10")
    for place in ("colleague/results", "other/results"):
        ir.Store(folder / place).add(ev, collection="news")


def _split(folder: Path) -> None:
    _labels(folder)
    n = pl.int_range(40)
    items = _items().with_columns(pl.col("user").cast(pl.String))
    items.write_csv(folder / "items.csv")
    pl.select(item_id=n, day=n // 4).write_parquet(folder / "log.parquet")
    times = pl.format("2026-03-{}T12:00:{}Z", (1 + n // 2).cast(pl.String).str.zfill(2), (10 + n % 40).cast(pl.String))
    pl.select(user_id="u" + (n % 5).cast(pl.String), item_id="i" + (n % 7).cast(pl.String), time=times).write_csv(
        folder / "events.csv"
    )


def _collection(folder: Path) -> None:
    qrels = pl.read_csv(
        folder / "qrels.txt", separator=" ", has_header=False, new_columns=["q", "i", "doc_id", "grade"]
    )
    ids = qrels.select("doc_id").unique().sort("doc_id")
    ids.slice(1).with_columns(title=pl.lit("")).write_ndjson(folder / "corpus.jsonl")


def _pooled(folder: Path) -> None:
    pl.DataFrame({"run_id": ["bm25", "lsa", "tfidf"], "team": ["words", "latent", "words"]}).write_csv(
        folder / "teams.csv"
    )


_OF_RUNS = {
    "evaluate", "compare", "diagnose", "gate", "reproduce", "plot", "report", "similarity", "sql", "interleave",
    "collection-coverage", "convert", "fuse", "pool", "pool-bias", "store", "tradeoff", "trec-eval",
}  # fmt: skip
_OF: Mapping[str, Callable[[Path], None]] = {
    **OF_RATERS,
    **OF_TEXTS,
    "evaluate": _evaluated,
    "compare": _compared,
    "convert": _converted,
    "gate": _gated,
    "reproduce": _reproduced,
    "plot": _pictures,
    "labels": _labels,
    "clusters": _clusters,
    "points": _points,
    "timings": _timings,
    "tradeoff": _tradeoff,
    "organization": _organized,
    "experiment": _experiment,
    "clicks": _clicks,
    "interleave": _interleaved,
    "collection-coverage": _collection,
    "pool-bias": _pooled,
    "store": _stored,
    "splits": _split,
}
# Of identifiers and the like, what stands in the place of words that only a reader can know.
KNOWN: Mapping[str, Callable[[Path], str]] = {"3f2a": lambda folder: _ids(folder)[0][:8]}
