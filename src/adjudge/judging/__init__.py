"""One or several detectors, judged: results, receipts, words."""
