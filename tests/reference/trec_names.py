"""Which of trec_eval's figures the catalog has, at which relevance level."""

from __future__ import annotations

from ireval_frames import catalog
from ireval_frames.catalog import parse
from ireval_frames.declaration import Measure
from ireval_frames.errors import IrevalError

# Not numbers of a query: the run's name, and the grades of the first documents as text.
NOT_HERE = ("runid", "relstring")
# trec_eval's relevance level (-l) does not reach these. num_rel is in this list for the programme with -c only.
GRADED = ("ndcg", "ndcg_cut", "rbp", "dcg", "num_q", "num_ret", "G", "ndcg_rel", "unj", "rbp_resid")


def measure_of(name: str, level: int = 1) -> Measure | None:
    """The measure that trec_eval prints under this name with -l `level`; None for what is not a number."""
    try:
        parsed = parse(name)
    except IrevalError:
        assert name.rpartition("_")[0] in NOT_HERE or name in NOT_HERE, f"{name} does not parse"
        return None
    graded = name in GRADED or name.rpartition("_")[0] in GRADED
    if level == 1 or graded or "rel" not in parsed.definition.parameters:
        return parsed
    return parsed(rel=level)


def printed(text: str) -> list[str]:
    """The measures whose figures stand in an output; of names that begin a printed one, the longest."""
    known = {d.name: d.name for d in catalog.definitions("ranking")}
    known |= {name: definition.name for name, (definition, _) in catalog.trec_names().items()}
    names = sorted({line.split()[0] for line in text.splitlines() if line.strip()})
    fitting = [[n for n in known if name == n or name.startswith((f"{n}_", f"{n}."))] for name in names]
    return list(dict.fromkeys(known[max(of, key=len)] for of in fitting if of))
