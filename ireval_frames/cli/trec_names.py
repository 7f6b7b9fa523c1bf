"""What `-m` of trec_eval asks for: names, parameters, and the names that are printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ireval_frames import catalog
from ireval_frames.cli import trec_exact
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.measure import Definition, Measure, TrecName

# trec_eval computes and prints its measures in this order, whatever the order of the options.
ORDER = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P",
    "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "dcg", "ideal_dcg", "ndcg", "ndcg_rel",
    "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    "num_nonrel_judged_ret", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp", "prefs_pair",
    "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret", "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "yaap", "rbp", "rbp_resid", "unj",
)  # fmt: skip
OFFICIAL = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
NICKNAMES = ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")


@dataclass(frozen=True)
class Printed:
    """A value to print: its name, the measures it is made of (none for the run's id), and how."""

    name: str
    parts: tuple[Measure, ...] = ()
    combine: Callable[..., float] | None = None
    whole: bool = False
    summary_only: bool = False


def asked(options: Sequence[str], rel: int) -> list[Printed]:
    """What the `-m` options ask for, in the order of printing.

    Args:
        options: the texts after `-m`; none asks for `official`.
        rel: the lowest grade that counts as relevant, for the measures that have a threshold.

    Raises:
        UnknownName: trec_eval has no such measure, or the catalog lacks it.
        InvalidParameter: a parameter that cannot be read.
    """
    wanted: set[str] = set()
    parameters: dict[str, str] = {}
    for option in options or ("official",):
        name, dot, text = option.partition(".")
        if dot and not text:
            raise InvalidParameter(f"-m {option}: parameters are missing after the dot.", f"Write -m {name}, or -m {name}.5,10")
        if dot:
            # Of several parameter lists for one name the first counts.
            parameters.setdefault(name, text)
        wanted |= set(_names(name))
    return [p for name in ORDER if name in wanted for p in _printed(name, parameters.get(name), rel)]


def _names(name: str) -> tuple[str, ...]:
    if name == "official":
        return OFFICIAL
    known = ("runid", *catalog.trec_names())
    if name in NICKNAMES or (name in ORDER and name not in known):
        raise UnknownName(f"trec_eval's measure {name!r} is not available yet.", f"There are: {_listed()}.")
    if name not in ORDER:
        raise UnknownName(f"trec_eval has no measure {name!r}.", nearest(name, known) or f"There are: {_listed()}.")
    return (name,)


def _listed() -> str:
    known = ("runid", *catalog.trec_names())
    return ", ".join(("official", *(n for n in ORDER if n in known)))


def _printed(name: str, text: str | None, rel: int) -> list[Printed]:
    if name == "runid":
        return [Printed(name, summary_only=True)]
    definition, trec = catalog.trec_names()[name]
    threshold = "rel" in definition.parameters and definition.parameters["rel"].default is not None
    fixed = {**trec.fixed, **({"rel": rel} if threshold else {})}
    if trec.parameter:
        read = _whole if trec.parameter == "cutoff" else _number
        values = trec.defaults if text is None else _cutoffs(name, text, read)
        return [_with_parameter(definition, trec, fixed, v) for v in values]
    if name == "11pt_avg":
        return [Printed(_named(name, text), *trec_exact.interpolated_average(_recalls(name, text), rel))]
    if name == "set_F":
        return [Printed(_named(name, text), *trec_exact.set_f(_square(name, text), rel))]
    if text is not None and name in _PAIRS:
        fixed |= _PAIRS[name](name, text)
        name = _named(name, text)
    summary_only = name == "num_q" or "aggregation" in fixed
    return [Printed(name, (Measure.of(definition, fixed),), whole=trec.whole, summary_only=summary_only)]


def _with_parameter(definition: Definition, trec: TrecName, fixed: dict[str, Any], value: float) -> Printed:
    if trec.name == "P":
        return Printed(suffixed(trec, value), *trec_exact.precision(int(value), fixed["rel"]))
    return Printed(suffixed(trec, value), (Measure.of(definition, {**fixed, trec.parameter: trec.convert(value)}),))


def _named(name: str, text: str | None) -> str:
    return name if text is None else f"{name}_{text}"


def suffixed(trec: TrecName, value: float) -> str:
    """The name with a parameter, as trec_eval prints it."""
    return f"{trec.name}_{value:d}" if isinstance(value, int) else trec.pattern.format(name=trec.name, value=value)


def written(measure: Measure) -> str:
    """The name trec_eval has for a measure; its own where trec_eval has none."""
    values: dict[str, Any] = dict(measure.values)
    if measure.aggregation != measure.definition.aggregation:
        values["aggregation"] = measure.aggregation
    for trec in measure.definition.trec:
        rest = {k: v for k, v in values.items() if k not in trec.fixed}
        if _kept(measure.definition, trec) != {k: values[k] for k in trec.fixed if k in values}:
            continue
        if not trec.parameter and not rest:
            return trec.name
        if trec.parameter and set(rest) == {trec.parameter}:
            return suffixed(trec, rest[trec.parameter])
    return str(measure)


def _kept(definition: Definition, trec: TrecName) -> dict[str, Any]:
    measure = Measure.of(definition, trec.fixed)
    out: dict[str, Any] = dict(measure.values)
    return out | ({"aggregation": measure.aggregation} if "aggregation" in trec.fixed else {})


def _cutoffs(name: str, text: str, read: Callable[[str, str], float]) -> list[float]:
    values = sorted(read(name, part) for part in text.split(","))
    if len(set(values)) < len(values):
        raise InvalidParameter(f"-m {name}.{text}: a cutoff stands there twice.", "Name each once.")
    return values


def _whole(name: str, text: str) -> int:
    """The digits a text begins with, as C reads it: 23.4 is 23."""
    found = re.match(r"\s*\+?([0-9]+)", text)
    if not found or not int(found[1]):
        raise InvalidParameter(f"-m {name}: {text!r} is no cutoff of at least 1.", f"Write -m {name}.5,10")
    return int(found[1])


def _number(name: str, text: str) -> float:
    found = re.match(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text)
    if not found:
        raise InvalidParameter(f"-m {name}: {text!r} is no number.", f"Write -m {name}.0.1,0.5")
    return float(found[0])


def _recalls(name: str, text: str | None) -> tuple[float, ...]:
    if text is None:
        return tuple(i / 10 for i in range(11))
    levels = [_number(name, part) for part in text.split(",")]
    if levels != sorted(levels):
        raise InvalidParameter(f"-m {name}.{text}: recall levels must ascend.", f"Write -m {name}.{','.join(f'{v:g}' for v in sorted(levels))}")
    return tuple(levels)


def _square(name: str, text: str | None) -> float:
    square = 1.0 if text is None else _number(name, text.split(",")[0])
    if square < 0:
        raise InvalidParameter(f"-m {name}.{text}: the weight of recall is negative.", f"Write -m {name}.0.5")
    return square


def _pairs(name: str, text: str) -> dict[str, float]:
    pairs: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals or key in pairs:
            raise InvalidParameter(f"-m {name}.{text}: name=value pairs, each name once, must stand after the dot.", f"Write -m {name}.1=3,2=9")
        pairs[key] = _number(name, value)
    return pairs


def _gains(name: str, text: str) -> dict[str, Any]:
    pairs = _pairs(name, text)
    if not all(re.fullmatch(r"\+?[0-9]+", key) for key in pairs):
        raise InvalidParameter(f"-m {name}.{text}: gains are set for grades of 0 or more.", f"Write -m {name}.1=3,2=9")
    return {"gains": {float(k): v for k, v in pairs.items()}}


def _persistence(name: str, text: str) -> dict[str, Any]:
    pairs = _pairs(name, text)
    if set(pairs) != {"p"}:
        raise InvalidParameter(f"-m {name}.{text}: gains of {name} cannot be set yet, p can.", f"Write -m {name}.p=0.8")
    return pairs


_PAIRS: dict[str, Callable[[str, str], dict[str, Any]]] = {"ndcg": _gains, "dcg": _gains, "rbp": _persistence}
