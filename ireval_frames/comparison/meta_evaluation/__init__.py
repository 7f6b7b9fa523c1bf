"""Meta-evaluation of measures: discriminative power, stability, robustness and strictness."""
