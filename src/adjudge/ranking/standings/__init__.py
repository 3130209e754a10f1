"""Standings: who would be first on other benchmarks, and which places detectors may have."""
