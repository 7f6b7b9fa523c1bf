"""Evaluation as a query over tables: ranked retrieval on Polars and DuckDB, from one declaration of each measure."""

from ireval_frames import examples
from ireval_frames.catalog import parse
from ireval_frames.errors import IrevalError
from ireval_frames.evaluation import Evaluation
from ireval_frames.io import read_qrels, read_queries, read_run, scan_qrels, scan_queries, scan_run, write_qrels, write_run, write_table
from ireval_frames.listing import measures
from ireval_frames.measure import Measure
from ireval_frames.policy import Policy
from ireval_frames.ranking import (
    AP, BEP, CG, DCG, ERR, F, IAP, P, R, RBP, RR, Bpref, IPrec, Judged, NumQ, NumRel, NumRelRet, NumRet, Rankings, Rprec,
    SetAP, SetF, SetP, SetR, Success, evaluate, infAP, nDCG, nERR,
)  # fmt: skip
from ireval_frames.version import __version__

__all__ = [
    "AP", "BEP", "CG", "DCG", "ERR", "F", "IAP", "P", "R", "RBP", "RR", "Bpref", "Evaluation", "IPrec", "IrevalError",
    "Judged", "Measure", "NumQ", "NumRel", "NumRelRet", "NumRet", "Policy", "Rankings", "Rprec", "SetAP", "SetF", "SetP",
    "SetR", "Success", "__version__", "evaluate", "examples", "infAP", "measures", "nDCG", "nERR", "parse",
    "read_qrels", "read_queries", "read_run", "scan_qrels", "scan_queries", "scan_run", "write_qrels", "write_run",
    "write_table",
]  # fmt: skip
