"""What an audit without a limit of time says of every row: the axioms that it claims.

The table is written by ``tools/make.py claims``; the tests hold it and the audit together. One sign
per axiom, in the order of `ORDER`: + pass, x fail, ? undecided, - not applicable.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType

_TABLE = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
TITLES: MappingProxyType[str, str] = MappingProxyType(_TABLE.pop("axioms"))
"""What each axiom is about, in a word or two."""
ORDER: tuple[str, ...] = tuple(TITLES)
VERDICTS: MappingProxyType[str, str] = MappingProxyType(_TABLE)
