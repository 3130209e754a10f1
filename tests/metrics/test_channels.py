"""Metrics of several channels: twins, laws, and wrong calls."""

import math
import struct
from itertools import permutations

import numpy as np
import pytest

import adjudge as aj
from adjudge.data.channels import channel_cases
from adjudge.errors import InputError, UnknownName
from count import naive_channels as twin
from sampling import one_in
from values import close

OF_EVENTS = [f"{stem}_{rate}" for stem in ("channel", "subsystem") for rate in twin.RATES]
WRAPPED = (
    "any_channel(f1)", "micro(f1)", "macro(f1)", "macro(f1_ba)", "best(macro(f1))",
    "macro(best(f1))", "best(micro(f1_pa))", "any_channel(best(f1))", "macro(ap)", "micro(auc_roc)",
    "best(macro(etapr_f1))", "best(macro(flapping))", "best(macro(batadal))",
)  # fmt: skip


def drawn(seed, flags=True):
    rng = np.random.default_rng(seed)
    n, channels = int(rng.integers(6, 40)), int(rng.integers(2, 6))
    labels = np.repeat(rng.random((n, channels)) < 0.25, 3, axis=0)[:n].astype(int)
    top = 2 if flags else 4
    scores = rng.integers(0, top, (n, channels))
    names = [f"c{i}" for i in range(channels)]
    groups = {"odd": names[1::2], "even": names[::2]}
    return labels, scores, names, groups


def columns(table):
    return table.T.tolist()


@pytest.mark.parametrize("name", OF_EVENTS)
@pytest.mark.parametrize("average", ["events", "pooled"])
def test_channels_of_events_equal_their_twin(name, average):
    stem, _, rate = name.partition("_")
    for seed in range(12):
        labels, flags, names, groups = drawn(seed)
        members = [[names.index(m) for m in own] for own in groups.values()]
        events = twin.events_of(columns(labels))
        expected = twin.of_channels(
            events, columns(flags), rate, members if stem == "subsystem" else None, average
        )
        metric = aj.metric(f'{name}(average="{average}")')
        assert close(expected, metric(labels, flags, channels=names, subsystem=groups))


def incidents(seed):
    """Events with ids that overlap and have pieces, on channels by name."""
    rng = np.random.default_rng(seed)
    n, names = 60, ["a", "b", "c", "d"]
    rows, pieces = [], {}
    for event in range(int(rng.integers(1, 5))):
        for _ in range(int(rng.integers(1, 5))):
            start = int(rng.integers(0, n - 1))
            stop, channel = min(n, start + int(rng.integers(1, 12))), int(rng.integers(4))
            row = (event, channel, start, stop)
            if row not in rows:
                rows.append(row)
                own = pieces.setdefault(event, {c: set() for c in range(4)})
                own[channel] |= set(range(start, stop))
    table = aj.Incidents(
        [r[2] for r in rows], [r[3] for r in rows], id=[f"e{r[0]}" for r in rows],
        channel=[names[r[1]] for r in rows],
    )  # fmt: skip
    flags = (rng.random((n, 4)) < 0.1).astype(int)
    return table, [pieces[e] for e in dict.fromkeys(r[0] for r in rows)], flags, names


@pytest.mark.parametrize("name", OF_EVENTS)
def test_events_with_ids_may_overlap_and_have_pieces(name):
    stem, _, rate = name.partition("_")
    excused = 0
    for seed in range(12):
        table, events, flags, names = incidents(seed)
        groups = {"x": ["a", "b"], "y": ["c", "d"]}
        members = [[0, 1], [2, 3]] if stem == "subsystem" else None
        expected = twin.of_channels(events, columns(flags), rate, members)
        metric = aj.metric(name)
        assert close(expected, metric(table, flags, channels=names, subsystem=groups))
        alone = [twin.of_channels([one], columns(flags), rate, members) for one in events]
        excused += not close(expected, sum(alone) / len(alone))
    assert excused > 0 or rate == "recall"  # other events excuse alarms


