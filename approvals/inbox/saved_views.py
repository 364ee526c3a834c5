"""The queues a person keeps under names of their own: addresses, never rows of anybody's queue."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from approvals import neutral
from approvals.deciders import delegation
from approvals.deciders.delegation import Reach
from approvals.inbox import queue_url
from approvals.inbox.queue_url import Queue
from approvals.models import SavedView
from approvals.models.views import NAME, QUERY
from opspilot.errors import InvalidInputError, NotFoundError, RefusedError
from opspilot.tenancy import sql
from opspilot.tenancy.principal import Principal

MOST = 20
_VIEWS = Path(__file__).parents[1] / "sql" / "views.sql"


class ViewNameError(InvalidInputError):
    code = "visao_nome"
    title = _("Este nome não serve para a visão")
    what = _("O nome tem de 1 a 60 caracteres e ainda não é o de outra visão sua.")
    next_step = _("Escolha outro nome e guarde de novo.")


class TooManyViewsError(RefusedError):
    code = "visoes_demais"
    title = _("Você já guardou visões demais")
    what = _("Cada pessoa guarda no máximo 20 visões em uma empresa. Nada foi gravado.")
    next_step = _("Apague uma que não usa mais e guarde de novo.")


class ViewTooLongError(InvalidInputError):
    code = "visao_longa"
    title = _("Esta visão não cabe no endereço")
    what = _("O nome do projeto do filtro é longo demais para ser guardado. Nada foi gravado.")
    next_step = _("Tire o filtro do projeto e guarde de novo.")


def of(*, principal: Principal) -> list[SavedView]:
    return with_reach(principal=principal)[0]


def with_reach(*, principal: Principal) -> tuple[list[SavedView], Reach]:
    """The views, and what a queue asks first of its reader, in one statement."""
    asked = delegation.reader(principal) | {"most": MOST}
    found = sql.record(_VIEWS, delegation.READER, **asked)
    views = [sql.built(SavedView, row) for row in found["views"]]
    return views, delegation.reach_in(found, principal)


def queue_of(view: SavedView) -> Queue:
    """What the view shows; a part of it that cannot be one any more is left out."""
    return queue_url.parse_text(view.query)


def save(*, principal: Principal, name: str, queue: Queue) -> SavedView:
    """Raises ViewNameError, ViewTooLongError or TooManyViewsError."""
    if SavedView.objects.filter(subject=principal.subject).count() >= MOST:
        raise TooManyViewsError
    query = queue.href("").removeprefix("?")
    if len(query) > QUERY:  # each letter beyond ASCII takes six signs or more of an address
        raise ViewTooLongError
    row = SavedView(
        tenant_id=principal.tenant_id,
        subject=principal.subject,
        name=_checked(name),
        query=query,
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as exc:
        raise ViewNameError from exc
    return row


def rename(*, principal: Principal, ref: UUID, name: str) -> None:
    view = _own(principal, ref)
    try:
        with transaction.atomic():
            SavedView.objects.filter(pk=view.pk).update(name=_checked(name))
    except IntegrityError as exc:
        raise ViewNameError from exc


def delete(*, principal: Principal, ref: UUID) -> None:
    SavedView.objects.filter(pk=_own(principal, ref).pk).delete()


def open_first(*, principal: Principal, ref: UUID, first: bool) -> None:
    """Let the queue's plain address open this view, instead of any that did before, or no view."""
    view = _own(principal, ref)
    SavedView.objects.filter(subject=principal.subject, opens_first=True).update(opens_first=False)
    if first:
        SavedView.objects.filter(pk=view.pk).update(opens_first=True)


def _own(principal: Principal, ref: UUID) -> SavedView:
    """Somebody else's view is as unknown as one that never was."""
    view = SavedView.objects.filter(ref=ref, subject=principal.subject).first()
    if view is None:
        raise NotFoundError
    return view


def _checked(name: str) -> str:
    clean = neutral.normalise(name).strip()
    if not 0 < len(clean) <= NAME or not clean.isprintable():
        raise ViewNameError
    return clean
