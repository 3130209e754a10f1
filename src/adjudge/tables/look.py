"""One look: colours, names of the four scores, words for verdicts, and how a share is written.

``look.json`` declares them once. The terminal and matplotlib read it here; the build of the pages
makes their style sheet and their TypeScript of the same file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LOOK = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

COLOURS: Mapping[str, Sequence[str]] = _LOOK["colours"]
"""Each colour by its part in a picture: on white, and on black."""
DETECTORS: Sequence[Sequence[str]] = _LOOK["detectors"]
"""Colour and marker of the first detector, the second, and so on."""
SCORES: Mapping[str, str] = _LOOK["scores"]
"""The four F1 scores by the name of the metric."""
BETTER, UNCLEAR, BELOW = (_LOOK["words"][name] for name in ("better", "unclear", "below"))


def on_white(part: str) -> str:
    """The colour of a part of a picture on white.

    >>> on_white("event")
    '#009e73'
    """
    return COLOURS[part][0]


def percent(share: float, digits: int = 0) -> str:
    """Write a share in percent, with a space before the sign as SI has it.

    >>> percent(0.95), percent(0.0501, 2)
    ('95 %', '5.01 %')
    """
    return f"{100 * share:.{digits}f} %"
