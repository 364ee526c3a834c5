"""What `up` starts on this machine may be reached, and no other private place."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.surroundings import settings_for


def test_up_lists_the_address_of_its_own_sandboxes_and_no_other(tmp_path: Path) -> None:
    data = DataDir(tmp_path)
    create(data)
    caller = {"PATH": os.environ["PATH"], "OPSPILOT_EGRESS_PRIVATE": "10.0.0.0/8"}
    found = settings_for(data, caller, port=8123, sandbox_port=9123, semaphore_port=9124)
    assert found["OPSPILOT_EGRESS_PRIVATE"] == "127.0.0.1"
    for name in ("OPSPILOT_GITLAB_URL", "OPSPILOT_SEMAPHORE_URL"):
        assert urlsplit(found[name]).hostname == "127.0.0.1"
