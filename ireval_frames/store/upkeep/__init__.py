"""Names, packing, merging, removing, checking and sending."""
