"""An audit pack asked for on a page: drawn, built by the worker, taken along, and told to the trail."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from approvals.models import PackState, ProofPack
from approvals.proof import pack_asking, pack_form, pack_lane, sampling
from audit import verifying
from audit.files import folders, signatures
from audit.models import AgenteAcao
from audit.seal import keys
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.worker import tasks
from tests import factories
from tests.db.browsing import Browser, as_
from tests.db.proving_effects import a_key, an_effect

PAGE = "/trilha/amostras/"


@dataclass(frozen=True, slots=True)
class Company:
    """One that did one thing this quarter, and who audits it."""

    tenant: Tenant
    auditor: Principal
    key: str

    @property
    def packs(self) -> list[ProofPack]:
        with tenant_scope(self.tenant.pk):
            return list(ProofPack.objects.order_by("-pk"))

    def told(self, action: str, pack: ProofPack) -> list[str]:
        with tenant_scope(self.tenant.pk):
            found = AgenteAcao.objects.filter(acao=action, correlacao_id=pack.ref)
            return [str(row.saida_resumo) for row in found]


@pytest.fixture(scope="module")
def company(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Company]:
    key = a_key()
    with django_db_blocker.unblock(), override_settings(OPSPILOT_SEAL_KEY=key):
        tenant = an_effect().tenant
        yield Company(tenant, factories.a_principal(tenant, Role.AUDITOR), key)


@pytest.fixture(autouse=True)
def place(settings: Settings, tmp_path: Path, company: Company) -> None:
    settings.OPSPILOT_EXPORT_DIR = str(tmp_path)
    settings.OPSPILOT_SEAL_KEY = company.key


@pytest.fixture
def browser(company: Company) -> Browser:
    return as_(company.auditor)


def this_quarter() -> str:
    return pack_form.quarters(clock.now().date())[0]


def asked(company: Company, seed: str = "semente-1") -> ProofPack:
    with tenant_scope(company.tenant.pk):
        of = sampling.quarter(this_quarter())
        return pack_asking.ask(person=company.auditor, of=of, size=25, seed=seed)


def built(company: Company, pack: ProofPack) -> ProofPack:
    pack_lane.advance(tenant_id=company.tenant.pk, pack_id=pack.pk)
    return next(one for one in company.packs if one.pk == pack.pk)


def test_a_wish_on_the_page_is_a_row_of_work_and_of_the_trail(
    company: Company, browser: Browser
) -> None:
    shown = browser.send(f"{PAGE}pedir/", trimestre=this_quarter(), quantidade=5, semente="a-1")
    assert "na fila" in shown
    assert 'data-poll="fast"' in shown
    (pack, *_others) = company.packs
    assert (company.tenant.pk, pack.pk) in tasks.due("packs", 1000)
    assert company.told("exportacao.pedida", pack) == [
        f"amostra de {this_quarter()}: até 5, semente a-1"
    ]


def test_the_worker_s_pack_verifies_as_the_command_s_does(company: Company) -> None:
    pack = built(company, asked(company))
    assert (pack.state, pack.drawn, pack.effects) == (PackState.READY, 1, 1)
    path = folders.package(pack)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == pack.sha256
    public = keys.ring()[0].public_key
    assert verifying.verify(path, signatures.public_key(public)).ok
    (said,) = company.told("exportacao.gerada", pack)
    assert pack.sha256 in said


def test_each_taking_along_is_a_row_with_the_hash_of_what_was_taken(
    company: Company, browser: Browser
) -> None:
    pack = built(company, asked(company, "levada"))
    assert pack.sha256 in browser.read(PAGE)
    response = browser.client.post(f"{PAGE}{pack.ref}/baixar/")
    body = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert hashlib.sha256(body).hexdigest() == pack.sha256
    (said,) = company.told("exportacao.baixada", pack)
    assert pack.sha256 in said


def test_the_same_wish_twice_is_one_pack(company: Company) -> None:
    first = asked(company, "igual")
    assert asked(company, "igual").pk == first.pk
    built(company, first)


def test_a_file_past_its_day_is_not_given_and_its_hash_stays(
    company: Company, browser: Browser
) -> None:
    pack = built(company, asked(company, "vencida"))
    with tenant_scope(company.tenant.pk):
        ProofPack.objects.filter(pk=pack.pk).update(expires_at=clock.now())
    assert browser.client.post(f"{PAGE}{pack.ref}/baixar/").status_code == 410
    assert built(company, pack).state == PackState.EXPIRED
    assert not folders.of(pack).exists()
    assert pack.sha256 in browser.read(PAGE)


def test_without_a_key_the_page_says_what_is_missing(
    company: Company, browser: Browser, settings: Settings
) -> None:
    settings.OPSPILOT_SEAL_KEY = ""
    settings.OPSPILOT_SEAL_KEY_FILE = ""
    assert built(company, asked(company, "sem-chave")).code == "sem_chave"
    assert "não tem a chave que assina" in browser.read(PAGE)


def test_a_late_worker_writes_nothing(company: Company) -> None:
    pack = asked(company, "tarde")
    with tenant_scope(company.tenant.pk):
        mine = pack_lane._take(pack.pk)
        assert mine is not None
        ProofPack.objects.filter(pk=pack.pk).update(claim_token="0" * 32)
        with pytest.raises(pack_lane.LateError):
            pack_lane._close(mine, state=PackState.READY)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("trimestre", "2026-T5", "2026-T5"),
        ("quantidade", "201", "200"),
        ("semente", "a b", "Use só letras"),
    ],
)
def test_what_the_command_refuses_the_page_tells_of_its_field(
    company: Company, browser: Browser, field: str, value: str, said: str
) -> None:
    before = len(company.packs)
    good = {"trimestre": this_quarter(), "quantidade": "5", "semente": "x"}
    response = browser.client.post(f"{PAGE}pedir/", good | {field: value})
    assert response.status_code == 422
    assert said in response.content.decode()
    assert len(company.packs) == before


def test_who_does_not_audit_has_neither_page_nor_file(company: Company) -> None:
    pack = built(company, asked(company, "alheia"))
    approver = as_(factories.a_principal(company.tenant, Role.APROVADOR))
    assert approver.status(PAGE) == 403
    assert approver.client.post(f"{PAGE}{pack.ref}/baixar/").status_code == 403
    stranger = as_(factories.a_principal(factories.a_tenant(), Role.AUDITOR))
    assert stranger.client.post(f"{PAGE}{pack.ref}/baixar/").status_code == 404
    assert company.told("exportacao.baixada", pack) == []


def test_the_trail_s_first_page_leads_there(company: Company, browser: Browser) -> None:
    assert f'href="{PAGE}"' in browser.read("/trilha/")
    admin = as_(factories.a_principal(company.tenant, Role.ADMIN))
    assert f'href="{PAGE}"' not in admin.read("/trilha/")
