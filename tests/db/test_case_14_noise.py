"""Sixty requests of low risk and two of high risk in an hour: who decides is told, and left alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from approvals.models import AgenteAprovacao
from opspilot.notices.models import NoticeState
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from tests import factories
from tests.conftest import Connection
from tests.db import deciding, noticing

pytestmark = pytest.mark.usefixtures("committed")
LOW, HIGH = 60, 2
FEW = 12


class Hour:
    """The company, an approver with an address, and everything that was asked for."""

    def __init__(self, low: int) -> None:
        self.tenant: Tenant = factories.a_tenant()
        self.approver: User = noticing.a_reachable(self.tenant, Role.APROVADOR)
        requester = factories.a_principal(self.tenant, Role.OPERADOR)
        self.low = [self._ask(requester, number) for number in range(low)]
        self.high = [self._ask(requester, number, **noticing.HIGH) for number in range(HIGH)]

    def _ask(self, requester: Principal, number: int, **values: Any) -> AgenteAprovacao:
        title = f"Reiniciar o serviço secreto {number}"
        return factories.a_proposal(self.tenant, by=requester, title=title, **values)

    def decide(self, *proposals: AgenteAprovacao) -> None:
        by = noticing.principal(self.tenant, self.approver)
        for proposal in proposals:
            deciding.refuse(proposal, by)


@pytest.fixture
def hour() -> Hour:
    return Hour(LOW)


@pytest.fixture
def short_hour() -> Hour:
    return Hour(FEW)


def test_two_letters_at_once_and_one_digest_for_the_rest(
    hour: Hour, admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    noticing.work(hour.tenant)
    at_once = noticing.subjects_to(hour.approver, mailoutbox)
    assert len(at_once) == HIGH
    assert all("risco alto" in subject for subject in at_once)
    noticing.work(hour.tenant)
    assert len(noticing.subjects_to(hour.approver, mailoutbox)) == HIGH

    noticing.time_comes(admin, hour.tenant)
    noticing.work(hour.tenant)
    (digest,) = noticing.subjects_to(hour.approver, mailoutbox)[HIGH:]
    assert f"{LOW} decisões esperam por você" in digest


def test_nothing_is_told_of_what_was_decided_meanwhile(
    short_hour: Hour, admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    noticing.spread(short_hour.tenant)
    short_hour.decide(short_hour.high[0], *short_hour.low[:10])
    noticing.time_comes(admin, short_hour.tenant)
    noticing.deliver(short_hour.tenant)
    subjects = noticing.subjects_to(short_hour.approver, mailoutbox)
    assert len(subjects) == 2
    assert sum(f"{FEW - 10} decisões" in subject for subject in subjects) == 1
    dropped = noticing.notices(short_hour.tenant, state=NoticeState.DESCARTADO)
    assert len(dropped) == 11


def test_when_all_is_decided_no_digest_comes(
    short_hour: Hour, admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    noticing.spread(short_hour.tenant)
    short_hour.decide(*short_hour.high, *short_hour.low)
    noticing.time_comes(admin, short_hour.tenant)
    noticing.deliver(short_hour.tenant)
    assert noticing.subjects_to(short_hour.approver, mailoutbox) == []


def test_no_letter_holds_content_or_an_identifier(
    short_hour: Hour, admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    noticing.spread(short_hour.tenant)
    noticing.time_comes(admin, short_hour.tenant)
    noticing.deliver(short_hour.tenant)
    letters = [letter for letter in mailoutbox if letter.to == [short_hour.approver.email]]
    assert len(letters) == HIGH + 1
    some = short_hour.low[0]
    secrets = ["secreto", "aurora/", "infra", "nucleo", "incidente", some.acao_hash[:12]]
    for letter in letters:
        ((html, _kind),) = letter.alternatives  # type: ignore[attr-defined]
        for text in (letter.subject, letter.body, html):
            said = re.sub(r"https?://[^\s\"<]+", "", str(text))
            assert not [word for word in [*secrets, some.solicitante_nome] if word in said], said


def test_following_the_link_of_a_letter_decides_nothing(
    short_hour: Hour, mailoutbox: list[EmailMessage]
) -> None:
    noticing.work(short_hour.tenant)
    (path,) = {
        match[1]
        for letter in mailoutbox
        if letter.to == [short_hour.approver.email]
        for match in [re.search(r"https?://[^/]+(/aprovacoes/[^\s]*)", str(letter.body))]
        if match and str(short_hour.high[0].ref) in match[1]
    }
    client = Client()
    client.force_login(short_hour.approver)
    assert client.get(path).status_code == 200
    client.head(path)
    assert deciding.nothing_happened(short_hour.high[0])


def test_two_workers_tell_each_thing_once(
    short_hour: Hour, admin: Connection, mailoutbox: list[EmailMessage]
) -> None:
    noticing.together(short_hour.tenant, noticing.spread)
    noticing.time_comes(admin, short_hour.tenant)
    noticing.together(short_hour.tenant, noticing.deliver)
    assert len(noticing.subjects_to(short_hour.approver, mailoutbox)) == HIGH + 1
    sent = noticing.notices(short_hour.tenant, state=NoticeState.ENVIADO)
    assert len(sent) == FEW + HIGH
