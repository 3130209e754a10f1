"""Engines: every piece comes back with its result, whoever does the work and whoever dies."""

import os
import pickle
import signal
import sys
import threading
import time
from contextlib import closing

import pytest

from adjudge.errors import InputError
from adjudge.stores import engines
from adjudge.stores.engines import HERE, Engine, Lost, alone, local
from processes import children

WORKERS = b"LokyProcess"
"""A word of their command lines."""


def test_this_process_does_one_piece_after_the_other():
    done = []
    pieces = HERE.do(done.append, iter([1, 2]))
    next(pieces)
    assert [1] == done
    with local(1) as engine:
        assert [(1, "1"), (2, "2")] == list(engine.do(str, [1, 2]))
    with pytest.raises(ZeroDivisionError):
        list(HERE.do(lambda piece: 1 / piece, [0]))


def test_pieces_come_back_with_their_results():
    with local(2) as engine, closing(engine.do(str, range(20))) as results:
        assert {piece: str(piece) for piece in range(20)} == dict(results)
    assert [] == children(os.getpid(), WORKERS)


def test_no_worker_is_started_where_there_is_no_work():
    with local(2) as engine:
        assert [] == list(engine.do(str, []))
        assert [] == children(os.getpid(), WORKERS)


def test_an_error_in_a_worker_is_raised_here():
    with local(2) as engine, pytest.raises(ZeroDivisionError):
        list(engine.do((1).__floordiv__, [1, 0]))


def test_workers_end_at_once_when_the_work_is_given_up():
    with local(2) as engine, closing(engine.do(time.sleep, [0, 600, 600])) as results:
        assert (0, None) == next(results)
        assert children(os.getpid(), WORKERS)
    assert [] == children(os.getpid(), WORKERS)


def interrupted(wait, futures, line):
    """Wait for futures, with a Ctrl-C at a line of Python that runs meanwhile, if there is one."""
    lines = iter(range(line))

    def trace(frame, event, _):
        if event == "line" and next(lines, None) is None:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        wait(futures)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def can_be_asked(futures):
    """Whether another thread gets an answer, as that of the pool must."""
    asked = threading.Thread(target=lambda: [one.done() for one in futures], daemon=True)
    asked.start()
    asked.join(10)
    return not asked.is_alive()


def test_an_interrupt_while_it_waits_holds_nobody_up():
    with local(2) as engine:
        line, hit = 0, True
        while hit:
            futures = [engine.submit(time.sleep, 0.01) for _ in range(3)]
            hit, line = interrupted(engine.wait, futures, line), line + 1
            assert can_be_asked(futures)
    assert 1 < line < 100


def test_what_was_given_up_is_nobody_elses():
    with local(2) as engine:
        with closing(engine.do(str, range(4))) as given_up:
            next(given_up)
        assert {5: "5", 6: "6"} == dict(engine.do(str, [5, 6]))


@pytest.mark.parametrize(
    "deadly", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_a_worker_that_dies_takes_nothing_with_it(deadly):
    with local(2) as engine:
        found = list(engine.do(signal.raise_signal, [0, 0, deadly, 0, 0, 0]))
    assert [0] * 5 == [piece for piece, result in found if result is None]
    (lost,) = [result for piece, result in found if piece == deadly]
    assert Lost(3) == lost
    assert str(lost) == "the worker died 3 times; it may need more memory"
    assert [] == children(os.getpid(), WORKERS)


def test_a_deadly_piece_is_known_before_others_are_begun():
    """So whoever cannot do without it need not wait for all the others."""
    begun = []
    pieces = (begun.append(piece) or piece for piece in [signal.SIGKILL, *[0] * 5000])
    with local(2) as engine, closing(engine.do(signal.raise_signal, pieces)) as results:
        while not isinstance(next(results)[1], Lost):
            pass
    assert len(begun) < 2500  # about 5; more where a busy machine is slow to tell of the death


def test_a_pool_that_breaks_while_work_is_handed_out_is_survived():
    class Died(Exception):  # noqa: N818
        pass

    broken = iter([True, False, False])

    def submit(function, piece):
        if next(broken):
            raise Died
        return HERE.submit(function, piece)

    engine = Engine(submit, list, 1, (Died,))
    assert {1: "1", 2: "2"} == dict(engine.do(str, [1, 2]))


def test_what_cannot_be_sent_is_refused_in_one_line():
    said = r"metrics must be picklable, got .*; jobs=1"
    with local(2) as engine, pytest.raises(InputError, match=said):
        list(engine.do(str, [threading.Lock()]))


def test_a_worker_without_a_module_of_a_metric_says_which():
    assert engines.called(pickle.dumps((len, "abc"))) == 3
    said = r"workers must have every module .* got ModuleNotFoundErr"
    with pytest.raises(InputError, match=said):
        engines.called(b"cno_such_module\nmetric\n.")


def test_a_worker_ends_with_its_parent(monkeypatch):
    ended, started = [], []
    monkeypatch.setattr(engines.os, "_exit", ended.append)
    monkeypatch.setattr(engines.time, "sleep", lambda _: None)
    parents = iter([7, 7, 1])
    monkeypatch.setattr(engines.os, "getppid", lambda: next(parents))
    engines._end_with(7)  # noqa: SLF001
    assert [1] == ended
    monkeypatch.setattr(engines.signal, "signal", lambda *given: started.append(given))
    monkeypatch.setattr(engines.os, "getppid", lambda: 1)
    engines._begin(7)  # noqa: SLF001
    assert [(signal.SIGINT, signal.SIG_IGN)] == started


def refused(words):
    raise InputError(words)


@pytest.mark.parametrize(
    ("function", "piece", "said"),
    [
        (time.sleep, 600, "it took more than 0.5 s"),
        (bytearray, 10**10, "MemoryError"),
        (os._exit, 1, "its process ended; it may need more than 1 GB"),
        (signal.raise_signal, signal.SIGKILL, "its process ended; it may need more than 1 GB"),
        (refused, "a must be b", "a must be b"),
        ({}.__getitem__, "a", "KeyError: 'a'"),
        (str, 3, "3"),
    ],
)
def test_a_piece_that_is_done_alone_ends_and_takes_nothing_with_it(function, piece, said):
    seconds = 0.5 if function is time.sleep else 60
    assert said in alone(function, piece, seconds, 10**9)


@pytest.mark.parametrize(("piece", "said"), [("a", "97"), ("ab", "TypeError: ord")])
def test_where_no_process_can_be_copied_it_is_done_here(piece, said, monkeypatch):
    monkeypatch.setattr(engines, "can_fork", lambda: False)
    assert said in str(alone(ord, piece, 60, 10**9))


def test_where_there_are_no_processes_the_work_is_done_here(monkeypatch):
    monkeypatch.setattr("adjudge.stores.engines.sys.platform", "emscripten")
    with local(4) as engine:
        assert engine is HERE
