"""The score of the Numenta Anomaly Benchmark, from what `adjudge.count.nab` counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from adjudge.checks import boolean, word
from adjudge.count.nab import PROFILES, Profile
from adjudge.settings import Settings, setting

if TYPE_CHECKING:
    from adjudge.count.tally import Tally


@dataclass(frozen=True)
class NabScore(Settings):
    r"""Rewards of the windows less the costs of false points, between nothing and perfection.

    .. math:: S = \sum_{\text{found}} \text{reward} - A_{FN} \cdot \text{missed}
        - \sum \text{costs}, \qquad 100\,\frac{S - S_0}{S_1 - S_0}

    where :math:`S_0` is what no flags at all score, and :math:`S_1` every window found at once
    without a false point. 100: just that. 0: no better than silence. There is no lower end.
    Over several series the sums run over all of them: the benchmark's corpus score.

    Parameters
    ----------
    profile : "standard", "low_fp" or "low_fn"
        What alarms earn and cost.
    normalise : bool
        Whether to scale; False gives S itself.

    Examples
    --------
    >>> from adjudge.count.tally import Tally
    >>> NabScore()(Tally(found=3.0, truth=4, right=0, flagged=0.25)).item()
    68.75
    >>> NabScore(normalise=False)(Tally(found=3.0, truth=4, right=0, flagged=0.25)).item()
    0.75
    """

    profile: Profile = setting("standard", word, get_args(Profile))
    normalise: bool = setting(True, boolean)

    def __call__(self, tally: Tally) -> Any:
        """Subtract and scale."""
        found, truth, right, flagged = (np.asarray(mass, np.float64) for mass in tally[:4])
        ahead = found - (flagged - right)
        if not self.normalise:
            reward, _, miss = PROFILES[self.profile]
            return ahead - truth * (miss / (reward + miss))
        scaled = np.divide(100 * ahead, truth, out=np.full_like(ahead, np.nan), where=truth > 0)
        return np.minimum(scaled, 100)  # rounding must not lift anything above perfection
