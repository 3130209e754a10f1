"""Threshold rules: how a threshold is chosen when no number is given.

A rule looks at the scores and never at the labels. It learns on the judged points, or on a part of
all points that ``on`` names: a mask, a slice, or text such as ``"0:1000"``.

`Quantile` and `Top` give one of the scores (or ``-inf``), so a strictly increasing map of the
scores changes nothing; the other rules depend on the scale of the scores.

Each rule is declared once, by `rule`: specs, messages, help and the pages of the documentation read
`RULES`. Others may add theirs, or give any function of a `adjudge.Case` as ``at=``.

Part: a part of the points, such as the ones that a threshold is learnt on.

Thresholds as text: in so many digits that whoever types them flags the same points.

A threshold beyond all scores flags nothing or everything, and is told beside where the scores lie.

A policy is a threshold with more to it: how long a score must stay above, when the alert ends, and
whether somebody is paged again.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field, fields
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeVar, get_args

import numpy as np

from adjudge.adjust.policies import Firing, Paging, Track
from adjudge.checks import (
    Registry,
    Settings,
    checked_by,
    front_door,
    number,
    positive,
    setting,
    share,
    whole,
    word,
)
from adjudge.data.case import Case, score_column
from adjudge.data.columns import binary, floats, refuse_nan
from adjudge.data.intervals import runs
from adjudge.errors import AdjudgeError, InputError, as_text, exact, shown, visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from adjudge._typing import Array, Column, Flags, Floats, Positions
    from adjudge.data.events import Events

_STRETCH = re.compile(r"(\d{0,18}):(\d{0,18})")
_MOST_POINTS_SHOWN = 12  # stretches that are written out


@dataclass(frozen=True)
class Part:
    """Half-open stretches of points, ascending; frozen, comparable and printable.

    Examples
    --------
    >>> Part.read([1, 1, 0, 0, 1])
    Part('0:2,4:5')
    >>> Part.read("0:1000").mask(1500).sum()
    np.int64(1000)
    """

    stretches: tuple[tuple[int, int | None], ...]
    """Start and stop of each stretch; None: to the end."""
    n: int | None = None
    """How many points there are, if a mask said so."""

    @classmethod
    def read(cls, on: Column, name: str = "on") -> Part:
        """Read a part: a mask (0/1 or bools per point), a slice, or text such as "0:1000"."""
        if isinstance(on, Part):
            return on
        if isinstance(on, slice) and on.step in (None, 1):
            begin, end = on.start, on.stop
            on = f"{'' if begin is None else begin}:{'' if end is None else end}"
        if isinstance(on, str):
            return cls(tuple(_stretch(text, name, on) for text in on.split(",")))
        mask = binary(on, name)
        if not mask.any():
            raise InputError(f"{name} must hold at least one point, got none of {mask.size}")
        starts, stops = runs(mask, np.array([0]))
        return cls(tuple(zip(starts.tolist(), stops.tolist(), strict=True)), mask.size)

    def mask(self, n: int, name: str = "on") -> Flags:
        """A bool per point."""
        if self.n not in (None, n):
            raise InputError(f"{name} must be one bool per point, got {self.n} for {n} points")
        mask = np.zeros(n, bool)
        for start, stop in self.stretches:
            if start >= n or (stop or 0) > n:
                raise InputError(f"{name} must lie within the {n} points, got {self}")
            mask[start:stop] = True
        return mask

    def reordered(self, order: Positions) -> Part:
        """The part after all points were put in another order.

        A mask goes with its points; a stretch, ``"0:1000"``, counts the points in their new order.

        >>> Part.read([1, 0, 0, 1]).reordered(np.array([0, 3, 1, 2]))
        Part('0:2')
        """
        return self if self.n is None else Part.read(self.mask(order.size)[order])

    def __str__(self) -> str:
        """Write the stretches; of many, only how many there are."""
        if len(self.stretches) > _MOST_POINTS_SHOWN:
            points = sum((stop or start) - start for start, stop in self.stretches)
            return f"{points:,} points in {len(self.stretches)} stretches"
        return ",".join(f"{start}:{'' if stop is None else stop}" for start, stop in self.stretches)

    def __repr__(self) -> str:
        """Show it as it is written."""
        return f"Part({str(self)!r})"


def _stretch(text: str, name: str, whole: str) -> tuple[int, int | None]:
    found = _STRETCH.fullmatch(text.strip())
    start = int(found[1] or 0) if found else 0
    stop = int(found[2]) if found and found[2] else None
    if found is None or (stop is not None and stop <= start):
        rule = "a mask, a slice, or text such as '0:1000' or '0:500,900:1000'"
        raise InputError(f"{name} must be {rule}, got {shown(whole)}")
    return start, stop


Fit = Literal["likelihood", "grimshaw"]

_FEWEST_PEAKS = 10
_LARGEST = 1e150  # sums of squares of scores are numbers too
_NORMAL = 1.4826  # what the MAD of normal scores is multiplied by to give their standard deviation


class AnyRule(Protocol):
    """What ``at=`` takes as a rule: called with a `adjudge.Case` it gives the threshold, a number.

    It looks at ``case.scores`` and never at the labels. It is printed by its name if it is a
    function, else by its ``str``.
    """

    def __call__(self, case: Case, /) -> float:
        """The threshold above which points are flagged."""
        ...


@dataclass(frozen=True, repr=False)
class Rule(Settings):
    """A rule with settings: its fields, each with a check; it may learn on a part of the points.

    A subclass says how the threshold follows from the scores, and `rule` gives it its name.
    """

    name: ClassVar[str] = ""
    on: Any = field(
        default=None, kw_only=True, metadata=checked_by(lambda on, _: Part.read(on), none=True)
    )

    def threshold(self, scores: Floats) -> float:
        """The threshold, from the scores that it is learnt on."""
        raise NotImplementedError  # pragma: no cover - a subclass says

    def __call__(self, case: Case) -> float:
        """The threshold of a case."""
        return float(self.threshold(learnt(case, self.on)))

    def __str__(self) -> str:
        """Print as it is written: a single setting by its value, several by their names."""
        inside = sorted(fields(self), key=lambda item: item.name == "on")  # which comes last
        named = sum(not item.kw_only for item in inside) > 1
        settings = []
        for item in inside:
            value = self.__dict__[item.name]
            if not item.kw_only:
                settings.append(f"{item.name}={value!r}" if named else repr(value))
            elif value != item.default:
                settings.append(f'{item.name}="{value}"')
        return f"{self.name}({', '.join(settings)})"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class GivenRule(Rule):
    """A rule that is somebody's own function or object, with the text that it is printed as."""

    rule: AnyRule
    text: str

    def __post_init__(self) -> None:
        """Refuse a part to learn on: such a rule chooses itself what it looks at."""
        if self.on is not None:
            raise InputError(f"on must be left out for {self}, which takes no part, got {self.on}")

    def __call__(self, case: Case) -> float:
        """The threshold of a case."""
        try:
            at = self.rule(case)
        except AdjudgeError:
            raise
        except Exception as error:
            problem = f"{type(error).__name__}: {as_text(error)}"
            raise InputError(f"rule {self} must give a threshold, got {problem}") from error
        found = number(at, f"threshold of {self}")
        if math.isnan(found):
            raise InputError(f"threshold of {self} must be a number, got nan")
        return found

    def __str__(self) -> str:
        """Print it by its name."""
        return self.text

    __repr__ = __str__


