"""Tasks in the policy editor, in a draft's page and in the tester: typed, said and never lost."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from approvals import policies, rules
from approvals.models import PolicyDraft
from approvals.policy import policy_forms, simulation, simulation_pages
from approvals.policy.policy_document import PolicyDocument
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering, tasking

pytestmark = pytest.mark.usefixtures("committed")
REASON = "Mais um host para a ação em serviços."
EDITOR = "/politicas/rascunho/"


@pytest.fixture
def home() -> Tenant:
    tenant = factories.a_tenant()
    tasking.a_policy(tenant)
    return tenant


@pytest.fixture
def person(home: Tenant) -> User:
    return factories.a_person(home, Role.ADMIN)


@pytest.fixture
def admin(person: User) -> Client:
    return entering.logged_in(person)


def typed(before: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The editor as it is filled in from this policy, with some fields changed."""
    values = policy_forms.initial(PolicyDocument.model_validate(before))
    shown = {k: v for k, v in values.items() if v is not False and v != ""}
    return {k: v for k, v in (shown | {"motivo": REASON, "base": 1} | changes).items() if v != ""}


def draft_of(tenant: Tenant) -> PolicyDraft:
    with tenant_scope(tenant.pk):
        return PolicyDraft.objects.latest("pk")


def sent(client: Client, before: dict[str, Any], **changes: Any) -> Any:
    return client.post(EDITOR, typed(before, **changes))


def place_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Where a template's fields stand in the editor, whatever order the database keeps."""
    position = list(document["tarefa_executada"]["templates"]).index(name)
    return {"n": position}


def stored(tenant: Tenant) -> dict[str, Any]:
    with tenant_scope(tenant.pk):
        return copy.deepcopy(policies.version_in_force().document)


def test_a_template_s_hosts_and_variables_are_edited_and_come_into_force(
    home: Tenant, admin: Client
) -> None:
    n = place_of(stored(home), "servico-acao")["n"]
    answer = sent(
        admin,
        stored(home),
        **{
            f"t{n}_hosts": " SRV-PAG-02 \nsrv-novo-01",
            f"t{n}_variaveis": "server_name* ~ [a-z]{1,9}\nserver_action = status",
            f"t{n}_papeis": ["admin"],
            f"t{n}_agentes": "monitor",
            f"t{n}_maximo": 2,
        },
    )
    assert answer.status_code == 302, answer.content.decode()
    draft = draft_of(home)
    other = entering.logged_in(factories.a_person(home, Role.ADMIN))
    other.post(f"/politicas/rascunhos/{draft.ref}/ativar/", {"sha256": draft.sha256})
    with tenant_scope(home.pk):
        rule = rules.in_force().document.tarefa_executada
    assert rule is not None
    template = rule.templates["servico-acao"]
    assert template.hosts == ["srv-pag-02", "srv-novo-01"]
    assert (template.roles, template.agents, template.max_hosts) == (["admin"], ["monitor"], 2)
    assert template.variables["server_name"].pattern == "[a-z]{1,9}"
    assert not template.variables["server_action"].required


def test_the_draft_says_in_words_what_changes_about_tasks(home: Tenant, admin: Client) -> None:
    n = place_of(stored(home), "servico-acao")["n"]
    sent(
        admin, stored(home), **{f"t{n}_hosts": "srv-pag-02\nsrv-novo-01", "tarefa_quorum_medio": 2}
    )
    page = admin.get(f"/politicas/rascunhos/{draft_of(home).ref}/").content.decode()
    assert "Template servico-acao: hosts" in page
    assert "srv-novo-01" in page
    assert "Tarefas: Aprovações no risco médio" in page


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("hosts", "srv-pag-02\nall", "“all” não é o nome de um host."),
        ("hosts", "srv-*", "“srv-*” não é o nome de um host."),
        ("variaveis", "server_action", "Escreva uma por linha, assim"),
        ("variaveis", "a = b\na = c", "A variável “a” aparece duas vezes."),
        ("variaveis", "ansible_host = x", "A variável “ansible_host” não pode ser aceita"),
        ("variaveis", "a ~ .*", "A variável “a” não pode ser aceita"),
        ("variaveis", "a = {{x}}", "A variável “a” não pode ser aceita"),
        ("agentes", "Monitor de Filas", "Um agente é escrito por seu nome curto"),
        ("alias", "", "Preencha, ou retire."),
        ("nome", "", "Preencha, ou retire."),
        ("maximo", 21, "Hosts de uma vez"),
    ],
)
def test_what_cannot_be_a_template_comes_back_at_its_field(
    home: Tenant, admin: Client, field: str, value: Any, words: str
) -> None:
    answer = sent(admin, stored(home), **{f"t0_{field}": value})
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_two_names_do_not_share_a_template(home: Tenant, admin: Client) -> None:
    answer = sent(admin, stored(home), t0_id=7, t1_id=7)
    assert "Dois templates têm este id." in answer.content.decode()


