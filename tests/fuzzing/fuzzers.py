"""The fuzzers by name, and their seeds: inputs that are kept, each a file with a name that says what it is.

A fuzzer is a function of bytes that returns if its property holds, and raises if not.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

FUZZERS = ("readers", "grammar", "names", "stores", "macros", "commands")
SEEDS = Path(__file__).parent / "seeds"


def fuzzer(name: str) -> Callable[[bytes], None]:
    """The function of that name."""
    out: Callable[[bytes], None] = importlib.import_module(f"tests.fuzzing.{name}").fuzz
    return out


def seeds(name: str) -> dict[str, bytes]:
    """The inputs that are kept of a fuzzer, by their names."""
    return {path.name: path.read_bytes() for path in sorted((SEEDS / name).iterdir())}


def beginnings(name: str) -> dict[str, bytes]:
    """The inputs that a search begins with: the seeds, and what the fuzzer takes from elsewhere."""
    examples = getattr(importlib.import_module(f"tests.fuzzing.{name}"), "examples", dict)
    return {**seeds(name), **dict(examples())}


def words(name: str) -> list[str]:
    """Words that inputs of a fuzzer are made of: those of its seeds."""
    texts = (content.decode("utf-8", "ignore") for content in beginnings(name).values() if len(content) < 4000)
    return sorted({word for text in texts for word in text.split() if word.isascii() and 1 < len(word) < 24})