def given_rule(rule: AnyRule, text: str = "") -> Rule:
    """Any rule as a `Rule`.

    >>> def highest(case):
    ...     return case.scores.max()
    >>> given_rule(highest), given_rule(Quantile(0.5))
    (highest, quantile(0.5))
    """
    if isinstance(rule, Rule):
        return rule
    name = (
        text or getattr(rule, "__name__", "") or as_text(rule)
    )  # of a function, else of an object
    return GivenRule(rule, visible(type(rule).__name__ if " at 0x" in name else name))


def foreign_code(at: object) -> Any:
    """What chooses a threshold, where it is not ours and its text does not stand for its code."""
    if isinstance(at, Policy):
        return foreign_code(at.at)
    if isinstance(at, GivenRule):
        return at.rule
    return at if isinstance(at, Rule) and type(at).__module__ != __name__ else None


def _check_rule(name: str, make: Any) -> None:
    """Refuse what cannot be written in a spec; a class of rules prints by its name from now on."""
    if not name.isidentifier() or name in {"best", "tuned"}:
        raise InputError(f"name of a threshold rule must be a word such as 'mine', got {name!r}")
    if not callable(make):
        raise InputError(f"threshold rule {name} must be a class or a function, got {shown(make)}")
    if isinstance(make, type) and issubclass(make, Rule):
        make.name = name
        front_door(name)(make)


