"""The columns of tables about recommended items: the lists of users, what users used before, and what items are."""

from __future__ import annotations

from dataclasses import replace

from ireval_frames.columns.documents import SYSTEM
from ireval_frames.columns.schema import RANK, RELEVANCE, SCORE, WEIGHT, Column, Schema

USER = Column(
    "user_id", "id", ("user", "userid", "uid", "user_idx", "query_id", "qid", "customer_id", "visitorid", "session_id")
)
ITEM = Column(
    "item_id",
    "id",
    (
        "item",
        "itemid",
        "iid",
        "item_idx",
        "doc_id",
        "docid",
        "movieid",
        "movie_id",
        "product_id",
        "sku",
        "article_id",
        "track_id",
    ),
)
FEATURE = Column("feature", "id", ("category", "genre", "genres", "features", "topic", "subtopic_id", "tag", "value"))
OTHER_ITEM = Column("other_item", "id", ("item2", "item_2", "item_b", "other", "other_item_id", "item_id_2"))
DISTANCE = Column("distance", "number", ("dissimilarity", "dist"))

RECOMMENDATIONS = Schema(
    "recs",
    (
        replace(SYSTEM, aliases=(*SYSTEM.aliases, "model", "recommender", "algorithm")),
        USER,
        ITEM,
        replace(SCORE, aliases=(*SCORE.aliases, "prediction", "rating", "relevance")),
        RANK,
    ),
    ("run_id", "user_id", "item_id"),
)
TRAIN = Schema("train", (USER, ITEM), ("user_id", "item_id"))
RELEVANT = Schema("relevant", (USER, ITEM, replace(RELEVANCE, required=False)), ("user_id", "item_id"))
CATALOGUE = Schema("catalogue", (ITEM,), ("item_id",))
FEATURES = Schema("features", (ITEM, FEATURE, WEIGHT), ("item_id", "feature"))
DISTANCES = Schema("distances", (ITEM, OTHER_ITEM, DISTANCE), ("item_id", "other_item"))
BASELINE = Schema(
    "baseline", (replace(USER, required=False), ITEM, *RECOMMENDATIONS.columns[3:]), ("user_id", "item_id")
)
USERS = Schema("users", (USER, WEIGHT), ("user_id",))
# By the names of the arguments that tables are passed as.
TABLES = {
    schema.name: (schema,)
    for schema in (RECOMMENDATIONS, TRAIN, RELEVANT, CATALOGUE, FEATURES, DISTANCES, BASELINE, USERS)
}
