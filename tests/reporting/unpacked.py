"""What a page holds, read back: as its script reads it, by other means."""

import base64
import json
import re
import zlib

import numpy as np


def payload(html):
    packed = re.search(r'id="payload">(.*?)</script>', html, re.DOTALL)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def unpacked(packed):
    """An array from its payload; a short column is a list."""
    if isinstance(packed, list):
        return np.array([real(value) for value in packed])
    raw = np.frombuffer(base64.b64decode(packed["data"]), np.uint8)
    if packed["type"] in {"f8", "f4", "i4"}:
        return raw.view(f"<{packed['type']}").astype(np.float64)
    if packed["type"] == "bits":
        return np.unpackbits(raw, bitorder="little")[: packed["length"]].astype(np.float64)
    size = int(packed["type"][1:])
    whole = raw.reshape(-1, size).astype(np.float64) @ 256.0 ** np.arange(size)
    if "digits" in packed:
        return (whole + packed["least"]) / 10.0 ** packed["digits"]
    return whole


def scores_of(detector):
    """The scores to draw: of cells the upper ends, among which every level is."""
    packed, levels = detector["scores"], unpacked(detector["levels"])
    if "cells" not in packed:
        return unpacked(packed)
    low, high, many = packed["low"], packed["high"], packed["cells"]
    step = (high - low) / many or 1
    own = levels[(levels >= low) & (levels <= high)]
    ends = np.unique(np.concatenate([low + step * np.arange(-1, many), [high], own]))
    return np.append(np.append(-np.finfo(float).max, ends[1:]), np.inf)[
        unpacked({k: v for k, v in packed.items() if k != "cells"}).astype(int)
    ]


def values(metric):
    """The values at each level, with those that came with every digit."""
    found = unpacked(metric["value"]).copy()
    for place, value in metric["exact"]:
        found[place] = real(value)
    return found


def real(value):
    return np.nan if value is None else float(value)
