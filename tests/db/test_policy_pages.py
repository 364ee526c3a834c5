"""The policy pages: who reads, who writes, what a draft shows and what an act needs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from approvals import policies, rules
from approvals.models import DraftOutcome, PolicyDraft
from approvals.policy import policy_forms
from approvals.policy.policy_document import PolicyDocument
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.roles import POLICY_READERS
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering

pytestmark = pytest.mark.usefixtures("committed")
REASON = "Incidente de ontem: duas issues sem segunda leitura."


def logged_in(tenant: Tenant, role: Role) -> Client:
    return entering.logged_in(factories.a_person(tenant, role))


def a_tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def typed(**changes: Any) -> dict[str, Any]:
    """The editor as it is filled in from the policy in force, with some fields changed."""
    document = PolicyDocument.model_validate(factories.POLICY)
    values = {k: v for k, v in policy_forms.initial(document).items() if v != ""}
    return values | {"motivo": REASON, "max_responsaveis": 2, "base": 1} | changes


def drafted(client: Client, tenant: Tenant, **changes: Any) -> PolicyDraft:
    response = client.post("/politicas/rascunho/", typed(**changes))
    assert response.status_code == 302, response.content.decode()
    with tenant_scope(tenant.pk):
        return PolicyDraft.objects.latest("pk")


def test_hosts_of_links_and_the_rule_of_a_reversal_are_written_in_the_editor() -> None:
    tenant = a_tenant()
    reversal = {
        "desfazer_papeis": ["admin"],
        "desfazer_papel_decide": "conformidade",
        "desfazer_risco": "alto",
        "desfazer_aprovacoes": 2,
    }
    hosts = {"hosts_de_links": " Wiki.example \nwiki.example"}
    draft = drafted(logged_in(tenant, Role.ADMIN), tenant, **hosts, **reversal)
    rule = draft.document["issue_criada"]
    assert rule["link_hosts"] == ["wiki.example"]
    assert rule["reversao"] == {
        "requester_roles": ["admin"], "approver_role": "conformidade", "risk": "alto", "quorum": 2,
    }  # fmt: skip


def test_half_a_rule_of_a_reversal_and_a_host_that_is_none_are_pointed_at() -> None:
    tenant = a_tenant()
    odd = {"desfazer_risco": "alto", "hosts_de_links": "*.example"}
    answer = logged_in(tenant, Role.ADMIN).post("/politicas/rascunho/", typed(**odd))
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "Preencha os quatro campos da reversão" in text
    assert "não é o nome de um host" in text


@pytest.mark.parametrize("role", list(Role))
def test_the_policy_is_read_by_those_who_may_and_by_nobody_else(role: Role) -> None:
    tenant = a_tenant()
    client = logged_in(tenant, role)
    expected = 200 if role in POLICY_READERS else 403
    for path in ("/politicas/", "/politicas/versoes/1/", "/politicas/testar/"):
        assert client.get(path).status_code == expected, path
    assert client.get("/politicas/rascunho/").status_code == (200 if role == Role.ADMIN else 403)


def test_the_editor_gives_back_the_document_it_started_from() -> None:
    document = PolicyDocument.model_validate(factories.POLICY)
    values = policy_forms.initial(document)
    form = policy_forms.posted({k: v for k, v in values.items() if v != ""} | {"base": 1})
    assert form.is_valid(), form.errors
    assert form.document(factories.POLICY) == factories.POLICY


def test_a_draft_is_written_read_and_put_in_force_by_two_admins() -> None:
    tenant = a_tenant()
    first, second = logged_in(tenant, Role.ADMIN), logged_in(tenant, Role.ADMIN)
    draft = drafted(first, tenant)
    page = second.get(f"/politicas/rascunhos/{draft.ref}/").content.decode()
    assert REASON in page
    assert "Máximo de responsáveis" in page
    assert "afrouxa" in page
    response = second.post(f"/politicas/rascunhos/{draft.ref}/ativar/", {"sha256": draft.sha256})
    assert response.status_code == 302
    with tenant_scope(tenant.pk):
        assert rules.in_force().number == 2
        assert rules.in_force().document.issue_criada.max_assignees == 2


def test_the_author_is_offered_no_activation_and_the_server_takes_none() -> None:
    tenant = a_tenant()
    author = logged_in(tenant, Role.ADMIN)
    draft = drafted(author, tenant)
    path = f"/politicas/rascunhos/{draft.ref}/"
    assert f"{path}ativar/" not in author.get(path).content.decode()
    response = author.post(f"{path}ativar/", {"sha256": draft.sha256})
    assert response.status_code == 403
    assert "outro_admin_ativa" in response.content.decode()


def test_a_login_that_is_not_recent_activates_nothing() -> None:
    tenant = a_tenant()
    draft = drafted(logged_in(tenant, Role.ADMIN), tenant)
    second = logged_in(tenant, Role.ADMIN)
    entering.grow_old(second)
    response = second.post(f"/politicas/rascunhos/{draft.ref}/ativar/", {"sha256": draft.sha256})
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/conta/confirmar/")
    with tenant_scope(tenant.pk):
        assert rules.in_force().number == 1


def test_a_waiting_proposal_that_would_be_marked_is_counted_and_listed() -> None:
    tenant = a_tenant()
    proposal = factories.a_proposal(tenant, labels=(), assignees=())
    draft = drafted(logged_in(tenant, Role.ADMIN), tenant, quorum_baixo=2)
    page = logged_in(tenant, Role.AUDITOR).get(f"/politicas/rascunhos/{draft.ref}/")
    text = page.content.decode()
    assert "1 de 1 proposta mudaria" in text
    assert "1 pendente será marcada" in text
    assert str(proposal.ref) in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"motivo": "curto"}, "pelo menos 10 caracteres"),
        ({"quorum_alto": 0}, "Aprovações no risco alto"),
        ({"p0_etiquetas": "uma,outra"}, "Uma etiqueta não pode ter vírgula."),
        ({"p0_responsaveis": "plantao"}, "Escreva um por linha, assim: plantao-infra = 319."),
        ({"p1_alias": "infra"}, "Dois projetos têm este nome."),
        ({"p2_alias": "novo"}, "Preencha, ou retire."),
        ({"p0_alias": ""}, "Preencha, ou retire."),
        ({"escalar_percentual": 50}, "Preencha os dois campos, ou deixe os dois vazios."),
        ({"max_responsaveis": 1}, "Este rascunho é igual à política em vigor."),
    ],
)
def test_what_cannot_be_a_policy_comes_back_with_what_was_typed(
    changes: dict[str, Any], words: str
) -> None:
    tenant = a_tenant()
    client = logged_in(tenant, Role.ADMIN)
    response = client.post("/politicas/rascunho/", typed(**changes))
    assert response.status_code == 422
    text = response.content.decode()
    assert words in text
    assert str(changes.get("motivo", REASON)) in text
    with tenant_scope(tenant.pk):
        assert not PolicyDraft.objects.exists()


def test_a_field_the_editor_does_not_have_is_refused() -> None:
    client = logged_in(a_tenant(), Role.ADMIN)
    response = client.post("/politicas/rascunho/", typed(versao_esquema=2))
    assert response.status_code == 422
    assert "campo_desconhecido" in response.content.decode()


def test_going_back_is_a_new_draft_of_the_older_version() -> None:
    tenant = a_tenant()
    factories.a_policy(tenant, max_assignees=7)
    client = logged_in(tenant, Role.ADMIN)
    older = typed(base=2) | {"max_responsaveis": 1}
    assert 'value="1"' in client.get("/politicas/rascunho/?de=1").content.decode()
    assert client.post("/politicas/rascunho/?de=1", older).status_code == 302
    with tenant_scope(tenant.pk):
        draft = PolicyDraft.objects.get()
        assert (draft.based_on, draft.sha256) == (2, policies.version(number=1).sha256)


def test_a_draft_is_discarded_once_and_says_by_whom() -> None:
    tenant = a_tenant()
    client = logged_in(tenant, Role.ADMIN)
    draft = drafted(client, tenant)
    path = f"/politicas/rascunhos/{draft.ref}/"
    assert client.post(f"{path}descartar/", {"sha256": draft.sha256}).status_code == 302
    assert client.post(f"{path}descartar/", {"sha256": draft.sha256}).status_code == 409
    with tenant_scope(tenant.pk):
        assert PolicyDraft.objects.get().outcome == DraftOutcome.DESCARTADO
    assert "descartado por" in client.get(path).content.decode()


def test_the_tester_shows_every_reason_and_creates_nothing() -> None:
    tenant = a_tenant()
    client = logged_in(tenant, Role.APROVADOR)
    asked = {
        "papeis": ["auditor"],
        "alias": "infra",
        "etiquetas": "urgente",
        "cobertura": "nenhuma",
    }
    text = client.post("/politicas/testar/", asked).content.decode()
    for code in ("papel_nao_pede", "sem_base", "etiqueta_desconhecida"):
        assert code in text
    allowed = client.post("/politicas/testar/", {"papeis": ["operador"], "alias": "infra"})
    assert allowed.status_code == 200, allowed.content.decode()
    assert "Permitida" in allowed.content.decode()
    assert "risco baixo · 1 aprovação · papel aprovador" in allowed.content.decode()
    with tenant_scope(tenant.pk):
        assert not PolicyDraft.objects.exists()


def test_another_tenant_s_draft_and_version_are_the_same_404_as_unknown_ones() -> None:
    tenant, other = a_tenant(), a_tenant()
    factories.a_policy(tenant, max_assignees=7)
    draft = drafted(logged_in(tenant, Role.ADMIN), tenant, base=2)
    stranger = logged_in(other, Role.ADMIN)
    for path in (f"/politicas/rascunhos/{draft.ref}/", "/politicas/versoes/2/"):
        assert stranger.get(path).status_code == 404


def test_an_editor_opened_before_another_version_undoes_nothing_and_keeps_what_was_typed() -> None:
    tenant = a_tenant()
    client = logged_in(tenant, Role.ADMIN)
    factories.a_policy(tenant, max_assignees=7)
    response = client.post("/politicas/rascunho/", typed(base=1))
    assert response.status_code == 409
    assert "rascunho_desatualizado" in response.content.decode()
    assert REASON in response.content.decode()
    with tenant_scope(tenant.pk):
        assert not PolicyDraft.objects.exists()
