"""`ireval_compare`: compares systems over a table of values per unit by Student's t, in SQL alone.

The numbers are those of `ir.compare(values, baseline=…)`.
"""

from __future__ import annotations

import polars as pl

from ireval_frames.engines.quoting import string
from ireval_frames.engines.sql.values import each_row
from ireval_frames.macros.macro import Macro, Option
from ireval_frames.macros.tables import UNIT, Column, id_column, select_table
from ireval_frames.stats.rounding import EXACT
from ireval_frames.stats.sample import EPSILON, ROUNDINGS

_UNITS = ("query_id", UNIT)
COLUMNS = (
    id_column("run_id"),
    Column("measure", text="coalesce(CAST(measure AS VARCHAR), '')", optional=True),
    *(Column(name, text=f"CAST({name} AS VARCHAR)", optional=True) for name in _UNITS),
    Column(
        "value",
        pl.Float64,
        "CAST(value AS DOUBLE)",
        refused=(
            (f"NOT isfinite({each_row('CAST(value AS DOUBLE)')})", "is NaN or infinite; undefined values are null."),
        ),
    ),
)
OPTIONS = (
    Option("baseline", "VARCHAR", "NULL"),
    Option("missing", "VARCHAR", "'error'", "missing IN ('error', 'intersect')", "'error' or 'intersect'"),
    Option("tolerance", "DOUBLE", "NULL"),
    Option("lower_is_better", "VARCHAR[]", "CAST([] AS VARCHAR[])"),
)
SENTENCE = (
    "Systems compared over values per unit (run_id, query_id or unit_id, value, and measure if there are several): "
    "differences to the baseline, wins, ties and losses, and the paired t test, two-sided."
)
_SAME_UNIT = " AND ".join(f"b.{u} IS NOT DISTINCT FROM s.{u}" for u in _UNITS)
_DUPLICATED = f"count(*) OVER (PARTITION BY run_id, measure, {', '.join(_UNITS)}) > 1"
_MISMATCH = "Systems have values for other units than the baseline; write missing := ''intersect''."
# The rounding error of a difference, as in `stats.rounding.rounding`.
_INTEGERS = " AND ".join(f"round({v}) = {v} AND abs({v}) < {EXACT!r}" for v in ("b.value", "s.value"))
_ROUNDING = (
    f"CASE WHEN b.value = s.value OR ({_INTEGERS}) THEN 0e0 "
    f"ELSE {ROUNDINGS!r} * {EPSILON!r} * greatest(abs(b.value), abs(s.value)) END"
)

_BODY = f"""\
WITH ireval_values AS (
{{select}}
), valued AS (
  SELECT
    * EXCLUDE (value),
    CASE WHEN {_DUPLICATED} THEN error({string("The values table has several values of one run, measure and unit.")})
      ELSE value END AS value
  FROM ireval_values
), systems AS (
  SELECT run_id, measure, count(value) AS n
  FROM valued
  WHERE CASE
    WHEN baseline IS NULL OR baseline IN (SELECT CAST(run_id AS VARCHAR) FROM ireval_values) THEN TRUE
    ELSE error(concat('There is no run_id ''', baseline, '''.'))
  END
  GROUP BY run_id, measure
), pairs AS (
  SELECT
    b.measure,
    b.run_id AS baseline_id,
    s.run_id AS system_id,
    b.n AS n_baseline,
    s.n AS n_system
  FROM systems AS b
  JOIN systems AS s
    ON b.measure = s.measure
    AND CASE WHEN baseline IS NULL THEN b.run_id < s.run_id ELSE b.run_id = baseline AND s.run_id <> baseline END
), differences AS (
  SELECT
    b.measure,
    b.run_id AS baseline_id,
    s.run_id AS system_id,
    b.value AS of_baseline,
    s.value AS of_system,
    s.value - b.value AS d,
    CASE WHEN list_contains(lower_is_better, b.measure) THEN b.value - s.value ELSE s.value - b.value END AS better,
    {_ROUNDING} AS rounding,
    coalesce(tolerance, 0) + {_ROUNDING} AS width
  FROM valued AS b
  JOIN valued AS s
    ON b.measure = s.measure AND {_SAME_UNIT}
    AND CASE WHEN baseline IS NULL THEN b.run_id < s.run_id ELSE b.run_id = baseline AND s.run_id <> baseline END
  WHERE b.value IS NOT NULL AND s.value IS NOT NULL
), means AS (
  SELECT
    measure,
    baseline_id,
    system_id,
    count(*) AS n,
    fsum(of_baseline) / count(*) AS mean_baseline,
    fsum(of_system) / count(*) AS mean_system,
    fsum(d) / count(*) AS mean_difference,
    bool_and(abs(d) <= rounding) AS identical,
    max(d - rounding) <= min(d + rounding) AS constant,
    count(*) FILTER (better > width) AS wins,
    count(*) FILTER (abs(better) <= width) AS ties,
    count(*) FILTER (better < -width) AS losses
  FROM differences
  GROUP BY measure, baseline_id, system_id
), spreads AS (
  SELECT
    m.*,
    CASE WHEN m.n > 1 THEN
      (SELECT fsum(pow(d.d - m.mean_difference, 2)) FROM differences AS d
       WHERE d.measure = m.measure AND d.baseline_id = m.baseline_id AND d.system_id = m.system_id) / (m.n - 1)
    END AS variance
  FROM means AS m
), judged AS (
  SELECT
    p.measure,
    p.baseline_id,
    p.system_id,
    coalesce(s.n, 0) AS n,
    p.n_baseline - coalesce(s.n, 0) AS n_baseline_only,
    p.n_system - coalesce(s.n, 0) AS n_system_only,
    s.* EXCLUDE (measure, baseline_id, system_id, n),
    CASE
      WHEN coalesce(s.n, 0) = 0 THEN 'no_units'
      WHEN s.n = 1 THEN 'one_unit'
      WHEN s.identical THEN 'identical'
      WHEN s.constant THEN 'constant_shift'
      ELSE 'ok'
    END AS status
  FROM pairs AS p
  LEFT JOIN spreads AS s
    ON p.measure = s.measure AND p.baseline_id = s.baseline_id AND p.system_id = s.system_id
), tested AS (
  SELECT
    *,
    CASE status
      WHEN 'ok' THEN mean_difference / sqrt(variance / n)
      WHEN 'identical' THEN 0e0
      WHEN 'constant_shift' THEN sign(mean_difference) * CAST('inf' AS DOUBLE)
    END AS t,
    CASE WHEN n > 0 THEN n - 1 END AS df
  FROM judged
)
SELECT
  measure,
  baseline_id AS baseline,
  system_id AS "system",
  n,
  n_baseline_only,
  n_system_only,
  mean_baseline,
  mean_system AS mean,
  mean_difference AS difference,
  sqrt(variance / n) AS se,
  coalesce(wins, 0) AS wins,
  coalesce(ties, 0) AS ties,
  coalesce(losses, 0) AS losses,
  t AS statistic,
  CAST(df AS DOUBLE) AS df,
  CASE status WHEN 'ok' THEN {{p_value}} WHEN 'identical' THEN 1e0 END AS p_value,
  status
FROM tested
WHERE CASE
  WHEN missing NOT IN ('error', 'intersect') THEN error('missing must be ''error'' or ''intersect''.')
  WHEN missing = 'error' AND n_baseline_only + n_system_only > 0 THEN error('{_MISMATCH}')
  ELSE TRUE
END"""


