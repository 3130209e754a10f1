"""One run at a time in a folder."""

import os
import subprocess
import sys

import pytest

from adjudge.errors import InputError
from adjudge.stores.folder import LOCK, FolderLock

HOLDING = """
import sys
from pathlib import Path
from adjudge.stores.folder import FolderLock
FolderLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_claim_is_refused_in_one_line_until_the_first_ends(tmp_path):
    first = FolderLock(tmp_path)
    said = f"got '{tmp_path}', used by process {os.getpid()}"
    with pytest.raises(InputError) as refused:
        FolderLock(tmp_path)
    assert said in str(refused.value)
    first.close()
    FolderLock(tmp_path).close()


def test_a_killed_process_leaves_no_claim_behind(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with holder:
        assert "held\n" == holder.stdout.readline()
        with pytest.raises(InputError, match=f"by process {holder.pid}"):
            FolderLock(tmp_path)
        holder.kill()
    FolderLock(tmp_path).close()


def test_a_lock_that_is_a_link_is_refused_and_not_followed(tmp_path):
    (tmp_path / LOCK).symlink_to(tmp_path / "precious")
    with pytest.raises(InputError, match=r"\.adjudge\.lock must be a plain file, got a link"):
        FolderLock(tmp_path)
    assert not (tmp_path / "precious").exists()
