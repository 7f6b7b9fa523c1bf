"""Which measures satisfy, tie on and violate the formal constraints, as the tests find and a page shows."""

from __future__ import annotations

# A letter per verdict, in the order of the constraints: OK, Ties, Violated.
RETRIEVAL = {
    # priority, deepness, deepness threshold, closeness threshold, confidence
    "P@10": "TVOOT",
    "RR": "TTOVT",
    "Rprec": "TVOOT",
    "Bpref": "TTOOT",
    # Published as satisfying deepness; lists with many relevant documents between the two swaps violate it.
    "AP": "OVVOT",
    "QMeasure": "OVVOT",
    "DCG": "OOVOT",
    "nDCG": "OOVOT",
    "ERR": "OOOVT",
    "RBP": "OOOOT",
    # Less patient users see too few documents: no m is close.
    "RBP(p=0.5)": "OOOVT",
    "SetF": "TTVOO",
    # Over all documents of a collection of one size; of the retrieved ones alone both prefer shorter lists.
    "AUC(n_docs=2000)": "OTVOT",
    "GradeTau(variant='a', unretrieved=True)": "OTVOT",
    "AUC": "OTTTV",
    "GradeTau": "OTTTV",
    # The default of its authors' program is impatient, as RBP is with p = 0.5.
    "RBU": "OOOVO",
    "RBU(p=0.9)": "OOOOO",
    "RBU(p=0.9, effort=0)": "OOOOT",
    "RS": "OOOOO",
    # Steep weights depend on few documents; the tail has little weight compared with missed documents.
    "RS(n=2)": "OVOVV",
}
CLUSTERING = {
    # homogeneity, completeness, rag bag, size versus quantity: closed and open each
    "Purity": "OO TT TT TT",
    "InversePurity": "TT OT TT OO",
    "PurityF": "OO OT TT OO",
    "ClusterF": "OT OT OV OO",
    "Rand": "OO OO TT TT",
    "AdjustedRand": "OO OO TT TT",
    "Jaccard": "TO OO TT TT",
    "FowlkesMallows": "TO OO TT TT",
    "PairF": "TO OO TT TT",
    "Entropy": "OO TT TT TT",
    "ClassEntropy": "TT OO TT OO",
    "MI": "OO TT TT TT",
    "NMI": "OO OO TT OO",
    "V": "OO OO TT OO",
    "AMI": "OO OO TT OO",
    "VI": "OO OO TT OO",
    "EditDistance": "TT OO TT OO",
    "SplitJoin": "OO OT TT OO",
    "BCubedP": "OO TT OO TT",
    "BCubedR": "TT OO TT OO",
    "BCubedF": "OO OO OO OO",
    "BCubedF(self_pairs=False)": "TT OO OO OO",
    "RS": "OO OO OO OO",
    "RS(pair_weight='product')": "OO OO OO OO",
}
FILTERING = {
    # class-oriented, utility, informativeness, zero ends
    "F1": "OVVV",
    "Recall": "OTVV",
    "Accuracy": "VOVV",
    "Utility": "VOVV",
    "WeightedAccuracy(weight=9)": "VOVV",
    # Smoothed, outputs without information differ a little from a half.
    "Lam": "VVVV",
    "Lam(smoothed=False)": "TTOV",
    "MI": "TTOV",
    "ChiSquare": "TTOV",
    "MCC": "TTOV",
    "Kappa": "TTOV",
    "Informedness": "TTOV",
    "CEM_ORD": "VOVV",
    "ICM": "VOVV",
    "ICMNorm": "VVVV",
    "ICMSoft": "VOVV",
    "FRS": "VVVO",
    "RS": "VVVO",
    "RS(weights='uniform')": "VVVO",
}


ORDINAL = {
    # ordinal invariance, ordinal monotonicity, class imbalance
    "Accuracy": "OTT",
    "BalancedAccuracy": "OTO",
    "F1(average='macro')": "OVO",
    "MCC": "OVO",
    "MI": "OVT",
    "Kappa": "OVO",
    "Kappa(weights='linear')": "OOO",
    "Kappa(weights='quadratic')": "OVO",
    "MAE": "VOT",
    "MacroMAE": "VOO",
    "ICM": "OVO",
    "CEM_ORD": "OOO",
    "CEM_ORD(half='label')": "OOO",
}
DIVERSITY = {
    # aspect diversity, redundancy, monotonic redundancy, aspect weight
    "nDCG": "TTTT",
    "RBP(subtopics='mean')": "OTTO",
    "P_IA": "OTTO",
    "AP_IA": "OVVO",
    "D_nDCG": "OTTO",
    "DSharp_nDCG": "OOTO",
    "StRecall": "TOTO",
    "alpha_DCG": "OOOO",
    "alpha_nDCG": "OOOO",
    "ERR_IA": "OOOO",
    "NRBP": "OOOO",
    "RBU(subtopics='mean')": "OOOO",
}
TABLES = {
    "retrieval": RETRIEVAL,
    "clustering": CLUSTERING,
    "filtering": FILTERING,
    "ordinal": ORDINAL,
    "diversity": DIVERSITY,
}
