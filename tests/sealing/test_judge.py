"""The judge is `compare`: the same p to the last bit, on the sealed part, for each kind of data."""

import json
import tomllib

import numpy as np
import pytest
from click.testing import CliRunner

import adjudge as aj
from adjudge.cli import main
from adjudge.sealing.answer import Answer
from adjudge.sealing.contract import level_of
from adjudge.sealing.sealed import Sealed, one_sided
from sealed_story import EVENTS, GAP, LABELS, STARTS, N, ask, detector, ledger_lines, made, sealed

RNG = np.random.default_rng(8)
SERIES = np.repeat(["a", "b", "c", "d"], N // 4)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("ADJUDGE_WITNESS", str(tmp_path / "witness"))
    return tmp_path


def table(place, **columns):
    names = {"label": LABELS, **columns}
    rows = zip(*(list(map(str, column)) for column in names.values()), strict=True)
    text = "\n".join([",".join(names), *map(",".join, rows), ""])
    (place / "labels.csv").write_text(text)


def test_p_is_that_of_compare_to_the_last_bit(folder):
    asked = Sealed(folder / "a.seal.toml")
    base = np.load(folder / "base.npy")
    for name in ("c0", "c1", "c2", "good", "base"):
        scores = np.load(folder / f"{name}.npy")
        own = asked.rule.compared(asked.data, asked.rule.alarms(asked.data, scores).column)
        plain = aj.compare(LABELS, scores, base, "f1_ba", at=0.5)
        assert one_sided(own) == one_sided(plain)
        assert (own.difference, own.metric) == (plain.difference, plain.metric)


@pytest.mark.parametrize("at", [0.5, "quantile(0.9)", "policy(0.5, after=1, cooldown=9)"])
def test_only_the_sealed_part_is_judged(place, at):
    table(place)
    base, new = detector(RNG, 0.5), detector(RNG, 0.7)
    np.save(place / "base.npy", base)
    contract = sealed(place, "a", open_share=0.5, at=at, metric="event_f1")
    border = contract.tables["data"]["open_until"]
    assert (border, contract.tables["data"]["open_events"]) == (603, 20)
    asked = Sealed(place / "a.seal.toml")
    own = asked.rule.compared(asked.data, asked.rule.alarms(asked.data, new).column)
    where = np.arange(N) >= border
    plain = aj.compare(LABELS, new, base, "event_f1", at=at, where=where)
    assert (own.p_value, own.a, own.b) == (plain.p_value, plain.a, plain.b)
    other = np.where(where, new, 1 - new)  # differs in the open part alone
    if at == 0.5:
        first, second = (asked.judge(one) for one in (new, other))
        assert (first.replayed, second.replayed, second.look) == (False, True, 1)


def test_several_series_are_parted_between_two_of_them(place):
    table(place, id=SERIES, used=np.arange(N) % 30 > 2)
    np.save(place / "base.npy", detector(RNG, 0.4))
    how = {"series": "id", "where": "used", "unit": "event", "open_share": 0.4}
    contract = sealed(place, "a", **how)
    assert contract.tables["data"]["open_until"] == N // 2
    asked, new = Sealed(place / "a.seal.toml"), detector(RNG, 0.9)
    own = asked.rule.compared(asked.data, asked.rule.alarms(asked.data, new).column)
    where = (np.arange(N) >= N // 2) & (np.arange(N) % 30 > 2)
    rest = {"series": SERIES, "where": where, "unit": "event", "at": 0.5}
    plain = aj.compare(LABELS, new, np.load(place / "base.npy"), "f1_ba", **rest)
    assert own.p_value == plain.p_value
    assert asked.judge(new).ships


def test_areas_are_judged_by_the_order_of_scores(place):
    table(place)
    base = RNG.random(N) + 0.4 * LABELS
    np.save(place / "base.npy", base)
    sealed(place, "a", metric="ap", at=None)
    asked, new = Sealed(place / "a.seal.toml"), RNG.random(N) + LABELS
    own = asked.rule.compared(asked.data, asked.rule.alarms(asked.data, new).column)
    assert own.p_value == aj.compare(LABELS, new, base, "ap").p_value
    first, again = asked.judge(new), asked.judge(np.exp(new))
    assert first.ships
    assert again.replayed
    assert asked.about(new) == {"same_alarms_as_base": False}


def write_times(path, starts, length, **columns):
    begin = np.datetime64("2026-01-01T00:00", "m")
    rows = [[str(begin + int(s)), str(begin + int(s) + length)] for s in starts]
    rows = [[*row, *(str(c[i]) for c in columns.values())] for i, row in enumerate(rows)]
    path.write_text("\n".join([",".join(["start", "end", *columns]), *map(",".join, rows), ""]))


HOURS = np.arange(40) * 600 + 100
SPAN = ("2026-01-01", "2026-01-18")


@pytest.fixture
def pager(place):
    """Forty incidents; alerts on half of them, and on most."""
    write_times(place / "incidents.csv", HOURS, 30)
    few, most, false = HOURS[::2] + 3, HOURS[RNG.random(40) < 0.97] + 2, HOURS[::5] + 200
    write_times(place / "base.csv", np.sort([*few, *false]), 10)
    write_times(place / "good.csv", most[::-1], 10, score=np.linspace(0.5, 1, len(most)))
    aj.seal(
        place / "incidents.csv", place / "base.csv", place / "p.seal.toml", "event_f1",
        span=SPAN, open_share=0.3,
    )  # fmt: skip
    return place


def test_alerts_are_judged_in_the_sealed_time(pager):
    asked = Sealed(pager / "p.seal.toml")
    border = asked.rule.border
    begin = np.datetime64(border, "ns")
    assert begin == np.datetime64("2026-01-05T20:55", "ns")  # between two incidents
    good = asked.data.candidate(pager / "good.csv")
    own = asked.rule.compared(asked.data, asked.rule.alarms(asked.data, good).column)
    incidents = aj.Incidents(
        *(np.datetime64("2026-01-01T00:00", "m") + HOURS + more for more in (0, 30))
    )
    span = (str(begin), SPAN[1])
    today = asked.data.candidate(pager / "base.csv")
    plain = aj.compare(incidents, good, today, "event_f1", span=span)
    assert (own.p_value, own.a, own.b) == (plain.p_value, plain.a, plain.b)
    assert asked.about(pager / "good.csv")["alerts"] < 30
    answer = asked.judge(good)
    assert answer.ships
    assert asked.judge(pager / "good.csv") == Answer(**(vars(answer) | {"replayed": True}))


def test_services_that_share_a_clock_count_both_ways(place):
    """The contract is judged by what it says, whatever its evidence rests on."""
    hours = np.arange(60) * 200 + 20
    service = np.array(list("abc") * 20)
    write_times(place / "incidents.csv", hours, 30, service=service)
    write_times(place / "base.csv", hours[::2] + 3, 10, service=service[::2])
    write_times(place / "good.csv", hours + 2, 10, service=service)
    paths = place / "incidents.csv", place / "base.csv", place / "p.seal.toml"
    aj.seal(*paths, "event_f1", span=("2026-01-01", "2026-01-10"), looks=2)
    assert aj.judge_sealed(paths[2], place / "good.csv").ships


def test_series_that_share_a_clock_count_both_ways(place):
    times = np.tile(np.arange(N // 4) * 60 + 1_700_000_000, 4)
    table(place, id=SERIES, t=np.datetime_as_string(times.astype("datetime64[s]")))
    np.save(place / "base.npy", detector(RNG, 0.2))
    for name, unit in (("a", "auto"), ("b", "event"), ("c", "series")):
        how = {"series": "id", "time": "t", "again": True, "unit": unit, "looks": 1}
        sealed(place, name, **how)
        assert aj.judge_sealed(place / f"{name}.seal.toml", detector(RNG, 1.0, 0.0)).ships


def test_alerts_have_their_threshold_and_no_areas(pager):
    write_times(pager / "base.csv", HOURS[::2] + 3, 10, score=np.linspace(0, 1, 20))
    how = {"span": SPAN, "again": True, "open_share": 0}
    paths = pager / "incidents.csv", pager / "base.csv"
    contract = aj.seal(*paths, pager / "q.seal.toml", "event_f1", at=0.4, base_at=0.2, **how)
    assert contract.tables["data"]["open_events"] == 0
    asked = Sealed(pager / "q.seal.toml")
    assert asked.about(pager / "base.csv") == {
        "alerts": 12, "base_alerts": 16, "same_alarms_as_base": False,
    }  # fmt: skip
    with pytest.raises(aj.InputError, match="metric must judge alerts at a threshold"):
        aj.seal(*paths, pager / "r.seal.toml", "ap", **how)
    with pytest.raises(aj.InputError, match=r"candidate must be aj.Alerts or a file"):
        asked.judge([1, 2])


def test_times_may_be_numbers(place):
    for name, starts, length in (("incidents", STARTS, 6), ("base", STARTS[::2], 2)):
        rows = "".join(f"{s},{s + length}\n" for s in starts.tolist())
        (place / f"{name}.csv").write_text(f"start,end\n{rows}")
    paths = place / "incidents.csv", place / "base.csv", place / "p.seal.toml"
    aj.seal(*paths, "event_f1", span=["0", str(N)], time_unit="s")
    assert aj.judge_sealed(place / "p.seal.toml", place / "base.csv").answer == "do not ship"
    assert aj.judge_sealed(place / "p.seal.toml", place / "incidents.csv").ships


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"metric": "best(f1)"}, "metric must have its threshold in the contract"),
        ({"metric": "f1(at=0.3)"}, "metric must have its threshold as at="),
        ({"metric": "vus_roc", "at": None}, "on the order of scores alone"),
        ({"alpha": 0.5}, "alpha must be over 0 and at most 0.2, got 0.5"),
        ({"looks": 0}, "looks must be a whole number, at least 1"),
        ({"looks": 20_000}, "looks must be at most 10,000"),
        ({"open_share": 1}, "open_share must be at least 0 and below 1, got 1"),
        ({"span": ("a", "b"), "label": "x"}, "label must be left out with alerts"),
        ({"watched": "x"}, "watched must be left out with points"),
        ({"looks": 2000}, "at most 409 looks can"),
        ({"open_share": 0.93}, "more events are needed"),
        ({"at": "nothing(1)"}, "nothing"),
        ({"score": "none"}, "base"),
        ({"key": "nowhere"}, "key must be a file that can be read"),
        ({"null": "nothing"}, "null"),
        ({"unit": "hour"}, "unit"),
        ({"null": "seasonal"}, "period"),
    ],
)  # fmt: skip
def test_what_cannot_be_sealed_is_refused_and_leaves_nothing(story, place, given, said):
    paths = story / "labels.csv", story / "base.npy", place / "a.seal.toml"
    with pytest.raises(aj.AdjudgeError, match=said):
        aj.seal(*paths, **{"at": 0.5, "open_share": 0} | given)
    assert not list(place.iterdir())


