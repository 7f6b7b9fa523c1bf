"""Commands that keep results and show them: store, plot, report."""