def _call_text(name: str, make: Any) -> str:
    """How a rule is called: a single setting in its place, several by their names."""
    taken = [one for one in signature(make).parameters.values() if one.name != "on"]
    if sum(one.kind is not one.KEYWORD_ONLY for one in taken) == 1:
        return f"{name}({', '.join(one.name for one in taken)})"
    return f"{name}({', '.join(f'{one.name}=' for one in taken)})"


RULES: Registry[Callable[..., AnyRule]] = Registry(
    "threshold rule", "adjudge.rules", check=_check_rule, text=_call_text
)
"""What makes a rule of its settings, by the name that specs have."""
_EXAMPLES: dict[str, str] = {}
Make = TypeVar("Make", bound="Callable[..., Any]")


def rule(name: str, *, example: str) -> Callable[[Make], Make]:
    """Declare a threshold rule: specs, messages and help know it by its name from now on.

    A package that wants its rules to be there whenever it is installed names them as entry points
    of the group ``adjudge.rules``.

    Parameters
    ----------
    name : str
        The name of the rule, ``mine`` in ``at="mine(3)"``.
    example : str
        A call of it, for the help.

    Returns
    -------
    callable
        To decorate a subclass of `Rule` with, or a function that takes the settings and returns a
        function of a `adjudge.Case`. The first line of its docstring says what it is.
    """

    def declared(make: Make) -> Make:
        RULES.add(name, make)
        _EXAMPLES[name] = example
        return make

    return declared


def rule_examples() -> str:
    """An example of every rule, for the help.

    >>> rule_examples().split(", ")[:2]
    ['quantile(0.99)', 'top(100)']
    """
    return ", ".join(_EXAMPLES.get(name) or _call_text(name, make) for name, make in RULES.items())


@rule("quantile", example="quantile(0.99)")
@dataclass(frozen=True, repr=False)
class Quantile(Rule):
    """The smallest score that at least a share ``q`` of the points do not exceed.

    So at most a share ``1 - q`` is flagged: ``quantile(0.99)`` flags the highest one per cent.

    Parameters
    ----------
    q : float
        The share, in [0, 1].
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Quantile(0.75)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    >>> Quantile(0.75, on="0:2")(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.4
    """

    q: float = field(metadata=checked_by(share, zero=True))

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        rank = math.ceil(self.q * scores.size)  # which may have rounded either way
        rank += (rank / scores.size < self.q) - ((rank - 1) / scores.size >= self.q)
        place = max(rank, 1) - 1
        return float(np.partition(scores, place)[place])


@rule("top", example="top(100)")
@dataclass(frozen=True, repr=False)
class Top(Rule):
    """The threshold that flags the ``k`` highest points, and all that tie with the last of them.

    Parameters
    ----------
    k : int
        How many points, at least 1.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Top(2)(Case([0, 0, 1, 1], [0.4, 0.1, 0.3, 0.9]))
    0.3
    """

    k: int = field(metadata=checked_by(whole, 1))

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        if self.k > scores.size:
            raise InputError(f"k must be at most the {scores.size} judged points, got {self.k}")
        place = scores.size - self.k
        last = np.partition(scores, place)[place]
        return float(np.max(scores, where=scores < last, initial=-np.inf))


