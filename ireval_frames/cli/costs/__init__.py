"""Commands about times and costs: timings of requests, and quality against cost."""
