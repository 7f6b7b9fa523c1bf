"""Commands that compare systems and decide: compare, diagnose, experiment, gate, reproduce."""
