"""Costs by hand: one event, one page, one minute at a time."""

from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

import naive


def money(labels, adjusted, series=None, where=None, *, miss=10, false=1, delay=0, night=0,
          times=None):  # fmt: skip
    """Sums in money; times are hours since 1970 of points that are an hour apart."""
    saved = worth = 0
    for a, b in naive.events(labels, series, where):
        price = max(miss, delay * (b - a))
        worth += price
        first = next((t for t in range(a, b) if adjusted[t]), None)
        saved += 0 if first is None else price - delay * (first - a)
    anomalous = naive.truth(labels, where)
    paid = 0
    for a, b in naive.events(adjusted, series):
        if not any(anomalous[a:b]):
            paid += false + (night if times is not None and dark(times[a]) else 0)
    return saved, worth, 0, paid, 1


def dark(hour, zone="UTC"):
    local = datetime.fromtimestamp(hour * 3600, UTC).astimezone(ZoneInfo(zone))
    return local.hour >= 22 or local.hour < 7


def total(tally):
    saved, worth, right, paid, _ = tally
    return float(worth - saved + paid - right)


TWINS = {
    "costs": (naive.raw, money, total),
    "costs(miss=500, false=20, delay=2)": (
        naive.raw, partial(money, miss=500, false=20, delay=2), total,
    ),
    "costs(miss=1, delay=2)": (naive.raw, partial(money, miss=1, delay=2), total),
}  # fmt: skip
SETTINGS = {
    "miss": st.integers(0, 999),
    "false": st.floats(0, 999),
    "night": st.integers(0, 99),
    "delay": st.sampled_from([0, 2.5, "2/min", "1 per hour"]),
    "hours": st.sampled_from(["22:00-07:00", "0:00-6:30"]),
    "zone": st.sampled_from([None, "Europe/Berlin"]),
    "per": st.sampled_from([None, "1d", "90min"]),
}
