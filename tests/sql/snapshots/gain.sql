WITH judgments_1 AS (
  SELECT query_id, doc_id, CAST(relevance AS DOUBLE) AS relevance
  FROM qrels
), judgments_2 AS (
  SELECT *, CASE WHEN relevance > 0 THEN relevance ELSE 0e0 END AS ideal_gain_1
  FROM judgments_1
), judgments_3 AS (
  SELECT
    *,
    CAST(count(ideal_gain_1) OVER (PARTITION BY query_id ORDER BY ideal_gain_1 DESC NULLS LAST, doc_id DESC NULLS LAST ROWS UNBOUNDED PRECEDING) AS DOUBLE) AS ideal_rank_1
  FROM judgments_2
), judgments AS (
  SELECT
    *,
    CASE WHEN ideal_rank_1 + 1e0 > 0 THEN ln(ideal_rank_1 + 1e0) / 0.6931471805599453e0 WHEN ideal_rank_1 + 1e0 = 0 THEN CAST('-inf' AS DOUBLE) WHEN ideal_rank_1 + 1e0 < 0 THEN CAST('nan' AS DOUBLE) END AS ideal_discount_1
  FROM judgments_3
), judged_queries AS (
  SELECT
    query_id,
    coalesce(fsum(CAST(CASE WHEN ideal_gain_1 > 0 AND ideal_rank_1 <= 10 THEN ideal_gain_1 / ideal_discount_1 ELSE 0e0 END AS DOUBLE)), 0e0) AS ideal_1
  FROM judgments
  GROUP BY query_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score + 0e0 DESC, doc_id DESC) AS rank
  FROM run
), judged_1 AS (
  SELECT
    l.*,
    r.relevance,
    r.ideal_gain_1,
    r.ideal_rank_1,
    r.ideal_discount_1,
    CAST(l.rank AS DOUBLE) AS at_rank_1
  FROM ranked AS l
  JOIN judgments AS r
    ON l.query_id IS NOT DISTINCT FROM r.query_id AND l.doc_id IS NOT DISTINCT FROM r.doc_id
), judged AS (
  SELECT
    *,
    CASE WHEN at_rank_1 + 1e0 > 0 THEN ln(at_rank_1 + 1e0) / 0.6931471805599453e0 WHEN at_rank_1 + 1e0 = 0 THEN CAST('-inf' AS DOUBLE) WHEN at_rank_1 + 1e0 < 0 THEN CAST('nan' AS DOUBLE) END AS discount_1
  FROM judged_1
), units_1 AS (
  SELECT
    query_id,
    coalesce(fsum(CAST(CASE WHEN at_rank_1 <= 10 THEN CASE WHEN relevance > 0 THEN relevance ELSE 0e0 END / discount_1 ELSE 0e0 END AS DOUBLE)), 0e0) AS sum_ndcg_10_1
  FROM judged
  GROUP BY query_id
), units_2 AS (
  SELECT l.*, coalesce(r1.sum_ndcg_10_1, 0e0) AS sum_ndcg_10_1
  FROM judged_queries AS l
  LEFT JOIN units_1 AS r1
    ON l.query_id IS NOT DISTINCT FROM r1.query_id
), units AS (
  SELECT *, coalesce(sum_ndcg_10_1 / nullif(ideal_1, 0), 0e0) AS ndcg_10_1
  FROM units_2
), per_unit AS (
  SELECT query_id, CAST(ndcg_10_1 AS DOUBLE) AS m0
  FROM units
)
SELECT query_id, m0 AS "nDCG@10"
FROM per_unit
ORDER BY query_id ASC NULLS FIRST
