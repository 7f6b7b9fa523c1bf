"""Classes as numbers, in lines: ImageNet's validation labels, and lists of one number per item."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ireval_frames.errors import Argument, Hint, InvalidParameter, MalformedFile
from ireval_frames.io.storage.source import File
from ireval_frames.io.text.grammar import Field
from ireval_frames.io.text.stream import frames, numbered
from ireval_frames.io.text.whitespace import Whitespace

# The header of the labels in the competition at Kaggle, whose second column is class and box, repeated.
SOLUTION = "ImageId,PredictionString"
IMAGE = "ILSVRC2012_val_"
_EDGE = re.compile(r"-?\d+")
_NUMBER, _NAME = Field("label", "integer"), Field("item_id", "id")


@dataclass(frozen=True)
class Names:
    """The names of numbered classes, and the number of the first: 0, 1, or None to see it in the file."""

    names: Sequence[str]
    first: int | None

    def of(self, numbers: pl.Series, file: str) -> pl.Series:
        """The names of these numbers.

        Raises:
            InvalidParameter: it is not known which number is the first, or numbers have no name.
        """
        n, low, high = len(self.names), min(numbers), max(numbers)
        first = self.first
        if first is None:
            possible = [start for start in (0, 1) if start <= low and high < start + n]
            if len(possible) == 2:
                raise InvalidParameter(
                    f"{file} has numbers from {low} to {high}, and there are {n} names of classes: the first may be 0 "
                    "or 1.",
                    Hint("Say which number the first name has: ", Argument("first", 1)),
                )
            first = possible[0] if possible else 0
        if low < first or high >= first + n:
            raise InvalidParameter(
                f"{file} has the numbers {low} to {high}, and the {n} names of classes are for {first} to "
                f"{first + n - 1}.",
                "Name the file of the names in the order of the numbers, one per line.",
            )
        return pl.Series(numbers.name, [self.names[number - first] for number in numbers], dtype=pl.String)


def names_in(file: File) -> list[str]:
    """The first word of each line: the names of the classes, in the order of their numbers."""
    return [
        words[0].decode("utf-8", "replace") for _, line in numbered(file.path, file.name) if (words := line.split())
    ]


def numbered_items(file: File, n_fields: int, names: Names | None, prefix: str | None) -> pl.DataFrame:
    """item_id and label of lines `number`, or `item number`.

    Args:
        file: the file.
        n_fields: 1 or 2.
        names: the names of the classes.
        prefix: what precedes the number of the line in the ids of items without a name, in eight digits; None for
            the number alone.

    Raises:
        MalformedFile: lines do not parse.
    """
    fields = (_NAME, _NUMBER) if n_fields == 2 else (_NUMBER,)
    rows = pl.concat(list(frames(file.path, file.name, Whitespace(fields, "a label"))))
    if n_fields == 1:
        number = pl.int_range(1, pl.len() + 1)
        item: Any = number if prefix is None else pl.lit(prefix) + number.cast(pl.String).str.zfill(8)
        rows = rows.select(item.alias("item_id"), "label")
    return rows if names is None else rows.with_columns(names.of(rows["label"], file.name))


def solution(file: File) -> pl.DataFrame:
    """item_id and label of lines `image,class x y x y class x y x y …`; an image with several classes has the list.

    Raises:
        MalformedFile: lines are others.
    """
    rows = []
    for number, line in numbered(file.path, file.name):
        text = line.decode("utf-8", "replace").strip()
        if not text or text == SOLUTION:
            continue
        image, _, boxes = text.partition(",")
        parts = boxes.split()
        edges = [part for place, part in enumerate(parts) if place % 5]
        if not image or not parts or len(parts) % 5 or not all(map(_EDGE.fullmatch, edges)):
            raise MalformedFile(
                f"{file.name}, line {number}: it is not an image, a comma, and class and box: {text[:80]!r}.",
                "A box is four whole numbers behind its class.",
            )
        rows.append((image, list(dict.fromkeys(parts[::5]))))
    table = pl.DataFrame(rows, schema={"item_id": pl.String, "label": pl.List(pl.String)}, orient="row")
    return table if (table["label"].list.len() > 1).any() else table.with_columns(pl.col("label").list.first())