def test_a_key_of_few_bytes_is_none(folder):
    (folder / "key").write_text("short")
    with pytest.raises(aj.InputError, match="key must have at least 16 bytes, got 5"):
        ask(folder, key=folder / "key")


def test_a_base_without_alarms_has_no_power(place):
    table(place)
    np.save(place / "base.npy", np.zeros(N))
    with pytest.raises(aj.InputError, match="base must have an interval, got no alarm"):
        sealed(place, "a", looks=1)


def test_what_is_undefined_is_not_shipped(folder):
    sealed(folder, "p", again=True, metric="event_precision", looks=1)
    found = aj.judge_sealed(folder / "p.seal.toml", np.zeros(N))
    assert found.answer == "do not ship"


@pytest.mark.parametrize(
    "given",
    [["x"] * N, np.full(N, np.datetime64("2026-01-01")), np.full(N, 1j), np.zeros((N, 2)), "x", 5],
    ids=lambda given: type(given).__name__ + str(np.shape(given)),
)
def test_what_is_no_column_of_numbers_is_no_candidate(folder, given):
    with pytest.raises(aj.InputError, match="candidate must"):
        aj.judge_sealed(folder / "a.seal.toml", given)
    assert len(ledger_lines(folder)) == 5


def test_what_is_no_contract_is_named(folder):
    with pytest.raises(aj.InputError, match=r"what adjudge seal wrote, NAME.toml, got c0.npy"):
        aj.judge_sealed(folder / "c0.npy", folder / "a.seal.toml")


