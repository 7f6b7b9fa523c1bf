WITH judgments_2 AS (
  SELECT query_id, doc_id, CAST(relevance AS DOUBLE) AS relevance
  FROM qrels
),
judgments_3 AS (
  SELECT *, (CASE WHEN (relevance > 0) THEN relevance ELSE 0.0::DOUBLE END) AS ideal_gain_1
  FROM judgments_2
),
judgments_4 AS (
  SELECT
    *,
    CAST((count(ideal_gain_1) over (partition by query_id order by ideal_gain_1 desc nulls last,doc_id desc nulls last rows between unbounded preceding and 0 following)) AS DOUBLE) AS ideal_rank_1
  FROM judgments_3
),
judgments AS (
  SELECT
    *,
    (CASE WHEN ((ideal_rank_1 + 1.0::DOUBLE) < 0) THEN 'NaN'::DOUBLE ELSE (CASE WHEN ((ideal_rank_1 + 1.0::DOUBLE) = 0) THEN '-Infinity'::DOUBLE ELSE (log((ideal_rank_1 + 1.0::DOUBLE)) / log(2)) END) END) AS ideal_discount_1
  FROM judgments_4
),
topics_1 AS (
  SELECT
    query_id,
    CAST((CASE WHEN ((ideal_gain_1 > 0) AND (ideal_rank_1 <= 10)) THEN (ideal_gain_1 / ideal_discount_1) ELSE 0.0::DOUBLE END) AS DOUBLE) AS ideal_1
  FROM judgments
),
topics AS (
  SELECT query_id, coalesce(fsum(ideal_1), 0.0) AS ideal_1
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
  SELECT
    l.query_id,
    l.doc_id,
    l.score,
    l.rank,
    r.relevance,
    r.ideal_gain_1,
    r.ideal_rank_1,
    r.ideal_discount_1
  FROM ranked AS l
  INNER JOIN judgments AS r ON l.query_id IS NOT DISTINCT FROM r.query_id AND l.doc_id IS NOT DISTINCT FROM r.doc_id
),
judged_2 AS (
  SELECT *, CAST(rank AS DOUBLE) AS at_rank_1
  FROM judged_1
),
judged AS (
  SELECT
    *,
    (CASE WHEN ((at_rank_1 + 1.0::DOUBLE) < 0) THEN 'NaN'::DOUBLE ELSE (CASE WHEN ((at_rank_1 + 1.0::DOUBLE) = 0) THEN '-Infinity'::DOUBLE ELSE (log((at_rank_1 + 1.0::DOUBLE)) / log(2)) END) END) AS discount_1
  FROM judged_2
),
units_1 AS (
  SELECT
    query_id,
    CAST((CASE WHEN (at_rank_1 <= 10) THEN ((CASE WHEN (relevance > 0) THEN relevance ELSE 0.0::DOUBLE END) / discount_1) ELSE 0.0::DOUBLE END) AS DOUBLE) AS sum_ndcg_10_1
  FROM judged
),
units_2 AS (
  SELECT query_id, coalesce(fsum(sum_ndcg_10_1), 0.0) AS sum_ndcg_10_1
  FROM units_1
  GROUP BY query_id
),
units_3 AS (
  SELECT l.query_id, l.ideal_1, r.sum_ndcg_10_1
  FROM topics AS l
  LEFT JOIN units_2 AS r ON l.query_id IS NOT DISTINCT FROM r.query_id
),
units_4 AS (
  SELECT query_id, ideal_1, COALESCE(sum_ndcg_10_1, 0.0::DOUBLE) AS sum_ndcg_10_1
  FROM units_3
),
units AS (
  SELECT
    *,
    COALESCE((CASE WHEN (ideal_1 != 0) THEN (sum_ndcg_10_1 / ideal_1) ELSE NULL END), 0.0::DOUBLE) AS ndcg_10_1
  FROM units_4
),
per_unit AS (
  SELECT query_id, ndcg_10_1 AS m0
  FROM units
)
SELECT
  query_id,
  m0 AS "nDCG@10"
FROM per_unit
ORDER BY query_id
