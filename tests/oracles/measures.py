"""Every oracle under the name of its measure."""

from __future__ import annotations

from tests.oracles.blended import (
    normalized_cumulated_gain,
    normalized_cumulative_utility,
    o_measure,
    p_measure,
    p_plus,
    q_measure,
)
from tests.oracles.cascade import expected_reciprocal_rank, normalized_expected_reciprocal_rank, rank_biased_utility
from tests.oracles.compat import compatibility
from tests.oracles.diversity import (
    alpha_dcg,
    alpha_ndcg,
    ap_ia,
    d_ndcg,
    d_sharp_ndcg,
    err_ia,
    nerr_ia,
    nnrbp,
    nrbp,
    p_ia,
    subtopic_recall,
)
from tests.oracles.gain import (
    cumulated_gain,
    discounted_cumulated_gain,
    ideal_gain,
    normalized_discounted_cumulated_gain,
)
from tests.oracles.gain_so_far import (
    binary_gain,
    gain_averaged_over_falls,
    gain_averaged_over_relevant,
    normalized_gain,
)
from tests.oracles.goal_readers import (
    bejeweled_player_model,
    information_foraging,
    insq,
    inst,
    nerr8,
    nerr9,
    nerr10,
    nerr11,
)
from tests.oracles.incomplete import (
    binary_preference,
    inferred_average_precision,
    judged_rate,
    rank_biased_residual,
    unjudged_rate,
)
from tests.oracles.interpolation import interpolated_average_precision, interpolated_precision
from tests.oracles.pairs import accuracy, area_under_roc, tau_of_grades
from tests.oracles.precision import (
    break_even_point,
    f_measure,
    fall_out,
    r_precision,
    recall,
    smoothed_average_precision,
    success,
)
from tests.oracles.preferences import (
    balanced_share,
    number_fulfilled,
    number_of_preferences,
    share_of_pairs,
    simple_share,
)
from tests.oracles.relevance import Oracle
from tests.oracles.sets import (
    number_nonrelevant_retrieved,
    number_of_queries,
    number_relevant,
    number_relevant_retrieved,
    number_retrieved,
    set_average_precision,
    set_f_measure,
    set_precision,
    set_recall,
    utility,
)
from tests.oracles.user_models import (
    average_precision_reader,
    precision_reader,
    rank_biased_precision,
    reciprocal_rank_reader,
    scaled_discounted_cumulated_gain,
    time_biased_gain,
    u_measure,
)

# Each takes (ranking, judgments, **parameters) for one query and gives its
# value, or None where the measure is undefined.
ORACLES: dict[str, Oracle] = {
    "P": precision_reader,
    "R": recall,
    "F": f_measure,
    "FallOut": fall_out,
    "Success": success,
    "RR": reciprocal_rank_reader,
    "AP": average_precision_reader,
    "Rprec": r_precision,
    "BEP": break_even_point,
    "IPrec": interpolated_precision,
    "IAP": interpolated_average_precision,
    "Bpref": binary_preference,
    "infAP": inferred_average_precision,
    "Judged": judged_rate,
    "CG": cumulated_gain,
    "DCG": discounted_cumulated_gain,
    "nDCG": normalized_discounted_cumulated_gain,
    "ERR": expected_reciprocal_rank,
    "nERR": normalized_expected_reciprocal_rank,
    "RBP": rank_biased_precision,
    "RBU": rank_biased_utility,
    "SDCG": scaled_discounted_cumulated_gain,
    "INSQ": insq,
    "INST": inst,
    "NERR8": nerr8,
    "NERR9": nerr9,
    "NERR10": nerr10,
    "NERR11": nerr11,
    "BPM": bejeweled_player_model,
    "IFT": information_foraging,
    "TBG": time_biased_gain,
    "UMeasure": u_measure,
    "Compat": compatibility,
    "QMeasure": q_measure,
    "OMeasure": o_measure,
    "PMeasure": p_measure,
    "PPlus": p_plus,
    "NCU": normalized_cumulative_utility,
    "nCG": normalized_cumulated_gain,
    "Accuracy": accuracy,
    "AUC": area_under_roc,
    "GradeTau": tau_of_grades,
    "SetP": set_precision,
    "SetR": set_recall,
    "SetF": set_f_measure,
    "SetAP": set_average_precision,
    "NumQ": number_of_queries,
    "NumRet": number_retrieved,
    "NumRel": number_relevant,
    "NumRelRet": number_relevant_retrieved,
    "NumNonRelRet": number_nonrelevant_retrieved,
    "Utility": utility,
    "YAAP": smoothed_average_precision,
    "IDCG": ideal_gain,
    "binG": binary_gain,
    "G": normalized_gain,
    "nDCGrel": gain_averaged_over_relevant,
    "RnDCG": gain_averaged_over_falls,
    "Unjudged": unjudged_rate,
    "RBPresid": rank_biased_residual,
}

# These need no relevant document to mean something.
NEEDS_NO_RELEVANT = frozenset(
    {
        "RBU",
        "FallOut",
        "GradeTau",
        "Judged",
        "NumQ",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "NumNonRelRet",
        "Utility",
        "Unjudged",
        "RBPresid",
    }
)

# These take judgments by subtopic.
DIVERSITY: dict[str, Oracle] = {
    "alpha_DCG": alpha_dcg,
    "alpha_nDCG": alpha_ndcg,
    "ERR_IA": err_ia,
    "nERR_IA": nerr_ia,
    "NRBP": nrbp,
    "nNRBP": nnrbp,
    "AP_IA": ap_ia,
    "P_IA": p_ia,
    "StRecall": subtopic_recall,
    "D_nDCG": d_ndcg,
    "DSharp_nDCG": d_sharp_ndcg,
}
ORACLES |= DIVERSITY

# These take judgments by assessor.
PREFERENCES: dict[str, Oracle] = {
    "PrefsSimp": simple_share,
    "PrefsPair": share_of_pairs,
    "PrefsRnonrel": balanced_share,
    "NumPrefs": number_of_preferences,
    "NumPrefsFulfilled": number_fulfilled,
}
ORACLES |= PREFERENCES

# These read grades as gains; the others compare grades with rel.
GRADED = frozenset(
    {
        "CG",
        "DCG",
        "IDCG",
        "nDCG",
        "G",
        "nDCGrel",
        "RnDCG",
        "ERR",
        "nERR",
        "Compat",
        "QMeasure",
        "OMeasure",
        "PMeasure",
        "PPlus",
        "NCU",
        "nCG",
    }
)
GRADED |= {"D_nDCG", "DSharp_nDCG"}

# Of these, the ones that need a relevant document besides.
BOTH = frozenset({"RnDCG"})
NEEDS_NO_RELEVANT |= set(PREFERENCES)
