"""The worker of the release before, on today's database: it does what it knows and no more.

Its own code of its own commit runs in a process of its own, with today's packages: what is tried is
the claim, the checks and the effect of that release against rows and a schema made by this one.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings as configured
from pytest_django import Settings

from approvals.models import AgenteAprovacao, Execution
from opspilot.sandbox.process import SandboxProcess, start_gitlab
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

ROOT = Path(__file__).resolve().parents[2]
RELEASES = ROOT / "docs" / "reference" / "releases.md"
# The lane of executions as its worker runs it, then what it finds due.
LANE = """
import json
import django
django.setup()
from approvals.models import SCHEMA_VERSION
from opspilot.worker.tasks import drain, due
drain("execution")
print(json.dumps({"version": SCHEMA_VERSION, "due": [row for _, row in due("execution", 10_000)]}))
"""


def commit() -> str:
    found = re.search(
        r"^## 0\.1\.0\n\nCommit `([0-9a-f]{7,40})`", RELEASES.read_text(), re.MULTILINE
    )
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree of release 0.1.0."""
    done = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=tar", commit()],
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail("CI needs the whole history: the release before could not be read")
        pytest.skip(f"the history of this clone does not have the release before, {commit()}")
    tree = tmp_path_factory.mktemp("release")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(tree, filter="data")
    return tree


@pytest.fixture
def gitlab(tmp_path: Path, settings: Settings) -> Iterator[SandboxProcess]:
    process = start_gitlab(data=tmp_path / "gitlab", token=configured.OPSPILOT_GITLAB_TOKEN)
    settings.OPSPILOT_GITLAB_URL = process.base_url
    yield process
    process.stop()


def older_worker(tree: Path, gitlab: SandboxProcess) -> dict[str, Any]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("OPSPILOT_")}
    ours = {
        "OPSPILOT_GITLAB_URL": gitlab.base_url,
        "OPSPILOT_HMAC_KEY": configured.OPSPILOT_HMAC_KEY,
        "PYTHONPATH": str(tree),
    }
    done = subprocess.run(
        [sys.executable, "-c", LANE],
        cwd=tree,
        env=own | ours,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def approved(tenant: Tenant) -> tuple[AgenteAprovacao, Execution]:
    by = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), by)
    return proposal, now(proposal)


def now(proposal: AgenteAprovacao) -> Execution:
    with tenant_scope(proposal.tenant_id):
        return Execution.objects.get(approval=proposal)


def creations(gitlab: SandboxProcess) -> list[str]:
    """The markers of the requests to create something, by the remote's own log."""
    entries = httpx.get(f"{gitlab.base_url}/_sandbox/log").raise_for_status().json()
    return [entry["marker"] for entry in entries if entry["operation"] == "createIssue"]


def test_the_release_before_carries_out_a_plain_issue_and_leaves_newer_rules_alone(
    committed: None, release: Path, gitlab: SandboxProcess
) -> None:
    plain, newer = factories.a_tenant(), factories.a_tenant()
    _, simple = approved(plain)
    factories.a_policy(newer, approver_roles={"alto": "aprovador"})
    guarded, held = approved(newer)

    told = older_worker(release, gitlab)

    assert told["version"] == 1
    assert now(guarded).state == "retida"
    assert (now(guarded).attempts, now(guarded).claim_token) == (0, None)
    assert held.pk in told["due"]  # seen, and not taken
    with tenant_scope(plain.pk):
        assert Execution.objects.get(pk=simple.pk).state == "concluida"
    assert creations(gitlab) == [simple.marker]