@pytest.mark.parametrize("name", one_in(3, OF_EVENTS))
def test_channels_that_nobody_watched_during_an_event_are_left_out_of_it(name):
    """A channel without a score in the whole event is neither right, nor false, nor silent."""
    stem, _, rate = name.partition("_")
    groups, left_out = {"x": ["a", "b"], "y": ["c", "d"]}, 0
    members = [[0, 1], [2, 3]] if stem == "subsystem" else None
    for seed in range(40):
        table, events, flags, names = incidents(seed)
        unseen = np.repeat(np.random.default_rng(seed).random((6, 4)) < 0.5, 10, axis=0)
        unseen[-1] = False  # each channel has a score
        scores = np.where(unseen, np.nan, flags)
        flags = np.where(unseen, 0, flags)
        given = {"channels": names, "subsystem": groups}
        expected = twin.of_channels(events, columns(flags), rate, members, judged=columns(~unseen))
        found = aj.evaluate(table, scores, name, at=0.5, missing="skip", chance=False, **given)
        assert close(expected, found[name])
        left_out += not close(expected, twin.of_channels(events, columns(flags), rate, members))
    assert left_out > 3


@pytest.mark.parametrize("name", one_in(6, [*OF_EVENTS[:3], *twin.INCIDENTS, *twin.CAUSES]))
@pytest.mark.parametrize("how", ["where", "missing"])
def test_events_that_nobody_watched_are_no_events(name, how):
    """As of labels: where points are not judged, or no channel has a score, there is no truth."""
    spec = name + "(k=1)" * name.endswith(("_top", "_k"))
    asked, differs = {"metrics": spec, "at": 0.5, "chance": False}, 0
    for seed in range(30):
        table, events, flags, names = incidents(seed)
        first = set().union(*events[0].values())
        seen = np.array([t not in first for t in range(len(flags))])
        scores = np.where(seen[:, np.newaxis], flags, np.nan if how == "missing" else flags)
        rest = table.id != table.id[0]
        others = aj.Incidents(
            table.start[rest], table.end[rest], id=table.id[rest], channel=table.channel[rest]
        )
        given = {"where": seen} if how == "where" else {"missing": "skip"}
        expected = aj.evaluate(others, flags, channels=names, where=seen, **asked)[spec]
        found = aj.evaluate(table, scores, channels=names, **given, **asked)[spec]
        assert close(expected, found)
        whole = aj.evaluate(table, flags, channels=names, **asked)[spec]
        differs += not close(expected, whole)
    assert differs > 3


def test_an_incident_without_a_channel_is_on_all_of_them():
    truth = aj.Incidents([1, 4], [3, 5], channel=["a", None])
    flags = np.zeros((6, 2), int)
    flags[4] = flags[1, 0] = 1
    both = aj.Incidents([1, 4, 4], [3, 5, 5], id=["x", "y", "y"], channel=["a", "a", "b"])
    for name in ("channel_f1", "incident_f1", "cause_hit_rate", "macro(f1)"):
        metric = aj.metric(name)
        assert metric(truth, flags, channels=["a", "b"]) == metric(both, flags, channels=["a", "b"])
    found, other = (
        aj.evaluate(given, flags, ["channel_f1", "cause_ndcg"], channels=["a", "b"])
        for given in (truth, both)
    )
    assert [row.p_value for row in found.rows] == [row.p_value for row in other.rows]
    assert found.channels.events[1]["channel"] == ["a", "b"]


def test_a_table_without_incidents_is_a_truth_without_events():
    flags = np.zeros((6, 2), int)
    for none in (aj.Incidents([], []), aj.Incidents([], [], channel=[])):
        for name in ("channel_f1", "incident_recall", "cause_hit_rate", "macro(recall)"):
            assert math.isnan(aj.metric(name)(none, flags, channels=["a", "b"]))
        assert aj.any_channel(aj.specificity)(none, flags, channels=["a", "b"]) == 1


