"""Processes that tests have started, as Linux lists them, and waiting for what they do."""

import time
from pathlib import Path


def wait_until(condition, process):
    """Wait for something to happen while a program runs."""
    while not condition() and process.poll() is None:
        time.sleep(0.002)


def children(parent, command):
    """The processes that another started, of which the command line has a word in it."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            stat, words = (entry / "stat").read_text(), (entry / "cmdline").read_bytes()
        except OSError:  # it has ended meanwhile
            continue
        if int(stat.rpartition(")")[2].split()[1]) == parent and command in words:
            found.append(int(entry.name))
    return found
