"""The names that trec_eval has for measures: `map`, `ndcg_cut_10`, and `ndcg_cut` for all its cutoffs."""

from __future__ import annotations

from collections.abc import Mapping

from ireval_frames.declaration import Definition, Measure, TrecName

Names = Mapping[str, tuple[Definition, TrecName]]


def all_of(text: str, names: Names) -> list[Measure]:
    """All the default suffixes of a bare name; none where it is no name, or takes no suffix."""
    if text not in names:
        return []
    definition, trec = names[text]
    return (
        [Measure.of(definition, {**trec.fixed, trec.parameter: trec.convert(v)}) for v in trec.defaults]
        if trec.parameter
        else []
    )


def one_of(text: str, names: Names) -> Measure | None:
    """`map`, `ndcg_cut_10`, `P.5`, `iprec_at_recall_0.10`: one value each."""
    if "(" in text or "@" in text:
        return None
    if text in names:
        definition, trec = names[text]
        if trec.parameter and trec.defaults:
            return None
        return Measure.of(definition, trec.fixed)
    for separator in ("_", "."):
        for name in sorted(names, key=len, reverse=True):
            definition, trec = names[name]
            if text.startswith(name + separator) and trec.parameter:
                suffix = text[len(name) + 1 :]
                try:
                    value = trec.convert(int(suffix) if suffix.isdigit() else float(suffix))
                except ValueError:
                    continue
                return Measure.of(definition, {**trec.fixed, trec.parameter: value})
    return None