def test_metrics_without_a_worst_value_say_what_they_see(folder):
    """Half of the way is supposed to be left; fewer false alarms are better."""
    noisy = detector(RNG, 0.5, 0.9)
    np.save(folder / "base.npy", noisy)
    contract = sealed(folder, "x", again=True, metric="false_alarms", looks=1)
    most = aj.false_alarms(LABELS, noisy > 0.5)
    assert 0 < contract.tables["power"]["sees_in_four_of_five"] < most


def test_a_contract_that_is_not_there(folder):
    with pytest.raises(aj.InputError, match=r"none.toml must be a contract .*, got no file"):
        aj.judge_sealed(folder / "none.toml", np.zeros(N))


def test_a_null_model_that_nothing_beats_is_refused(place):
    """Events every 12 points: a twelfth of all shifts finds them as well."""
    labels = np.tile(np.repeat([0, 1], [8, 4]), 40)
    np.savetxt(place / "labels.csv", labels, "%d", header="label", comments="")
    np.save(place / "base.npy", labels * (np.arange(labels.size) % 24 < 12))
    with pytest.raises(aj.InputError, match="null must leave something that can pass"):
        sealed(place, "a", at=None, metric="event_f1", null="shifted")


def test_a_null_model_makes_it_harder(place):
    """An alarm that never ends finds every event; so it does at any other time."""
    labels = np.zeros(N, int)
    for start in 9 + np.cumsum(12 + np.random.default_rng(2).integers(0, 30, EVENTS)):
        labels[start : start + 6] = 1
    table(place, truth=labels)
    np.save(place / "base.npy", labels * (np.cumsum(np.diff(labels, prepend=0) == 1) % 2) * 1.0)
    for name, null in (("a", "shifted"), ("b", None)):
        sealed(place, name, null=null, again=True, metric="event_recall", label="truth")
    always, found = np.ones(N), labels * 1.0
    answers = [aj.judge_sealed(place / f"{n}.seal.toml", always).ships for n in "ab"]
    assert answers == [False, True]
    assert aj.judge_sealed(place / "a.seal.toml", found).ships


