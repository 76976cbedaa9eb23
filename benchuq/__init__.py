__version__ = "0.0.1"
"""How sure a benchmark result is: intervals, ranks and predictions with their uncertainty."""
