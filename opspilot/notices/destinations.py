"""Where a company's webhooks go: added, tried out and switched off by its admins."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.connectors import egress
from opspilot.connectors.errors import NotAllowedError
from opspilot.errors import InvalidInputError, NotFoundError, RefusedError
from opspilot.notices import recipients
from opspilot.notices.models import Destination, Kind, Notice, Urgency
from opspilot.queue import wake
from opspilot.tenancy.principal import Principal

MOST = 20  # destinations of a company that are on
GONE, BY_ADMIN = "destino_410", "admin"


class DestinationNotAllowedError(InvalidInputError):
    """The installation's own list does not have this address; only who runs the console edits it."""

    code = "destino_nao_permitido"
    title = _("Este endereço não está na lista de saída")
    what = _("O console só envia a endereços https de uma lista que quem o opera mantém.")
    next_step = _("Peça a quem opera o console para incluir o endereço, ou confira o que digitou.")


class TooManyDestinationsError(RefusedError):
    code = "destinos_demais"
    title = _("Já há destinos demais")
    what = _("Uma empresa tem no máximo 20 destinos ligados. Nada foi gravado.")
    next_step = _("Desligue um que não serve mais.")


def add(*, admin: Principal, name: str, url: str, format_: str) -> Destination:
    """Raises DestinationNotAllowedError or TooManyDestinationsError."""
    try:
        found = egress.place(url, allowed=settings.OPSPILOT_EGRESS_HTTP)
    except NotAllowedError as exc:
        raise DestinationNotAllowedError from exc
    if Destination.objects.filter(active=True).count() >= MOST:
        raise TooManyDestinationsError
    row = Destination.objects.create(
        tenant_id=admin.tenant_id, name=name, url=url, format=format_, created_by=admin.signature
    )
    _record("destino.incluido", admin.signature, f"{format_} {found.host}")
    return row


def switch_off(*, admin: Principal, ref: uuid.UUID) -> None:
    """Nothing is sent there any more, from now on. A second press changes nothing."""
    row = one(ref=ref)
    if _off(row, BY_ADMIN):
        _record("destino.desligado", admin.signature, row.name)


def switch_off_gone(*, name: str) -> None:
    """The other side answered that nobody is there any more (410)."""
    row = recipients.place(name)
    if row is not None and _off(row, GONE):
        _record("destino.desligado", None, row.name)


def try_out(*, admin: Principal, ref: uuid.UUID) -> None:
    """Queue one message that says nothing but that it is a test. One that waits is enough."""
    row = one(ref=ref)
    if not row.active:
        raise NotFoundError
    name = recipients.name_of(row)
    waiting = Notice.objects.filter(recipient=name, kind=Kind.TESTE, settled_at=None)
    if not waiting.exists():
        Notice.objects.create(
            tenant_id=admin.tenant_id, kind=Kind.TESTE, recipient=name, urgency=Urgency.AGORA
        )
    wake("notice")


def one(*, ref: uuid.UUID) -> Destination:
    found = Destination.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def _off(row: Destination, reason: str) -> bool:
    on = Destination.objects.filter(pk=row.pk, active=True)
    return bool(on.update(active=False, off_reason=reason))


def _record(action: str, who: str | None, what: str) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=who,
            saida_resumo=what,
            reversivel=True,
        )
    )