def paths_of(looks, ships):
    """Answers that a judge can have given before each look, one by one: fewer than S ships."""
    before = [()]
    for _ in range(looks):
        yield len(before)
        before = [(*one, a) for one in before for a in (0, 1) if sum((*one, a)) < ships]


@pytest.mark.parametrize(("looks", "ships"), [(1, 1), (5, 1), (6, 2), (7, 3), (4, 9)])
def test_the_level_is_shared_by_all_paths_of_answers(looks, ships):
    assert level_of(0.05, looks, ships) == 0.05 / sum(paths_of(looks, ships))


def test_two_ships_close_a_contract_of_two(folder):
    sealed(folder, "two", again=True, ships=2)
    kept = folder / "two.seal.toml"
    first, second = (aj.judge_sealed(kept, folder / f"{n}.npy") for n in ("good", "c1"))
    assert (first.ships, first.left, second.left) == (True, 3, 2)
    third = aj.judge_sealed(kept, np.where(LABELS, 1.0, 0.0))
    assert (third.ships, third.left) == (True, 0)
    assert aj.judge_sealed(kept, folder / "c2.npy").answer == "budget spent"


def test_a_name_of_any_letters_is_written(place):
    table(place)
    odd = place / 'b"\x7f\\é🙂.npy'
    np.save(odd, detector(RNG, 0.5))
    contract = aj.seal(place / "labels.csv", odd, place / "a.seal.toml", at=0.5, open_share=0)
    said = tomllib.loads((place / "a.seal.toml").read_text())
    assert said == contract.to_dict()
    assert said["data"]["base"] == odd.name
    assert aj.judge_sealed(place / "a.seal.toml", odd).answer == "do not ship"


