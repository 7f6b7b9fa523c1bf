"""The measures of trec_eval's `-m`: names, nicknames, and printed names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ireval_frames import catalog
from ireval_frames.declaration import Definition, Measure, TrecName
from ireval_frames.errors import InvalidParameter, UnknownName, nearest
from ireval_frames.ranking.measures.sets import NumRet
from ireval_frames.trec_eval import exact as trec_exact
from ireval_frames.trec_eval import parameters as trec_parameters

# trec_eval computes and prints its measures in this order, whatever the order of the options.
ORDER = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank",
    "iprec_at_recall", "P",
    "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "binG", "G", "dcg", "ideal_dcg",
    "ndcg", "ndcg_rel",
    "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map",
    "set_F",
    "num_nonrel_judged_ret", "prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret", "prefs_simp",
    "prefs_pair",
    "prefs_avgjg", "prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "yaap", "rbp",
    "rbp_resid", "unj",
    "ndcg_p",
)  # fmt: skip
# Version 9 has the same order without these; its nicknames leave them out.
SINCE_10 = ("dcg", "ideal_dcg", "rbp", "rbp_resid", "unj")
JUDGMENTS = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
_OFFICIAL = (
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
)
_PREFS = tuple(n for n in ORDER if n.startswith("prefs_"))
_BY_NAME_ONLY = ("yaap", "dcg", "ideal_dcg", "ndcg_p", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg", *_PREFS)
NICKNAMES = {
    "official": _OFFICIAL,
    "set": (
        "runid",
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "utility",
        "set_P",
        "set_recall",
        "set_relative_P",
        "set_map",
        "set_F",
    ),
    "all_trec": tuple(n for n in ORDER if n not in _BY_NAME_ONLY),
    "all_prefs": ("runid", "num_q", *_PREFS),
    "prefs": ("runid", "num_q", *_PREFS[:6]),
    "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
}


@dataclass(frozen=True)
class Printed:
    """A value to print.

    Args:
        name: its name.
        parts: the measures it is computed from; none for the run's id.
        combine: computes the value from those of the parts; None for a single part.
        integer: it is an integer.
        shown: in every query's lines, in the summary, or in both.
        length: the number of documents of a string; its packed grades are further parts, which depend on the lists.
        loop: computes it as trec_eval does, where the last printed digit depends on the last bit.
    """

    name: str
    parts: tuple[Measure, ...] = ()
    combine: Callable[..., float | str] | None = None
    integer: bool = False
    shown: Literal["query", "all", "both"] = "both"
    length: int | None = None
    loop: trec_exact.Loop | None = None


@dataclass(frozen=True)
class Conventions:
    """The options that measures depend on: the level of -l, the size of -N, the version, and the format of -R."""

    rel: int = 1
    n_docs: int = 0
    version: str = "10"
    judgments: str = "qrels"


def parse_measures(options: Sequence[str]) -> tuple[set[str], dict[str, str]]:
    """The names of `-m` options, and the text of their parameters; by default `official`.

    Raises:
        UnknownName: there is no such measure.
        InvalidParameter: the parameters after the dot are missing.
    """
    names: set[str] = set()
    parameters: dict[str, str] = {}
    for option in options or ("official",):
        name, dot, text = option.partition(".")
        if name not in NICKNAMES and name not in ORDER:
            raise UnknownName(f"trec_eval has no measure {name!r}.", nearest(name, (*ORDER, *NICKNAMES)))
        if dot and not text:
            raise InvalidParameter(
                f"-m {option}: parameters are missing after the dot.", f"Write -m {name}, or -m {name}.5,10"
            )
        if dot:
            # The first of several parameter lists for one name counts.
            parameters.setdefault(name, text)
        names.add(name)
    return names, parameters


def printed(requested: set[str], parameters: dict[str, str], conventions: Conventions) -> list[Printed]:
    """What to print, in the order of printing.

    Raises:
        InvalidParameter: a parameter that cannot be read.
        NotCalculable: a measure needs other judgments.
    """
    old = conventions.version == "9"
    names = {n for w in requested for n in NICKNAMES.get(w, (w,)) if w == n or not (old and n in SINCE_10)}
    return [p for name in ORDER if name in names for p in _printed(name, parameters.get(name), conventions)]


def _printed(name: str, text: str | None, conventions: Conventions) -> list[Printed]:
    if name == "runid":
        return [Printed(name, shown="all")]
    allowed = _judgments_for(name)
    if conventions.judgments not in allowed:
        raise trec_parameters.NotCalculable(
            f"{name} needs other judgments than -R {conventions.judgments}.", f"Write -R {allowed[0]}"
        )
    if name == "relstring":
        return [_relstring(name, text)]
    definition, trec = catalog.trec_names()[name]
    definition = trec_exact.LOOPED.get(name, definition)
    fixed = {**trec.fixed, **({"rel": conventions.rel} if _has_level(definition) else {})}
    if name == "num_q" and conventions.judgments != "qrels":
        fixed |= {"assessors": "max"}
    if trec.parameter:
        read: Callable[[str, str], Sequence[float]] = (
            trec_parameters.cutoffs if trec.parameter == "cutoff" else _levels(trec.parameter)
        )
        return [
            _with_parameter(definition, trec, fixed, v) for v in (trec.defaults if text is None else read(name, text))
        ]
    full = name if text is None else f"{name}_{text}"
    if name == "11pt_avg":
        levels = trec_exact.ELEVEN if text is None else trec_parameters.recalls(name, text)
        return [Printed(full, *trec_exact.interpolated_average(levels, conventions.rel))]
    if name == "set_F":
        return [
            Printed(
                full, *trec_exact.set_f(1.0 if text is None else trec_parameters.square(name, text), conventions.rel)
            )
        ]
    if name == "utility":
        fixed |= {"n_docs": conventions.n_docs} | (trec_parameters.utilities(name, text) if text else {})
    elif name in _PAIRS:
        fixed |= _PAIRS[name](name, text) if text else {}
    else:
        full = name
    measure = Measure.of(
        definition, {k: v for k, v in fixed.items() if k in definition.parameters or k == "aggregation"}
    )
    loop = trec_exact.LOOPS[name](measure.arguments()) if name in trec_exact.LOOPS else None
    only_all = name == "num_q" or "aggregation" in fixed
    return [Printed(full, (measure,), integer=trec.whole, shown="all" if only_all else "both", loop=loop)]


def _judgments_for(name: str) -> tuple[str, ...]:
    """The values of -R that a measure allows."""
    if name.startswith("prefs_"):
        return "prefs", "qrels_prefs"
    if name == "num_q":
        return JUDGMENTS
    return ("qrels_jg",) if name.endswith("_avgjg") else ("qrels",)


def _has_level(definition: Definition) -> bool:
    return "rel" in definition.parameters and definition.parameters["rel"].default is not None


def _with_parameter(definition: Definition, trec: TrecName, fixed: dict[str, Any], value: float) -> Printed:
    measure = Measure.of(definition, {**fixed, trec.parameter: trec.convert(value)})
    # The length of trec_eval's buffer for such names.
    name = printed_name(trec, value)[: len(trec.name) + 9] if isinstance(value, float) else printed_name(trec, value)
    return Printed(name, (measure,))


def _relstring(name: str, text: str | None) -> Printed:
    length = 10 if text is None else max(0, int(trec_parameters.first(name, text)))
    return Printed(name if text is None else f"{name}_{text}", (NumRet,), shown="query", length=length)


def _levels(parameter: str) -> Callable[[str, str], Sequence[float]]:
    def read(name: str, text: str) -> list[float]:
        values = trec_parameters.levels(name, text)
        if parameter == "recall" and values[-1] > 1:
            raise InvalidParameter(
                f"-m {name}.{text}: {values[-1]:g} is not a recall level.", f"Write -m {name}.0,0.5,1"
            )
        return values

    return read


def printed_name(trec: TrecName, value: float) -> str:
    """The name with a parameter, as trec_eval prints it."""
    return f"{trec.name}_{value:d}" if isinstance(value, int) else trec.pattern.format(name=trec.name, value=value)


def trec_name_of(measure: Measure) -> str:
    """trec_eval's name of a measure; the measure's own if trec_eval does not have it."""
    values: dict[str, Any] = dict(measure.values)
    if measure.aggregation != measure.definition.aggregation:
        values["aggregation"] = measure.aggregation
    for trec in measure.definition.trec:
        rest = {k: v for k, v in values.items() if k not in trec.fixed}
        if _fixed_values(measure.definition, trec) != {k: values[k] for k in trec.fixed if k in values}:
            continue
        if not trec.parameter and not rest:
            return trec.name
        if trec.parameter and set(rest) == {trec.parameter}:
            return printed_name(trec, rest[trec.parameter])
    return str(measure)


def _fixed_values(definition: Definition, trec: TrecName) -> dict[str, Any]:
    measure = Measure.of(definition, trec.fixed)
    out: dict[str, Any] = dict(measure.values)
    return out | ({"aggregation": measure.aggregation} if "aggregation" in trec.fixed else {})


_PAIRS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    **dict.fromkeys(("ndcg", "dcg", "ideal_dcg", "ndcg_rel", "Rndcg", "G", "ndcg_p"), trec_parameters.gains),
    **dict.fromkeys(("rbp", "rbp_resid"), trec_parameters.persistence),
}
