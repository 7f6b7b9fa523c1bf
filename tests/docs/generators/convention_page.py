"""The page of conventions, `docs/conventions.md`, from the policies of all families."""

from __future__ import annotations

import inspect

from ireval_frames.catalog.listing import policies
from ireval_frames.conventions.rankings import POLICIES
from tests.docs.generators.markdown import escaped

# Presets that are the defaults.
DEFAULTS = {"trec_eval-10": "the defaults, as `trec_eval -c` has them; without `-c` it is `missing=skip`"}

INTRODUCTION = """\
# Conventions

Tools treat ties, missing items and ratios without a denominator differently, so their numbers differ.
Here every convention has a name. Set it for a subject, for a call, or with `--policy` on the command line.

```python
import ireval_frames as ir

qrels, run = ir.examples.ranking()
ir.evaluate(qrels, run, "AP", policy=ir.ranking.RankingPolicy(ties="doc_id", missing="skip", precision=32))
ir.evaluate(qrels, run, "AP", policy={"ties": "doc_id", "depth": 1000})
ir.evaluate(qrels, run, "AP", policy="trec_eval-9,missing=skip")
```

In the text of a policy, numbers are written as `0` and `None` as `null`.
A preset comes first, and fields after it change it.
`ev.explain()` shows the conventions in force; `ir.policies()` is this page as a frame.

Values mean the same in all families:

| value | what happens to the items, queries or ratios |
|---|---|
| `skip` | they are left out |
| `error` | an error reports how many there are |
| `zero` | they count as zero |
| `null` | they are undefined: left out of averages, and counted in `n_undefined` |
| `empty` | they have the empty set of labels |
| `singleton` | each is a class or cluster of its own |
| `replab` | they have no relations, as in RepLab 2013 |

So do fields that several families share: `missing` is about items or queries that one table lacks, `unlabelled` about
items without a gold class, `undefined` about ratios without a denominator, and `noise` about the cluster of items that
are in no cluster.
Defaults come first, in bold; `N` is an integer.
"""


def page() -> str:
    """The text of the page."""
    lines = [INTRODUCTION]
    table = policies()
    for family, cls in POLICIES.items():
        lines += [
            f"## {family}: `ir.{family}.{cls.__name__}`", "",
            (inspect.getdoc(cls) or "").split("\n", maxsplit=1)[0], "",
            "| field | value | what it means | source |", "|---|---|---|---|",
        ]  # fmt: skip
        rows = table.filter(family=family)
        for row in rows.iter_rows(named=True):
            first = row["default"]
            field, value = (f"`{row['field']}`", f"**`{row['value']}`**") if first else ("", f"`{row['value']}`")
            lines.append(f"| {field} | {value} | {escaped(row['sentence'])} | {escaped(row['source'])} |")
        lines.append("")
        for preset in cls.presets:
            values = rows.explode("presets").filter(presets=preset, default=False)
            fields = ", ".join(f"`{field}={value}`" for field, value in values.select("field", "value").rows())
            lines += [f"Preset `{preset}`: {fields or DEFAULTS.get(preset, 'the defaults')}.", ""]
    return "\n".join(lines).rstrip() + "\n"
