"""`ireval store` gives what `ir.Store` gives."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import ireval_frames as ir
from tests.cli.commands import invoke

DATA = Path(__file__).parents[2] / "data" / "stdlib"


def test_every_verb(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    at = ("--store", str(folder))

    def done(*arguments: object, code: int = 0) -> str:
        result = invoke("store", *map(str, arguments), *at)
        assert result.exit_code == code, result.stderr
        return result.stdout

    runs = [DATA / "runs" / f"{name}.txt" for name in ("bm25", "lsa")]
    options = ("-m", "nDCG@10 AP", "--collection", "stdlib", "--set", "k1=1.2", "--set", "note=a b")
    id = done("add", DATA / "qrels.txt", *runs, *options).strip()  # noqa: A001
    store = ir.Store(folder, create=False)
    ev = ir.evaluate(str(DATA / "qrels.txt"), [*map(str, runs)], "nDCG@10 AP")
    assert store.add(ev, collection="stdlib", tags={"k1": 1.2, "note": "a b"}) == id
    row = store.table("occasions").collect().sort("made_at").row(0, named=True)
    assert json.loads(row["tags"]) == {"k1": 1.2, "note": "a b"}
    assert "store" in row["command"] or row["command"].startswith("ireval")

    assert "bm25" in done("list")
    board = json.loads(done("leaderboard", "--collection", "stdlib", "-m", "ap", "-f", "json"))
    assert [r["run_id"] for r in board] == store.leaderboard("stdlib", "AP").collect()["run_id"].to_list()
    assert done("history", "AP", "--run", "lsa", "-f", "csv").count("\n") == 3
    worst = json.loads(done("diff", "bm25", "lsa", "AP", "-f", "json"))[0]
    assert worst["difference"] == store.sql("FROM diff('bm25', 'lsa', 'AP')")["difference"][0]
    done("tag", "main", id[:6])
    assert id in done("show", "main")
    assert done("sql", "SELECT count(*) AS n FROM runs", "-f", "csv") == "n\n2\n"
    assert "one query" in invoke("store", "sql", "DROP VIEW runs", *at).stderr
    other = tmp_path / "others.txt"
    other.write_text("".join((DATA / "qrels.txt").read_text().splitlines(keepends=True)[:-1]))
    done("add", other, runs[0], "-m", "AP", "--collection", "stdlib", "--keep")
    ranked = invoke("store", "leaderboard", "-m", "AP", *at)
    assert "1 of 2 rows are ranked separately; they differ in: judgments" in ranked.stderr
    assert (
        store.kept(store.table("inputs").filter(name="qrels", path=str(other)).collect()["digest"].item())
        .collect()
        .height
    )
    done("export", tmp_path / "r.duckdb")
    assert "files less" in done("compact")
    assert done("check") == ""
    assert invoke("store", "merge", str(folder), "--store", str(tmp_path / "t")).stdout.startswith("2 evaluations")
    (folder / "runs" / "mine.txt").write_text("mine")
    assert "mine.txt" in done("check", code=1)
    done("tag", "main", store.sql("SELECT evaluation_id FROM evaluations WHERE n_runs = 1").item())
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert f"'main' is that of evaluation {id} again." in invoke("store", "remove", "main", *at).stderr
    done("remove", "main")
    done("show", "main", code=2)
    assert invoke("store", "list", "--store", str(tmp_path / "none")).exit_code == 1


def test_what_other_commands_find_is_kept(tmp_path: Path) -> None:
    at = ("--store", str(tmp_path / "s"))
    ir.examples.labels().write_parquet(items := tmp_path / "items.parquet")
    ir.examples.experiment().write_parquet(visits := tmp_path / "visits.parquet")
    ir.examples.click_log().write_parquet(log := tmp_path / "log.parquet")
    judged = (str(DATA / "qrels.txt"), str(DATA / "runs" / "bm25.txt"), str(DATA / "runs" / "lsa.txt"))

    def check_keep(*command: object, name: str = "") -> None:
        options = ("--collection", "c", "--set", "week=12", *(("--name", name) if name else ()))
        alone, both = invoke(*command), invoke("store", "keep", *at, *options, *command)
        assert (both.exit_code, both.stdout) == (0, alone.stdout), both.stderr
        assert both.stderr.startswith("kept ")

    check_keep("labels", items, "Accuracy", name="clf")
    check_keep("experiment", visits, "-m", "Mean(revenue)", "--baseline", "a", name="spring")
    check_keep("experiment", visits, "--srm")
    check_keep("clicks", "evaluate", log, "CTR", name="shop")
    check_keep("clicks", "fit", log, "SDBN", name="users")
    check_keep("clicks", "experiment", log, "--variant", "user_id", "--unit", "session_id", name="pages")
    check_keep("compare", *judged, "-m", "AP", "--baseline", "bm25")
    store = ir.Store(tmp_path / "s", create=False)
    rows = store.leaderboard("c").collect()
    expected = {
        ("clf", "Accuracy", 0.625),
        ("shop", "CTR", ir.Impressions(str(log)).evaluate("CTR").summary()["value"][0]),
    }
    assert {*rows.select("run_id", "measure", "value").rows()} == expected
    assert {*store.findings(collection="c").select("kind", "name").collect().rows()} == {
        ("Analysis", "spring"), ("table", "experiment"), ("FittedModel", "users"), ("Analysis", "pages"),
    }  # fmt: skip
    actual = store.sql("SELECT baseline, system, tags, command FROM comparisons").row(0)
    assert actual[:3] == ("bm25", "lsa", '{"week":12}')
    assert actual[3].startswith("ireval compare ")
    output = invoke("store", "findings", "spring", *at, "-f", "json").stdout
    assert json.loads(output)[0]["measure"] == "Mean(revenue)"
    # A command that fails, or has no result, stores nothing.
    assert invoke("store", "keep", *at, "labels", tmp_path / "none.csv", "Accuracy").exit_code == 1
    nothing = invoke("store", "keep", *at, "measures", "nDCG")
    assert nothing.exit_code == 2
    assert "has no result to store" in nothing.stderr
    assert store.evaluations().collect().height == 2
