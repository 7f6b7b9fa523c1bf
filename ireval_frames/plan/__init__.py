"""From requested measures to one lazy plan: a small graph of tables.  Nothing here knows a family of measures."""

from ireval_frames.plan.exploding import exploded
from ireval_frames.plan.iteration import Iterated, iterate
from ireval_frames.plan.planning import Plan
from ireval_frames.plan.tables import Table

__all__ = ["Iterated", "Plan", "Table", "exploded", "iterate"]
