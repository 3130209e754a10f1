"""Task: what is asked of every detector on every series, wherever and whenever it is judged."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from adjudge.errors import InputError, shown, visible
from adjudge.judging.judge.tuning import Tuned, tuned
from adjudge.measure.thresholds.contract import Rule
from adjudge.measure.thresholds.policy import foreign_code
from adjudge.metrics.code_digest import NoDigest, code_digest, digest_of
from adjudge.metrics.reader import is_own
from adjudge.noise.ask import Ask
from adjudge.noise.chance_line import CHANCE_REVISION
from adjudge.noise.null_models import Null, NullModel, ShiftedNull
from adjudge.noise.pooled_p import PLACES as MOST_PLACES
from adjudge.ranking.chance_verdicts import PLACES
from adjudge.ranking.collected import PREFIX, SEED
from adjudge.ranking.panels import MOVES
from adjudge.stores.folder import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from adjudge.io.labels_and_scores import LabelledScores
    from adjudge.metrics.metric import Metric

    Windows = Callable[[Any], int] | Mapping[str, int] | None


@dataclass(frozen=True)
class Thresholds:
    """Thresholds that are not the same for all: by detector, or learnt on a part of each series."""

    named: Mapping[str | None, float | Rule | Tuned | None]
    """By detector; that of None is for all others."""
    train: bool | int | Mapping[str, int] = False
    """Whether rules learn on the training part of a series; its length, of all or by series."""
    tune_by: str = ""
    """The metric that thresholds are the best by, on the rows that a column names."""

    def of(self, detector: str, table: LabelledScores, series: str) -> Any:
        """What chooses the threshold of a detector on a series."""
        if self.tune_by:
            return tuned(self.tune_by, on=table.tune_on)
        chosen = self._of_detector(detector)
        if self.train is False:
            return chosen
        return replace(chosen, on=self._part(table, series)) if isinstance(chosen, Rule) else chosen

    def _of_detector(self, detector: str) -> Any:
        run = SEED.fullmatch(detector)
        names = (detector, *((run[1],) if run else ()))
        for name in (*names, *(one.removeprefix(PREFIX) for one in names), None):
            if name in self.named:
                return self.named[name]
        raise InputError(f"at must name every detector, got none for {shown(detector)}")

    def _part(self, table: LabelledScores, series: str) -> Any:
        if isinstance(self.train, bool):
            if table.train is None:
                raise InputError("train must be known of every series, got none for this one")
            return table.train
        if isinstance(self.train, int):
            return f"0:{self.train}"
        if series not in self.train:
            raise InputError(f"train must name every series, got none for {shown(series)}")
        return f"0:{self.train[series]}"

    def __str__(self) -> str:
        """Say how thresholds are chosen, in a few words."""
        if self.tune_by:
            return f"best by {self.tune_by} on the tuning points, which are not judged"
        parts = [f"{visible(name)} {value}" for name, value in self.named.items() if name]
        rest = [str(self.named[None])] if None in self.named else []
        parts += [f"others {one}" if parts else one for one in rest]
        return ", ".join(parts) + ("" if self.train is False else "; learned on the training part")


@dataclass(frozen=True)
class Task:
    """What is asked of every detector."""

    metrics: tuple[Metric, ...]
    """With their thresholds."""
    chance: bool
    shifts: int | None
    seed: int
    codes: Mapping[str, str] = field(default_factory=dict)
    """The digests of what is not ours, by the specs of metrics: see `codes_of`."""
    null: Null = field(default_factory=ShiftedNull)
    missing: str = "refuse"
    """What to do about points without a score: "refuse" the detector there, or "skip" them."""
    thresholds: Thresholds | None = None
    """Where the metrics have not one threshold, or rule, for all."""
    window: Windows = None
    """What gives the window of each series, unless a column does."""
    clock: str = "auto"
    """Which series of a data set live through the same time."""
    clocks: Mapping[str, str] = field(default_factory=dict)
    """Of a task that is done in parts: series -> the first series of the clock that it shares."""

    @property
    def asks_for_clocks(self) -> bool:
        """Whether series may share a clock: if nobody says so, that is looked at beside chance."""
        return self.clock == "shared" or (self.clock == "auto" and self.chance)

    @property
    def beside(self) -> Ask | None:
        """What stands beside each value of one series; None: nothing."""
        if not self.chance:
            return None
        places = self.shifts or MOST_PLACES
        return Ask(self.null, self.shifts, self.seed, places=places)

    @property
    def settings(self) -> dict[str, Any]:
        """What a manifest says of it."""
        found = {
            "chance": self.chance, "chance_revision": CHANCE_REVISION, "null": self.null.name,
            "shifts": self.shifts, "seed": self.seed, "missing": self.missing, "clock": self.clock,
        }  # fmt: skip
        return found | ({} if self.thresholds is None else {"thresholds": str(self.thresholds)})

    @property
    def name(self) -> str:
        """A hash of all that is asked and of the versions: rows of one name belong together."""
        said = [
            [[str(one), one.revision] for one in self.metrics], self.settings, self._of_null,
            sorted(self.codes.items()), sorted(self.clocks.items()), versions(),
        ]  # fmt: skip
        return sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def schema(self) -> Any:
        """The columns of a part, as pyarrow knows them: for engines that ask for them."""
        from adjudge.ranking.parts.schema import schema  # noqa: PLC0415 - it imports pyarrow

        return schema()

    def cache_key(self, spec: str, resolved: str, revision: int) -> str:
        """What a row of a metric depends on beside the data."""
        chance = [self.shifts, self.seed, CHANCE_REVISION, PLACES, *self._of_null]
        chance = chance if self.chance else []
        code = [self.codes[spec]] if spec in self.codes else []
        skip = [self.missing] * (self.missing != "refuse")  # of the default nothing: old folders
        moves = [MOVES] * self.asks_for_clocks
        return json.dumps([spec, resolved, revision, *chance, *code, *skip, *moves])

    @property
    def _of_null(self) -> list[str | None]:
        """What a row says of the null model; of the default nothing, as in old folders."""
        if isinstance(self.null, ShiftedNull):
            return []
        return [self.null.name, self.codes.get(null_key(self.null))]


def takes_window(metric: Metric) -> bool:
    """Tell whether a metric has a window, and does not say which."""
    return "window" in metric.row.lengths and "window" not in dict(metric.settings)


def codes_of(metrics: Iterable[Metric], null: Null) -> dict[str, str]:
    """The digest of the code of each metric that is not ours, or whose threshold rule is not.

    And that of the null model, if it is not ours.

    Where there is none, chance takes its place: what is stored is then never taken for the value
    of this code, and the caller is told.
    """
    digests = {
        str(one): partial(code_digest, one.row, foreign_code(one.at))
        for one in metrics
        if foreign_code(one.at) is not None or not is_own(one.row)
    }
    if type(null).__module__ != NullModel.__module__:
        digests[null_key(null)] = partial(digest_of, null)
    found = {}
    for name, digest in digests.items():
        try:
            found[name] = digest()
        except NoDigest as error:
            found[name] = token_hex(16)
            warnings.warn(
                f"{name} is recomputed in every run, since a change of its code cannot be "
                f"detected: {error}",
                stacklevel=3,
            )
    return found


def null_key(null: Null) -> str:
    """Under which name the code of a null model is known."""
    return f"null model {null.name!r}"
