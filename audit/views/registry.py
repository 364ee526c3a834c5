"""The entry of an entity in the registry: what was decided about it; joining, parting, erasing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from audit import entities, readings
from audit.models import Entity, EntityEvent
from audit.months import holds
from audit.registry import acts, other, standing
from audit.registry.errors import NoSuchEntryError
from audit.registry.forms import EraseForm, MergeForm, SplitForm
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import ENTITY_KEEPERS

_PAGE = "audit/registry.html"


@require_GET
@requires(*ENTITY_KEEPERS)
def entry(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    return render(request, _PAGE, _context(entities.get(type_=type_, ref=ref)))


@acts_by_post
@requires(*ENTITY_KEEPERS)
def merge(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    """The other entry is joined to this one, which stands for both from then on; what it is is shown
    first, and asked about."""
    found, form = entities.get(type_=type_, ref=ref), MergeForm(request.POST, auto_id="unir_%s")
    with keeping_what_was_typed(_PAGE, lambda: _context(found, merge=_without_number(form))):
        data = checked(form)
        named = _named(request.principal, found.type, data["outro"])
        if not data["confirmado"]:
            return render(request, _PAGE, _context(found) | _asked(named, data["motivo"]))
        acts.merge(principal=request.principal, entity=named, into=found, reason=data["motivo"])
    messages.success(request, _("Unidos. O histórico de um é agora o histórico dos dois."))
    return redirect("audit:entry", found.type, found.ref)


@acts_by_post
@requires(*ENTITY_KEEPERS)
def split(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    found, form = entities.get(type_=type_, ref=ref), SplitForm(request.POST, auto_id="separar_%s")
    with keeping_what_was_typed(_PAGE, lambda: _context(found, split=form)):
        data = checked(form)
        parted = entities.get(type_=found.type, ref=data["cadastro"])
        acts.split(principal=request.principal, entity=parted, reason=data["motivo"])
    messages.success(request, _("Separados. Cada um tem de novo o seu próprio histórico."))
    return redirect("audit:entry", found.type, found.ref)


@acts_by_post
@requires(*ENTITY_KEEPERS)
def erase(request: TenantRequest, type_: str, ref: UUID) -> HttpResponse:
    found, form = entities.get(type_=type_, ref=ref), EraseForm(request.POST, auto_id="apagar_%s")
    with keeping_what_was_typed(_PAGE, lambda: _context(found, erase=form)):
        data = checked(form)
        acts.erase(principal=request.principal, entity=found, reason=data["motivo"])
    messages.success(request, _("Identidade apagada. O histórico continua, pelo identificador."))
    return redirect("audit:entry", found.type, found.ref)


def _named(principal: Principal, type_: str, text: str) -> Entity:
    """The entry behind an internal id or a document number, which is looked up and not kept."""
    try:
        found = entities.by_ref(UUID(text.strip()))
    except ValueError:
        document = entities.parse_document(text)
        found = entities.find(document=document, type_=type_)
        readings.record_lookup(principal, found)
    if found is None:
        raise NoSuchEntryError
    return found


def _asked(named: Entity, reason: str) -> dict[str, Any]:
    """The question before a merge. Its form names the other by its id, never by the number (I9)."""
    initial = {"outro": named.ref, "motivo": reason, "confirmado": "on"}
    return {"other": other.shown(named), "merge": MergeForm(initial=initial, auto_id="unir_%s")}


def _titled(change: EntityEvent) -> tuple[EntityEvent, str, str]:
    into = entities.shown_title(change.into) if change.into else ""
    return change, entities.shown_title(change.entity), into


def _without_number(form: MergeForm) -> MergeForm:
    """The form as it was sent, but for the number: that is not written back into a page (I9)."""
    kept = MergeForm({"motivo": form.data.get("motivo", "")}, auto_id="unir_%s")
    if "outro" not in form.errors:
        kept.errors.pop("outro", None)
    return kept


def _parting(one: Entity, place: int, sent: SplitForm | None) -> SplitForm:
    """The form that parts this entry: as it was sent, where it was about this one."""
    if sent is not None and sent.data.get("cadastro") == str(one.ref):
        return sent
    return SplitForm(initial={"cadastro": one.ref}, auto_id=f"separar_{place}_%s")


def _context(
    found: Entity,
    *,
    merge: MergeForm | None = None,
    split: SplitForm | None = None,
    erase: EraseForm | None = None,
) -> dict[str, Any]:
    joined = [one for one in standing.members(found)[1:] if standing.merged_into(one) == found]
    return {
        "entity": found,
        "kind": entities.type_words(found.type),
        "title": entities.shown_title(found),
        "erased_at": standing.erased_at(found),
        "stands": standing.merged_into(found),
        "joined": [
            (one, entities.shown_title(one), _parting(one, place, split))
            for place, one in enumerate(joined, start=1)
        ],
        "held": holds.keeping(entity=found),
        "changes": [_titled(change) for change in standing.changes(found)],
        "merge": merge or MergeForm(auto_id="unir_%s"),
        "erase": erase or EraseForm(auto_id="apagar_%s"),
    }
