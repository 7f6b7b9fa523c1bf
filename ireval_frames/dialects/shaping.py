"""What a dialect asks of a statement as a whole: names, joins, conditions, what is made once, types and lists."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from ireval_frames.dialects.columns import Columns, table_name
from ireval_frames.dialects.dialect import Dialect, as_number, cast
from ireval_frames.dialects.known import Known, Sources
from ireval_frames.dialects.naming import refuse_names, write_names
from ireval_frames.dialects.reading import column, read_tables
from ireval_frames.errors import NotDefined

# What to do without a type.
_WITHOUT = {"FLOAT": "Leave precision=32 out of the policy, or run it in DuckDB: sql() without dialect=."}


class Shape:
    """A statement's shape, before and after its functions are in the dialect's words."""

    def __init__(self, tree: exp.Expr, dialect: Dialect, sources: Sources, columns: Columns) -> None:
        self.tree, self.dialect, self.sources, self.columns = tree, dialect, sources, columns
        self._doubles: list[exp.Alias] = []
        self._lists: list[tuple[exp.Alias, Known]] = []
        self._conditions: list[exp.Expr] = []
        self._cut: list[tuple[exp.Window, int]] = []

    def before(self) -> None:
        """Look at the statement as DuckDB has it."""
        refuse_names(self.columns.outputs, self.dialect)
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
        if not self.dialect.partitions_doubles:
            self._cut = [
                (window, i)
                for window in self.tree.find_all(exp.Window)
                for i, by in enumerate(window.args.get("partition_by") or ())
                if self.columns.of(by).kind == "double"
            ]

    def after(self) -> None:
        """Give it the dialect's shape."""
        for alias in self._doubles:
            alias.set("this", cast(alias.this, "DOUBLE"))
        if not self.dialect.conditions:
            self._write_conditions()
        self._partition()
        self._keep()
        self._order()
        read_tables(self.tree, self.dialect, self.sources)
        self._unnest()
        self._write_types()
        write_names(self.tree, self.dialect, self.sources)

    # ---- names

    def _name_joined(self) -> None:
        """Columns of joins one by one, each by its name."""
        for select in self.tree.find_all(exp.Select):
            if not select.args.get("joins"):
                continue
            items: list[exp.Expr] = []
            for item in select.expressions:
                if isinstance(item, exp.Column) and item.is_star:
                    names = self.columns.of_table(select, item.table)
                    items += [exp.alias_(column(c, item.table), column(c).this) for c in names]
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

    def _order(self) -> None:
        """Leave the order out where the rows of a union follow a literal, if the database cannot plan that."""
        order, stages = self.tree.args.get("order"), {cte.alias: cte.this for cte in self.tree.find_all(exp.CTE)}
        if order is None or self.dialect.orders_literals:
            return
        read = stages.get(table_name(self.tree.args["from_"].this))
        names = {one.this.name for one in order.expressions}
        if isinstance(read, exp.SetOperation) and any(
            item.alias_or_name in names and isinstance(item.unalias(), exp.Literal)
            for select in read.find_all(exp.Select)
            for item in select.expressions
        ):
            self.tree.set("order", None)

    # ---- values

    def _unnest(self) -> None:
        """Lists among the columns of a SELECT, in its FROM clause.

        Raises:
            NotDefined: there are several in a SELECT, whose values belong together.
        """
        if self.dialect.unnested is None:
            return
        seen: set[int] = set()
        for alias, known in self._lists:
            select = alias.find_ancestor(exp.Select)
            if select is None or id(select) in seen:
                raise NotDefined(
                    f"The statement needs the values of several lists side by side, for which we have no word of "
                    f"{self.dialect.title}.",
                    "Make rows of them first, or run the statement in DuckDB: sql() without dialect=.",
                )
            seen.add(id(select))
            _owned(select)
            self.dialect.unnested(alias, known)

    def _partition(self) -> None:
        """Doubles as text, in which windows are cut by them."""
        for window, i in self._cut:
            by = window.args["partition_by"]
            by[i].replace(cast(by[i].copy(), "VARCHAR"))

    def _write_types(self) -> None:
        """Types under the names that the database has for them, and texts as it wants them.

        Raises:
            NotDefined: it has no such type.
        """
        for node in list(self.tree.find_all(exp.DataType)):
            name = self.dialect.types.get(node.this.value)
            if name == "":
                raise NotDefined(
                    f"The statement needs the type {node.this.value}, which {self.dialect.title} has not.",
                    _WITHOUT.get(node.this.value, "Convert the column to Int64 or to text."),
                )
            if name is not None:
                node.replace(exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name))
        if self.dialect.national:
            for literal in [one for one in self.tree.find_all(exp.Literal) if one.is_string]:
                literal.replace(exp.National(this=literal.name))


def _owned(select: exp.Select) -> None:
    """Say of a SELECT's columns that they are those of the table that it reads, beside which others come to stand."""
    table = select.args["from_"].this.alias_or_name
    for item in list(select.expressions):
        if isinstance(item, exp.Star):
            item.replace(exp.Column(this=exp.Star(), table=exp.to_identifier(table, quoted=True)))
    for one in list(select.find_all(exp.Column)):
        if not one.table and one.find_ancestor(exp.Select) is select:
            one.set("table", exp.to_identifier(table, quoted=True))
