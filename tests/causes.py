"""Why tests failed: each reason once, with how many tests it took."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

# So many lines of a reason, and so many reasons.
LINES, REASONS = 9, 5
# Of an error's name.
_MODULE = re.compile(r"^(\w+\.)+(?=\w+: )")
# What says nothing more: a rule, and the condition below its own message.
_NOISE = re.compile(r"\*+$|assert\b")
# What differs between tests that fail for one reason.
_VARYING = re.compile(r"on (polars|duckdb|spark)\b|\b[0-9]+ of [0-9]+\b|0x[0-9a-f]+|\([^()]*\)|@[0-9]+")


def told(crash: Any) -> str:
    """What pytest says of a failure, with its line where an oracle failed."""
    path = crash.path.replace("\\", "/")
    oracle = path[path.rindex("tests/oracles/") :] if "tests/oracles/" in path else ""
    return f"{crash.message}\n{oracle}:{crash.lineno}" if oracle else str(crash.message)


def causes(messages: Iterable[str]) -> list[str]:
    """The lines to print, the reason of most tests first."""
    first: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    for message in messages:
        begin, *rest = [line.rstrip() for line in message.splitlines() if line.strip()] or ["no message"]
        lines = [begin, *(line for line in rest if not _NOISE.match(line.strip()))][:LINES]
        lines[0] = _MODULE.sub("", lines[0])
        key = _VARYING.sub("", lines[0])
        first.setdefault(key, lines)
        counts[key] += 1
    out: list[str] = []
    for key, n in counts.most_common(REASONS):
        begin, *rest = first[key]
        out += [f"{n} × {begin}", *(f"    {line}" for line in rest)]
    more = len(counts) - REASONS
    return [*out, f"and {more} other reasons, above"] if more > 0 else out