@pytest.mark.parametrize("name", twin.INCIDENTS)
def test_events_by_id_equal_their_twin(name):
    apart = 0
    for seed in range(25):
        table, events, flags, names = incidents(seed)
        metric = aj.metric(name)
        expected = twin.incident(events, columns(flags), name)
        assert close(expected, metric(table, flags, channels=names))
        joined = [{0: set().union(*(own for event in events for own in event.values()))}]
        labels = [int(t in joined[0][0]) for t in range(len(flags))]
        apart += not close(expected, metric(labels, flags.max(axis=1)))
    assert apart > 5  # as one column of labels events that overlap are one


@pytest.mark.parametrize("name", twin.INCIDENTS)
def test_alarms_in_events_of_another_kind_are_neither_right_nor_false(name):
    for seed in range(12):
        table, events, flags, names = incidents(seed)
        kinds = ["odd" if int(one[1:]) % 2 else "even" for one in table.id.tolist()]
        table = aj.Incidents(table.start, table.end, id=table.id, channel=table.channel, kind=kinds)
        order = list(dict.fromkeys(table.id.tolist()))
        asked = [int(one[1:]) % 2 == 0 for one in order]
        if any(asked):
            metric = aj.metric(name)(kind="even")
            expected = twin.incident(events, columns(flags), name, asked)
            assert close(expected, metric(table, flags, channels=names))


@pytest.mark.parametrize("rate", twin.ZONED)
@pytest.mark.parametrize("kind", [None, "even"])
def test_affiliation_by_id_equals_its_twin(rate, kind):
    defined = 0
    for seed in range(25):
        table, events, flags, names = incidents(seed)
        order = list(dict.fromkeys(table.id.tolist()))
        asked = None if kind is None else [int(one[1:]) % 2 == 0 for one in order]
        metric = aj.metric(f"incident_affiliation_{rate}")
        if kind is not None and any(asked):
            kinds = ["odd" if int(one[1:]) % 2 else "even" for one in table.id.tolist()]
            table = aj.Incidents(
                table.start, table.end, id=table.id, channel=table.channel, kind=kinds
            )
            metric = metric(kind=kind)
        expected = twin.zoned(events, columns(flags), rate, asked)
        assert close(expected, metric(table, flags, channels=names))
        defined += not math.isnan(expected)
    assert defined > 5


def test_a_shielded_alarm_costs_nothing_and_a_dropped_event_makes_it_false():
    truth = aj.Incidents([2, 8], [4, 10], id=["a", "b"], kind=["Anomaly", "Gap"])
    flags = np.zeros((12, 1), int)
    flags[[2, 8]] = 1
    shielded = aj.incident_precision(kind="Anomaly")(truth, flags, channels=["x"])
    alone = aj.Incidents([2], [4], id=["a"])
    assert (shielded, aj.incident_precision(alone, flags, channels=["x"])) == (1, 0.45)
    assert math.isnan(aj.incident_precision(truth, 0 * flags, channels=["x"]))
    assert aj.incident_f1(truth, 0 * flags, channels=["x"]) == 0


def test_the_timing_on_channels_equals_its_twin():
    defined = 0
    for seed in range(30):
        table, events, flags, names = incidents(seed)
        expected = twin.timing(events, columns(flags), math.e)
        assert close(expected, aj.channel_adtqc(table, flags, channels=names))
        defined += not math.isnan(expected)
    assert defined > 10


def test_events_that_begin_together_leave_no_room_to_be_early():
    truth = aj.Incidents([4, 4], [8, 9], id=["a", "b"], channel=["x", "y"])
    flags = np.zeros((12, 2), int)
    flags[4:6, 0], flags[3:6, 1] = 1, 1
    assert aj.channel_adtqc(truth, flags, channels=["x", "y"]) == 0.5


@pytest.mark.parametrize(
    ("kind", "truth", "said"),
    [
        (
            "Anomaly",
            aj.Incidents([1], [2], kind=["Gap"]),
            "unknown kind 'Anomaly'; the events are of Gap",
        ),
        ("Anomaly", aj.Incidents([1], [2]), "kind must be left out"),
        ("Anomaly", [[0], [1], [0]], "kind must be left out"),
        (3, [[0], [1], [0]], "kind must be a text, got 3"),
    ],
)
def test_a_kind_that_nobody_named_is_refused(kind, truth, said):
    with pytest.raises((InputError, UnknownName), match=said):
        aj.incident_f1(kind=kind)(truth, [[0], [1], [0]], channels=["x"])


