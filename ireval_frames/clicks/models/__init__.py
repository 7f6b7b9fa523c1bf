"""Click models: examination and attraction of results, estimated from a log.

The engine of the log counts it once; the estimates are made of the counts.
"""

from ireval_frames.clicks.models import rates
from ireval_frames.clicks.models.cascade import ccm, closed_form, dbn
from ireval_frames.clicks.models.declared import names
from ireval_frames.clicks.models.examination import models as examination
from ireval_frames.clicks.models.fitting import fit, load, of_parameters
from ireval_frames.clicks.models.from_judgments import of_judgments
from ireval_frames.clicks.models.graded_log import GradedLog
from ireval_frames.clicks.models.model import FittedModel

DECLARED = (rates, closed_form, examination, dbn, ccm)

__all__ = ["FittedModel", "GradedLog", "fit", "load", "names", "of_judgments", "of_parameters"]