def test_hashes_with_a_key_tell_nothing_without_it(folder):
    said = [tomllib.loads((folder / f"{n}.seal.toml").read_text())["data"] for n in "ak"]
    assert said[0]["labels_sha256"] != said[1]["labels_sha256"]


def run(*given):
    return CliRunner().invoke(main, [str(one) for one in given])


def test_the_command_line_ends_as_answered(folder):
    contract = folder / "a.seal.toml"
    codes = [
        run("judge", contract, folder / f"{name}.npy").exit_code
        for name in ("c2", "missing", "good", "c3")
    ]
    assert codes == [3, 2, 0, 5]
    (folder / "a.seal.jsonl").unlink()
    found = run("judge", contract, folder / "c3.npy")
    assert (found.exit_code, found.stdout, found.stderr) == (
        4, "", "tampered: the ledger is not there\n",
    )  # fmt: skip
    assert run("judge", contract, "--show").exit_code == 4
    assert run("judge", contract).exit_code == 2


def test_the_command_line_seals_and_shows(folder):
    out = folder / "c.seal.toml"
    found = run(
        "seal", folder / "labels.csv", folder / "base.npy", "-o", out, "--at", "0.5", "--again",
        "--looks", "3", "--open-share", "0.25",
    )  # fmt: skip
    assert found.exit_code == 0, found.output
    assert "3 looks at level 0.017" in " ".join(found.stdout.split())
    said = run("judge", out, folder / "c2.npy", "--json")
    assert said.exit_code == 3
    answer = json.loads(said.stdout)
    assert answer == Answer(**answer).to_dict()
    shown = run("judge", out, "--show", "--id", answer["seal"])
    assert shown.stdout.endswith(f"# 2 looks left; head {answer['head']}\n")
    assert tomllib.loads(shown.stdout)["rule"]["looks"] == 3


def test_the_ledger_is_where_the_contract_is(folder):
    lines = ledger_lines(folder)
    assert [line["what"] for line in lines] == ["sealed", *["asked", "answered"] * 2]
    assert [line["level"] for line in lines[1::2]] == [0.05 / 4] * 2


def test_the_story_has_events_to_spare():
    assert EVENTS * GAP == N
    assert callable(made)


@pytest.mark.parametrize("name", ["channels", "annotators"])
def test_what_cannot_be_sealed_is_refused_by_name(folder, name):
    with pytest.raises(aj.InputError, match=rf"{name} must be left out, got .*: a c.* one .*\. "):
        sealed(folder, "x", again=True, **{name: ["p", "q"]})
    found = run(
        "seal", folder / "labels.csv", folder / "base.npy", "-o", folder / "x.toml", "--at", "0.5",
        "--again", f"--{name}", "p,q",
    )  # fmt: skip
    assert (found.exit_code, f"{name} must be left out" in found.stderr) == (2, True)


def test_a_metric_of_several_channels_is_refused(folder):
    with pytest.raises(aj.InputError, match=r"one column of alarms, got channel_f1.*each channel"):
        sealed(folder, "x", again=True, metric="channel_f1")


def test_scores_without_a_threshold_are_refused_with_the_fix(folder):
    with pytest.raises(aj.InputError, match=r"0/1 flags .*, got 0\.\d+: seal with at="):
        sealed(folder, "x", again=True, at=None)


def test_a_file_that_is_there_is_named(folder):
    (folder / "x.jsonl").write_text("")
    for name, why in (
        ("a.seal.toml", "which is there already"),
        ("x.toml", "whose ledger 'x.jsonl' is there already"),
        ("x.json", "another suffix"),
    ):
        with pytest.raises(aj.InputError, match=f"out must be a new file NAME.toml, got .*{why}"):
            aj.seal(folder / "labels.csv", folder / "base.npy", folder / name, at=0.5, again=True)
