"""Texts that users write: measures of each family, policies, rules of gates, metrics of experiments, trec_eval's names.

The first line says which; what is read is written and read again as the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable

from ireval_frames import catalog
from ireval_frames.catalog.registry import FAMILIES
from ireval_frames.conventions.base import Conventions, written
from ireval_frames.conventions.rankings import POLICIES
from ireval_frames.declaration import Measure
from ireval_frames.experiments.parsing import metrics_of
from ireval_frames.gating.rules import parse_rules
from ireval_frames.trec_eval import names as trec_eval
from tests.fuzzing.properties import attempted, chosen, same


def fuzz(data: bytes) -> None:
    """Read the text as what the first line says."""
    first, _, text = data.decode("utf-8", "ignore").partition("\n")
    chosen(first, GRAMMARS)(text)


def _measures(family: str) -> Callable[[str], None]:
    def read(text: str) -> None:
        measures, _ = attempted(lambda: catalog.parse_all(text, family))
        for measure in measures or []:
            same(catalog.parse(str(measure), family), measure, "a measure that is written and read")
            same(Measure.from_dict(measure.to_dict()), measure, "a measure as a mapping")
            same(pickle.loads(pickle.dumps(measure)), measure, "a measure that is pickled")
        if measures:
            same(catalog.parse_all(", ".join(map(str, measures)), family), measures, "several measures")

    return read


def _policy(of: type[Conventions]) -> Callable[[str], None]:
    def read(text: str) -> None:
        policy, _ = attempted(lambda: of.of(text))
        if policy is not None:
            text = ",".join(f"{field}={written(value)}" for field, value, *_ in policy.described())
            same(of.of(text), policy, "a policy that is written and read")

    return read


def _rules(text: str) -> None:
    rules, _ = attempted(lambda: parse_rules(text))
    if rules is not None:
        same(parse_rules("; ".join(map(str, rules))), rules, "rules that are written and read")


def _metrics(text: str) -> None:
    metrics, _ = attempted(lambda: metrics_of(text))
    if metrics is not None:
        same(metrics_of(" ".join(map(str, metrics))), metrics, "metrics that are written and read")


def _trec_eval(text: str) -> None:
    attempted(lambda: trec_eval.printed(*trec_eval.parse_measures(text.split("\n")), trec_eval.Conventions()))


GRAMMARS: dict[str, Callable[[str], None]] = {
    **{family: _measures(family) for family in FAMILIES},
    **{f"policy of {family}": _policy(of) for family, of in POLICIES.items()},
    "rules": _rules,
    "metrics": _metrics,
    "trec_eval": _trec_eval,
}
