"""Interrupts wait while workers are started, and are never lost."""

import os
import signal
import sys
import threading

import pytest
from joblib.externals.loky import process_executor as loky

from adjudge._interrupts import Interrupts
from adjudge.stores.engines import local
from processes import children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
NUMBERS = signal.SIGINT, signal.SIGTERM


@pytest.fixture(autouse=True)
def raised():
    """Both interrupts are raised, as the command line has it."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def handlers():
    return [signal.getsignal(number) for number in NUMBERS]


@pytest.mark.parametrize("number", NUMBERS)
def test_an_interrupt_waits_for_the_end_of_the_block(number):
    reached = []

    def interrupted():
        with Interrupts(wait=True):
            os.kill(os.getpid(), number)
            reached.append(number)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [number] == reached
    assert [signal.default_int_handler] * 2 == handlers()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_an_interrupt_that_another_thread_takes_waits_too():
    reached = []

    def interrupted():
        with Interrupts(wait=True):
            other = threading.Thread(target=signal.raise_signal, args=(signal.SIGTERM,))
            other.start()
            other.join()
            reached.append("the end of the block")
        reached.append("what comes after it")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert ["the end of the block"] == reached


def test_an_error_within_is_raised_where_no_interrupt_came():
    with pytest.raises(ZeroDivisionError), Interrupts(wait=True):
        1 / 0  # noqa: B018
    assert [signal.default_int_handler] * 2 == handlers()


def test_what_is_ignored_stays_so():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with Interrupts(wait=True):
        signal.raise_signal(signal.SIGTERM)
    assert [signal.default_int_handler, signal.SIG_IGN] == handlers()


def test_another_thread_holds_nothing():
    seen = []

    def enter():
        with Interrupts(wait=True):
            seen.extend(handlers())

    other = threading.Thread(target=enter)
    other.start()
    other.join()
    assert [signal.default_int_handler] * 2 == seen


@pytest.mark.parametrize("number", NUMBERS)
def test_an_interrupt_while_lokys_workers_start_ends_them(number, monkeypatch):
    start = loky._ExecutorManagerThread.start  # noqa: SLF001 - the thread that ends workers

    def interrupted(thread):
        signal.raise_signal(number)
        start(thread)

    monkeypatch.setattr(loky._ExecutorManagerThread, "start", interrupted)  # noqa: SLF001
    with pytest.raises(KeyboardInterrupt), local(2) as engine:
        engine.submit(abs, 1)
    assert [] == children(os.getpid(), b"LokyProcess")


def test_an_interrupt_right_after_work_was_handed_out_ends_the_workers(monkeypatch):
    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)

    def interrupted():
        with local(2) as engine:
            engine.submit(abs, 1).result()
            engine.submit(abs, 2)  # the thread that ends workers may not know of it yet
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    assert [] == raised
    assert [] == children(os.getpid(), b"LokyProcess")