@pytest.mark.parametrize("name", twin.CAUSES)
@pytest.mark.parametrize("per", ["events", "points"])
def test_causes_equal_their_twin_over_all_orders_of_equals(name, per):
    settings = {"p": 150} if name in {"cause_hit_rate", "cause_ndcg"} else {"k": 2}
    for seed in range(5):
        labels, scores, names, _ = drawn(seed, flags=False)
        labels, scores, names = labels[:, :4], scores[:, :4], names[:4]
        rows = []
        for event in twin.events_of(columns(labels)):
            points = sorted(set().union(*event.values()))
            if per == "points":
                rows += [(scores[t].tolist(), set(np.flatnonzero(labels[t]))) for t in points]
            else:
                own = {c for c, at in event.items() if at}
                rows.append(([float(np.mean(s)) for s in scores[points].T], own))
        expected = twin.of_causes(rows, twin.CAUSES[name], **settings)
        metric = aj.catalogue[name].metric(per=per, **settings)
        assert close(expected, metric(labels, scores, channels=names))


@pytest.mark.parametrize("per", ["events", "points"])
@pytest.mark.parametrize("name", twin.CAUSES)
def test_a_score_without_bound_is_higher_or_lower_than_all_others(name, per):
    labels, names = [[1, 0, 0], [1, 0, 0], [0, 0, 0]], list("abc")
    scores = np.array([[1.0, 9, 9], [1, 9, 9], [0, 0, 0]])
    settings = {} if name in {"cause_hit_rate", "cause_ndcg"} else {"k": 1}
    metric = aj.catalogue[name].metric(per=per, **settings)
    assert metric(labels, scores, channels=names) == 0
    scores[:2, 0] = np.inf
    assert metric(labels, scores, channels=names) == 1
    scores[:2, 0], scores[:2, 1:] = 1, -np.inf
    assert metric(labels, scores, channels=names) == 1
    scores[:2] = np.inf  # equals share what they would earn
    assert metric(labels, scores, channels=names) == pytest.approx(1 / 3)


def test_a_gain_among_no_channels_is_undefined_and_left_out():
    """Half of one cause are no channels to look at; half of two are one."""
    names, scores = list("abc"), [[9, 1, 0], [0, 0, 0], [9, 1, 0]]
    half = aj.cause_ndcg(p=50)
    assert math.isnan(half([[1, 0, 0], [0, 0, 0], [0, 0, 0]], scores, channels=names))
    both = [[1, 0, 0], [0, 0, 0], [1, 1, 0]]
    assert half(both, scores, channels=names) == 1
    found = aj.evaluate(both, scores, "cause_ndcg(p=50)", channels=names)
    assert found.channels.which[0].chance == pytest.approx(2 / 3)


def test_rounding_decides_whether_a_second_cause_is_seen():
    labels, scores = [[1, 0, 0, 0]], [[0.5, 0.9, 0.2, 0.3]]
    names = list("abcd")
    cut = aj.metric("cause_hit_rate(p=150)")(labels, scores, channels=names)
    even = aj.metric('cause_hit_rate(p=150, rounding="even")')(labels, scores, channels=names)
    assert (cut, even) == (0, 1)


@pytest.mark.parametrize("spec", [*WRAPPED, *OF_EVENTS, *twin.CAUSES])
def test_permuting_channels_changes_nothing(spec):
    labels, scores, names, groups = drawn(3, flags=False)
    metric = aj.metric(spec)
    metric = metric.with_default_threshold(1)
    own = metric(labels, scores, channels=names, subsystem=groups)
    for order in list(permutations(range(len(names))))[1::7]:
        turned = labels[:, order], scores[:, order]
        moved = [names[c] for c in order]
        assert close(own, metric(*turned, channels=moved, subsystem=groups))