@rule("sigma", example="sigma(3)")
@dataclass(frozen=True, repr=False)
class Sigma(Rule):
    """The mean of the scores plus ``k`` standard deviations (dividing by n).

    Parameters
    ----------
    k : float
        How many standard deviations.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> Sigma(3)(Case([0, 0, 1, 1], [1, 3, 1, 3]))
    5.0
    """

    k: float = setting(3, positive)

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        return float(scores.mean() + self.k * scores.std())


@rule("mad", example="mad(3)")
@dataclass(frozen=True, repr=False)
class Mad(Rule):
    """The median of the scores plus ``k`` times 1.4826 times their median absolute deviation.

    Of normal scores 1.4826 MAD is one standard deviation; unlike `Sigma`, a few extreme scores move
    it little.

    Parameters
    ----------
    k : float
        How many standard deviations, as the median absolute deviation estimates them.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> round(Mad(2)(Case([0, 0, 0, 1, 1], [1, 2, 3, 4, 500])), 4)
    5.9652
    """

    k: float = setting(3, positive)

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        middle = np.median(scores)
        return float(middle + self.k * _NORMAL * np.median(np.abs(scores - middle)))


@rule("pot", example="pot(risk=1e-4)")
@dataclass(frozen=True, repr=False)
class Pot(Rule):
    """Peaks over threshold: the score that a share ``risk`` of points like these would exceed.

    The scores above their ``level`` quantile *t* exceed it by amounts that follow, in the limit, a
    generalised Pareto distribution with shape g and scale s; fitted to the m excesses among n
    scores, the threshold is ``t + s/g ((risk n/m)^-g - 1)``. It may lie beyond every score seen.

    The fit is by maximum likelihood, over shape and scale at once. Siffer et al. look for the roots
    of Grimshaw's equation instead, and above 0 only from 2 (mean - min) / (mean min) of the
    excesses on, where the roots of most heavy tails do not lie. Heavy tails are then fitted as
    exponential ones, and the threshold is lower. ``fit="grimshaw"`` does that. Beside the published
    program, on 24 samples of six distributions, the thresholds are .89 to 2.05 times as high by
    maximum likelihood and .92 to 1.02 times by "grimshaw"; what is left comes from the sign of the
    likelihood of the exponential, which is wrong there.

    Parameters
    ----------
    risk : float
        The share of points that may exceed the threshold.
    level : float
        The quantile above which scores are peaks.
    fit : "likelihood" or "grimshaw"
        How shape and scale are found. "grimshaw": the likeliest of the roots of Grimshaw's equation
        between the bounds of Siffer et al., and of the exponential distribution.
    on : mask, slice or text, optional
        The part that it is learnt on, such as ``"0:500"``. Default: all judged points.

    Examples
    --------
    >>> from adjudge.data.case import Case
    >>> scores = np.random.default_rng(0).exponential(size=9999)
    >>> at = Pot(risk=1e-4, level=0.9)(Case(scores > 5, scores))
    >>> print(f"{at:.0f} where -log(risk) is {-np.log(1e-4):.0f}")
    9 where -log(risk) is 9
    >>> heavy = Case(scores > 5, np.exp(scores))  # a share x^-1 of points exceeds x
    >>> [f"{Pot(1e-3, 0.9, fit=fit)(heavy):.0f}" for fit in ("likelihood", "grimshaw")]
    ['955', '298']

    References
    ----------
    Siffer, Fouque, Termier, Largouet: Anomaly Detection in Streams with Extreme Value Theory, KDD
    2017. Grimshaw: Computing Maximum Likelihood Estimates for the Generalized Pareto Distribution,
    Technometrics 35(2), 1993.
    """

    risk: float = setting(1e-4, share)
    level: float = setting(0.98, share, zero=True)
    fit: Fit = field(default="likelihood", kw_only=True, metadata=checked_by(word, get_args(Fit)))

    def __post_init__(self) -> None:
        """Check the settings, and both shares together."""
        super().__post_init__()
        if not self.risk < 1 - self.level:
            raise InputError(
                f"risk must be below 1 - level, the share of peaks, got risk={self.risk} and "
                f"level={self.level}"
            )

    def threshold(self, scores: Floats) -> float:
        """The threshold."""
        scores = _finite(scores, self)
        start = Quantile(self.level).threshold(scores)
        excess = scores[scores > start] - start
        if excess.size < _FEWEST_PEAKS:
            raise InputError(
                f"{self} must see at least {_FEWEST_PEAKS} scores above their {self.level} "
                f"quantile, got {excess.size} of {scores.size}; learn it on more points or lower "
                "the level"
            )
        scale = float(excess.mean())  # the fit depends on its start; in this unit it does not
        shape, spread = _FITS[self.fit](excess / scale)
        beyond = math.log(self.risk * scores.size / excess.size)
        with np.errstate(over="ignore"):  # beyond all numbers: nothing is flagged
            steps = -beyond if abs(shape) < 1e-9 else np.expm1(-shape * beyond) / shape
            return float(start + np.float64(scale) * spread * steps)


