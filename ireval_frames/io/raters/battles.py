"""Files of comparisons of two models' answers, as Chatbot Arena, MT-Bench and AlpacaEval write them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable

import polars as pl

from ireval_frames.errors import MissingColumn, ReadingWarning, UnknownName, listed, nearest, warn
from ireval_frames.io.any_table import is_text_table, scan_table
from ireval_frames.io.collected import collected

# Chatbot Arena's counts of each side, and what they become.
STYLE = {
    "sum_assistant_{}_tokens": "length",
    "header_count_{}": "headers",
    "list_count_{}": "lists",
    "bold_count_{}": "bold",
}
FURTHER = ("judge", "language", "turn", "anony")
# What is read under another name, and texts.
READ = (
    "model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie", "tstamp", "evaluation_session_id",
    "conversation_a", "conversation_b", "response_a", "response_b", "prompt",
)  # fmt: skip


def read_battles(path: str | os.PathLike[str], layout: str | None = None) -> pl.DataFrame:
    """The comparisons of a file, a row each, for `ir.ratings.PairedComparisons`.

    Args:
        path: the file: JSON, JSON lines, CSV, TSV, Parquet or Arrow.
        layout: "arena" (Chatbot Arena's battles and preferences: model_a, model_b, winner, or winner_model_a,
            winner_model_b and winner_tie), "mt-bench" (judgments of pairs in both orders: model_1, model_2, g1_winner,
            g2_winner), "alpaca-eval" (annotations: generator_1, generator_2, preference from 1 to 2), or "table" (any
            table); by default recognised by its columns.

    Returns:
        item_a item_b winner unit_id, and what the file has of length_a and length_b (tokens, or characters of answers),
        headers_a … lists_a … bold_a … judge, language, turn, anony, session, sampled, order; beside model_a and model_b
        all other columns but lists and answers stay.  The first item was shown first, but of AlpacaEval, which shuffles
        both and does not say how, and which has `score` instead of winners: the first item's share.  Of MT-Bench each
        row becomes two, one for each order, and games that ended in an error are left out; annotations of AlpacaEval
        without a preference, and preferences of Chatbot Arena with neither a winner nor a tie too, each with a
        `ReadingWarning`.

    Raises:
        FileError, MalformedFile: the file cannot be read.
        MissingColumn: it has no such columns.
        UnknownName: there is no such layout.
    """
    if layout is not None and layout not in LAYOUTS:
        raise UnknownName(f"There is no layout {layout!r} of battles.", nearest(layout, list(LAYOUTS)))
    scanned = scan_table(path)
    columns = scanned.collect_schema().names()
    name = layout or _layout(columns)
    frame = collected(scanned, path)
    required = {
        "arena": ("model_a", "model_b"),
        "mt-bench": ("model_1", "model_2", "g1_winner", "g2_winner"),
        "alpaca-eval": ("generator_1", "generator_2", "preference"),
    }.get(name, ())
    if lacking := [c for c in required if c not in columns]:
        raise MissingColumn(
            f"A file of {name} has the column {lacking[0]!r}; this one has: {listed(columns, 20)}.",
            nearest(lacking[0], columns) or "Name another layout.",
        )
    battles = LAYOUTS[name](frame)
    return _numbers_of_text(battles) if name == "arena" and is_text_table(path) else battles


def layout_of(path: str | os.PathLike[str]) -> str:
    """The layout of a file, by its columns."""
    return _layout(scan_table(path).collect_schema().names())


def _layout(columns: list[str]) -> str:
    if "g1_winner" in columns:
        return "mt-bench"
    if {"generator_1", "generator_2"} <= set(columns):
        return "alpaca-eval"
    arena = {"model_a", "model_b"} <= set(columns) and ("winner" in columns or "winner_model_a" in columns)
    return "arena" if arena else "table"


def _arena(frame: pl.DataFrame) -> pl.DataFrame:
    if "winner" not in frame.columns and "winner_model_a" not in frame.columns:
        raise MissingColumn("The battles have no column 'winner'.", "Add it, or name another layout.")
    winner = pl.col("winner")
    if "winner" not in frame.columns:
        if "winner_model_b" not in frame.columns:
            raise MissingColumn("The battles have no column 'winner_model_b'.", "Add it, or name another layout.")
        a, b = (pl.col(f"winner_model_{side}").cast(pl.Int64) == 1 for side in "ab")
        tie = pl.col("winner_tie").cast(pl.Int64) == 1 if "winner_tie" in frame.columns else pl.lit(value=True)
        winner = pl.when(a).then(pl.lit("model_a")).when(b).then(pl.lit("model_b")).when(tie).then(pl.lit("tie"))
        frame = _known(frame, winner.is_not_null(), "preferences have neither a winner nor a tie")
    unit = next((c for c in ("question_id", "id") if c in frame.columns), None)
    own = [] if unit is None else [pl.col(unit).alias("unit_id")]
    rest = (c for c in FURTHER if c in frame.columns)
    battles = frame.select(item_a="model_a", item_b="model_b", winner=winner).hstack(frame.select(*own, *rest))
    if "evaluation_session_id" in frame.columns:
        battles = battles.with_columns(session=frame["evaluation_session_id"])
    battles = battles.hstack(_of_sides(frame))
    dedup = frame.schema.get("dedup_tag")
    if isinstance(dedup, pl.Struct) and "sampled" in {f.name for f in dedup.fields}:
        battles = battles.with_columns(sampled=frame["dedup_tag"].struct.field("sampled"))
    if "tstamp" in frame.columns:
        battles = battles.with_columns(order=frame["tstamp"].cast(pl.Float64, strict=False))
    # A table of one's own has the same names of models, and topics, users or lengths beside them.
    read = {*battles.columns, *READ} | ({unit} if unit else set())
    return battles.hstack([c for c in frame if c.name not in read and not c.dtype.is_nested()])


def _numbers_of_text(battles: pl.DataFrame) -> pl.DataFrame:
    """Columns of a text file as numbers where all of their values are numbers, which ids such as 007 are not."""
    out = []
    for column in battles.drop("item_a", "item_b", "winner", "unit_id", strict=False):
        if column.dtype != pl.String or column.str.contains(r"^0\d").any():
            continue
        for dtype in (pl.Int64, pl.Float64):
            numbers = column.cast(dtype, strict=False)
            if numbers.null_count() == column.null_count():
                out.append(numbers)
                break
    return battles.with_columns(out)


def _of_sides(frame: pl.DataFrame) -> list[pl.Series]:
    """The length and style of both answers."""
    meta = frame.schema.get("conv_metadata")
    if isinstance(meta, pl.Struct):
        fields = {f.name: f.dtype for f in meta.fields}
        return [
            _total(frame["conv_metadata"].struct.field(name.format(side)), f"{ours}_{side}")
            for name, ours in STYLE.items()
            for side in "ab"
            if name.format(side) in fields
        ]
    for name, count in (("conversation", _spoken), ("response", _written)):
        if {f"{name}_a", f"{name}_b"} <= set(frame.columns):
            return [
                pl.Series(f"length_{side}", [count(v) for v in frame[f"{name}_{side}"]], dtype=pl.Int64)
                for side in "ab"
            ]
    return []


def _total(values: pl.Series, name: str) -> pl.Series:
    """A number, or the sum of the counts of a struct."""
    if isinstance(values.dtype, pl.Struct):
        return values.struct.unnest().sum_horizontal().cast(pl.Float64).alias(name)
    return values.cast(pl.Float64, strict=False).alias(name)


def _spoken(turns: Iterable[object] | None) -> int | None:
    """The characters of an assistant's turns; null where they are text, as CSV has them."""
    if turns is None or isinstance(turns, str):
        return None
    texts = [t.get("content") for t in turns if isinstance(t, dict) and t.get("role") == "assistant"]
    return sum(len(t) for t in texts if isinstance(t, str))


