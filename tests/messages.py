"""Refusals: a test holds what a message tells (argument, values, names, options), not its words."""

import re

import pytest

import adjudge as aj

_FACT = re.compile(
    r"\A\S+"  # the argument, first of all
    r"|\bmust\b|\bgot \S+"
    r"|'[^']*'|\"[^\"]*\""
    r"|--[a-z-]+|\b\w+=[^\s;,]*|\w+\([^)]*\)"  # what to write instead
    r"|-?\b\d[\w.,:%-]*"
)


def facts(message):
    """What a message tells, in its order."""
    return [fact.rstrip(".,:;") for fact in _FACT.findall(message)]


def refused(message, error=aj.InputError):
    """Expect a refusal that tells the same, whatever its words are."""
    return pytest.raises(error, match="(?s)" + r"\A" + ".*?".join(map(re.escape, facts(message))))
