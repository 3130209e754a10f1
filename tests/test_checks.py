"""Settings: what width, margin, islands, k, strict and beta may be, and what errors say."""

import math
import pickle
import sys
from dataclasses import astuple, dataclass
from fractions import Fraction
from importlib.machinery import PathFinder

import numpy as np
import pytest

import adjudge as aj
from adjudge import checks, registry, settings
from adjudge.adjust.adjustments import Covered, Dilated
from adjudge.adjust.balanced import Balanced
from adjudge.count.tally import Tally
from adjudge.count.weighted_events import EventWeighted
from adjudge.errors import InputError, MissingExtra, UnknownName, shown
from adjudge.measure.rates import FBeta
from messages import refused

LABELS = [0, 0, 0, 1, 1, 0, 0]
FLAGS = [1, 0, 0, 0, 1, 0, 0]
HUGE = pytest.param(10**400, id="beyond every float")


NOT_WHOLE = [2.9, 5.0, math.nan, math.inf, True, False, "3", [3], np.array(3), np.array([3, 4]), 3j]
LONG = np.arange(1000) % 7 == 0
EVENTS = aj.Events.from_intervals([(10, 30), (500, 510)], n=1000)

every_count = pytest.mark.parametrize(
    "count", [np.int8(3), np.uint8(3), np.int64(3), np.uint64(3)], ids=lambda c: c.dtype.name
)
every_width = pytest.mark.parametrize(
    ("part", "metric"), [(Balanced, aj.f1_ba), (Dilated, aj.f1_dilated)], ids=["ba", "dilated"]
)


WORDS = {Balanced: "; a duration or 'iid' or 'matched' or 'median'", Dilated: ""}


@every_width
@pytest.mark.parametrize("width", [0, -1, np.int64(0), *NOT_WHOLE, np.True_, np.float64(3)])
def test_width_must_be_a_whole_number_of_at_least_one(part, metric, width):
    message = f"width must be a whole number, at least 1, got {shown(width)}{WORDS[part]}"
    if part is Balanced and isinstance(width, str):
        message = f"width must be a duration, got {shown(width)}"
    with refused(message):
        part(width=width)
    with refused(message):
        metric(width=width)


def test_a_width_by_a_wrong_word_is_told_the_right_ones():
    with refused("width must be a duration 'iid' 'matched' 'median', got 'match'"):
        aj.f1_ba(width="match")
    with refused("width must be a duration 'iid', got 'matched'"):
        EventWeighted(width="matched")
    with refused("width must be a whole number, at least 1, got 0; a duration or 'iid'"):
        EventWeighted(width=0)
    with refused("width must be a whole number, at least 1, or 'iid', got 'matched'"):
        aj.event_f1_ba(width="matched")


@pytest.mark.parametrize("border", ["Shift", "", None, 1, True, ["clip"]])
def test_border_must_be_clip_or_shift(border):
    message = f"border must be one of 'clip', 'shift', got {border!r}"
    with refused(message):
        Balanced(border=border)
    with refused(message):
        aj.f1_ba(border=border)


@pytest.mark.parametrize("islands", ["spill", "all"])
def test_shifting_borders_and_matched_widths_go_with_islands_on_normal_points_only(islands):
    with refused(f"islands must be 'normal' with border='shift', got {islands!r}"):
        aj.f1_ba(border="shift", islands=islands)
    with refused(f"islands must be 'normal' with width='matched', got {islands!r}"):
        aj.f1_ba(width="matched", islands=islands)
    with refused(f"islands must be 'normal' with border='shift', got {islands!r}"):
        aj.informedness_ba(islands=islands)


def test_matched_widths_adjust_no_scores_outside_a_metric():
    message = (
        "width must be a single one here, got 'matched'; it mixes several, in a metric such as "
        'f1_ba(width="matched")'
    )
    with refused(message):
        Balanced(width="matched")(LONG, EVENTS)
    with refused(message):
        Balanced(width="matched").explain_islands(LONG, EVENTS)


