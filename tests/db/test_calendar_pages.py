"""Windows and a chosen start where people write and read them."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from approvals.models import AgenteAprovacao, PolicyDraft
from approvals.policy import policy_forms
from approvals.policy.policy_document import PolicyDocument
from opspilot.harness.models import Run
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering
from tests.db.browsing import a_browser, as_
from tests.db.test_windows import a_freeze, another_day, in_force

pytestmark = pytest.mark.usefixtures("committed")
SENDS = "O sistema envia a partir de"
HERE = ZoneInfo("America/Sao_Paulo")
WINDOWS = "seg-sex; 08:00-18:00\nsab; 09:00-12:00; tarefa.executada; baixo, medio"
FREEZES = "20/12/2026 18:00; 04/01/2027 08:00; Fim de ano"


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def edited(tenant: Tenant, **changes: Any) -> Any:
    document = PolicyDocument.model_validate(factories.POLICY)
    values = {k: v for k, v in policy_forms.initial(document).items() if v != ""}
    typed = values | {"motivo": "Janela pedida pela operação.", "base": 1} | changes
    return entering.logged_in(factories.a_person(tenant, Role.ADMIN)).post(
        "/politicas/rascunho/", typed
    )


def test_the_editor_writes_windows_and_freezes_and_says_what_they_change(tenant: Tenant) -> None:
    response = edited(tenant, fuso="America/Manaus", janelas=WINDOWS, congelamentos=FREEZES)
    assert response.status_code == 302, response.content.decode()
    with tenant_scope(tenant.pk):
        draft = PolicyDraft.objects.get()
    made = draft.document["calendario"]
    assert made["fuso"] == "America/Manaus"
    assert [row["ate"] for row in made["janelas"]] == ["18:00", "12:00"]
    document = PolicyDocument.model_validate(draft.document)
    again = policy_forms.initial(document)
    assert (again["congelamentos"], again["janelas"].splitlines()[1]) == (
        FREEZES,
        "sab; 09:00-12:00; tarefa.executada; baixo,medio",
    )
    page = a_browser(tenant, Role.ADMIN).read(f"/politicas/rascunhos/{draft.ref}/")
    assert "seg, ter, qua, qui, sex 08:00–18:00" in page
    assert "de 20/12/2026 18:00 a 04/01/2027 08:00: Fim de ano" in page


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("janelas", "seg-sex 08:00-18:00"),
        ("congelamentos", "amanhã; depois; motivo"),
        ("fuso", "Europe/Atlantis"),
    ],
)
def test_a_line_that_cannot_be_read_stands_at_its_field(
    tenant: Tenant, field: str, value: str
) -> None:
    response = edited(tenant, **{field: value})
    assert response.status_code == 422
    assert f'id="id_{field}_error"' in response.content.decode()


def test_the_tester_says_whether_it_could_start_now(tenant: Tenant) -> None:
    client = entering.logged_in(factories.a_person(tenant, Role.ADMIN))
    asked = {"alias": "infra", "etiquetas": "", "responsaveis": "", "papeis": ["operador"]}
    for calendar, words in (
        ({}, "a qualquer hora"),
        ({"janelas": [another_day()]}, "fora da janela: abre"),
        ({"congelamentos": [a_freeze()]}, "congelamento (Fechamento do mês): abre"),
    ):
        in_force(tenant, **calendar)
        page = client.post("/politicas/testar/?acao=issue", asked).content.decode()
        assert words in page, words


def test_a_pending_proposal_says_that_its_window_opens_too_late(tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    in_force(tenant, janelas=[another_day()])
    page = a_browser(tenant, Role.APROVADOR).read(f"/aprovacoes/{proposal.ref}/")
    assert "A janela abre depois do prazo de execução" in page
    in_force(tenant, congelamentos=[a_freeze()])
    page = a_browser(tenant, Role.APROVADOR).read(f"/aprovacoes/{proposal.ref}/")
    assert "Aprovada, ela espera na fila até a janela abrir." in page


def test_what_was_approved_before_its_window_closed_says_whether_it_will_still_run(
    tenant: Tenant,
) -> None:
    approver = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), approver)
    path = f"/aprovacoes/{proposal.ref}/"
    assert SENDS in as_(approver).read(path)
    in_force(tenant, congelamentos=[a_freeze()])
    waits = as_(approver).read(path)
    assert "Espera na fila até a janela abrir." in waits
    assert SENDS not in waits
    in_force(tenant, janelas=[another_day()])
    late = as_(approver).read(path)
    until = f"{proposal.executar_ate:%d/%m/%Y %H:%M} (UTC, UTC+00:00)"
    assert f"Não vai executar: a janela abre depois de {until}. Peça de novo." in late
    assert SENDS not in late


def asked_for(tenant: Tenant, by: Principal) -> tuple[Client, str]:
    """Somebody who filled in a command, and the address of its confirmation."""
    client = entering.logged_in(User.objects.get(pk=by.user_id))
    typed = {
        "alias": "infra",
        "titulo": "Reiniciar o consumidor",
        "descricao": "A fila parou.",
        "justificativa": "Clientes esperam desde cedo.",
    }
    response = client.post("/rodadas/comando/", typed)
    assert response.status_code == 302, response.content.decode()
    return client, response["Location"]


def wall(hours: float) -> str:
    moment = dt.datetime.now(HERE) + dt.timedelta(hours=hours)
    return moment.strftime("%Y-%m-%dT%H:%M")


def test_a_chosen_start_is_confirmed_by_its_own_hash_and_shown_to_who_approves(
    tenant: Tenant,
) -> None:
    by = factories.a_principal(tenant, Role.OPERADOR)
    client, confirm = asked_for(tenant, by)
    before = seen_hash(client, confirm)
    when = wall(3)
    schedule = confirm.replace("confirmar", "agendar")
    assert client.post(schedule, {"quando": when}).status_code == 302
    after = seen_hash(client, confirm)
    assert before != after
    assert client.post(confirm, {"acao_hash": before}).status_code == 409
    assert client.post(confirm, {"acao_hash": after}).status_code == 302
    with tenant_scope(tenant.pk):
        proposal = AgenteAprovacao.objects.get()
    assert proposal.executar_de is not None
    assert proposal.executar_de.astimezone(HERE).strftime("%Y-%m-%dT%H:%M") == when
    shown = f"{dt.datetime.fromisoformat(when):%d/%m/%Y %H:%M} (America/Sao_Paulo, UTC-03:00)"
    page = a_browser(tenant, Role.APROVADOR).read(f"/aprovacoes/{proposal.ref}/")
    assert page.count(shown) == 2  # in the facts and in what is approved


UNTAKEN = [
    wall(-1),
    wall(24),
    "2027-13-01T08:00",
    "2026-12-01T08:00Z",
    "9999-12-31T23:59",  # in UTC it would be a year that no clock has
    "0001-01-01T00:00",
]


def seen_hash(client: Client, path: str) -> str:
    page = client.get(path).content.decode()
    return page.split('name="acao_hash" value="')[1].split('"')[0]


def test_a_start_is_taken_away_again_with_an_empty_field(tenant: Tenant) -> None:
    client, confirm = asked_for(tenant, factories.a_principal(tenant, Role.OPERADOR))
    before = seen_hash(client, confirm)
    schedule = confirm.replace("confirmar", "agendar")
    client.post(schedule, {"quando": wall(3)})
    client.post(schedule, {"quando": ""})
    assert seen_hash(client, confirm) == before


def test_a_start_that_is_too_late_is_told_the_latest_one(tenant: Tenant) -> None:
    client, confirm = asked_for(tenant, factories.a_principal(tenant, Role.OPERADOR))
    latest = {wall(6), wall(6 + 1 / 60)}  # of the policy: four hours to decide, two to carry out
    for value in (wall(-1), wall(24)):
        response = client.post(confirm.replace("confirmar", "agendar"), {"quando": value})
        said = response.content.decode()
        moments = {f"{dt.datetime.fromisoformat(at):%d/%m/%Y %H:%M}" for at in latest}
        assert any(f"no máximo {moment} (America" in said for moment in moments), value


@pytest.mark.parametrize("value", UNTAKEN)
def test_a_start_that_cannot_be_taken_changes_nothing(tenant: Tenant, value: str) -> None:
    client, confirm = asked_for(tenant, factories.a_principal(tenant, Role.OPERADOR))
    before = seen_hash(client, confirm)
    response = client.post(confirm.replace("confirmar", "agendar"), {"quando": value})
    assert response.status_code == 422
    assert f'href="{confirm}"' in response.content.decode()
    assert seen_hash(client, confirm) == before
    with tenant_scope(tenant.pk):
        assert "executar_de" not in Run.objects.get().command


def test_a_start_that_has_passed_by_the_confirmation_holds_nothing_back(tenant: Tenant) -> None:
    client, confirm = asked_for(tenant, factories.a_principal(tenant, Role.OPERADOR))
    before = seen_hash(client, confirm)
    with tenant_scope(tenant.pk):
        run = Run.objects.get()
        run.command["executar_de"] = "2026-01-01T00:00:00Z"
        run.save()
    assert seen_hash(client, confirm) == before
