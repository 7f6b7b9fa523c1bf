"""Files of load tests and of monitoring, as timings, histograms or summaries."""
