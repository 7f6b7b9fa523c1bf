"""Click models: what users looked at and what attracted them, estimated from a log.

The engine of the log counts it once; the estimates are made of the counts, each by the formulas of its own file.
"""

from ireval_frames.clicks.models import rates
from ireval_frames.clicks.models.cascade import ccm, cm, dbn, dcm, sdbn
from ireval_frames.clicks.models.declared import names
from ireval_frames.clicks.models.examination import pbm, ubm
from ireval_frames.clicks.models.graded import of_judgments
from ireval_frames.clicks.models.grades import GradedLog
from ireval_frames.clicks.models.making import fit, load, of_parameters
from ireval_frames.clicks.models.model import FittedModel

DECLARED = (rates, cm, dcm, sdbn, pbm, ubm, dbn, ccm)

__all__ = ["FittedModel", "GradedLog", "fit", "load", "names", "of_judgments", "of_parameters"]