@pytest.mark.parametrize(
    ("spec", "resolved"),
    [
        ('f1_ba(width="iid")', 'f1_ba(width=16, islands="normal")'),
        ('f1_ba(width="matched")', 'f1_ba(width="matched", islands="normal")'),
        ('f1_ba(border="shift")', 'f1_ba(width=17, islands="normal", border="shift")'),
        ("informedness_ba", 'informedness_ba(width="matched", islands="normal")'),
        ("informedness_ba(width=None)", 'informedness_ba(width=17, islands="normal")'),
        ("event_f1_ba", 'event_f1_ba(width=17, islands="normal")'),
        ('best(event_f1_ba(width="iid"))', 'best(event_f1_ba(width=16, islands="normal"))'),
    ],
)
def test_a_result_prints_the_width_that_a_word_stands_for(spec, resolved):
    assert spec == str(aj.metric(spec))
    assert resolved == aj.metric(spec).resolved_spec(EVENTS)


def test_a_row_may_have_defaults_of_its_own():
    assert aj.informedness_ba == aj.informedness_ba(width="matched", border="shift")
    assert str(aj.informedness_ba(width=None, border="clip")) == (
        'informedness_ba(width=None, border="clip")'
    )


@pytest.mark.parametrize(
    "margin", [-1, np.int64(-1), 0.0, *NOT_WHOLE, None, np.False_, np.float64(3)]
)
def test_margin_must_be_a_whole_number_of_at_least_zero(margin):
    with refused(f"margin must be a whole number, at least 0, got {shown(margin)}"):
        Balanced(margin=margin)
    with refused(f"margin must be a whole number, at least 0, got {shown(margin)}"):
        aj.f1_ba(margin=margin)


def test_the_width_of_dilation_must_be_given_as_a_number():
    with refused("width must be a whole number, at least 1, got None"):
        aj.f1_dilated(width=None)


@pytest.mark.parametrize("metric", [aj.f1_ba, aj.f1_dilated], ids=str)
@every_count
def test_a_width_may_be_any_kind_of_integer(metric, count):
    assert f"{metric.name}(width=3)" == str(metric(width=count))
    assert metric(EVENTS, LONG, width=3) == metric(EVENTS, LONG, width=count)


@pytest.mark.parametrize("part", [Balanced, Dilated])
@every_count
def test_an_adjustment_takes_any_kind_of_integer_for_its_width(part, count):
    assert part(width=3)(LONG, EVENTS).tolist() == part(width=count)(LONG, EVENTS).tolist()


@every_count
def test_a_margin_may_be_any_kind_of_integer(count):
    assert aj.f1_ba(margin=3) == aj.f1_ba(margin=count)
    assert aj.f1_ba(EVENTS, LONG, margin=3) == aj.f1_ba(EVENTS, LONG, margin=count)


@every_count
def test_an_adjustment_takes_any_kind_of_integer_for_its_margin(count):
    three, other = Balanced(width=5, margin=3), Balanced(width=5, margin=count)
    assert three(LONG, EVENTS).tolist() == other(LONG, EVENTS).tolist()


@pytest.mark.parametrize("width", [2**31, np.uint64(2**31), 10**12])
def test_a_width_may_be_far_beyond_the_series(width):
    # every normal point is in the one island: TP = 2, FP = 5; dilated: all is flagged
    assert aj.f1_ba(LABELS, FLAGS, width=width) == 4 / 9
    assert aj.f1_dilated(LABELS, FLAGS, width=width) == 4 / 9
    assert tuple(aj.explain(LABELS, FLAGS, aj.f1_ba(width=width)).tally) == (2, 2, 2, 7, 5)
    assert aj.f1_ba(LABELS, FLAGS, width=width, border="shift") == 4 / 7  # within its run
    assert aj.event_f1_ba(LABELS, FLAGS, width=width) == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize("margin", [2**31, 10**12])
def test_a_margin_may_be_far_beyond_the_series(margin):
    assert aj.f1_ba(LABELS, FLAGS, width=3, margin=margin) == 4 / 5  # as point adjustment


