"""Every input that is kept holds its fuzzer's property, among them those that once broke it."""

from __future__ import annotations

import pytest

from tests.fuzzing import readers
from tests.fuzzing.fuzzers import FUZZERS, SEEDS, fuzzer, seeds, words
from tests.fuzzing.properties import Fault, attempted, chosen, legible, lines, same

CASES = [(name, seed) for name in FUZZERS for seed in seeds(name)]


@pytest.mark.parametrize("name, seed", CASES, ids=["-".join(case) for case in CASES])
def test_a_seed(name: str, seed: str) -> None:
    fuzzer(name)(seeds(name)[seed])


def test_there_are_seeds_of_each() -> None:
    assert {path.name for path in SEEDS.iterdir()} == {*FUZZERS}
    assert all(len(seeds(name)) > 5 and len(words(name)) > 5 for name in FUZZERS)


def test_every_reader_has_a_seed() -> None:
    first = {content.partition(b"\n")[0].partition(b".")[0].decode() for content in seeds("readers").values()}
    assert first >= {*readers.READERS} - {"ann_benchmarks"}  # HDF5


def test_faults_are_seen() -> None:
    with pytest.raises(Fault, match="a message has"):
        legible("a\x1b[31mb")
    with pytest.raises(Fault, match="both"):
        same(1, 2, "both")
    with pytest.raises(Fault, match="another package"):
        attempted(lambda: __import__("warnings").warn("x", stacklevel=1))
    with pytest.raises(KeyError):
        attempted(lambda: {}["x"])
    assert attempted(lambda: 7) == (7, "")
    assert lines(b"a\\nb\nc\xff") == ["a\nb", "c"]
    assert {chosen(str(n), {"a": 1, "b": 2}) for n in range(20)} == {1, 2}
    assert chosen("b", {"a": 1, "b": 2}) == 2
