"""Which module declares each measure, by family; measures are listed in this order.

Written by `make index`.  Names include aliases; below, the names that trec_eval has for measures.
"""

MEASURES: dict[str, dict[str, str]] = {
    "ranking": {
        "ranking.measures.precision": "P Precision R Recall FallOut F Success RR MRR AP MAP YAAP",
        "ranking.measures.gain": "CG DCG IDCG nDCG NDCG",
        "ranking.measures.cascade": "ERR nERR NERR RBP RBU RankBiasedUtility",
        "ranking.measures.r_precision": "Rprec RPrec BEP BreakEven",
        "ranking.measures.interpolation": "IPrec IAP",
        "ranking.measures.sets": "SetP SetR SetF SetAP NumQ NumRet NumRel NumRelRet NumNonRelRet Utility",
        "ranking.measures.incomplete": "Bpref BPref infAP Judged Unjudged RBPresid",
        "ranking.sampled.inferred": "xinfAP xinfMAP infNDCG infP iP infR infNumRelRet inum_rel_ret infNumRel inum_rel",
        "ranking.sampled.statistical": "statAP statMAP statP statPC statR statRprec statNumRel",
        "ranking.sampled.variances": "SamplingVariance",
        "ranking.measures.pairs": "Accuracy AUC ROC_AUC GradeTau",
        "ranking.measures.compat": "Compat",
        "ranking.measures.blended": (
            "QMeasure Q Q_measure OMeasure O_measure PMeasure P_measure PPlus P_plus NCU nCG NCG"
        ),
        "ranking.measures.gain_so_far": "binG G nDCGrel RnDCG",
        "ranking.diversity.measures": (
            "alpha_DCG α_DCG alphaDCG αDCG alpha_nDCG α_nDCG alphanDCG αnDCG ERR_IA ERRIA nERR_IA nERRIA NERR_IA NRBP "
            "nNRBP"
        ),
        "ranking.diversity.intent_aware": (
            "AP_IA MAP_IA APIA MAPIA P_IA PIA StRecall strec SRecall I_rec I-rec D_nDCG D-nDCG DnDCG DSharp_nDCG "
            "D#_nDCG D#-nDCG"
        ),
        "ranking.cwl.user_models": "SDCG INSQ NERR8 NERR9 NERR10 NERR11 TBG UMeasure U_measure",
        "ranking.cwl.goal_readers": "INST BPM IFT",
        "ranking.preferences.measures": (
            "PrefsSimp prefs_simp PrefsPair prefs_pair NumPrefs NumPrefsFulfilled PrefsRnonrel prefs_Rnonrel"
        ),
        "ranking.click_models.utility": "EBU uDBN uSDBN uDCM uPBM uUBM",
        "ranking.click_models.effort": "rrDBN rrDCM Seen",
    },
    "labels": {
        "labels.decisions.overlap": "F FBeta E Effectiveness F1 Jaccard CSI IoU",
        "labels.decisions.confusion": (
            "Accuracy accuracy ErrorRate ZeroOneLoss BalancedAccuracy MCC MatthewsCorrelation Phi Kappa CohenKappa "
            "SubsetAccuracy ExactMatch MacroF FOfMeans NumItems NumClasses GMean GeometricMean HammingLoss"
        ),
        "labels.decisions.rates": (
            "Precision PPV precision Recall TPR Sensitivity recall Specificity TNR FallOut FPR MissRate FNR NPV "
            "NegativePredictiveValue FDR FalseDiscoveryRate FOR FalseOmissionRate Support NumLabelled Prevalence"
        ),
        "labels.decisions.diagnostic": (
            "Informedness Youden Markedness LRPlus PositiveLikelihoodRatio LRMinus NegativeLikelihoodRatio DOR "
            "DiagnosticOddsRatio P4 IBA IndexBalancedAccuracy PrevalenceThreshold FRS"
        ),
        "labels.scores.several_classes": "OneVsRestAUC HandTill OneVsOneAUC",
        "labels.scores.roc": (
            "ROCAUC AUC AUROC LogAUC Gini KS KolmogorovSmirnov EER EqualErrorRate Gain CumulativeGain CaptureRate Lift"
        ),
        "labels.scores.precision_recall": "AveragePrecision PRAUC AUPRC InterpolatedAP BEP BreakEvenPoint",
        "labels.scores.likelihood": (
            "LogLoss CrossEntropy KLDivergence Brier BrierScore D2LogLoss D2Brier BrierSkill Hinge HingeLoss"
        ),
        "labels.scores.calibration": (
            "ECE ExpectedCalibrationError MCE MaximumCalibrationError RMSCE RootMeanSquaredCalibrationError "
            "HosmerLemeshow"
        ),
        "labels.scores.operating_points": (
            "PrecisionAtRecall RecallAtPrecision FallOutAtRecall FPRAtTPR SpecificityAtRecall SpecificityAtSensitivity "
            "RecallAtSpecificity SensitivityAtSpecificity"
        ),
        "labels.scores.selective": (
            "AURC AreaUnderRiskCoverage EAURC ExcessAURC NAURC NormalizedAURC AUGRC AreaUnderGeneralizedRiskCoverage "
            "SelectiveAccuracy AccuracyAtCoverage"
        ),
        "labels.scores.label_ranking": "TopK TopKAccuracy LRAP LabelRankingAveragePrecision CoverageError RankingLoss",
        "labels.decisions.ordinal": "MAE MeanAbsoluteError MacroMAE ClassDistance CEM_ORD CEM ClosenessEvaluation",
        "labels.decisions.hierarchy": "ICM ICMNorm",
        "labels.decisions.filtering": (
            "Lam Utility T11SU WeightedAccuracy TCR TotalCostRatio MI MutualInformation ChiSquare"
        ),
        "labels.scores.soft_labels": "ICMSoft ICMSoftNorm SoftCrossEntropy SoftMAE",
    },
    "clusters": {
        "clusters.matching": (
            "Purity InversePurity PurityF ClusterF SplitJoin EditDistance EditOperations ClusteringAccuracy ACC "
            "MaximumMatching"
        ),
        "clusters.bcubed": "BCubedP BCubedPrecision BCubedR BCubedRecall BCubedF BCubed",
        "clusters.information": (
            "Entropy ClassEntropy MI MutualInformation NMI Homogeneity Completeness V VMeasure VI "
            "VariationOfInformation ChiSquare Frobenius"
        ),
        "clusters.chance": "AMI AdjustedMutualInformation",
        "clusters.pairs": (
            "Rand RandIndex RI AdjustedRand ARI AdjustedRandIndex ModifiedAdjustedRand MARI PairPrecision PairRecall "
            "PairF CzekanowskiDice Jaccard FowlkesMallows FMI"
        ),
        "clusters.pair_indices": (
            "PairTP PairFP PairFN PairTN Mirkin Kulczynski McNemar HubertGamma PairPhi RogersTanimoto RussellRao "
            "SokalSneath1 SokalSneath2"
        ),
        "clusters.sizes": "NumItems NumClasses NumClusters",
    },
    "points": {
        "points.criteria.centroids": (
            "DaviesBouldin DB DBI XieBeni XB RayTuri PBM SDScattering SDScat Scat SDDistance SDDis SD"
        ),
        "points.criteria.density": "SDbw S_Dbw",
        "points.criteria.determinants": "DetRatio LogDet LogDetRatio KsqDetW ScottSymons TraceWiB",
        "points.criteria.dunn": "Dunn DunnIndex GeneralizedDunn",
        "points.criteria.pair_order": "CIndex Gamma GPlus Tau",
        "points.criteria.silhouettes": "Silhouette SC SilhouetteError SimplifiedSilhouette WemmertGancarski",
        "points.criteria.pair_sums": (
            "IntraDistance InterDistance IntraSimilarity InterSimilarity McClainRao PointBiserial"
        ),
        "points.criteria.scatter": (
            "NumPoints N NumClusters K SSE Inertia WSS WGSS TraceW Distortion RSquared R2 CalinskiHarabasz CH "
            "VarianceRatio LogSS Hartigan BallHall BanfeldRaftery BanfieldRaftery RatkowskyLance"
        ),
    },
    "organization": {
        "organization.measures": "Reliability Sensitivity RS ReliabilitySensitivity NumItems",
    },
    "similarity": {
        "similarity.correlation": "Tau KendallTau Kendall Spearman Rho SpearmanRho TauAP APCorrelation WeightedTau",
        "similarity.overlap": "Overlap AO AverageOverlap NumCommon",
        "similarity.rank_biased": "RBO",
    },
    "ratings": {
        "ratings.measures.chance": (
            "PercentAgreement FleissKappa ScottPi BrennanPrediger SScore GwetAC1 GwetAC2 CongerKappa"
        ),
        "ratings.measures.alpha": "KrippendorffAlpha Alpha",
        "ratings.measures.cohen": "CohenKappa LightKappa BlandAltmanBias BlandAltmanLower BlandAltmanUpper",
        "ratings.measures.reliability": "ICC KendallW",
        "ratings.measures.sizes": "NumRaters NumRatings NumRatedItems",
    },
    "clicks": {
        "clicks.measures.debiased": "COEC ClicksOverExpectedClicks DebiasedCTR PBMCTR",
        "clicks.measures.pages": (
            "Abandonment AbandonmentRate GoodAbandonment BadAbandonment PageCTR AnyClick QueryCTR PageSuccess "
            "ClicksPerPage ZeroResultRate NoResultRate"
        ),
        "clicks.measures.rates": (
            "CTR ClickThroughRate SatCTR SatisfiedCTR SatClickShare SatisfiedClickRate PSkip ClickEntropy"
        ),
        "clicks.measures.reciprocal": (
            "MRRFirstClick MaxReciprocalRank MRRLastClick MRRClicks MeanReciprocalRank LastClickPosition"
        ),
        "clicks.measures.sessions": (
            "ReformulationRate QueriesPerSession PagesPerSession SessionsPerUser SessionSuccess"
        ),
        "clicks.measures.sizes": "NumPages NumResults NumClicks",
        "clicks.measures.times": "TimeToFirstClick TimeToLastClick TimeToSuccess",
    },
    "spans": {
        "spans.precision": (
            "Precision Recall F1 F FBeta TokenF1 CharacterF1 TokenP TokenPrecision CharacterP TokenR TokenRecall "
            "CharacterR"
        ),
        "spans.slots": (
            "SlotErrorRate SER ErrorRate Undergeneration UND Overgeneration OVG Substitution SUB SubsetAccuracy "
            "ExactDocuments NumGold NumPredicted"
        ),
    },
    "relations": {
        "relations.measures": (
            "Precision Recall F1 ArgumentScore EAArg SubsetAccuracy NumGold NumPredicted NumCorrect F FBeta"
        ),
    },
    "links": {
        "links.measures": (
            "Precision Recall F1 SubsetAccuracy NumGold NumPredicted NumCorrect NumMissing NumRedundant NumInexact "
            "NumWrong F FBeta"
        ),
    },
    "coreference": {
        "coreference.bcubed": "B3P B3R B3F B3 MentionP MentionR MentionF",
        "coreference.blanc": "BLANCP BLANCR BLANCF BLANC",
        "coreference.ceaf": "CEAFmP CEAFmR CEAFmF CEAFm CEAFeP CEAFeR CEAFeF CEAFe",
        "coreference.muc": "MUCP MUCR MUCF MUC",
        "coreference.lea": "LEAP LEAR LEAF LEA CoNLL CoNLLAverage",
        "coreference.sizes": "NumGoldMentions NumPredictedMentions NumGoldEntities NumPredictedEntities",
    },
    "segmentation": {
        "segmentation.boundaries": (
            "BoundaryP BoundaryPrecision BoundaryR BoundaryRecall BoundaryF NumBoundaries NumPositions"
        ),
        "segmentation.similarity": "BoundarySimilarity B",
        "segmentation.windows": "Pk P_k WindowDiff WD",
    },
    "answers": {
        "answers.exact": "ExactMatch EM Contains NumAnswers",
        "answers.rouge": "ROUGE1 ROUGE-1 ROUGE2 ROUGE-2 ROUGEL ROUGE-L",
        "answers.words": "TokenF1 TokenP TokenR",
        "answers.bleu": "BLEU",
    },
    "exposure": {
        "exposure.expected": "EED EE_D EER EE_R EEL EE_L",
        "exposure.exposure_ratios": (
            "ExposureRatio DemographicParity TreatmentRatio DTR DisparateTreatment ImpactRatio DIR DisparateImpact "
            "ExposureGap"
        ),
        "exposure.group_exposure": "GroupExposure AWRF AttentionWeightedRankFairness nDCG_AWRF NumRetrieved",
        "exposure.cut_points": "rND rKL rRD",
        "exposure.pairwise": "PairwiseAccuracy FavouredPairs",
        "exposure.prefixes": "Skew MinSkew MaxSkew NDKL",
        "exposure.sequences": "EquityOfAttention AmortizedUnfairness",
    },
    "recommendations": {
        "recommendations.concentration": "ItemGini ExposureGini ItemEntropy Personalization",
        "recommendations.coverage": "CatalogCoverage ItemCoverage UserCoverage NumRecommended NumUsers",
        "recommendations.novelty": "MIUF Surprisal SelfInformation UnseenShare",
        "recommendations.popularity": (
            "ARP AverageRecommendationPopularity PopRank MeanPopRank TailShare APLT PopularityLift DeltaGAP"
        ),
        "recommendations.accuracy": "HitRate Precision Recall F1 MAP MRR NDCG",
        "recommendations.diversity": "ILD IntraListDiversity ILS IntraListSimilarity EILD ExpectedIntraListDiversity",
        "recommendations.features": "FeatureRecall SubtopicRecall FeatureEntropy Miscalibration BiasDisparity",
        "recommendations.serendipity": "Serendipity Unexpectedness",
    },
    "timings": {
        "timings.latencies": "Latency MeanLatency GeometricMeanLatency MeanLogLatency",
        "timings.rates": "Throughput Goodput WithinLimit SLOAttainment ErrorRate Concurrency Cost",
        "timings.sizes": "NumRequests NumFailed NumWarmUp NumLatencies NumQueries",
    },
    "nuggets": {
        "nuggets.recall": "NuggetRecall A A_strict V V_strict W W_strict NuggetPrecision NuggetF NumNuggets",
    },
    "citations": {
        "citations.precision": "CitationPrecision CitationRecall CitationF CitationF1",
        "citations.sentences": "SupportedSentences HallucinationRate UnsupportedSentences CitedSentences",
        "citations.counts": "JudgedCitations NumSentences NumCitations",
    },
    "verdicts": {
        "verdicts.ratios": (
            "ContextPrecision ContextualPrecision ContextUtilization ContextRelevance ContextualRelevancy "
            "ContextRecall ContextualRecall Faithfulness Groundedness AnswerRelevancy AnswerRelevance Hallucination "
            "NumVerdicts"
        ),
    },
}
TREC_NAMES: dict[str, str] = {
    "ranking.measures.precision": "P relative_P P_avgjg recall success recip_rank map map_cut gm_map map_avgjg yaap",
    "ranking.measures.gain": "dcg ideal_dcg ndcg ndcg_cut ndcg_p",
    "ranking.measures.cascade": "rbp",
    "ranking.measures.r_precision": "Rprec Rprec_mult Rprec_mult_avgjg",
    "ranking.measures.interpolation": "iprec_at_recall 11pt_avg",
    "ranking.measures.sets": (
        "set_P set_relative_P set_recall set_F set_map num_q num_ret num_rel num_rel_ret num_nonrel_judged_ret utility"
    ),
    "ranking.measures.incomplete": "bpref gm_bpref infAP unj rbp_resid",
    "ranking.measures.gain_so_far": "binG G ndcg_rel Rndcg",
    "ranking.preferences.measures": (
        "prefs_simp prefs_simp_imp prefs_simp_ret prefs_avgjg prefs_avgjg_imp prefs_avgjg_ret prefs_pair "
        "prefs_pair_imp prefs_pair_ret prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret "
        "prefs_avgjg_Rnonrel prefs_avgjg_Rnonrel_ret"
    ),
}