@pytest.mark.parametrize("spec", [s for s in WRAPPED if "micro" not in s])
def test_doubling_every_channel_changes_no_mean_and_no_maximum(spec):
    labels, scores, names, _ = drawn(5, flags=False)
    metric = aj.metric(spec).with_default_threshold(1)
    twice = [f"{name}{copy}" for copy in "xy" for name in names]
    doubled = np.tile(labels, 2), np.tile(scores, 2)
    assert close(metric(labels, scores, channels=names), metric(*doubled, channels=twice))


def test_doubling_changes_no_rate_of_channels():
    labels, scores, names, _ = drawn(5)
    doubled = np.tile(labels, 2), np.tile(scores, 2)
    twice = [f"{name}{copy}" for copy in "xy" for name in names]
    for spec in ("micro(f1)", "channel_f1", "channel_recall"):
        metric = aj.metric(spec)
        assert close(metric(labels, scores, channels=names), metric(*doubled, channels=twice))


def test_the_sum_of_channels_breaks_the_law_of_doubling():
    labels, scores, _, _ = drawn(5)

    def false_points(labels, scores):
        return float(np.sum((scores > 0) & (labels == 0)))

    assert false_points(np.tile(labels, 2), np.tile(scores, 2)) != false_points(labels, scores)


PLAIN = [name for name, row in aj.catalogue.items() if not row.channels]


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("over", ["any_channel", "micro", "macro"])
def test_every_metric_can_be_wrapped_and_one_channel_is_the_metric_itself(name, over):
    labels, scores, _, _ = drawn(1, flags=False)
    one, plain = (labels[:, 0], scores[:, 0]), aj.metric(name)
    pairs = [
        (aj.metric(f"{over}({name})").with_default_threshold(1), plain.with_default_threshold(1))
    ]
    if plain.needs_threshold:
        pairs.append((aj.metric(f"best({over}({name}))"), aj.best(plain)))
    for wrapped, bare in pairs:
        assert aj.metric(str(wrapped)) == wrapped
        told = wrapped(*(column[:, None] for column in one), channels=["a"])
        assert struct.pack("d", told) == struct.pack("d", bare(*one))


@pytest.mark.parametrize("spec", WRAPPED)
def test_one_channel_is_the_plain_metric_to_the_last_bit(spec):
    metric = aj.metric(spec)
    plain = metric.per_channel
    if metric.oracle:
        plain = plain if plain.oracle else aj.best(plain)
    for seed in range(6):
        labels, scores, _, _ = drawn(seed, flags=False)
        one = labels[:, 0], scores[:, 0]
        needs = metric.needs_threshold
        given = {"at": 1} if needs else {}
        expected = plain(*one, **given)
        assert np.array_equal(metric(*one, **given), expected, equal_nan=True)
        several = metric(labels[:, :1], scores[:, :1], channels=["only"], **given)
        assert np.array_equal(several, expected, equal_nan=True)


def test_a_quiet_channel_changes_nothing_but_a_mean():
    labels, scores, names, _ = drawn(8)
    quiet = np.zeros((len(labels), 1), int)
    more = np.hstack([labels, quiet]), np.hstack([scores, quiet])
    for spec in ("any_channel(f1)", "micro(f1)", "macro(f1)", "channel_f1", "channel_precision"):
        metric = aj.metric(spec)
        own = metric(labels, scores, channels=names)
        assert close(own, metric(*more, channels=[*names, "quiet"]))


def test_averages_by_hand():
    labels = np.array([[0, 0], [1, 0], [1, 0], [0, 1], [0, 0]])
    flags = np.array([[0, 0], [1, 1], [0, 0], [0, 1], [0, 0]])
    names = ["temp", "flow"]
    value = {
        spec: aj.metric(spec)(labels, flags, channels=names)
        for spec in ("any_channel(f1)", "micro(f1)", "macro(f1)", "f1")
    }
    assert value["any_channel(f1)"] == value["f1"] == 4 / 5
    assert close(value["micro(f1)"], 4 / 6)
    assert close(value["macro(f1)"], 2 / 3)