def _written(text: object) -> int | None:
    """The characters of an answer, or of a list of answers in JSON."""
    if not isinstance(text, str):
        return None
    try:
        turns = json.loads(text)
    except (ValueError, RecursionError):
        return len(text)
    return sum(len(t) for t in turns if isinstance(t, str)) if isinstance(turns, list) else len(text)


def _mt_bench(frame: pl.DataFrame) -> pl.DataFrame:
    judge = []
    if "judge" in frame.columns:
        column = pl.col("judge")
        judge = [column.list.first().cast(pl.String) if isinstance(frame.schema["judge"], pl.List) else column]
    unit = [pl.col("question_id").alias("unit_id")] if "question_id" in frame.columns else []
    turn = [pl.col("turn")] if "turn" in frame.columns else []
    games = []
    for first, second, winner in (("model_1", "model_2", "g1_winner"), ("model_2", "model_1", "g2_winner")):
        won = pl.col(winner)
        name = pl.when(won == "model_1").then(pl.col("model_1")).when(won == "model_2").then(pl.col("model_2"))
        games.append(
            frame.select(
                pl.col(first).alias("item_a"), pl.col(second).alias("item_b"),
                name.otherwise(won).alias("winner"), *unit, *judge, *turn,
            )
        )  # fmt: skip
    battles = pl.concat(games)
    return _known(battles, pl.col("winner") != "error", "games ended in an error")


def _alpaca_eval(frame: pl.DataFrame) -> pl.DataFrame:
    preference = pl.col("preference").cast(pl.Float64, strict=False)
    # Older annotations write ties as 0.
    preference = pl.when(preference == 0).then(1.5).otherwise(preference)
    sides = [
        pl.col(f"output_{i}").str.len_chars().cast(pl.Int64).alias(f"length_{s}")
        for i, s in ((1, "a"), (2, "b"))
        if f"output_{i}" in frame.columns
    ]
    unit = [pl.col("instruction").alias("unit_id")] if "instruction" in frame.columns else []
    judge = [pl.col("annotator").alias("judge")] if "annotator" in frame.columns else []
    battles = frame.select(
        *unit, *sides, *judge, item_a="generator_1", item_b="generator_2", score=2 - preference.fill_nan(None)
    ).select("item_a", "item_b", "score", pl.all().exclude("item_a", "item_b", "score"))  # fmt: skip
    return _known(battles, pl.col("score").is_not_null(), "annotations have no preference")


def _known(battles: pl.DataFrame, condition: pl.Expr, words: str) -> pl.DataFrame:
    """The battles that meet a condition; a warning counts the others."""
    known = battles.filter(condition.fill_null(value=True))
    if lost := battles.height - known.height:
        warn(f"{lost:,} of {battles.height:,} {words}, and are left out.", ReadingWarning)
    return known


def _table(frame: pl.DataFrame) -> pl.DataFrame:
    return frame


LAYOUTS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "arena": _arena,
    "mt-bench": _mt_bench,
    "alpaca-eval": _alpaca_eval,
    "table": _table,
}
