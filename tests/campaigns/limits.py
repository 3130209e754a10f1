"""A limit on the processor's time of a block, for campaigns that look for what does not end."""

import signal
from contextlib import contextmanager


class TooLong(BaseException):
    """A block took too long."""


def _stop(*_):
    raise TooLong


@contextmanager
def time_limit(seconds):
    """Raise `TooLong` after so many seconds of the processor."""
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
