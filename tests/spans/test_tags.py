"""Tags of every scheme as spans: all short sequences and longer random ones, against the loop that opens and closes."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given, settings, strategies

from ireval_frames.errors import InvalidParameter, UnknownName
from ireval_frames.spans.tags import (
    REPAIRS,
    SCHEMES,
    Reading,
    accepted,
    as_written,
    not_of_scheme,
    placed,
    reading,
    runs_of_tags,
)
from tests.oracles.tags import spans_of_tags
from tests.planner.engines import ENGINES, EVERY, Opened

engines = pytest.mark.parametrize("engine", ENGINES)
Spans = dict[int, list[tuple[int, int, str]]]


def sequences(letters: str) -> list[tuple[str, ...]]:
    """All of two tags, and some of eight."""
    rng = random.Random(letters)
    tags = ["O", *(f"{letter}-{kind}" for letter in letters for kind in ("P", "Q-R")), letters[-1]]
    longer = [tuple(rng.choice(tags) for _ in range(8)) for _ in range(150)]
    return [*itertools.product(tags, repeat=2), *longer]


def table(tagged: list[tuple[str, ...]]) -> pl.DataFrame:
    rows = [(doc, at, tag) for doc, tags in enumerate(tagged) for at, tag in enumerate(tags)]
    return pl.DataFrame(rows, schema=["doc", "position", "tag"], orient="row")


def runs(opened: Opened, frame: pl.DataFrame, how: Reading) -> pl.DataFrame:
    tokens = placed(opened.engine, opened.frame(frame), ["doc"], "position", {})
    of_tags = runs_of_tags(opened.engine, tokens, ["doc"], "position", "tag", how)
    return opened.collect(of_tags.with_columns(accepted=accepted(how), written=as_written()))


def by_sequence(frame: pl.DataFrame) -> Spans:
    out: Spans = defaultdict(list)
    for doc, start, end, kind in frame.select("doc", "start", "end", "type").sort("doc", "start").rows():
        out[doc].append((start, end, kind))
    return dict(out)


@engines
@pytest.mark.parametrize("scheme", SCHEMES)
def test_equal_to_a_loop(engine: str, scheme: str) -> None:
    tagged = sequences(SCHEMES[scheme].letters)
    frame = table(tagged).sample(fraction=1.0, shuffle=True, seed=1)
    for repair in ("conll", "strict", "begin"):
        out = runs(Opened(engine), frame, reading(scheme, repair, None))
        expected = [spans_of_tags(tags, scheme, repair) for tags in tagged]
        assert by_sequence(out.filter("accepted")) == {doc: spans for doc, (spans, *_) in enumerate(expected) if spans}
        made = out.filter(pl.col("accepted") & ~pl.col("written")).height
        dropped = out.filter(~pl.col("accepted")).height
        assert (made, dropped) == (sum(m for _, m, _ in expected), sum(d for *_, d in expected))


@pytest.mark.parametrize("engine", EVERY)
def test_the_scorer_of_conll_joins_ends_and_beginnings(engine: str) -> None:
    tagged = sequences("IBE")
    out = runs(Opened(engine), table(tagged), reading(None, None, "conlleval"))
    expected = {doc: spans_of_tags(tags, "IOB2", joins_e_and_b=True)[0] for doc, tags in enumerate(tagged)}
    assert by_sequence(out) == {doc: spans for doc, spans in expected.items() if spans}


@engines
def test_tags_of_another_scheme(engine: str) -> None:
    tags = ["O", "B", "B-PER", "I-A-B", "S-PER", "B_PER", "b-PER", "BPER", "B-", "OO", "O-PER", "", " B-PER"]
    opened = Opened(engine)
    bad = opened.frame(pl.DataFrame({"tag": tags})).filter(not_of_scheme("tag", reading("IOB2", None, None)))
    assert sorted(opened.collect(bad)["tag"]) == sorted(tags[4:])


def written(spans: list[tuple[int, str]], scheme: str) -> list[str]:
    """Spans of these lengths and types, one after another, as the scheme writes them; those of type O are outside."""
    tags = []
    for number, (length, kind) in enumerate(spans):
        before = spans[number - 1][1] if number else "O"
        after = spans[number + 1][1] if number + 1 < len(spans) else "O"
        letters = {
            "IOB1": ("B" if before == kind else "I") + "I" * (length - 1),
            "IOB2": "B" + "I" * (length - 1),
            "IOE1": "I" * (length - 1) + ("E" if after == kind else "I"),
            "IOE2": "I" * (length - 1) + "E",
            "IOBES": "S" if length == 1 else "B" + "I" * (length - 2) + "E",
            "BILOU": "U" if length == 1 else "B" + "I" * (length - 2) + "L",
        }[scheme]
        tags += ["O"] * length if kind == "O" else [f"{letter}-{kind}" for letter in letters]
    return tags


SEQUENCES = strategies.lists(
    strategies.lists(
        strategies.tuples(strategies.integers(1, 4), strategies.sampled_from("OPQ")), min_size=1, max_size=6
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=10, deadline=None)
@given(SEQUENCES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_a_scheme_writes_is_read_as_it_was(scheme: str, sequences: list[list[tuple[int, str]]]) -> None:
    """Whatever the repair; there is nothing to repair."""
    expected: Spans = {}
    for number, spans in enumerate(sequences):
        start = 0
        for length, kind in spans:
            if kind != "O":
                expected.setdefault(number, []).append((start, start + length, kind))
            start += length
    frame = table([tuple(written(spans, scheme)) for spans in sequences])
    for repair in ("conll", "strict", "begin"):
        out = runs(Opened("polars"), frame, reading(scheme, repair, None))
        assert out["written"].all()
        assert by_sequence(out.filter("accepted")) == expected


def test_readings() -> None:
    """A convention has a repair of its own, and knows some letters."""
    assert reading("IOB2", "strict", None) == reading("IOB2", None, "seqeval-strict")
    assert reading(None, None, None) == reading("IOB2", "conll", None)
    assert [reading("BILOU", repair, None).repair for repair in REPAIRS] == list(REPAIRS)
    with pytest.raises(UnknownName, match=r"There is no scheme of tags 'IOBS'.(?s:.*)IOBES"):
        reading("IOBS", None, None)
    with pytest.raises(UnknownName, match="There is no repair of tags 'drop'"):
        reading("IOB1", "drop", None)
    with pytest.raises(UnknownName, match=r"There is no convention of tags 'seqval'(?s:.*)seqeval"):
        reading("IOB1", None, "seqval")
    with pytest.raises(InvalidParameter, match="convention='seqeval' reads tags with repair='conll', and repair= is"):
        reading("IOB1", "strict", "seqeval")
    assert [reading(name, None, None).scheme.name for name in ("BIO", "BIOES", "BILUO")] == ["IOB2", "IOBES", "BILOU"]
    with pytest.raises(InvalidParameter, match=r"does not know the letter L of BILOU.\n.* out: scheme=.BILOU"):
        reading("BILOU", None, "seqeval")
