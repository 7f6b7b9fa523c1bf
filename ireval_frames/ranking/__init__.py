"""Ranked retrieval: runs against relevance judgments."""

from ireval_frames.ranking.cascade import ERR, RBP, nERR
from ireval_frames.ranking.gain import CG, DCG, nDCG
from ireval_frames.ranking.incomplete import Bpref, Judged, infAP
from ireval_frames.ranking.precision import AP, BEP, IAP, RR, F, IPrec, P, R, Rprec, Success
from ireval_frames.ranking.sets import NumQ, NumRel, NumRelRet, NumRet, SetAP, SetF, SetP, SetR
from ireval_frames.ranking.subject import Rankings, evaluate

__all__ = [
    "AP",
    "BEP",
    "CG",
    "DCG",
    "ERR",
    "IAP",
    "RBP",
    "RR",
    "Bpref",
    "F",
    "IPrec",
    "Judged",
    "NumQ",
    "NumRel",
    "NumRelRet",
    "NumRet",
    "P",
    "R",
    "Rankings",
    "Rprec",
    "SetAP",
    "SetF",
    "SetP",
    "SetR",
    "Success",
    "evaluate",
    "infAP",
    "nDCG",
    "nERR",
]  # fmt: skip