def test_one_threshold_for_all_is_no_better_than_one_for_each():
    rng = np.random.default_rng(0)
    labels = (rng.random((200, 3)) < 0.1).astype(int)
    scores = (rng.normal(size=(200, 3)) + 2 * labels) * [1, 10, 100]
    names = list("abc")
    one, each = (aj.metric(s)(labels, scores, channels=names)
                 for s in ("best(macro(f1))", "macro(best(f1))"))  # fmt: skip
    assert one < each
    levels = np.unique(scores).tolist()
    means = [aj.metric(f"macro(f1(at={t!r}))")(labels, scores, channels=names) for t in levels[::5]]
    assert max(means) <= one + 1e-12


@pytest.mark.parametrize("spec", [*WRAPPED, "macro(best(etapr_f1, thresholds=9))"])
def test_specs_are_read_back(spec):
    metric = aj.metric(spec)
    assert aj.metric(str(metric)) == metric
    assert metric.__name__.replace("_", "").startswith(("best", "any", "micro", "macro"))


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("micro(best(f1))", "write best(micro(f1))"),
        ("macro(macro(f1))", "takes a metric of one channel"),
        ("any_channel(channel_f1)", "takes a metric of one channel"),
        ("macro(f1, 3)", "takes one metric"),
        ("best(macro(best(f1)))", "for each channel already"),
    ],
)
def test_wrappers_that_mean_nothing_are_refused(spec, said):
    with pytest.raises(InputError, match=said.replace("(", r"\(").replace(")", r"\)")):
        aj.metric(spec)


def test_wrappers_take_metrics():
    with pytest.raises(InputError, match="takes a metric"):
        aj.macro("f1")


def test_what_needs_channels_says_so():
    labels, flags = [0, 1, 1, 0], [[0, 0], [1, 0], [0, 0], [0, 0]]
    with pytest.raises(InputError, match="each event"):
        aj.metric("channel_f1")(labels, flags, channels=["a", "b"])
    with pytest.raises(InputError, match="subsystem must be given"):
        aj.metric("subsystem_f1")(np.array([flags, flags])[0], flags, channels=["a", "b"])
    (case,) = channel_cases(np.array(flags), np.array(flags), ["a", "b"])
    with pytest.raises(InputError, match=r"write any_channel\(f1\)"):
        aj.f1.reading(case)
    with pytest.raises(InputError, match="one detector"):
        aj.f1(labels, {"x": np.array(flags), "y": np.array(flags)}, channels=["a", "b"])


def test_rules_learn_on_each_channel():
    rng = np.random.default_rng(2)
    labels = (rng.random((100, 2)) < 0.1).astype(int)
    scores = rng.random((100, 2)) * [1, 1000]
    names, rule = ["small", "large"], aj.quantile(0.9)
    flags = np.stack([column > rule(aj.Case([0] * 100, column)) for column in scores.T], axis=1)
    for spec in ("any_channel(f1)", "micro(f1)", "macro(f1)", "channel_f1"):
        metric = aj.metric(spec)
        by_rule = metric(labels, scores, channels=names, at=rule)
        assert close(by_rule, metric(labels, flags.astype(int), channels=names))


def test_the_best_of_channels_tries_thresholds():
    labels, scores, names, _ = drawn(7, flags=False)
    best = aj.best(aj.channel_f1)(labels, scores, channels=names)
    values = [aj.channel_f1(labels, scores, channels=names, at=t) for t in (-1, 0, 1, 2, 3)]
    assert best == max(values)


def test_without_events_channels_are_undefined():
    none, flags = np.zeros((5, 2), int), np.ones((5, 2), int)
    for name in (*OF_EVENTS, *twin.CAUSES):
        value = aj.metric(name)(none, flags, channels=["a", "b"], subsystem={"s": ["a", "b"]})
        assert math.isnan(value)


def test_an_unknown_wrapper_is_an_unknown_metric():
    with pytest.raises(UnknownName):
        aj.metric("mean_channel(f1)")
