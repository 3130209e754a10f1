"""Defaults: a score without settings means what its paper, or its authors' code, means by it."""

import pytest

import adjudge as aj

BALANCED = {"width": None, "islands": "normal", "margin": 0, "border": "clip", "reading": None}
VOLUME = {"window": 100, "thresholds": 250, "variant": "original"}
PATE = {"early": 100, "delay": 100, "splits": 1}
DEFAULTS = {
    "f1": {"beta": 1},
    "f1_kpa": {"k": 0.2, "strict": False, "tolerance": None, "beta": 1},
    "f1_ba": {**BALANCED, "beta": 1},
    "informedness_ba": {**BALANCED, "width": "matched", "border": "shift"},
    "f1_dilated": {"width": 5, "beta": 1},
    "event_weighted_f1": {"k": None, "weight": "one", "beta": 1},
    "overlap_f1": {"tau": 0.5, "beta": 1},
    "collar_f1": {"collar": 5, "ends": True, "slack": 0.5, "beta": 1},
    "intersection_f1": {"dtc": 0.5, "gtc": 0.5, "beta": 1},
    "psds": {"dtc": 0.5, "gtc": 0.5, "per": 1000, "max_rate": 10},
    "tapr_f1": {"alpha": 0.5, "theta": 0.5, "delta": 0, "beta": 1},
    "etapr_f1": {"theta_p": 0.5, "theta_r": 0.1, "beta": 1},
    "delay_f1": {"k": 7, "beta": 1},
    "latency_f1": {"window": 1, "beta": 1},
    "tolerant_f1": {"tolerance": 5, "beta": 1},
    "softed_f1": {"reach": 15, "match": "nearest", "starts": False, "beta": 1},
    "early_detection": {"share": 0.1},
    "nab": {"profile": "standard", "probation": 0, "normalise": True},
    "oipr_f1": {"linger": "auto", "tire": "auto", "floor": 0.5, "beta": 1},
    "sdqe": {"near": 125, "version": "2026-05"},
    "dqe": {"near": 125, "version": "2026-05", "thresholds": 100},
    "vus_roc": VOLUME,
    "vus_pr": VOLUME,
    "range_auc_pr": VOLUME,
    "vus_f1": {"window": 100, "beta": 1},
    "pate": {**PATE, "thresholds": 250},
    "pate_f1": {**PATE, "beta": 1},
    "recall_at": {"rate": 1, "per": 1000},
    "froc": {"rates": (0.125, 0.25, 0.5, 1, 2, 4, 8), "per": 1000},
    "partial_auc_roc": {"max_fpr": 0.1},
    "ucr": {"tolerance": 0},
    "wdd": {"tolerance": 5},
    "alert_ap": {
        "tolerance": 360,
        "parts": (12, 36, 60, 90, 120, 150, 180, 240, 300, 360),
    },
    "interval_ap": {"iou": (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)},
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_default_changes_only_on_purpose(name):
    """It would change every number that was printed without settings: see CONTRIBUTING.md."""
    assert DEFAULTS[name] == aj.catalogue[name].parameters
