"""On whose word a reported row stands: an approval that is used up by it, or a rule of the policy."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from approvals.agents import standing
from approvals.models import AgenteAprovacao, Consumption, StandingUse
from audit.models import AgenteAcao
from opspilot.tenancy.principal import Role, subject_of
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import REASON, AtTheDoor, at_the_door
from tests.db import agents_asking
from tests.db.agents_asking import FIELDS, REFUND, SORTED
from tests.db.reporting import a_door, a_row, approved, codes, report, the_row

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def door(committed: None) -> AtTheDoor:
    return a_door()


def test_a_human_approval_is_used_up_by_the_row_that_stands_on_it(door: AtTheDoor) -> None:
    row = approved(door)
    answer = door.post("acoes", row)
    assert answer.status == 201
    written = the_row(door, answer.data)
    assert written.autorizacao == "humana"
    assert written.aprovado_por
    with tenant_scope(door.tenant.pk):
        proposal = AgenteAprovacao.objects.get(ref=row["aprovacao"])
        assert written.aprovacao_id == proposal.pk
        assert Consumption.objects.filter(approval=proposal).count() == 1
        assert AgenteAcao.objects.filter(acao=REFUND, resultado="ok").count() == 1
    read = door.get(f"aprovacoes/{row['aprovacao']}").data
    assert read["consumo"]["efeito"]["resultado"] == "ok"
    assert (
        door.post(f"aprovacoes/{row['aprovacao']}/consumir", {"acao_hash": row["acao_hash"]}).data[
            "codigo"
        ]
        == "ja_consumida"
    )


def test_one_approval_makes_one_row(door: AtTheDoor) -> None:
    row = approved(door)
    lines = report(door, row, row | {"chave": "outra"})
    assert codes(lines) == [(201, None), (409, "ja_consumida")]


def test_an_approval_that_was_consumed_before_makes_none(door: AtTheDoor) -> None:
    row = approved(door)
    door.post(f"aprovacoes/{row['aprovacao']}/consumir", {"acao_hash": row["acao_hash"]})
    assert codes(report(door, row)) == [(409, "ja_consumida")]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"acao_hash": "a" * 64}, (409, "conteudo_mudou")),
        ({"acao": SORTED}, (409, "aprovacao_de_outra_acao")),
        ({"correlacao_id": str(uuid.uuid4())}, (409, "aprovacao_de_outra_acao")),
        ({"autorizacao": "previa"}, (409, "aprovacao_de_outra_acao")),
        ({"aprovacao": str(uuid.uuid4())}, (404, "nao_encontrado")),
        ({"aprovacao": None}, (422, "aprovacao_incompleta")),
        ({"acao_hash": None}, (422, "aprovacao_incompleta")),
        ({"autorizacao": "regra"}, (422, "aprovacao_incompleta")),
    ],
)
def test_an_approval_that_does_not_fit_is_refused_and_stays_unused(
    door: AtTheDoor, changes: dict[str, Any], code: tuple[int, str]
) -> None:
    row = approved(door)
    assert codes(report(door, row | changes)) == [code]
    with tenant_scope(door.tenant.pk):
        assert not Consumption.objects.exists()
        assert not AgenteAcao.objects.filter(acao="aprovacao.consumida").exists()
    assert codes(report(door, row)) == [(201, None)]


def test_nothing_stands_on_a_proposal_that_nobody_approved(door: AtTheDoor) -> None:
    said = {"acao": REFUND, "comando": FIELDS, "justificativa": REASON}
    made = door.post("aprovacoes", said).data
    row = a_row(
        acao=REFUND, autorizacao="humana", aprovacao=made["ref"], acao_hash=made["acao_hash"],
        correlacao_id=made["correlacao_id"],
    )  # fmt: skip
    assert codes(report(door, row)) == [(409, "nao_aprovada")]


def test_another_agent_s_and_another_company_s_approval_look_like_none(door: AtTheDoor) -> None:
    row = approved(door)
    elsewhere = factories.a_tenant()
    agents_asking.a_policy(elsewhere)
    stranger = at_the_door(elsewhere, slug="agente-a")
    neighbour = at_the_door(door.tenant, slug="agente-b")
    unknown = row | {"aprovacao": str(uuid.uuid4()), "correlacao_id": str(uuid.uuid4())}
    (expected,) = report(stranger, unknown)
    assert report(stranger, row) == [expected]
    foreign = row | {"correlacao_id": str(uuid.uuid4())}
    assert codes(report(neighbour, foreign)) == [(404, "nao_encontrado")]


def test_a_standing_permission_is_counted_and_its_end_ends_the_word(door: AtTheDoor) -> None:
    scene = agents_asking.Scene(
        door.tenant,
        factories.a_principal(door.tenant, Role.OPERADOR),
        agents_asking.an_agent(door.tenant, factories.a_principal(door.tenant, Role.OPERADOR)),
        factories.a_principal(door.tenant, Role.APROVADOR),
        [factories.a_principal(door.tenant, Role.ADMIN) for _ in range(2)],
    )
    permission = agents_asking.permitted(scene)
    rows = [approved(door) | {"autorizacao": "previa"} for _ in range(2)]
    with tenant_scope(door.tenant.pk):
        assert StandingUse.objects.filter(permission=permission).count() == 2
    assert codes(report(door, rows[0] | {"autorizacao": "humana"})) == [
        (409, "aprovacao_de_outra_acao")
    ]
    (done,) = report(door, rows[0])
    assert the_row(door, done).autorizacao == "previa"
    with tenant_scope(door.tenant.pk):
        standing.revoke(
            permission=permission, admin=scene.admins[0], reason="um motivo bem escrito"
        )
    assert codes(report(door, rows[1])) == [(409, "permissao_encerrada")]


def test_by_rule_is_only_what_the_policy_gives_to_a_rule(door: AtTheDoor) -> None:
    other = at_the_door(door.tenant, slug="agente-b")
    assert codes(report(door, a_row(acao=REFUND))) == [(409, "regra_nao_permite")]
    assert codes(report(other, a_row())) == [(409, "regra_nao_permite")]
    assert codes(report(door, a_row(acao=REFUND, resultado="recusado"))) == [(201, None)]
    assert codes(report(other, a_row(acao="repasse.humano"))) == [(201, None)]


def test_no_person_is_named_to_an_agent(door: AtTheDoor) -> None:
    row = approved(door)
    text = str(report(door, row, row | {"chave": "outra"}))
    assert subject_of(1)[:8] not in text