def compare_macro() -> Macro:
    """The macro that compares systems."""
    select = "\n".join(f"  {line}" for line in select_table("values", COLUMNS, argument="results").splitlines())
    # DuckDB before 2 also computes it for one unit, of which there are no degrees of freedom.
    p_value = two_sided_p("t", "greatest(df, 1)")
    return Macro("compare", ("results",), OPTIONS, _BODY.format(select=select, p_value=p_value), SENTENCE)


# The p-value of Student's t, for which DuckDB has no function: P(|T| ≥ |t|) = I_x(ν/2, 1/2) with x = ν / (ν + t²), the
# regularised incomplete beta function, by its continued fraction (DLMF 8.17.22), evaluated from its end.  It converges
# where x < (a + 1) / (a + b + 2); elsewhere I_x(a, b) = 1 − I_{1−x}(b, a).
# Γ(a + ½) / Γ(a) / √a in powers of 1 / a, for large a (DLMF 5.11.13).
_GAMMA_RATIO = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
_LARGE = 25


def two_sided_p(t: str, df: str) -> str:
    """A subquery of the two-sided p-value.

    Args:
        t: the SQL of the statistic.
        df: the SQL of the degrees of freedom.
    """
    series = " + ".join(f"{c!r} / pow(a, {i})" for i, c in enumerate(_GAMMA_RATIO))
    return f"""(
  SELECT CASE WHEN swapped THEN 1 - area ELSE area END
  FROM (
    SELECT
      swapped,
      front / p / list_reduce(
        CAST(range(steps, 0, -1) AS DOUBLE[]),
        lambda f, i: 1 + CASE
          WHEN i % 2 = 0 THEN (i / 2) * (q - i / 2) * x / ((p + i - 1) * (p + i))
          ELSE -(p + (i - 1) / 2) * (p + q + (i - 1) / 2) * x / ((p + i - 1) * (p + i))
        END / f,
        CAST(1 AS DOUBLE)
      ) AS area
    FROM (
      SELECT
        swapped,
        CASE WHEN swapped THEN 0.5e0 ELSE a END AS p,
        CASE WHEN swapped THEN a ELSE 0.5e0 END AS q,
        CASE WHEN swapped THEN y / (1 + y) ELSE 1 / (1 + y) END AS x,
        sqrt(y / (1 + y)) * ratio / sqrt(pi())
          * exp(-a * CASE WHEN y < 0.5 THEN 2 * atanh(y / (2 + y)) ELSE ln(1 + y) END) AS front,
        CAST(200 + 4 * sqrt(a) AS BIGINT) AS steps
      FROM (
        SELECT
          a,
          y,
          y * (a + 1) < 1.5e0 AS swapped,
          CASE WHEN a < {_LARGE} THEN exp(lgamma(a + 0.5e0) - lgamma(a)) ELSE sqrt(a) * ({series}) END AS ratio
        FROM (SELECT {df} / 2e0 AS a, {t} * {t} / {df} AS y)
      )
    )
  )
)"""
