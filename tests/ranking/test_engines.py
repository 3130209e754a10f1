"""Engines: whoever does the work, and whoever dies meanwhile, the tables are the same."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import adjudge as aj
from adjudge.errors import InputError, MissingExtra
from adjudge.metrics import reader
from adjudge.ranking import cells
from adjudge.ranking.finished import read_ranking
from adjudge.ranking.run import rank
from adjudge.ranking.sources import ReadOptions, units_of
from adjudge.ranking.task import Task
from adjudge.stores import cluster, engines
from adjudge.stores.cluster import dask
from adjudge.stores.engines import Lost
from processes import children, wait_until
from ranking.benchmark import benchmark, write
from sampling import one_in

LOKY = b"LokyProcess"

TASK = Task((aj.auc_roc,), chance=False, shifts=None, seed=0)
METRICS = ["best(f1)", "best(f1_ba)", "auc_roc"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write(tmp_path_factory.mktemp("data"), benchmark(5))


@pytest.fixture(scope="module")
def expected(folder, tmp_path_factory):
    out = tmp_path_factory.mktemp("serial")
    rank(folder, METRICS, out=out, shifts=9)
    return tables(out)


def tables(out):
    names = "results.csv", "results.parquet", "ranking.csv", "ranking.json", "manifest.json"
    return {name: (Path(out) / name).read_bytes() for name in names}


def test_processes_change_nothing(folder, expected, tmp_path):
    rank(folder, METRICS, out=tmp_path, shifts=9, jobs=2)
    assert expected == tables(tmp_path)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_changes_nothing(folder, expected, tmp_path):
    pytest.importorskip("distributed")
    rank(folder, METRICS, out=tmp_path, shifts=9, scheduler="local:2")
    assert expected == tables(tmp_path)


def own_row(name="own", measure=lambda flags, events: float(flags.mean()), **more):  # noqa: ARG005
    words = {"reference": "Nobody.", "undefined": "never", "forgives": "everything"}
    return aj.Row(name, "a title", "a definition", measure, count=None, **(words | more))


@pytest.fixture
def forgetful():
    """Let the catalogue forget what a test registers."""
    before = dict(aj.catalogue)
    yield
    reader._CATALOGUE.__dict__["_rows"] = before  # noqa: SLF001 - there is no way back


ENGINES = [
    pytest.param({}, id="here"),
    pytest.param({"jobs": 2}, id="processes"),
    pytest.param({"scheduler": "local:1"}, id="cluster", marks=pytest.mark.long),
]


@pytest.mark.parametrize("how", ENGINES)
@pytest.mark.usefixtures("forgetful")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_metrics_of_third_parties_are_ranked_by_every_engine(how, tmp_path):
    """Registered or not, of which low values are good, and closing over something."""
    limit = 0.5
    unregistered = own_row("wide", lambda flags, events: float(flags.mean() > limit))  # noqa: ARG005
    aj.register(own_row("loudness", better="lower"))
    metrics = ["best(loudness)", unregistered.metric(at=0.9), aj.f1(at=0.9)]
    data = benchmark(2)
    found = rank(data, metrics, chance=False, out=tmp_path, **how)
    assert found.metrics == ["best(loudness, thresholds=250)", "wide(at=0.9)", "f1(at=0.9)"]
    assert [row["error"] for row in found.results] == [None] * 18
    for row in found.results:
        labels, scores = data[row["series"]]
        metric = dict(zip(found.metrics, metrics, strict=True))[row["requested"]]
        assert row["value"] == aj.metric(metric)(labels, scores[row["detector"]])
    assert all(row["pooled"] is not None for row in found.leaderboard)
    assert "lower" in found.to_html(tmp_path / "page.html").read_text()


@pytest.mark.usefixtures("forgetful")
def test_the_folder_of_a_metric_that_is_gone_can_still_be_read(tmp_path):
    aj.register(own_row("loudness", better="lower"))
    before = rank(benchmark(2), "loudness(at=0.9)", chance=False, out=tmp_path)
    reader._CATALOGUE.__dict__["_rows"].pop("loudness")  # noqa: SLF001 - as in a new process
    again = read_ranking(tmp_path)
    assert [row["detector"] for row in again.leaderboard] == [
        row["detector"] for row in before.leaderboard
    ]
    assert again.better == {"loudness(at=0.9)": "lower"}


def test_two_rows_of_one_name_are_refused():
    with pytest.raises(InputError, match="got two called 'f1'"):
        rank(benchmark(2), ["f1", own_row("f1").metric])
    with pytest.raises(InputError, match="in a ranking, got 'all'"):
        rank(benchmark(2), "all")


def test_a_function_is_a_metric_in_other_processes_too():
    def mean_flags(labels, flags):
        return float(flags.mean())

    asked = [aj.metric(mean_flags)(at=0.5), aj.best(mean_metric := aj.metric(mean_flags))]
    assert asked[0].row is mean_metric.row
    one, two = (rank(benchmark(2), asked, chance=False, jobs=jobs) for jobs in (1, 2))
    assert [*one.leaderboard] == [*two.leaderboard]
    assert one.metrics == ["mean_flags(at=0.5)", "best(mean_flags, thresholds=250)"]


def test_a_metric_that_cannot_be_sent_is_refused_in_one_line():
    lock = threading.Lock()
    metric = own_row(measure=lambda flags, events: float(lock.locked())).metric(at=0.5)  # noqa: ARG005
    assert rank(benchmark(1), metric, chance=False).leaderboard[0]["mean"] == 0
    with pytest.raises(InputError, match=r"metrics must be picklable, got .*jobs=1"):
        rank(benchmark(2), metric, chance=False, jobs=2)


def series_of(piece):
    """The series of a piece of work: a job, a few that are read at once, or detectors."""
    jobs = piece if isinstance(piece, tuple) else [piece]
    return [job.unit.series for job in jobs if hasattr(job, "unit")]


def test_a_series_that_no_worker_survives_is_a_failed_row(tmp_path, monkeypatch):
    def do(_, function, pieces):
        return ((one, Lost(3) if "x/s00" in series_of(one) else function(one)) for one in [*pieces])

    monkeypatch.setattr(engines.Engine, "do", do)
    found = rank(benchmark(3), "auc_roc", chance=False, out=tmp_path, pooled=False)
    assert list(found.failed) == ["x/s00"]
    assert "died 3 times" in (tmp_path / "results.csv").read_text()
    monkeypatch.undo()
    again = rank(benchmark(3), "auc_roc", chance=False, out=tmp_path)
    assert again.failed == {}


@pytest.mark.long
def test_a_kill_from_outside_is_survived(folder, expected, tmp_path):
    killed = []

    def kill_children():
        for child in children(os.getpid(), LOKY):
            os.kill(child, signal.SIGKILL)
            killed.append(child)

    def told(done, *_):
        if done == 1 and not killed:  # of five series: workers have one, or wait for one
            kill_children()

    rank(folder, METRICS, out=tmp_path, shifts=9, jobs=2, progress=told)
    assert killed
    assert expected == tables(tmp_path)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("whom", ["worker", "everybody"])
def test_a_ranking_whose_processes_are_ended_goes_on(tmp_path, whom):
    data, out = write(tmp_path / "data", benchmark(40)), tmp_path / "out"
    arguments = ["rank", data, "--jobs", 2, "--out", out, "--metric", "ap", "--no-chance"]
    program = [sys.executable, "-m", "adjudge", *map(str, arguments)]
    piped = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(program, start_new_session=True, **piped)
    wait_until(lambda: children(process.pid, LOKY), process)
    if whom == "worker":
        os.kill(children(process.pid, LOKY)[0], signal.SIGTERM)
    else:
        os.killpg(process.pid, signal.SIGTERM)
    lines = process.communicate(timeout=60)[1].splitlines()
    if whom == "worker":
        assert (0, ["adjudge: 40 series found"]) == (process.returncode, lines)
    else:
        assert (130, "adjudge: interrupted") == (process.returncode, lines[-1])
        assert "the same command" in lines[1]
        subprocess.run([*program, "--jobs", "1"], capture_output=True, check=True)
    rank(data, "ap", out=tmp_path / "serial", chance=False)
    assert tables(tmp_path / "serial") == tables(out)


def test_a_scheduler_needs_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"needs dask\[distributed\]"):
        rank(benchmark(1), "auc_roc", scheduler="local:2")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "wrong",
    one_in(
        3,
        ["local:x", "local:0", "local:", "tcp://127.0.0.1:1", "nonsense://x", "tls://127.0.0.1:1"],
    ),
)
def test_a_scheduler_that_is_none_is_refused(wrong, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    with pytest.raises(InputError, match="scheduler must be "), dask(wrong):
        pass
    clients = [one for one in gc.get_objects() if type(one) is distributed.Client]
    assert {"closed"} >= {one.status for one in clients}  # an open one can block the next client


def test_workers_of_other_versions_are_refused(monkeypatch):
    true = cells.versions()
    monkeypatch.setattr(cells, "versions", lambda: {**true, "adjudge": "0.0.1"})
    done = cells.judge(cells.Job(units_of(benchmark(1), ReadOptions()).units[0], TASK, frozenset()))
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"workers must"):
        cells.check_worker(done)
    cells.check_worker(replace(done, versions=tuple(true.items())))


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_goes_away_ends_in_one_line():
    pytest.importorskip("distributed")
    said = "until the work is done, got TimeoutError from 'local:1'"
    with pytest.raises(InputError, match=said), dask("local:1"):
        raise TimeoutError


@pytest.fixture
def scheduler(monkeypatch):
    """The address of a real scheduler that has no workers."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "_PATIENCE", 1)
    options = {"dashboard": False, "host": "127.0.0.1", "port": 0}
    started = {"cls": distributed.Scheduler, "options": options}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with distributed.SpecCluster({}, started, silence_logs=50) as empty:
            yield empty.scheduler_address


