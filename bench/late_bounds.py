"""Bounds of the referee that were set after a look at results, by table, scene and share.

A bound that is set before a run can fail, so keeping it says something. One that was set after a
look describes what was seen: it tells later versions when they become worse, and no more. Scenes
and shares may be patterns. `tools/make.py referee` marks them in the tables, and lists them.
"""

HELD, APART, BETTER = "interval holds the truth", "separated", "called better"
LIMIT = "the scene was made to describe a limit"
NO_RECORD = "looser than usual, and nobody wrote down when it was set"

LATE = {
    (
        "intervals",
        "storms over several stretches",
        HELD,
    ): ".85 before; .81 to .89 of 400 runs were seen",
    ("intervals", "three in four fare like the last", HELD): ".80 before",
    (
        "intervals",
        "one stretch in fifteen very long, one was seen",
        HELD,
    ): ".88 over all runs before; .80 of 150 runs were seen",
    ("intervals", "groups of 1 to 5 fare alike", HELD): NO_RECORD,
    ("intervals over series", "six in ten suit the detector, few", HELD): LIMIT,
    ("intervals over series", "one in ten full of false alarms", HELD): LIMIT,
    ("areas", "noise that wanders over several stretches", HELD): LIMIT,
    ("areas", "one stretch in ten raised", HELD): NO_RECORD,
    ("best", "one stretch in ten raised", HELD): NO_RECORD,
    ("equals", "both of a pair found, or none", APART): NO_RECORD,
    ("equals", "groups of 1 to 5 fare alike", APART): NO_RECORD,
    ("equals", "5 or 150 points: finds long, or all alike", APART): NO_RECORD,
    ("blind", "same distances as the events", BETTER): LIMIT,
    ("blind", "in the same 15 % as the events", BETTER): LIMIT,
    ("blind", "in the same 5 % as the events", BETTER): LIMIT,
    ("blind", "late only, events too", BETTER): NO_RECORD,
    ("families", "late only, events too", "any called better"): NO_RECORD,
    ("skill", "*", BETTER): "slightly below what the version before reached",
    ("ring", "*, some skill", "p <= .05"): "slightly below what the version before reached",
}
