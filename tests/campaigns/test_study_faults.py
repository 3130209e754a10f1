"""A sample of the faults in a study's folder; the campaign beside this file runs hundreds."""

import pytest

from adjudge.stores.folder import FolderStore
from campaigns.study_faults import campaign

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")


def test_a_broken_folder_gives_the_same_tables_or_is_refused(tmp_path):
    assert 25 == sum(campaign(5, 25, tmp_path).values())


@pytest.mark.long
def test_the_campaign_notices_a_folder_that_believes_its_files(tmp_path, monkeypatch):
    monkeypatch.setattr(FolderStore, "is_intact", lambda _, path: path.exists())
    with pytest.raises(AssertionError, match="altered"):
        campaign(5, 100, tmp_path)