WORKER = """
import asyncio, sys, distributed, distributed.versions as asked
found = asked.get_package_info
asked.get_package_info = lambda names: {**found(names), **VERSIONS}
async def work():
    async with distributed.Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        await worker.finished()
asyncio.run(work())
"""


@contextmanager
def a_worker(scheduler, elsewhere=None, **versions):
    """A real worker in a process of its own: of this environment, or of another one."""
    program = [sys.executable, *(["-S"] if elsewhere else []), "-c"]
    program += [WORKER.replace("VERSIONS", repr(versions)), scheduler]
    environment = {**os.environ, **({"PYTHONPATH": str(elsewhere)} if elsewhere else {})}
    process = subprocess.Popen(program, env=environment, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def without_adjudge(tmp_path):
    """Every package of this environment but ours."""
    distributed = pytest.importorskip("distributed")
    for entry in Path(distributed.__file__).parents[1].iterdir():
        if "adjudge" not in entry.name and entry.suffix != ".pth":
            (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


def seen(scheduler, count):
    """Wait until so many workers have come to a scheduler; their addresses."""
    with closing(pytest.importorskip("distributed").Client(scheduler)) as client:
        client.wait_for_workers(count, timeout=60)
        return list(client.nthreads())


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_without_workers_says_so(scheduler):
    said = "scheduler must have workers, got none at .* within 1 s; start some: dask worker "
    with pytest.raises(InputError, match=said), dask(scheduler):
        pass


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_cannot_do_the_work_is_named(scheduler, without_adjudge):
    """It cannot read what it is sent: whoever waits for that waits for ever."""
    said = "workers must have the versions of this process, got "
    with a_worker(scheduler, without_adjudge):
        (worker,) = seen(scheduler, 1)
        with pytest.raises(InputError, match=f"{said}adjudge not there .* at {worker}"):
            rank(benchmark(1), "auc_roc", chance=False, scheduler=scheduler)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_another_dask_is_named_also_when_it_comes_late(scheduler):
    said = "workers must have the versions of this process, got dask 2020.1 instead of .* at "

    def while_one_comes():
        with dask(scheduler) as engine, a_worker(scheduler, dask="2020.1"):
            list(engine.do(time.sleep, [60]))

    with a_worker(scheduler):
        (good,) = seen(scheduler, 1)
        with dask(scheduler) as engine:
            assert [(2, None)] == list(engine.do(time.sleep, [2]))  # longer than the patience
        with pytest.raises(InputError, match=said) as refused:
            while_one_comes()
    assert good not in str(refused.value)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_does_not_answer_is_named(scheduler):
    with a_worker(scheduler) as process:
        (worker,) = seen(scheduler, 1)
        process.send_signal(signal.SIGSTOP)
        said = f"workers must report their versions within 1 s, got no answer from {worker}; "
        with pytest.raises(InputError, match=said), dask(scheduler):
            pass


@pytest.mark.filterwarnings("ignore")
def test_work_whose_last_worker_has_gone_does_not_wait_for_ever(scheduler):
    def without_workers():
        with a_worker(scheduler) as process, dask(scheduler) as engine:
            process.kill()
            list(engine.do(time.sleep, [0]))

    with pytest.raises(InputError, match="scheduler must have workers, got none"):
        without_workers()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_dies_is_told_once(capfd):
    distributed = pytest.importorskip("distributed")
    options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    started = distributed.LocalCluster(1, **options)

    def dying():
        with dask(started.scheduler_address) as engine:
            for _ in engine.do(time.sleep, [0, 60, 60]):
                started.close()

    with pytest.raises(InputError, match="until the work is done, got"):
        dying()
    assert "Traceback" not in capfd.readouterr().err


def test_paths_for_other_machines_begin_at_the_root(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    here = units_of("x", ReadOptions()).units
    there = units_of("x", ReadOptions(), remote=True).units
    monkeypatch.chdir(tmp_path)
    assert [unit.series for unit in here] == [unit.series for unit in there]
    assert all(Path(unit.path).is_absolute() for unit in there)
    judged = [cells.judge(cells.Job(unit, TASK, frozenset())) for unit in there]
    assert not any(row.get("error") for done in judged for row in done.rows)
    held = units_of(benchmark(1), ReadOptions(), remote=True).units
    assert cells.judge(cells.Job(held[0], TASK, frozenset(), wanted=True)).table is None


def test_a_file_that_a_worker_does_not_see_is_named_with_its_path(tmp_path):
    data = write(tmp_path / "data", benchmark(2))
    first, _ = units_of(data, ReadOptions(), remote=True).units
    Path(first.path).unlink()
    (row,) = cells.judge(cells.Job(first, TASK, frozenset())).rows
    assert row["error"] == f"the worker does not see {first.path}"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_reads_relative_paths_as_the_client_does(folder, expected, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    started = []

    @contextmanager
    def elsewhere(scheduler):
        """Workers that were started in another folder."""
        (tmp_path / "elsewhere").mkdir()
        with monkeypatch.context() as moved:
            moved.chdir(tmp_path / "elsewhere")
            manager = dask(scheduler)
            started.append(manager.__enter__())
        yield started[0]
        manager.__exit__(None, None, None)

    monkeypatch.setattr("adjudge.ranking.run.dask", elsewhere)
    monkeypatch.chdir(folder.parent)
    rank(folder.name, METRICS, out=tmp_path / "out", shifts=9, scheduler="local:2")
    assert expected == tables(tmp_path / "out")


def broken_folders(place):
    """Series that cannot be read, or not by all, in each form that a benchmark has on disk."""
    truth, scores = place / "sets" / "truth", place / "sets" / "scores"
    for name, (labels, detectors) in benchmark(3).items():
        write(place / "sets" / "points", {name: (labels, detectors)})
        for detector, column in detectors.items():
            for folder in (scores, place / "sets" / "together"):
                file = folder / detector / f"{name}.npy"
                file.parent.mkdir(parents=True, exist_ok=True)
                np.save(file, column)
        for folder in (truth, place / "sets" / "together" / "labels"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.csv").write_text("label\n" + "\n".join(map(str, labels)) + "\n")
    for folder in (scores, place / "sets" / "together"):
        np.save(folder / "good" / "x" / "s00.npy", np.zeros(7))
        (folder / "fair" / "x" / "s02.npy").write_bytes(b"broken")
    (place / "sets" / "points" / "y" / "s01.csv").write_text("label,a\n0,x\n")
    (place / "sets" / "truth" / "y" / "s01.csv").write_text("label\n")
    return [("sets/points", None), ("sets/truth", "sets/scores"), ("sets/together", None)]


@pytest.mark.parametrize("cluster", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.filterwarnings("ignore")
def test_errors_are_the_same_wherever_the_data_lie_and_whoever_reads_them(
    cluster, tmp_path, monkeypatch
):
    forms = broken_folders(tmp_path)
    how = {"scheduler": "local:1"} if cluster else {}
    for number, (data, scores) in enumerate(forms):
        outs = []
        for here, name in ((tmp_path, "here"), (tmp_path / "sets", "below")):
            monkeypatch.chdir(here)
            there = None if scores is None else os.path.relpath(tmp_path / scores)
            out = tmp_path / f"{number}-{name}"
            rank(os.path.relpath(tmp_path / data), "auc_roc", chance=False, score_folder=there,
                 out=out)  # fmt: skip
            outs.append(out)
        there = None if scores is None else tmp_path / scores
        outs.append(tmp_path / f"{number}-root")
        found = rank(tmp_path / data, "auc_roc", chance=False, score_folder=there, out=outs[-1],
                     **how)  # fmt: skip
        errors = [row["error"] for row in found.results if row["error"]]
        assert errors
        assert not [one for one in errors if str(tmp_path) in one or "sets" in one]
        assert tables(outs[0]) == tables(outs[1]) == tables(outs[2])
