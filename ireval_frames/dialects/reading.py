"""How tables are read: text in the order of its bytes, and zeros without a sign, where a database needs to be told."""

from __future__ import annotations

from sqlglot import exp

from ireval_frames.dialects.columns import table_name
from ireval_frames.dialects.dialect import Dialect, double
from ireval_frames.dialects.known import Known, Sources
from ireval_frames.engines.quoting import is_plain


def read_tables(tree: exp.Expr, dialect: Dialect, sources: Sources) -> None:
    """Put a SELECT around each table whose columns are read otherwise; what comes of them needs no more words."""
    stages = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        name = table_name(table)
        columns = {} if name in stages else sources.get(name, {})
        items = [_item(c, known, dialect) for c, known in columns.items()]
        if not any(isinstance(item, exp.Alias) for item in items):
            continue
        bare = exp.Table(**{k: v for k, v in table.args.items() if k != "alias"})
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier("given"))
        table.replace(exp.Subquery(this=exp.select(*items, copy=False).from_(bare), alias=alias))


def column(name: str, table: str = "") -> exp.Column:
    """A column by its name, quoted where it must be."""
    return exp.Column(
        this=exp.Identifier(this=name, quoted=not is_plain(name)), table=exp.to_identifier(table) if table else None
    )


def _item(name: str, known: Known, dialect: Dialect) -> exp.Expr:
    """A column as it is read."""
    one = column(name)
    if dialect.collated is not None and (known.kind == "text" or (known.of is not None and known.of.kind == "text")):
        return exp.alias_(dialect.collated(one, known.of is not None), one.this.copy())
    if dialect.signed_zeros and known.kind == "double":
        return exp.alias_(exp.Add(this=one, expression=double(0.0)), one.this.copy())
    return one
