"""Files of battles in the layouts of Chatbot Arena, MT-Bench and AlpacaEval, made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import ireval_frames as ir
from ireval_frames.errors import MissingColumn, ReadingWarning, UnknownName
from tests.cli.commands import invoke
from tests.cli.commands import lines as shown_lines

META = {
    "sum_user_tokens": 5, "sum_assistant_a_tokens": 20, "sum_assistant_b_tokens": 40,
    "header_count_a": {"h1": 1, "h2": 2}, "header_count_b": {"h1": 0, "h2": 0},
    "list_count_a": {"ordered": 0, "unordered": 3}, "list_count_b": {"ordered": 1, "unordered": 0},
    "bold_count_a": {"**": 1, "__": 0}, "bold_count_b": {"**": 0, "__": 0},
}  # fmt: skip


def lines(path: Path, records: list[dict[str, Any]], *, array: bool = False) -> Path:
    text = json.dumps(records) if array else "\n".join(map(json.dumps, records)) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def arena(**more: Any) -> dict[str, Any]:
    return {"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "u1", "turn": 1, "tstamp": 1.5, **more}


def test_battles_of_chatbot_arena(tmp_path: Path) -> None:
    records = [
        arena(conv_metadata=META, dedup_tag={"high_freq": False, "sampled": True}, anony=True, language="English"),
        arena(winner="tie (bothbad)", conv_metadata=META, dedup_tag={"high_freq": True, "sampled": False}, anony=False,
              language="German"),
    ]  # fmt: skip
    battles = ir.io.read_battles(lines(tmp_path / "clean_battle.json", records, array=True))
    first = battles.row(0, named=True)
    expected = {
        "item_a": "x", "item_b": "y", "winner": "model_a", "judge": "u1", "language": "English", "turn": 1,
        "anony": True, "length_a": 20.0, "length_b": 40.0, "headers_a": 3.0, "headers_b": 0.0, "lists_a": 3.0,
        "lists_b": 1.0, "bold_a": 1.0, "bold_b": 0.0, "sampled": True, "order": 1.5,
    }  # fmt: skip
    assert first == expected
    pairs = ir.ratings.PairedComparisons(battles)
    assert pairs.outcomes()["bad_ties"].to_list() == [1, 1]


def test_conversations_and_preferences(tmp_path: Path) -> None:
    """Without counts of tokens, characters of the answers are counted."""
    turns = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi!"}]
    record = arena(question_id="q1", conversation_a=turns, conversation_b=turns + turns)
    battles = ir.io.read_battles(lines(tmp_path / "a.jsonl", [record]))
    assert battles.select("unit_id", "length_a", "length_b").row(0) == ("q1", 3, 6)
    table = pl.DataFrame(
        {"id": [7, 8], "model_a": "x", "model_b": "y", "response_a": ['["ab","c"]', "abcd"],
         "response_b": ["[null]", "[x"],
         "winner_model_a": [0, 0], "winner_model_b": [1, 0], "winner_tie": [0, 1]}
    )  # fmt: skip
    table.write_csv(tmp_path / "train.csv")
    battles = ir.io.read_battles(tmp_path / "train.csv")
    assert battles["winner"].to_list() == ["model_b", "tie"]
    assert battles.select("length_a", "length_b").rows() == [(3, 0), (4, 2)]
    table.with_columns(winner_tie=pl.lit(0)).write_csv(tmp_path / "test.csv")
    with pytest.warns(ReadingWarning, match="1 of 2 preferences have neither a winner nor a tie"):
        assert ir.io.read_battles(tmp_path / "test.csv")["winner"].to_list() == ["model_b"]
    table.drop("winner_tie").write_csv(tmp_path / "two.csv")
    assert ir.io.read_battles(tmp_path / "two.csv")["winner"].to_list() == ["model_b", "tie"]
    table.drop("winner_model_b").write_csv(tmp_path / "one.csv")
    with pytest.raises(MissingColumn, match="no column 'winner_model_b'"):
        ir.io.read_battles(tmp_path / "one.csv")


def test_conversations_in_text_have_no_length(tmp_path: Path) -> None:
    row = {
        "model_a": "x",
        "model_b": "y",
        "winner": "model_a",
        "conversation_a": "[{'role': …}]",
        "conversation_b": "[]",
    }
    pl.DataFrame([row]).write_csv(tmp_path / "battles.csv")
    assert ir.io.read_battles(tmp_path / "battles.csv").select("length_a", "length_b").rows() == [(None, None)]


def test_games_of_mt_bench(tmp_path: Path) -> None:
    game = {"question_id": 81, "model_1": "x", "model_2": "y", "g1_winner": "model_1", "g2_winner": "model_1",
            "judge": ["gpt-4", "pair-v2"], "turn": 1, "tstamp": 1.0}  # fmt: skip
    records = [
        game,
        {**game, "question_id": 82, "g2_winner": "model_2"},
        {**game, "question_id": 83, "g1_winner": "error"},
    ]
    path = lines(tmp_path / "gpt-4_pair.jsonl", records)
    with pytest.warns(ReadingWarning, match="1 of 6 games ended in an error"):
        battles = ir.io.read_battles(path)
    assert battles.filter(unit_id=81).select("item_a", "item_b", "winner").rows() == [("x", "y", "x"), ("y", "x", "x")]
    assert battles["judge"].unique().to_list() == ["gpt-4"]
    pairs = ir.ratings.PairedComparisons(battles)
    assert pairs.bias().filter(bias="consistent").select("share", "n").row(0) == (0.5, 2)
    assert pairs.merged().outcomes().select("wins", "good_ties").row(0) == (2, 1)


def test_annotations_of_alpaca_eval(tmp_path: Path) -> None:
    note = {"instruction": "Say hi.", "output_1": "hi", "generator_1": "base", "output_2": "hello", "generator_2": "m",
            "annotator": "gpt", "preference": 1.75}  # fmt: skip
    records = [note, {**note, "instruction": "b", "preference": 0.0}, {**note, "instruction": "c", "preference": None}]
    path = lines(tmp_path / "annotations.json", records, array=True)
    with pytest.warns(ReadingWarning, match="1 of 3 annotations"):
        battles = ir.io.read_battles(path)
    assert battles.select("item_a", "item_b", "score", "length_a", "length_b").rows() == [
        ("base", "m", 0.25, 2, 5), ("base", "m", 0.5, 2, 5),
    ]  # fmt: skip
    pairs = ir.ratings.PairedComparisons(battles)
    assert pairs.win_rates().filter(item_id="m")["win_rate"].item() == pytest.approx(0.625)


def test_other_tables_and_layouts(tmp_path: Path) -> None:
    table = pl.DataFrame({"item_a": ["x"], "item_b": ["y"], "winner": ["tie"]})
    table.write_parquet(tmp_path / "own.parquet")
    assert ir.io.read_battles(tmp_path / "own.parquet").equals(table)
    with pytest.raises(UnknownName, match="'lmsys'"):
        ir.io.read_battles(tmp_path / "own.parquet", "lmsys")
    with pytest.raises(MissingColumn, match="'model_1'"):
        ir.io.read_battles(tmp_path / "own.parquet", "mt-bench")
    with pytest.raises(MissingColumn, match="'winner'"):
        ir.io.read_battles(lines(tmp_path / "b.jsonl", [{"model_a": "x", "model_b": "y"}]), "arena")


def test_other_columns_of_a_table_of_ones_own_stay(tmp_path: Path) -> None:
    own = pl.DataFrame(
        {"model_a": ["x", "y", "x"], "model_b": ["y", "x", "z"], "winner": ["x", "tie", "z"], "prompt_id": [1, 1, 2],
         "topic": ["c", "c", "d"], "user": [1, 2, 3], "length_a": [1, 2, 3], "length_b": [3, 2, 5]}
    )  # fmt: skip
    own.write_csv(tmp_path / "own.csv")
    battles = ir.io.read_battles(tmp_path / "own.csv")
    same = battles.rename({"item_a": "model_a", "item_b": "model_b"}).cast({"prompt_id": pl.Int64})
    assert same.select(own.columns).rows() == own.rows()
    ids = own.with_columns(user=pl.Series(["007", "07", "7"]))
    ids.write_csv(tmp_path / "ids.csv")
    assert ir.io.read_battles(tmp_path / "ids.csv")["user"].to_list() == ["007", "07", "7"]
    shown = shown_lines(invoke("battles", tmp_path / "own.csv", "--outcomes", "--by", "topic", "-f", "csv"))
    assert [line.split(",")[:3] for line in shown[1:]] == [
        ["c", "x", "2"], ["c", "y", "2"], ["d", "x", "1"], ["d", "z", "1"],
    ]  # fmt: skip
    assert "length" in "".join(
        shown_lines(invoke("battles", tmp_path / "own.csv", "--effects", "--covariates", "length"))
    )
