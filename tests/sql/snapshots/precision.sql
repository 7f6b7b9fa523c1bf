WITH judgments AS (
  SELECT query_id, doc_id, CAST(relevance AS DOUBLE) AS relevance
  FROM qrels
),
topics_1 AS (
  SELECT
    query_id,
    CAST((CASE WHEN ((relevance >= 1.0::DOUBLE) AND (relevance >= 0)) THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END) AS DOUBLE) AS num_relevant_1
  FROM judgments
),
topics AS (
  SELECT query_id, coalesce(fsum(num_relevant_1), 0.0) AS num_relevant_1
  FROM topics_1
  GROUP BY query_id
),
ranked_2 AS (
  SELECT query_id, doc_id, score
  FROM run
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY query_id ORDER BY score + 0.0 DESC, doc_id DESC) AS rank
  FROM ranked_2
),
judged_1 AS (
  SELECT l.query_id, l.doc_id, l.score, l.rank, r.relevance
  FROM ranked AS l
  INNER JOIN judgments AS r ON l.query_id IS NOT DISTINCT FROM r.query_id AND l.doc_id IS NOT DISTINCT FROM r.doc_id
),
judged_2 AS (
  SELECT
    *,
    (CASE WHEN ((relevance >= 1.0::DOUBLE) AND (relevance >= 0)) THEN 1.0::DOUBLE ELSE 0.0::DOUBLE END) AS relevant_1,
    CAST(rank AS DOUBLE) AS at_rank_1
  FROM judged_1
),
judged AS (
  SELECT
    *,
    (CASE WHEN (relevant_1 IS NOT NULL) THEN (sum(relevant_1) over (partition by query_id order by rank asc nulls first rows between unbounded preceding and 0 following)) ELSE NULL END) AS so_far_1
  FROM judged_2
),
units_1 AS (
  SELECT
    query_id,
    CAST((CASE WHEN (at_rank_1 <= 5) THEN relevant_1 ELSE 0.0::DOUBLE END) AS DOUBLE) AS sum_p_5_1,
    CAST(((relevant_1 * so_far_1) / at_rank_1) AS DOUBLE) AS sum_ap_1
  FROM judged
),
units_2 AS (
  SELECT
    query_id,
    coalesce(fsum(sum_p_5_1), 0.0) AS sum_p_5_1,
    coalesce(fsum(sum_ap_1), 0.0) AS sum_ap_1
  FROM units_1
  GROUP BY query_id
),
units_3 AS (
  SELECT l.query_id, l.num_relevant_1, r.sum_p_5_1, r.sum_ap_1
  FROM topics AS l
  LEFT JOIN units_2 AS r ON l.query_id IS NOT DISTINCT FROM r.query_id
),
units_4 AS (
  SELECT
    query_id,
    num_relevant_1,
    COALESCE(sum_p_5_1, 0.0::DOUBLE) AS sum_p_5_1,
    COALESCE(sum_ap_1, 0.0::DOUBLE) AS sum_ap_1
  FROM units_3
),
units AS (
  SELECT
    *,
    COALESCE((sum_p_5_1 / 5.0::DOUBLE), 0.0::DOUBLE) AS p_5_1,
    COALESCE((CASE WHEN (num_relevant_1 != 0) THEN (sum_ap_1 / num_relevant_1) ELSE NULL END), 0.0::DOUBLE) AS ap_1
  FROM units_4
),
per_unit AS (
  SELECT query_id, p_5_1 AS m0, ap_1 AS m1
  FROM units
)
SELECT
  query_id,
  m0 AS "P@5",
  m1 AS "AP"
FROM per_unit
ORDER BY query_id
