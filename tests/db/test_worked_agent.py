"""The customer service agent of the documents, run as it stands there, with a person who decides."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from approvals import decisions
from approvals.models import AgenteAprovacao, EffectReport
from audit.models import AgenteAcao
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import AtTheDoor, at_the_door
from tests.conftest import Connection
from tests.db import agents_asking
from tests.db.agents_asking import Scene
from tests.db.live_door import open_door
from tests.unit.docs.documents import ROOT

pytestmark = pytest.mark.usefixtures("committed")
PROGRAM = "docs/examples/customer_service.py"
LATE = "UPDATE agente_aprovacao SET executar_ate = clock_timestamp() - interval '1 s' WHERE id = %s"
ORDER = ["P-1044", "12000", "dobro"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with open_door() as found:
        yield found


@pytest.fixture
def scene(committed: None) -> Scene:
    return agents_asking.a_scene()


@pytest.fixture
def door(scene: Scene) -> AtTheDoor:
    return at_the_door(scene.tenant, owner=scene.owner, slug="agente-a")


def started(address: str, door: AtTheDoor, refunds: Path) -> subprocess.Popen[str]:
    more = {"OPSPILOT_URL": address, "OPSPILOT_TOKEN": door.text, "REFUNDS": str(refunds)}
    return subprocess.Popen(
        [sys.executable, PROGRAM, *ORDER],
        cwd=ROOT,
        env=os.environ | more,
        stdout=subprocess.PIPE,
        text=True,
    )


def asked(running: subprocess.Popen[str], scene: Scene) -> AgenteAprovacao:
    """What it says that it has proposed."""
    assert running.stdout is not None
    found = re.search(r"/aprovacoes/([0-9a-f-]{36})/", running.stdout.readline())
    assert found
    with tenant_scope(scene.tenant.pk):
        return AgenteAprovacao.objects.get(ref=found[1])


def ended(running: subprocess.Popen[str]) -> int:
    """Its exit code; what it still says is read, or it would end on a broken pipe."""
    running.communicate(timeout=60)
    return running.returncode


def reported(proposal: AgenteAprovacao) -> str:
    with tenant_scope(proposal.tenant_id):
        return EffectReport.objects.get(consumption__approval=proposal).outcome


def rows(scene: Scene, action: str) -> list[AgenteAcao]:
    with tenant_scope(scene.tenant.pk):
        return list(AgenteAcao.objects.filter(acao=action, agente="agente-a", resultado="ok"))


def test_it_pays_what_a_person_approved_and_says_so(
    address: str, scene: Scene, door: AtTheDoor, tmp_path: Path
) -> None:
    with started(address, door, tmp_path) as running:
        proposal = asked(running, scene)
        factories.approve(proposal, scene.approver)
        assert ended(running) == 0
    (paid,) = [json.loads(refund.read_text()) for refund in tmp_path.iterdir()]
    assert paid == {"ref": str(proposal.ref), "action": proposal.proposta}
    (row,) = rows(scene, agents_asking.REFUND)
    assert row.aprovacao_id == proposal.pk


def test_killed_and_started_again_it_goes_on_with_the_same_proposal(
    address: str, scene: Scene, door: AtTheDoor, tmp_path: Path
) -> None:
    with started(address, door, tmp_path) as running:
        first = asked(running, scene)
        running.kill()
    factories.approve(first, scene.approver)
    for _again in range(2):
        with started(address, door, tmp_path) as running:
            assert asked(running, scene).pk == first.pk
            assert ended(running) == 0
    assert len(list(tmp_path.iterdir())) == len(rows(scene, agents_asking.REFUND)) == 1


def test_two_copies_at_once_pay_one_refund_and_both_end_well(
    address: str, scene: Scene, door: AtTheDoor, tmp_path: Path
) -> None:
    with started(address, door, tmp_path) as one, started(address, door, tmp_path) as other:
        proposal = asked(one, scene)
        assert asked(other, scene).pk == proposal.pk
        factories.approve(proposal, scene.approver)
        assert (ended(one), ended(other)) == (0, 0)
    assert len(list(tmp_path.iterdir())) == len(rows(scene, agents_asking.REFUND)) == 1


def test_what_it_took_and_did_not_pay_in_time_a_person_gets(
    address: str, scene: Scene, door: AtTheDoor, tmp_path: Path, admin: Connection
) -> None:
    """As if it had died between taking and paying, and been started again too late."""
    with started(address, door, tmp_path) as running:
        proposal = asked(running, scene)
        running.kill()
    factories.approve(proposal, scene.approver)
    agents_asking.consume(scene, proposal)
    admin.execute(LATE, [proposal.pk])
    for _again in range(2):
        with started(address, door, tmp_path) as running:
            asked(running, scene)
            assert ended(running) == 2
    assert list(tmp_path.iterdir()) == []
    assert reported(proposal) == "desconhecido"
    assert len(rows(scene, "repasse.humano")) == 1


def test_what_is_refused_it_hands_over_to_a_person(
    address: str, scene: Scene, door: AtTheDoor, tmp_path: Path
) -> None:
    with started(address, door, tmp_path) as running:
        proposal = asked(running, scene)
        with tenant_scope(scene.tenant.pk):
            decisions.refuse(
                proposal=proposal,
                approver=scene.approver,
                seen_hash=proposal.acao_hash,
                reason="O pedido já foi estornado.",
            )
        assert ended(running) == 1
    assert list(tmp_path.iterdir()) == []
    assert len(rows(scene, "repasse.humano")) == 1
