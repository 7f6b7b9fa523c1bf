"""The p-value of Student's t as an expression of SQL: DuckDB has no distribution of its own.

P(|T| ≥ |t|) = I_x(ν/2, 1/2) with x = ν / (ν + t²), the regularised incomplete beta function, by its continued fraction
(DLMF 8.17.22), which is evaluated from its end.  It converges where x < (a + 1) / (a + b + 2); elsewhere
I_x(a, b) = 1 − I_{1−x}(b, a).
"""

from __future__ import annotations

# Γ(a + ½) / Γ(a) / √a in powers of 1 / a, for large a (DLMF 5.11.13).
RATIO = (1.0, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
LARGE = 25


def two_sided_p(t: str, df: str) -> str:
    """A subquery with the two-sided p-value.

    Args:
        t: the statistic, a column or a number of SQL.
        df: the degrees of freedom, likewise.
    """
    series = " + ".join(f"{c!r} / pow(a, {i})" for i, c in enumerate(RATIO))
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
          CASE WHEN a < {LARGE} THEN exp(lgamma(a + 0.5e0) - lgamma(a)) ELSE sqrt(a) * ({series}) END AS ratio
        FROM (SELECT {df} / 2e0 AS a, {t} * {t} / {df} AS y)
      )
    )
  )
)"""
