"""What a dialect asks of a statement as a whole: names, joins, conditions, what is made once, the order of text."""

from __future__ import annotations

import hashlib
from collections import Counter

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Writer

from ireval_frames.dialects.columns import Columns, table_name
from ireval_frames.dialects.dialect import Dialect, as_number, cast
from ireval_frames.dialects.known import Known, Sources
from ireval_frames.engines.sql_names import identifier
from ireval_frames.errors import NotDefined

# Unquoted, in many databases these are functions.
_FUNCTIONS = frozenset({
    "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_CATALOG", "CURRENT_SCHEMA",
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
})  # fmt: skip


class Shape:
    """A statement's shape, before and after its functions are in the dialect's words."""

    def __init__(self, tree: exp.Expr, dialect: Dialect, sources: Sources, columns: Columns) -> None:
        self.tree, self.dialect, self.sources, self.columns = tree, dialect, sources, columns
        self._doubles: list[exp.Alias] = []
        self._lists: list[tuple[exp.Alias, Known]] = []
        self._conditions: list[exp.Expr] = []

    def before(self) -> None:
        """Look at the statement as DuckDB has it."""
        self._refuse_names()
        if self.dialect.named_joins:
            self._name_joined()
        for select in self.tree.find_all(exp.Select):
            for item in select.expressions:
                if not isinstance(item, exp.Alias):
                    continue
                known = self.columns.of(item.this)
                if self.dialect.exact_literals and known.literal and known.kind == "double":
                    self._doubles.append(item)
                if isinstance(item.this, exp.Explode):
                    self._lists.append((item, known))
                if known.kind == "boolean" and not isinstance(item.this, exp.Column):
                    self._conditions.append(item)
        if not self.dialect.conditions:
            self._conditions += [c for c in self.tree.find_all(exp.Column) if self._is_condition(c)]

    def after(self) -> None:
        """Give it the dialect's shape."""
        for alias in self._doubles:
            alias.set("this", cast(alias.this, "DOUBLE"))
        if not self.dialect.conditions:
            self._write_conditions()
        if self.dialect.unnested is not None:
            for alias, known in self._lists:
                self.dialect.unnested(alias, known)
        self._keep()
        self._collate()
        self._name()

    # ---- names

    def _refuse_names(self) -> None:
        """Names that users see stay as they are.

        Raises:
            NotDefined: the database takes no such name for a column.
        """
        for name in self.columns.outputs:
            size, bad = len(name.encode()), [c for c in self.dialect.refused_in_names if c in name]
            if bad or 0 < self.dialect.longest_name < size:
                why = f"{bad[0]!r} in it" if bad else f"{size} bytes"
                most = "" if bad else f" of more than {self.dialect.longest_name}"
                raise NotDefined(
                    f"The column {name!r} has {why}; {self.dialect.title} takes no such name{most}.",
                    "Leave wide=True out: measures are rows then.",
                )

    def _name(self) -> None:
        """Quote what is a word of the dialect's grammar, and shorten what is too long."""
        keywords = _keywords(self.dialect.writer) | self.dialect.reserved | _FUNCTIONS
        for node in self.tree.find_all(exp.Identifier):
            if not node.args.get("quoted") and node.name.upper() in keywords:
                node.set("quoted", value=True)
            if 0 < self.dialect.longest_name < len(node.name.encode()):
                kept = node.name.encode()[: self.dialect.longest_name - 9].decode(errors="ignore")
                node.set("this", f"{kept}_{hashlib.md5(node.name.encode(), usedforsecurity=False).hexdigest()[:8]}")

    def _name_joined(self) -> None:
        """Columns of joins one by one, each by its name."""
        for select in self.tree.find_all(exp.Select):
            if not select.args.get("joins"):
                continue
            items: list[exp.Expr] = []
            for item in select.expressions:
                if isinstance(item, exp.Column) and item.is_star:
                    names = self.columns.of_table(select, item.table)
                    items += [exp.alias_(_column(c, item.table), _column(c).this) for c in names]
                elif isinstance(item, exp.Column):
                    items.append(exp.alias_(item, item.this.copy()))
                else:
                    items.append(item)
            select.set("expressions", items)

    # ---- conditions

    def _is_condition(self, column: exp.Column) -> bool:
        """Whether a column of conditions stands where a condition is asked for."""
        if self.columns.of(column).kind != "boolean":
            return False
        above: exp.Expr | None = column.parent
        below: exp.Expr = column
        while isinstance(above, exp.Paren):
            below = above
            above = below.parent
        tested = isinstance(above, exp.If) and above.this is below
        return tested or isinstance(above, (exp.And, exp.Or, exp.Not, exp.Where))

    def _write_conditions(self) -> None:
        """Conditions in columns as 1 and 0."""
        for node in self._conditions:
            if isinstance(node, exp.Alias):
                node.set("this", cast(as_number(node.this), "BOOLEAN"))
            else:
                node.replace(exp.EQ(this=node.copy(), expression=exp.Literal.number(1)))

    # ---- tables

    def _keep(self) -> None:
        """Which named SELECTs are made once."""
        read = Counter(table_name(t) for t in self.tree.find_all(exp.Table))
        for cte in self.tree.find_all(exp.CTE):
            if self.dialect.keeps == "all":
                cte.set("materialized", True if read[cte.alias] > 1 else None)
            elif self.dialect.keeps == "":
                cte.set("materialized", None)

    def _collate(self) -> None:
        """Tables are read in the order of their bytes; what comes of their columns has that order too."""
        collated = self.dialect.collated
        if collated is None:
            return
        stages = {cte.alias for cte in self.tree.find_all(exp.CTE)}
        for table in list(self.tree.find_all(exp.Table)):
            name = table_name(table)
            columns = {} if name in stages else self.sources.get(name, {})
            if not any(_is_text(known) for known in columns.values()):
                continue
            items = [
                exp.alias_(collated(_column(c), known.of is not None), _column(c).this)
                if _is_text(known)
                else _column(c)
                for c, known in columns.items()
            ]
            bare = exp.Table(**{k: v for k, v in table.args.items() if k != "alias"})
            alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier("given"))
            table.replace(exp.Subquery(this=exp.select(*items, copy=False).from_(bare), alias=alias))


def _is_text(known: Known) -> bool:
    return known.kind == "text" or (known.of is not None and known.of.kind == "text")


def _column(name: str, table: str = "") -> exp.Column:
    return exp.Column(
        this=exp.Identifier(this=name, quoted=identifier(name) != name),
        table=exp.to_identifier(table) if table else None,
    )


def _keywords(writer: str) -> frozenset[str]:
    return frozenset(word for phrase in Writer.get_or_raise(writer).tokenizer_class.KEYWORDS for word in phrase.split())
