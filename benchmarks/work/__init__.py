"""What is timed: functions that load and return the work.  The work returns the means it found."""