@pytest.mark.parametrize("huge", [10**12 + 1, 2**63, np.uint64(2**64 - 1), 10**31, HUGE])
@pytest.mark.parametrize(
    "name", ["f1_ba(width)", "f1_ba(margin)", "f1_dilated(width)", "event_f1_ba(width)"]
)
def test_what_numpy_cannot_count_is_refused_wherever_it_is_said(name, huge):
    metric, _, setting = name.rstrip(")").partition("(")
    said = f"^{setting} must be at most 1,000,000,000,000, got "
    for call in (aj.metric(metric), aj.metric(metric).with_settings):
        with pytest.raises(InputError, match=said):
            call(**{setting: huge})
    with pytest.raises(InputError, match=said):
        aj.metric(f"best({metric}({setting}={huge}))")


@pytest.mark.parametrize("islands", ["Normal", "", 1, True, ["normal"]])
def test_islands_must_be_one_of_three_readings(islands):
    message = f"islands must be one of 'normal', 'spill', 'all', got {islands!r}"
    with refused(message):
        Balanced(islands=islands)
    with refused(message):
        aj.f1_ba(islands=islands)


@pytest.mark.parametrize(
    "k",
    [
        0,
        0.0,
        -0.1,
        1.1,
        2,
        math.inf,
        -math.inf,
        math.nan,
        np.float64("nan"),
        np.float32(1.5),
        True,
        np.True_,
        "0.2",
        None,
        [0.2],
        0.2j,
        Fraction(1, 2),
        np.array([0.2]),
        HUGE,
    ],
)
def test_k_must_be_a_share_above_zero(k):
    with refused(f"k must be a share in (0, 1], got {shown(k)}"):
        Covered(k=k)
    with refused(f"k must be a share in (0, 1], got {shown(k)}"):
        aj.f1_kpa(k=k)


@pytest.mark.parametrize("k", [1, 1.0, np.int8(1), np.float16(1), np.float64(1)])
def test_k_may_be_any_kind_of_number(k):
    assert (Covered(k=1), aj.f1_kpa(k=1)) == (Covered(k=k), aj.f1_kpa(k=k))


@pytest.mark.parametrize("strict", [0, 1, None, "yes", 0.0, math.nan])
def test_strict_must_be_a_bool(strict):
    with refused(f"strict must be True or False, got {strict!r}"):
        Covered(strict=strict)
    with refused(f"strict must be True or False, got {strict!r}"):
        aj.f1_kpa(strict=strict)


@pytest.mark.parametrize("strict", [True, np.True_])
def test_strict_may_be_any_kind_of_bool(strict):
    assert str(aj.f1_kpa(strict=strict)) == "f1_kpa(strict=True)"


@pytest.mark.parametrize(
    "beta",
    [
        0,
        0.0,
        -1,
        math.nan,
        math.inf,
        -math.inf,
        True,
        False,
        np.True_,
        "1",
        None,
        [1],
        1j,
        HUGE,
        9e-07,
        1100000.0,
        1e200,
        Fraction(1, 2),
        np.array([1, 1]),
    ],
)
def test_beta_must_be_a_positive_number(beta):
    message = f"beta must be a positive number between 1e-6 and 1e6, got {shown(beta)}"
    with refused(message):
        FBeta(beta=beta)
    with refused(message):
        aj.f1(beta=beta)


every_beta = pytest.mark.parametrize(
    "beta", [20, 20.0, np.int8(20), np.float16(20), np.uint64(20)], ids=lambda b: type(b).__name__
)


@every_beta
def test_beta_may_be_any_kind_of_number(beta):
    assert aj.f1(LABELS, FLAGS, beta=beta) == 401 / 802  # TP 1, FN 1, FP 1: 401 / (401 + 400 + 1)


@every_beta
def test_a_measure_takes_any_kind_of_number_for_beta(beta):
    assert FBeta(beta)(Tally(found=1, truth=2, right=1, flagged=2)) == 401 / 802


