"""Power and sample sizes."""