def _likeliest(excess: Floats) -> tuple[float, float]:
    """Shape and scale of the generalised Pareto distribution, by maximum likelihood."""
    from scipy.stats import genpareto  # noqa: PLC0415 - slow to import, rarely needed

    shape, _, scale = genpareto.fit(excess, floc=0)
    return float(shape), float(scale)


def grimshaw(excess: Floats) -> tuple[float, float]:
    """Shape and scale by Grimshaw's equation: of excesses whose mean is 1.

    Where the likelihood is stationary, x = shape / scale solves (1 + mean log(1 + x y)) mean 1 /
    (1 + x y) = 1, and the shape is that mean logarithm. 0 solves it always: the exponential.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to import, rarely needed

    def balance(x: float) -> float:
        grown = 1 + x * excess
        return float((1 + np.log(grown).mean()) * (1 / grown).mean() - 1)

    fits = [(0.0, 1.0)]
    for tried in _sides(float(excess.min()), float(excess.max())):
        signs = np.sign([balance(x) for x in tried])
        for place in np.flatnonzero(signs[1:] != signs[:-1]).tolist():
            root = brentq(balance, tried[place], tried[place + 1], xtol=1e-300)
            shape = float(np.log1p(root * excess).mean())
            fits.append((shape, shape / root))
    return max(fits, key=lambda fit: -math.log(fit[1]) - fit[0])  # the logarithm of the likelihood


def _sides(low: float, high: float) -> tuple[Floats, Floats]:
    """Where roots are looked for, below and above 0, between the bounds of Siffer et al."""
    near, far = np.geomspace(1e-6, 0.5, 100), np.geomspace(0.5, 1e-8, 60)
    below = -np.concatenate([near, 1 - far[1:]]) / high
    low = max(low, 1e-100)  # whose square is a number
    start, end = 2 * (1 - low) / low, 2 * (1 - low) / low**2
    return below[::-1], np.geomspace(start, end, 100) if start > 0 else np.zeros(0)


_FITS = {"likelihood": _likeliest, "grimshaw": grimshaw}


def _inside(value: object, name: str) -> Any:
    """Check what a policy has as its threshold: a number, or another rule."""
    if isinstance(value, Policy):
        raise InputError(f"{name} of a policy must be no policy, got {value}; say all in one")
    if isinstance(value, Rule) or (callable(value) and not isinstance(value, type)):
        return given_rule(value)
    if hasattr(value, "threshold"):  # tuned(...), which stands below, finds it on a part
        return value
    try:
        level = number(value, name)
    except InputError as error:
        raise InputError(f"{error}, nor a rule such as quantile(0.99)") from None
    if math.isnan(level):
        raise InputError(f"{name} must be a number, got nan")
    return level


@rule("policy", example='policy(0.8, after="5min")')
@dataclass(frozen=True, repr=False)
class Policy(Rule, Paging, Firing):
    """A threshold with what makes an alert of it: how long, how many of how many, how often.

    For ``at=`` of whatever takes a threshold. With ``after``, ``keep``, ``k``, ``of``, ``clear``
    and ``drop`` it is a map of the scores that commutes with thresholding (see
    `adjudge.adjust.policies`), so curves, ``best(...)``, areas, receipts and chance are exact with
    it: leave the threshold out there. The other settings act on alerts at one threshold; with them
    a lower threshold may page less, curves are not monotone, and areas are refused.

    An alert begins when it fires, so that delays contain the waiting. The policy sees points that
    are not judged too.

    Parameters
    ----------
    at : number or rule, optional
        The threshold; a rule inside learns on the scores as they are. None: for what looks at all
        thresholds, or where the scores are 0/1 flags.
    after, keep, k, of, clear, drop, missing
        See `adjudge.adjust.policies.Firing`. Durations such as "5min" need times; whole numbers are
        points.
    cooldown, wait, interval, group_by, merge, shortest
        See `adjudge.adjust.policies.Paging`.

    Examples
    --------
    >>> policy = Policy(0.8, after=1, keep=2)
    >>> policy.flags([0.1, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9]).astype(int)
    array([0, 0, 1, 1, 1, 0, 0])
    >>> Policy(Quantile(0.99), k=3, of=5, clear=0.6)
    policy(quantile(0.99), k=3, of=5, clear=0.6)
    """

    at: Any = field(default=None, metadata=checked_by(_inside, none=True))

    def __post_init__(self) -> None:
        """Check each setting, and those that belong together."""
        Firing.__post_init__(self)
        Paging.__post_init__(self)
        if self.on is not None:
            raise InputError(f"on must stand in the rule inside of a policy, got {self.on}")

    def __call__(self, case: Case) -> float:
        """The threshold of a case: a number."""
        if self.at is None:
            raise InputError(f"{self} must have a threshold here, as in policy(0.8, ...)")
        return float(self.at(case)) if isinstance(self.at, Rule) else float(self.at)

    def flags(self, scores: Column, time: Column = None, *, series: Column = None) -> Flags:
        """Flag the points at which the alert is firing, and told.

        Parameters
        ----------
        scores : column
            One number per point; NaN: there is none, see ``missing``.
        time : column of times, optional
            When each point was; durations need it.
        series : column, optional
            One id per point, equal ids adjacent: the policy begins anew in each.
        """
        labels = np.zeros(score_column(scores).size, bool)
        case = Case(labels, scores, time=time, series=series, missing="skip")
        if self.at is None and not case.is_flags:
            raise InputError(f"{self} must have a threshold for scores that are not 0/1 flags")
        level = 0.0 if self.at is None else self(case)
        return self.paged(self.fired(case, judged=False).flagged(level), case.events)

    def fired(self, case: Case, *, judged: bool = True) -> Case:
        """The case with the scores of the first stage: its alerts are where these are above.

        Parameters
        ----------
        case : Case
            What is judged.
        judged : bool
            Whether points that are not judged are to fire never.
        """
        scores: Array = case.unmasked
        absent = scores.dtype.kind == "f" and bool(np.isnan(scores).any())
        if not self.fires_otherwise and not absent:
            return case if judged else case.with_scores(scores)
        kept = scores if scores.dtype.kind == "f" else scores.astype(np.float64)
        found = self.firing(kept, self._track(case.events))
        if judged and case.events.judged is not None:
            found[~case.events.judged] = -np.inf
        return case.with_scores(found > 0 if case.is_flags else found)

    def pending_since(self, case: Case, level: float | None) -> Positions | None:
        """Since when the alert at each point was pending, -1 where none fires; None: none waits.

        Parameters
        ----------
        case : Case
            The scores as they were before the policy.
        level : float, optional
            The threshold, where it is not that of the policy.
        """
        if self.after in (0, "0s"):
            return None
        if level is None:
            level = 0.0 if self.at is None else self(case)
        scores = case.unmasked.astype(np.float64)
        return self.pending(scores, level, self._track(case.events))

    def paged(self, flags: Flags, events: Events) -> Flags:
        """The flags of the second stage, which acts on the alerts of one threshold.

        Parameters
        ----------
        flags : array of bool
            Where an alert fires.
        events : Events
            With the series and the times of the points.
        """
        return self.pages(flags, self._track(events))

    def settled(self, case: Case) -> tuple[Case, float | None]:
        """What is judged with this policy, and the threshold; None: there is none any more.

        Of alerts that the second stage changes only flags are left.
        """
        level, fired = None if self.at is None else self(case), self.fired(case)
        if not self.pages_otherwise:
            return fired, level
        if level is None and not case.is_flags:
            return fired, None
        everywhere = self.fired(case, judged=False)
        alerts = everywhere.flags if level is None else everywhere.flagged(level)
        flags = self.paged(alerts, case.events)
        if case.events.judged is not None:
            flags = flags & case.events.judged
        return case.with_scores(flags), None

    @property
    def at_every_threshold(self) -> Policy | None:
        """The stage that must be done anew at each threshold; None: there is none."""
        if not self.pages_otherwise or self.at is not None:
            return None
        own = {item.name: getattr(self, item.name) for item in fields(Paging)}
        return Policy(missing=self.missing, **own)

    def _track(self, events: Events) -> Track:
        instants = None if events.clock is None else events.clock.instants
        return Track.of(events.series_bounds, instants, bridged=self.missing == "hold")

    def __str__(self) -> str:
        """Print as it is written: what differs from the defaults."""
        inside = [] if self.at is None else [str(self.at)]
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "at" and value != item.default:
                text = json.dumps(value) if isinstance(value, str) else str(value)
                inside.append(f"{item.name}={text}")
        return f"{self.name}({', '.join(inside)})"

    __repr__ = __str__


def learnt(case: Case, on: Part | None) -> Floats:
    """The scores that a rule learns on: the judged ones, or those of a part; ``-inf`` as judged."""
    if on is not None:
        scores = case.unmasked[on.mask(case.events.n)]
        refuse_nan(scores, "scores to learn on", "numbers")
        return np.maximum(floats(scores, "scores"), np.finfo(np.float64).min)
    judged = case.events.judged
    return case.scores if judged is None else case.scores[judged]


def _finite(scores: Floats, rule: Rule) -> Floats:
    wrong = scores[~(np.abs(scores) <= _LARGEST)]
    if wrong.size:
        limit = f"at most {_LARGEST:g}" if np.isfinite(wrong[0]) else "finite"
        raise InputError(f"scores must be {limit} for {rule}, got {wrong[0]}")
    return scores


_FEWEST, _MOST = 6, 17


def threshold_text(at: float | None, case: Case | None, chosen_by: str = "rule") -> str:
    """Write a threshold that a rule or an oracle found, in few digits that flag the same points.

    One that was given is written as it is, and what is no threshold is "".

    >>> from adjudge.data.case import Case
    >>> case = Case([0, 0, 1], [0.1234561, 0.1234567891, 0.9])
    >>> threshold_text(0.1234561, case), threshold_text(0.1234567891, case)
    ('0.1234561', '0.123457')
    """
    if at is None:
        return ""
    if case is None or chosen_by == "given" or not np.isfinite(at):
        return exact(at)
    from decimal import ROUND_CEILING, Context, Decimal  # noqa: PLC0415 - few need it

    wanted = np.count_nonzero(case.flagged(at))
    for digits in range(_FEWEST, _MOST):
        up = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(at))
        for near in (float(f"{at:.{digits}g}"), float(up)):
            if np.count_nonzero(case.flagged(near)) == wanted:
                return exact(near)
    return exact(at)


def flag_count(case: Case, at: float | None) -> int:
    """How many points are flagged above a threshold; None: by the detector itself."""
    return int(np.count_nonzero(case.flags if at is None else case.flagged(at)))


def extreme_text(at: float | None, flagged: int, low: float, high: float) -> str:
    """Say that a threshold flags nothing or everything, and where the scores are; "" otherwise.

    >>> extreme_text(70, 0, 0.1, 0.9), extreme_text(0.5, 3, 0.1, 0.9)
    ('no score is above 70; they go from 0.1 to 0.9', '')
    >>> extreme_text(0, 9, 0.1, 0.9), extreme_text(None, 9, 1, 1)
    ('every score is above 0; they go from 0.1 to 0.9', '')
    """
    if at is None:
        return ""
    ends = f"{exact(at)}; they go from {low:g} to {high:g}"
    if not flagged:
        return f"no score is above {ends}"
    return f"every score is above {ends}" if low > at else ""
