"""What measures tell systems apart, and how sure that is."""