@pytest.mark.parametrize(("beta", "limit"), [(1e6, aj.recall), (1e-6, aj.precision)])
def test_an_extreme_beta_is_close_to_its_limit(beta, limit):
    labels, flags = [1, 1, 1, 0], [1, 0, 0, 1]
    assert abs(limit(labels, flags) - aj.f1(labels, flags, beta=beta)) < 1e-11


@pytest.mark.parametrize("beta", [1e-6, 0.5, 1, 2, 1e6])
@pytest.mark.parametrize(("labels", "flags"), [([1, 0], [0, 0]), ([0, 0], [1, 0])])
def test_events_or_alarms_alone_score_zero_at_every_beta(labels, flags, beta):
    assert aj.f1(labels, flags, beta=beta) == 0.0


@pytest.mark.parametrize(
    ("metric", "setting", "message"),
    [
        (
            aj.f1_ba,
            "widht",
            "'widht', did you mean 'width'?; f1_ba takes width, islands, margin, border, beta, at",
        ),
        (aj.recall, "width", "'width'; recall takes at"),
        (aj.auc_roc, "width", "'width'; auc_roc takes no settings"),
        (aj.auc_roc_kpa, "beta", "'beta'; auc_roc_kpa takes k, strict, tolerance"),
    ],
)
def test_an_unknown_setting_is_refused_with_what_the_metric_takes(metric, setting, message):
    with refused(f"unknown setting {message}", UnknownName):
        metric(**{setting: 1})


def test_an_area_takes_no_threshold():
    with refused("auc_pr judges every threshold at once, got at=0.5"):
        aj.auc_pr(at=0.5)


def test_an_oracle_takes_no_threshold():
    with refused("best(...) chooses the threshold itself, got at=0.5"):
        aj.best(aj.f1)(at=0.5)
    with refused("best(...) chooses the threshold itself, got at=0.5"):
        aj.best(aj.f1(at=0.5))


@pytest.mark.parametrize("error", [InputError, UnknownName])
def test_what_is_refused_is_a_value_error_of_this_package(error):
    assert issubclass(error, aj.AdjudgeError)
    assert issubclass(error, ValueError)


def test_an_unknown_name_is_a_key_error_without_its_quotes():
    error = UnknownName("detector", "lof", ["knn", "iforest"])
    assert isinstance(error, KeyError)
    assert str(error) == "unknown detector 'lof'"


def test_an_unknown_name_offers_at_most_three():
    error = UnknownName(
        "column", "score", ["score_d", "score_c", "score_b", "score_a"], "see --help"
    )
    assert str(error) == (
        "unknown column 'score', did you mean 'score_d' or 'score_c' or 'score_b'?; see --help"
    )


def test_a_missing_extra_gives_the_command():
    error = MissingExtra("reading Parquet", "pyarrow")
    assert isinstance(error, ImportError)
    assert str(error) == "reading Parquet needs pyarrow: pip install pyarrow"


