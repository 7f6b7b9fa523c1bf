"""What a dialect changes in a statement beside its functions: tables, joins, conditions, lists, types and names."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from ireval_frames.dialects.columns import Columns, table_name
from ireval_frames.dialects.dialect import Dialect, Sources, ValueType, as_number, cast, double
from ireval_frames.dialects.naming import refuse_names, write_names
from ireval_frames.engines.quoting import is_plain
from ireval_frames.errors import NotDefined

# What to write where a type is missing.
_WITHOUT_TYPE = {"FLOAT": "Leave precision=32 out of the policy, or run it in DuckDB: sql() without dialect=."}


class Shape:
    """A statement's shape: `before` and `after` its functions are rewritten."""

    def __init__(self, tree: exp.Expr, dialect: Dialect, sources: Sources, columns: Columns) -> None:
        self.tree, self.dialect, self.sources, self.columns = tree, dialect, sources, columns
        self._doubles: list[exp.Alias] = []
        self._lists: list[tuple[exp.Alias, ValueType]] = []
        self._conditions: list[exp.Expr] = []
        self._double_windows: list[tuple[exp.Window, int]] = []

    def before(self) -> None:
        """Note what depends on the types of the original statement."""
        refuse_names(self.columns.outputs, self.dialect)
        if self.dialect.aliases_join_columns:
            self._name_joined()
        for select in self.tree.find_all(exp.Select):
            for item in select.expressions:
                if not isinstance(item, exp.Alias):
                    continue
                known = self.columns.of(item.this)
                if self.dialect.decimal_literals and known.literal and known.kind == "double":
                    self._doubles.append(item)
                if isinstance(item.this, exp.Explode):
                    self._lists.append((item, known))
                if known.kind == "boolean" and not isinstance(item.this, exp.Column):
                    self._conditions.append(item)
        if not self.dialect.boolean_columns:
            self._conditions += [c for c in self.tree.find_all(exp.Column) if self._is_condition(c)]
        if not self.dialect.partitions_doubles:
            self._double_windows = [
                (window, i)
                for window in self.tree.find_all(exp.Window)
                for i, by in enumerate(window.args.get("partition_by") or ())
                if self.columns.of(by).kind == "double"
            ]

    def after(self) -> None:
        """Give the statement the dialect's shape."""
        for alias in self._doubles:
            alias.set("this", cast(alias.this, "DOUBLE"))
        if not self.dialect.boolean_columns:
            self._write_conditions()
        self._partition()
        self._materialize()
        self._order()
        _read_tables(self.tree, self.dialect, self.sources)
        self._unnest()
        self._write_types()
        write_names(self.tree, self.dialect, self.sources)

    # ---- names

    def _name_joined(self) -> None:
        """List the columns of joins one by one, each with an alias."""
        for select in self.tree.find_all(exp.Select):
            if not select.args.get("joins"):
                continue
            items: list[exp.Expr] = []
            for item in select.expressions:
                if isinstance(item, exp.Column) and item.is_star:
                    names = self.columns.of_table(select, item.table)
                    items += [exp.alias_(_named_column(c, item.table), _named_column(c).this) for c in names]
                elif isinstance(item, exp.Column):
                    items.append(exp.alias_(item, item.this.copy()))
                else:
                    items.append(item)
            select.set("expressions", items)

    # ---- conditions

    def _is_condition(self, column: exp.Column) -> bool:
        """Whether a column of conditions stands in the place of a condition."""
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

    def _materialize(self) -> None:
        """Set which common table expressions are computed once."""
        read = Counter(table_name(t) for t in self.tree.find_all(exp.Table))
        for cte in self.tree.find_all(exp.CTE):
            if self.dialect.materializes == "all":
                cte.set("materialized", True if read[cte.alias] > 1 else None)
            elif self.dialect.materializes == "":
                cte.set("materialized", None)

    def _order(self) -> None:
        """Remove the order of a union by a literal where the database cannot plan that."""
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
        """Move lists among the columns of a SELECT into its FROM clause.

        Raises:
            NotDefined: a SELECT has several lists, whose values belong together.
        """
        if self.dialect.unnested is None:
            return
        done: set[int] = set()
        for alias, known in self._lists:
            select = alias.find_ancestor(exp.Select)
            if select is None or id(select) in done:
                raise NotDefined(
                    f"The statement unnests several lists side by side, which we cannot write for "
                    f"{self.dialect.title}.",
                    "Make rows of them first, or run the statement in DuckDB: sql() without dialect=.",
                )
            done.add(id(select))
            _qualify_columns(select)
            self.dialect.unnested(alias, known)

    def _partition(self) -> None:
        """Partition windows by doubles as text."""
        for window, i in self._double_windows:
            by = window.args["partition_by"]
            by[i].replace(cast(by[i].copy(), "VARCHAR"))

    def _write_types(self) -> None:
        """Write types under the database's names, and text literals in its form.

        Raises:
            NotDefined: the database lacks a type.
        """
        for node in list(self.tree.find_all(exp.DataType)):
            name = self.dialect.types.get(node.this.value)
            if name == "":
                raise NotDefined(
                    f"The statement needs the type {node.this.value}, which {self.dialect.title} lacks.",
                    _WITHOUT_TYPE.get(node.this.value, "Convert the column to Int64 or to text."),
                )
            if name is not None:
                node.replace(exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name))
        if self.dialect.national:
            for literal in [one for one in self.tree.find_all(exp.Literal) if one.is_string]:
                literal.replace(exp.National(this=literal.name))


def _qualify_columns(select: exp.Select) -> None:
    """Name the table of each column of a SELECT, to which another table will be joined."""
    table = select.args["from_"].this.alias_or_name
    for item in list(select.expressions):
        if isinstance(item, exp.Star):
            item.replace(exp.Column(this=exp.Star(), table=exp.to_identifier(table, quoted=True)))
    for one in list(select.find_all(exp.Column)):
        if not one.table and one.find_ancestor(exp.Select) is select:
            one.set("table", exp.to_identifier(table, quoted=True))


def _read_tables(tree: exp.Expr, dialect: Dialect, sources: Sources) -> None:
    """Put a SELECT around each table with columns to convert: text compared by bytes, zeros without a sign."""
    stages = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        name = table_name(table)
        columns = {} if name in stages else sources.get(name, {})
        items = [_item(c, known, dialect) for c, known in columns.items()]
        if not any(isinstance(item, exp.Alias) for item in items):
            continue
        bare = exp.Table(**{k: v for k, v in table.args.items() if k != "alias"})
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier("source"))
        table.replace(exp.Subquery(this=exp.select(*items, copy=False).from_(bare), alias=alias))


def _named_column(name: str, table: str = "") -> exp.Column:
    """A column by its name, quoted where it must be."""
    return exp.Column(
        this=exp.Identifier(this=name, quoted=not is_plain(name)), table=exp.to_identifier(table) if table else None
    )


def _item(name: str, known: ValueType, dialect: Dialect) -> exp.Expr:
    """A column, converted where the database needs it."""
    column = _named_column(name)
    is_list = known.item is not None
    if dialect.collated is not None and (known.item or known).kind == "text":
        return exp.alias_(dialect.collated(column, is_list), column.this.copy())
    if dialect.signed_zeros and known.kind == "double":
        return exp.alias_(exp.Add(this=column, expression=double(0.0)), column.this.copy())
    return column
