"""What an address or a form of the trail's rooms may carry at its edges: dates, ids, file names."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from audit import entities
from audit.models import AgenteAcao, LegalHold
from audit.months import archive, holds, retention
from audit.months.archive import Archive, Part
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import tracing
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.django_db
HISTORY = "/trilha/consultas/historico-da-entidade/"
EDGES = ["0001-01-01", "0001-01-02", "1969-12-31", "9999-12-30", "9999-12-31", "10000-01-01"]


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def auditor(tenant: Tenant) -> Browser:
    return a_browser(tenant, Role.AUDITOR)


@pytest.mark.parametrize("last", ["1969-12-31", "9999-12-30", "9999-12-31", "10000-01-01"])
def test_a_draw_up_to_an_impossible_day_says_so_at_its_field(auditor: Browser, last: str) -> None:
    days = {"de": "0001-01-01", "ate": last, "semente": "1"}
    answer = auditor.client.post("/trilha/revisao/sortear/", days)
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.parametrize("day", EDGES)
def test_a_draw_of_one_impossible_day_is_an_answer(auditor: Browser, day: str) -> None:
    answer = auditor.client.post("/trilha/revisao/sortear/", {"de": day, "ate": day})
    assert answer.status_code == 422


@pytest.mark.parametrize("day", EDGES)
def test_no_date_of_a_page_of_the_trail_makes_it_fail(
    tenant: Tenant, auditor: Browser, day: str
) -> None:
    about = tracing.a_customer(tenant, "CPF ***.111.222-**")
    days = f"de={day}&ate={day}"
    moment = f"{day}T00:00:00-14:00"
    pages = [
        f"/trilha/entidades/{about.type}/{about.ref}/?{days}",
        f"/trilha/entidades/{about.type}/{about.ref}/?depois={moment},1",
        f"/trilha/consultas/repasse-humano/?periodo=intervalo&{days}",
        f"/trilha/consultas/repasse-humano/?periodo=intervalo&de=0001-01-01&ate={day}",
        f"/trilha/consultas/repasse-humano/?periodo=7d&fim={moment}",
        f"/trilha/consultas/repasse-humano/prova/?periodo=intervalo&{days}",
        f"/trilha/custos/?periodo=intervalo&{days}",
    ]
    found = {page: auditor.status(page) for page in pages}
    assert {page: status for page, status in found.items() if status >= 500} == {}


@pytest.mark.parametrize("day", EDGES)
def test_a_price_from_an_impossible_day_is_an_answer(tenant: Tenant, day: str) -> None:
    admin = a_browser(tenant, Role.ADMIN)
    price = {"modelo": "m", "desde": day, "entrada": "1", "saida": "1"}
    assert admin.client.post("/trilha/custos/precos/", price).status_code < 500
    assert admin.status("/trilha/custos/?periodo=tudo") < 500


def test_only_who_the_company_knows_stands_in_the_row_of_a_reading(
    tenant: Tenant, auditor: Browser
) -> None:
    mine = tracing.a_customer(tenant, "CPF ***.111.222-**")
    theirs = tracing.a_customer(factories.a_tenant(), "CPF ***.333.444-**")
    for ref in (str(mine.ref), str(theirs.ref), str(uuid.uuid4()), "Maria da Silva"):
        auditor.read(f"{HISTORY}?tipo=cliente&entidade={ref}&periodo=tudo")
    with tenant_scope(tenant.pk):
        read = AgenteAcao.objects.filter(acao="historico.lido").order_by("id")
        assert [row.entidade_id for row in read] == [str(mine.ref), None, None, None]
        assert not entities.exists(type_="cliente", ref=str(theirs.ref))


def test_a_file_s_name_in_a_manifest_stays_inside_the_month_s_folder(tmp_path: Path) -> None:
    """What was checked and what is read is one file, whatever stands before its name."""
    part = Part("t", "../../outro/t.jsonl.gz", 0, "", "")
    with pytest.raises(FileNotFoundError) as missing:
        list(archive.lines_of(Archive(tmp_path, "2026-04", (part,), ""), part))
    assert missing.value.filename == str(tmp_path / "t.jsonl.gz")


def test_a_number_typed_in_a_reason_is_refused_at_its_field_and_stays_typed(tenant: Tenant) -> None:
    why = "CPF 529.982.247-25 e senha: hunter2abc"
    keeper = a_browser(tenant, Role.CONFORMIDADE)
    about = tracing.a_customer(tenant, "CPF ***.111.222-**")
    place = f"/trilha/entidades/cliente/{about.ref}"
    forms: dict[str, dict[str, str]] = {
        "/trilha/retencao/guardar/": {"alcance": "todos", "motivo_guarda": why},
        f"{place}/cadastro/apagar/": {"motivo": why, "ciente": "on"},
        f"{place}/cadastro/unir/": {"outro": str(uuid.uuid4()), "motivo": why},
        f"{place}/rastro/pedir/": {"motivo": why},
    }
    for path, data in forms.items():
        answer = keeper.client.post(path, data)
        page = answer.content.decode()
        assert (answer.status_code, why in page) == (422, True), path
        assert "Há um segredo ou documento no texto" in page, path
    with tenant_scope(tenant.pk):
        assert not LegalHold.objects.exists()


def test_a_number_in_a_reason_that_no_form_saw_is_masked(tenant: Tenant) -> None:
    keeper = factories.a_principal(tenant, Role.CONFORMIDADE)
    why = "ofício sobre o CPF 529.982.247-25"
    with tenant_scope(tenant.pk):
        hold = holds.place(person=keeper, entity=None, reason=why)
        lift = holds.lift(hold=hold, person=keeper, reason=why)
        rule = retention.propose(
            admin=factories.a_principal(tenant, Role.ADMIN), months=60, basis=why, reason=why
        )
    kept = {hold.reason, lift.reason, rule.basis, rule.reason}
    assert kept == {"ofício sobre o CPF [CPF]"}