def test_what_the_editor_does_not_show_is_kept(home: Tenant, admin: Client) -> None:
    """A fingerprint, and whole sections of other kinds, survive a change of something else."""
    before = tasking.document(templates=tasking.templates("servico-acao", fingerprint="a" * 64)) | {
        "acoes_externas": EXTERNAL
    }
    with tenant_scope(home.pk):
        policies.install(document=before, by="admin 1")
    answer = sent(admin, stored(home), base=2, max_responsaveis=2)
    assert answer.status_code == 302, answer.content.decode()
    after = draft_of(home).document
    assert after["acoes_externas"] == EXTERNAL
    assert after["tarefa_executada"]["templates"]["servico-acao"]["fingerprint"] == "a" * 64


EXTERNAL: dict[str, Any] = {
    "estorno.emitido": {
        "requester_roles": ["admin"],
        "approver_role": "aprovador",
        "quorum": {"baixo": 1, "medio": 1, "alto": 2},
        "expires_minutes": 60,
        "execute_within_minutes": 60,
        "hold_seconds": {"baixo": 0, "medio": 0, "alto": 0},
        "agents": ["estornos"],
        "fields": {"valor": {"type": "centavos", "label": "Valor"}},
        "risk": "medio",
    }
}


def test_how_a_task_ends_and_what_undoes_it_are_edited(home: Tenant, admin: Client) -> None:
    n = place_of(stored(home), "servico-acao")["n"]
    fields = {"minutos": 45, "desfaz": "Tirar-da-manutencao", "impressao": "b" * 64}
    answer = sent(admin, stored(home), **{f"t{n}_{name}": v for name, v in fields.items()})
    assert answer.status_code == 302, answer.content.decode()
    made = draft_of(home).document["tarefa_executada"]["templates"]["servico-acao"]
    assert (made["deadline_minutes"], made["undo"]) == (45, "tirar-da-manutencao")
    assert made["fingerprint"] == "b" * 64


def test_another_template_behind_the_same_name_has_no_fingerprint_yet(
    home: Tenant, admin: Client
) -> None:
    with tenant_scope(home.pk):
        policies.install(
            document=tasking.document(
                templates=tasking.templates("servico-acao", fingerprint="a" * 64)
            ),
            by="admin 1",
        )
    n = place_of(stored(home), "servico-acao")["n"]
    sent(admin, stored(home), base=2, **{f"t{n}_id": 99})
    template = draft_of(home).document["tarefa_executada"]["templates"]["servico-acao"]
    assert "fingerprint" not in template


def test_nothing_typed_changes_nothing(home: Tenant, admin: Client) -> None:
    answer = sent(admin, stored(home))
    assert "politica_igual" in answer.content.decode()


def test_switching_tasks_off_takes_the_section_away_and_the_draft_says_so(
    home: Tenant, admin: Client
) -> None:
    assert sent(admin, stored(home), tarefas="nao").status_code == 302
    draft = draft_of(home)
    assert "tarefa_executada" not in draft.document
    page = admin.get(f"/politicas/rascunhos/{draft.ref}/").content.decode()
    assert "implantar-servico, por-em-manutencao, servico-acao, tirar-da-manutencao" in page


def test_a_page_that_did_not_show_the_tasks_takes_none_of_them_away(
    home: Tenant, admin: Client
) -> None:
    fields = {k: v for k, v in typed(stored(home)).items() if not k.startswith(("t", "tarefa"))}
    answer = admin.post(EDITOR, fields)
    assert answer.status_code == 422
    with tenant_scope(home.pk):
        assert not PolicyDraft.objects.exists()


def test_tasks_are_switched_on_with_a_first_template(committed: None) -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    client = entering.logged_in(factories.a_person(tenant, Role.ADMIN))
    answer = sent(
        client,
        factories.POLICY,
        tarefas="sim",
        t0_alias="reinicio",
        t0_id=5,
        t0_projeto=1,
        t0_nome="Reiniciar",
        t0_risco="baixo",
        t0_hosts="srv-1",
        t0_variaveis="",
    )
    assert answer.status_code == 302, answer.content.decode()
    rule = PolicyDocument.model_validate(draft_of(tenant).document).tarefa_executada
    assert rule is not None
    assert list(rule.templates) == ["reinicio"]


