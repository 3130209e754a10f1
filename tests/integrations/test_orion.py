"""Orion itself: its intervals against its own scores; without the package, on its form of data."""

import pandas as pd
import pytest

import adjudge as aj
from integrations import recipes

DATA = pd.DataFrame({"timestamp": 1_420_000_000 + 300 * pd.RangeIndex(200)})
TIMES = DATA["timestamp"].tolist()


def intervals(*pairs):
    """A frame as Orion gives and takes it: start, end, severity."""
    rows = [(TIMES[start], TIMES[end], 0.7) for start, end in pairs]
    return pd.DataFrame(rows, columns=["start", "end", "severity"])


EXPECTED = intervals((10, 19), (80, 99))
OBSERVED = intervals((12, 21), (140, 149))


def test_ends_belong_to_the_anomaly():
    judged = recipes.judge_intervals_of_orion(DATA, EXPECTED, EXPECTED)
    assert judged["f1"] == 1
    assert [event["stop"] for event in judged.events] == [20, 100]
    assert judged.events[0]["from"] == "2014-12-31 05:16:40"


def test_overlap_of_segments_agrees_with_orions_own():
    contextual = pytest.importorskip("orion.evaluation.contextual")
    judged = recipes.judge_intervals_of_orion(DATA, EXPECTED, OBSERVED)
    pairs = [list(frame[["start", "end"]].itertuples(index=False, name=None))
             for frame in (EXPECTED, OBSERVED)]  # fmt: skip
    theirs = contextual.contextual_f1_score(*pairs, weighted=False)
    assert judged["event_recall"] == 0.5
    assert theirs == pytest.approx(
        aj.segment_f1(judged.cases[0].events, judged.cases[0].flags.astype(int))
    )
