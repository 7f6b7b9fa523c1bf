"""`ireval store` gives what `ir.Store` gives."""

from __future__ import annotations

import json
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
    said = ("-m", "nDCG@10 AP", "--collection", "stdlib", "--set", "k1=1.2", "--set", "note=a b")
    id = done("add", DATA / "qrels.txt", *runs, *said).strip()  # noqa: A001
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
    done("export", tmp_path / "r.duckdb")
    assert "files less" in done("compact")
    assert done("check") == ""
    assert invoke("store", "merge", str(folder), "--store", str(tmp_path / "t")).stdout.startswith("1 evaluations")
    (folder / "runs" / "mine.txt").write_text("mine")
    assert "mine.txt" in done("check", code=1)
    done("remove", "main")
    done("show", "main", code=2)
    assert invoke("store", "list", "--store", str(tmp_path / "none")).exit_code == 1