def test_what_was_typed_is_there_after_a_session_that_ended(
    home: Tenant, admin: Client, person: User
) -> None:
    """What was cleared stays cleared, too."""
    admin.get(EDITOR)
    n = place_of(stored(home), "servico-acao")["n"]
    values = typed(
        stored(home), **{f"t{n}_hosts": "srv-digitado-01", "p0_etiquetas": "", "quorum_alto": 4}
    )
    Session.objects.filter(session_key=admin.cookies["sessionid"].value).delete()
    assert admin.post(EDITOR, values)["Location"].startswith("/conta/entrar/")
    login = {"login": person.username, "password": factories.PASSWORD, "next": EDITOR}
    admin.post("/conta/entrar/", login)
    page = admin.get(EDITOR).content.decode()
    assert "O que você escrevia voltou." in page
    assert "srv-digitado-01" in page
    assert REASON in page
    assert content_of(page, "p0_etiquetas") == ""
    assert content_of(page, f"t{n}_hosts") == "srv-digitado-01"


def content_of(page: str, name: str) -> str:
    """What stands in this field of several lines."""
    match = re.search(rf'<textarea name="{name}"[^>]*>([^<]*)</textarea>', page)
    assert match is not None
    return match[1].strip()


def test_the_version_shows_templates_hosts_and_variables(home: Tenant, admin: Client) -> None:
    page = admin.get("/politicas/versoes/1/").content.decode()
    for words in ("servico-acao", "srv-pag-02", "server_action", "exigida: status, restart"):
        assert words in page


def test_the_tester_s_page_asks_about_a_task_and_shows_every_reason(
    home: Tenant, admin: Client
) -> None:
    fields = {
        "papeis": ["operador"],
        "template": "21",
        "destino": "all",
        "variaveis": "server_name = liq-worker-3\nserver_action = stop",
    }
    page = admin.post("/politicas/testar/?acao=tarefa", fields).content.decode()
    for code in ("destino_nao_e_um_host", "host_desconhecido", "valor_nao_permitido"):
        assert code in page
    variables = "server_name = liq-worker-3\nserver_action = status"
    fixed = fields | {"destino": " SRV-PAG-02 ", "variaveis": variables}
    page = admin.post("/politicas/testar/?acao=tarefa", fixed).content.decode()
    assert "Permitida" in page
    assert "template 21 em srv-pag-02" in page


def test_the_tester_s_page_asks_a_draft(home: Tenant, admin: Client) -> None:
    n = place_of(stored(home), "servico-acao")["n"]
    sent(admin, stored(home), **{f"t{n}_hosts": "srv-novo-01"})
    ref = str(draft_of(home).ref)
    fields = {
        "papeis": ["operador"],
        "template": "servico-acao",
        "destino": "srv-novo-01",
        "variaveis": "server_name = a-b\nserver_action = status",
    }
    refused = admin.post("/politicas/testar/?acao=tarefa", fields).content.decode()
    assert "host_desconhecido" in refused
    allowed = admin.post("/politicas/testar/?acao=tarefa", fields | {"politica": ref})
    assert "Permitida" in allowed.content.decode()
    assert "pelo rascunho" in allowed.content.decode()
    assert f"?acao=issue&amp;rascunho={ref}" in allowed.content.decode()


def test_every_proposal_that_would_change_is_listed_on_some_page(
    home: Tenant, admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation_pages, "SHOWN", 2)
    made = [factories.a_proposal(home, labels=(), assignees=()) for _ in range(5)]
    sent(admin, stored(home), quorum_baixo=2)
    address = f"/politicas/rascunhos/{draft_of(home).ref}/"
    pages = [admin.get(f"{address}?pagina={n}").content.decode() for n in (1, 2, 3)]
    found = {p.ref for p in made if any(f"/aprovacoes/{p.ref}/" in page for page in pages)}
    assert found == {p.ref for p in made}
    assert "1 a 2 de 5" in pages[0]
    narrowed = admin.get(f"{address}?so=recusada").content.decode()
    assert not any(str(p.ref) in narrowed for p in made)


def test_the_cap_is_said_with_what_it_leaves_out(
    home: Tenant, admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "LIMIT", 2)
    for _ in range(3):
        factories.a_proposal(home, labels=(), assignees=())
    sent(admin, stored(home), quorum_baixo=2)
    page = admin.get(f"/politicas/rascunhos/{draft_of(home).ref}/").content.decode()
    assert "2 de 2 propostas mudariam" in page
    assert "1 proposta destes dias ficou fora desta conta." in page
    assert "Foram avaliadas as 2 mais novas" in page
