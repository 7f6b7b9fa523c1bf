"""All suites of the contract: a family enters its own here."""

from __future__ import annotations

from tests.answers import suite as answers
from tests.citations import suite as citations
from tests.clicks import suite as clicks
from tests.clusters import suite as clusters
from tests.coreference import suite as coreference
from tests.exposure import suite as exposure
from tests.labels import suite as labels
from tests.labels import suite_scores as labels_of_scores
from tests.labels import suite_soft as soft_labels
from tests.links import suite as links
from tests.nuggets import suite as nuggets
from tests.organization import suite as organization
from tests.points import suite as points
from tests.ranking import suite as ranking
from tests.ranking import suite_clicks as click_measures
from tests.ranking import suite_sampled as sampled_judgments
from tests.ratings import suite as ratings
from tests.recommendations import suite as recommendations
from tests.relations import suite as relations
from tests.segmentation import suite as segmentation
from tests.similarity import suite as similarity
from tests.spans import suite as spans
from tests.timings import suite as timings
from tests.verdicts import suite as verdicts

SUITES = (
    *ranking.SUITES,
    *click_measures.SUITES,
    *sampled_judgments.SUITES,
    *similarity.SUITES,
    *organization.SUITES,
    *labels.SUITES,
    *labels_of_scores.SUITES,
    *soft_labels.SUITES,
    *clusters.SUITES,
    *coreference.SUITES,
    *points.SUITES,
    *ratings.SUITES,
    *clicks.SUITES,
    *recommendations.SUITES,
    *relations.SUITES,
    *segmentation.SUITES,
    *spans.SUITES,
    *answers.SUITES,
    *exposure.SUITES,
    *citations.SUITES,
    *verdicts.SUITES,
    *links.SUITES,
    *timings.SUITES,
    *nuggets.SUITES,
)