@pytest.mark.parametrize(
    "error",
    [
        InputError("no"),
        UnknownName("metric", "f2", ["f1"], "hint"),
        MissingExtra("a frame", "pandas"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_comes_through_a_process_border_unchanged(error):
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - just written
    assert (type(error), str(error)) == (type(again), str(again))


@pytest.mark.parametrize("value", [0, -1.5, math.inf, np.float32(0.5), np.int8(3)])
def test_any_number_is_a_number(value):
    assert (float, float(value)) == (type(checks.number(value, "x")), checks.number(value, "x"))


def test_nan_is_a_number_here():
    assert math.isnan(checks.number(math.nan, "x"))


@pytest.mark.parametrize("value", ["7", "x", True, None, [1.0], 1j, np.True_])
def test_what_only_looks_like_a_number_is_refused(value):
    with pytest.raises(InputError, match="x must be a number, got "):
        checks.number(value, "x")


def test_a_setting_without_a_check_stays_as_it_is():
    @dataclass(frozen=True)
    class Titled(settings.Settings):
        width: int = settings.setting(5, checks.whole, 1)
        title: str = ""

    assert (3, "a") == astuple(Titled(np.int8(3), "a"))
    with refused("width must be a whole number, at least 1, got 0"):
        Titled(0, "a")


@dataclass
class Entry:
    """What `importlib.metadata` gives, as far as it is looked at."""

    name: str
    thing: object
    value = "module:THING"
    dist = None

    def load(self):
        print(end="loaded" if self.name == "loud" else "")  # noqa: T201 - it is heard
        return self.thing


def sizes_of(monkeypatch, *entries):
    """Make a registry of numbers, with what packages publish."""
    published = {"example.sizes": entries}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: published[group])

    def check(name, thing):
        checks.whole(thing, name, 1)

    sizes = registry.Registry("size", "example.sizes", check=check, text=lambda n, t: f"{n}={t}")
    sizes.add("small", 1)
    return sizes


def test_a_registry_lists_itself_in_the_message_of_an_unknown_name(monkeypatch):
    sizes = sizes_of(monkeypatch)
    sizes.add("small", 1)  # the same again
    sizes.add("large", 9)
    assert (1, 9, 2) == (sizes["small"], sizes["large"], len(sizes))
    with pytest.raises(UnknownName) as unknown:
        sizes["larg"]
    message = "unknown size 'larg', did you mean 'large'?; there are small=1, large=9"
    assert message == str(unknown.value)
    assert "larg" not in sizes


@pytest.mark.parametrize(
    ("name", "thing", "message"),
    [
        ("small", 2, "name of a size must be new, got 'small'"),
        ("", 2, "name of a size must be a word, got ''"),
        (3, 2, "name of a size must be a word, got 3"),
        ("none", 0, "none must be a whole number, at least 1, got 0"),
    ],
)
def test_a_registry_refuses_what_is_none_of_its_kind(monkeypatch, name, thing, message):
    sizes = sizes_of(monkeypatch)
    with refused(message):
        sizes.add(name, thing)
    assert ["small"] == list(sizes)


def test_a_registry_reads_what_packages_publish_on_an_unknown_name(monkeypatch):
    sizes = sizes_of(monkeypatch, Entry("medium", 5))
    assert (5, "small=1, medium=5") == (sizes["medium"], sizes.listed)


def test_a_registry_leaves_out_what_is_no_good_and_names_it(monkeypatch):
    wrong = Entry("zero", 0), Entry("small", 7), Entry("loud", 3), Entry("medium", 5)
    sizes = sizes_of(monkeypatch, *wrong)
    with pytest.warns(UserWarning, match="module:THING publishes") as warned:
        assert {"small": 1, "medium": 5} == dict(sizes)
    assert ["zero", "small", "loud"] == [str(one.message).split()[2] for one in warned]
    assert dict(sizes)  # and says so once


@pytest.mark.parametrize("kind", [".dist-info", ".egg-info"])
def test_a_look_into_the_folders_shows_whether_a_package_may_publish(kind, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "importlib.metadata")
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    assert not registry.may_publish("example.sizes")
    folder = tmp_path / "more" / f"some-1.0{kind}"
    folder.mkdir(parents=True)
    (folder / "entry_points.txt").write_text("[example.sizes]\nlarge = some:LARGE\n")
    (folder.parent / "other-1.0.dist-info").mkdir()
    sys.path.append(str(folder.parent))
    assert registry.may_publish("example.sizes")
    assert not registry.may_publish("example.colours")
    assert not list(registry.published("example.colours", lambda *one: [one]))


def test_packages_that_come_from_elsewhere_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "importlib.metadata")
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    monkeypatch.setattr(sys, "path", [])
    assert not registry.may_publish("example.sizes")
    (tmp_path / "packages.zip").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packages.zip")])
    assert registry.may_publish("example.sizes")
    monkeypatch.setattr(sys, "path", [])
    finder = type("Finder", (), {"find_distributions": None})()
    monkeypatch.setattr(sys, "meta_path", [finder])
    assert registry.may_publish("example.sizes")
