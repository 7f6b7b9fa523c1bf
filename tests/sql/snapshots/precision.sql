WITH judgments AS (
  SELECT query_id, doc_id, CAST(relevance AS DOUBLE) AS relevance
  FROM qrels
), judged_queries AS (
  SELECT
    query_id,
    coalesce(fsum(CAST(CASE WHEN relevance >= 1 AND relevance >= 0 THEN 1e0 ELSE 0e0 END AS DOUBLE)), 0e0) AS num_relevant_1
  FROM judgments
  GROUP BY query_id
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score + 0e0 DESC, doc_id DESC) AS rank
  FROM run
), judged_1 AS (
  SELECT
    l.*,
    r.relevance,
    CASE WHEN r.relevance >= 1 AND r.relevance >= 0 THEN 1e0 ELSE 0e0 END AS relevant_1,
    CAST(l.rank AS DOUBLE) AS at_rank_1
  FROM ranked AS l
  JOIN judgments AS r
    ON l.query_id IS NOT DISTINCT FROM r.query_id AND l.doc_id IS NOT DISTINCT FROM r.doc_id
), judged AS (
  SELECT
    *,
    CASE WHEN relevant_1 IS NOT NULL THEN sum(relevant_1) OVER (PARTITION BY query_id ORDER BY rank ASC NULLS FIRST ROWS UNBOUNDED PRECEDING) END AS so_far_1
  FROM judged_1
), units_1 AS (
  SELECT
    query_id,
    coalesce(fsum(CAST(CASE WHEN at_rank_1 <= 5 THEN relevant_1 ELSE 0e0 END AS DOUBLE)), 0e0) AS sum_p_5_1,
    coalesce(fsum(CAST(relevant_1 * so_far_1 / at_rank_1 AS DOUBLE)), 0e0) AS sum_ap_1
  FROM judged
  GROUP BY query_id
), units_2 AS (
  SELECT l.*, coalesce(r1.sum_p_5_1, 0e0) AS sum_p_5_1, coalesce(r1.sum_ap_1, 0e0) AS sum_ap_1
  FROM judged_queries AS l
  LEFT JOIN units_1 AS r1
    ON l.query_id IS NOT DISTINCT FROM r1.query_id
), units AS (
  SELECT
    *,
    coalesce(sum_p_5_1 / 5e0, 0e0) AS p_5_1,
    coalesce(sum_ap_1 / nullif(num_relevant_1, 0), 0e0) AS ap_1
  FROM units_2
), per_unit AS (
  SELECT query_id, CAST(p_5_1 AS DOUBLE) AS m0, CAST(ap_1 AS DOUBLE) AS m1
  FROM units
)
SELECT query_id, m0 AS "P@5", m1 AS "AP"
FROM per_unit
ORDER BY query_id ASC NULLS FIRST
