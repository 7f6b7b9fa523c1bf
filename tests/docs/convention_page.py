"""The page of conventions, `docs/conventions.md`, made from the policies of all families."""

from __future__ import annotations

import inspect

from ireval_frames.catalog.listing import policies
from ireval_frames.conventions.rankings import POLICIES
from tests.docs.markdown import escaped

# What presets that are the defaults take of their tools.
DEFAULTS = {"trec_eval-10": "the defaults, as `trec_eval -c` has them; without `-c` it is `missing=skip`"}

INTRODUCTION = """\
# Conventions

Tools differ in how they treat ties, items that are missing, and ratios without a denominator, and their numbers differ
with that.
Here each convention has a name, and is set for a subject, for one call, or with `--policy` on the command line.

```python
import ireval_frames as ir

qrels, run = ir.examples.ranking()
ir.evaluate(qrels, run, "AP", policy=ir.ranking.RankingPolicy(ties="doc_id", missing="skip", precision=32))
ir.evaluate(qrels, run, "AP", policy={"ties": "doc_id", "depth": 1000})
ir.evaluate(qrels, run, "AP", policy="trec_eval-9,missing=skip")
```

In Python numbers are numbers and `None` is `None`; where a policy is text they are written `0` and `null`.
A preset comes first in the text, and fields change it.
`ev.explain()` says which conventions are in force, `ir.policies()` is this page as a frame.

One word means one thing in all families:

| value | what becomes of the items, queries or ratios |
|---|---|
| `skip` | they are left out |
| `error` | they are refused, with the number of them |
| `zero` | they count zero |
| `null` | they are undefined: left out of averages, and counted in `n_undefined` |
| `empty` | they have the empty set of labels |
| `singleton` | each is a class or cluster of its own |
| `replab` | they have no relations, as in RepLab 2013 |

and so do the fields that several families have: `missing` is what one side lacks, `unlabelled` is what has no gold
class, `undefined` is a ratio without a denominator, `noise` is the cluster that holds what is in no cluster.
The default stands first, in bold; `N` is a whole number.
"""


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    table = policies()
    for family, kind in POLICIES.items():
        lines += [
            f"## {family}: `ir.{family}.{kind.__name__}`", "",
            (inspect.getdoc(kind) or "").split("\n", maxsplit=1)[0], "",
            "| field | value | what it means | source |", "|---|---|---|---|",
        ]  # fmt: skip
        of = table.filter(family=family)
        for row in of.iter_rows(named=True):
            first = row["default"]
            field, value = (f"`{row['field']}`", f"**`{row['value']}`**") if first else ("", f"`{row['value']}`")
            lines.append(f"| {field} | {value} | {escaped(row['sentence'])} | {escaped(row['source'])} |")
        lines.append("")
        for preset in kind.presets:
            held = of.explode("presets").filter(presets=preset, default=False)
            fields = ", ".join(f"`{field}={value}`" for field, value in held.select("field", "value").rows())
            lines += [f"Preset `{preset}`: {fields or DEFAULTS.get(preset, 'the defaults')}.", ""]
    return "\n".join(lines).rstrip() + "\n"
