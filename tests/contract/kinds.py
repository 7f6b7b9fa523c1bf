"""All kinds of tables and measures: a family enters its own here."""

from __future__ import annotations

from tests.clicks import asked as clicks
from tests.clusters import asked as clusters
from tests.labels import asked as labels
from tests.labels import asked_scores as labels_of_scores
from tests.organization import asked as organization
from tests.points import asked as points
from tests.ranking import asked as ranking
from tests.ranking import asked_clicks as click_measures
from tests.ratings import asked as ratings
from tests.similarity import asked as similarity

KINDS = (
    *ranking.KINDS,
    *click_measures.KINDS,
    *similarity.KINDS,
    *organization.KINDS,
    *labels.KINDS,
    *labels_of_scores.KINDS,
    *clusters.KINDS,
    *points.KINDS,
    *ratings.KINDS,
    *clicks.KINDS,
)
