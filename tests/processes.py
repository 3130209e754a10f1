"""Processes that tests have started, as Linux lists them, and waiting for what they do."""

import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def server(folder, *command):
    """Run a program in the background until the end of the block."""
    log = folder / f"{command[0]}.log"
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


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
