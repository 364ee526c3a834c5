"""Asking for a trace, following it and taking it along, as a browser does."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pytest_django import Settings

from audit.files import folders
from audit.models import AgenteAcao, Entity, Trace
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tracing
from tests.db.browsing import Browser, as_

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def entity(tenant: Tenant, settings: Settings, tmp_path: Path) -> Entity:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    settings.OPSPILOT_SEAL_KEY = tracing.pem(tracing.a_key())
    found = tracing.a_customer(tenant, "CPF ***.111.222-**")
    tracing.rows_about(found, 3)
    return found


@pytest.fixture
def asker(tenant: Tenant) -> Principal:
    return tracing.an_asker(tenant)


@pytest.fixture
def browser(asker: Principal) -> Browser:
    return as_(asker)


def history(entity: Entity) -> str:
    return f"/trilha/entidades/cliente/{entity.ref}/"


def page(trace: Trace) -> str:
    return f"/trilha/rastros/{trace.ref}/"


def the_trace(tenant: Tenant) -> Trace:
    with tenant_scope(tenant.pk):
        return Trace.objects.get()


def acts(tenant: Tenant, action: str) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao=action))


def test_a_reason_leads_to_a_page_that_follows_the_trace(
    tenant: Tenant, entity: Entity, browser: Browser
) -> None:
    shown = browser.send(f"{history(entity)}rastro/pedir/", motivo=tracing.REASON)
    assert "na fila" in shown
    assert 'data-poll="fast"' in shown
    (row,) = acts(tenant, "exportacao.pedida")
    assert (row.saida_resumo, row.entidade_id) == (tracing.REASON, str(entity.ref))


def test_a_short_reason_is_refused_on_the_form_it_was_written_on(
    tenant: Tenant, entity: Entity, browser: Browser
) -> None:
    shown = browser.send(f"{history(entity)}rastro/pedir/", motivo="curto")
    assert "pelo menos 10 caracteres" in shown
    assert "curto</textarea>" in shown
    assert acts(tenant, "exportacao.pedida") == []


def test_the_file_is_taken_along_by_who_asked_and_every_time_is_a_row(
    tenant: Tenant, entity: Entity, asker: Principal, browser: Browser
) -> None:
    trace = tracing.build(tracing.asked(entity, asker))
    assert "Baixar o arquivo" in browser.read(page(trace))
    response = browser.client.post(f"{page(trace)}baixar/")
    body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert hashlib.sha256(body).hexdigest() == trace.sha256
    assert response["Cache-Control"] == "no-store"
    assert response["Content-Disposition"] == f'attachment; filename="rastro-{trace.ref!s:.8}.zip"'
    (row,) = acts(tenant, "exportacao.baixada")
    assert trace.sha256 in str(row.saida_resumo)
    (made,) = acts(tenant, "exportacao.gerada")
    assert "3 linhas" in str(made.saida_resumo)


def test_somebody_else_finds_neither_page_nor_file(
    tenant: Tenant, entity: Entity, asker: Principal
) -> None:
    trace = tracing.build(tracing.asked(entity, asker))
    stranger = as_(tracing.an_asker(tenant))
    assert stranger.status(page(trace)) == 404
    assert stranger.client.post(f"{page(trace)}baixar/").status_code == 404
    auditor = as_(factories.a_principal(tenant, Role.AUDITOR))
    assert auditor.client.post(f"{page(trace)}baixar/").status_code == 403
    assert acts(tenant, "exportacao.baixada") == []


def test_a_file_past_its_day_is_not_given_even_before_the_worker_came(
    tenant: Tenant, entity: Entity, asker: Principal, browser: Browser
) -> None:
    trace = tracing.build(tracing.asked(entity, asker))
    with tenant_scope(tenant.pk):
        Trace.objects.update(expires_at=clock.now())
    shown = browser.read(page(trace))
    assert "Vencido." in shown
    assert "Baixar o arquivo" not in shown
    assert browser.client.post(f"{page(trace)}baixar/").status_code == 410


def test_a_trace_that_failed_says_why_and_is_tried_again(
    tenant: Tenant, entity: Entity, asker: Principal, browser: Browser, settings: Settings
) -> None:
    trace, place = tracing.asked(entity, asker), settings.OPSPILOT_EXPORT_DIR
    settings.OPSPILOT_EXPORT_DIR = f"{place}/nowhere"
    tracing.build(trace)
    assert "A pasta de exportação não existe" in browser.read(page(trace))
    settings.OPSPILOT_EXPORT_DIR = place
    assert "na fila" in browser.send(f"{page(trace)}de-novo/")
    assert tracing.build(trace).state == "pronto"
    assert browser.client.post(f"{page(trace)}de-novo/").status_code == 409


def test_without_a_folder_nobody_may_ask(
    tenant: Tenant, entity: Entity, browser: Browser, settings: Settings
) -> None:
    settings.OPSPILOT_EXPORT_DIR = ""
    shown = browser.send(f"{history(entity)}rastro/pedir/", motivo=tracing.REASON)
    assert "Este console ainda não exporta" in shown


def test_the_history_offers_the_trace_to_the_compliance_role_only(
    tenant: Tenant, entity: Entity, browser: Browser
) -> None:
    assert "Exportar o rastro" in browser.read(history(entity))
    auditor = as_(factories.a_principal(tenant, Role.AUDITOR))
    assert "Exportar o rastro" not in auditor.read(history(entity))


def test_the_list_of_what_was_asked_shows_only_one_s_own(
    tenant: Tenant, entity: Entity, asker: Principal, browser: Browser
) -> None:
    assert "Nenhum rastro pedido ainda" in browser.read(f"{history(entity)}rastro/")
    trace = tracing.asked(entity, asker)
    assert page(trace) in browser.read(f"{history(entity)}rastro/")
    other = as_(tracing.an_asker(tenant))
    assert "Nenhum rastro pedido ainda" in other.read(f"{history(entity)}rastro/")


def test_nothing_of_the_folder_is_in_the_answer(
    entity: Entity, asker: Principal, browser: Browser
) -> None:
    trace = tracing.build(tracing.asked(entity, asker))
    folders.package(trace).unlink()
    assert browser.client.post(f"{page(trace)}baixar/").status_code == 410
