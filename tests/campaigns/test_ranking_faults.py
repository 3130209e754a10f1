"""A sample of the faults in a ranking's folder; the campaign beside this file runs hundreds."""

import pytest

from adjudge.stores import shards
from campaigns.ranking_faults import campaign

pytestmark = [
    pytest.mark.long,  # .ci/run makes a small run of the campaign, too
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded"),
]


def test_a_broken_folder_gives_the_same_tables_or_is_refused(tmp_path):
    assert 20 == sum(campaign(5, 20, tmp_path, costly=0).values())


def test_the_campaign_notices_lines_that_are_believed_unseen(tmp_path, monkeypatch):
    true = shards._check  # noqa: SLF001
    monkeypatch.setattr(shards, "_check", lambda text: true(b"") if text else true(text))
    with pytest.raises((AssertionError, KeyError, ValueError, TypeError)):
        campaign(5, 80, tmp_path, costly=0)
