"""Ties a document to the template of a task, so that whoever approves the task is shown it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from audit import trail
from grounding.life.errors import DocumentGoneError, UnknownTemplateError
from grounding.models import Document, RunbookLink
from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Template:
    """A template of the policy in force, by its number in Semaphore."""

    number: int
    name: str


def templates() -> list[Template]:
    """A port, named in settings: grounding does not know the policy."""
    read = import_string(settings.OPSPILOT_TEMPLATE_READER)
    return [Template(number, name) for number, name in read()]


def linked(document: Document, known: Sequence[Template]) -> list[Template]:
    """Also those that the policy no longer has, by their number alone."""
    names = {template.number: template.name for template in known}
    rows = RunbookLink.objects.filter(document=document).order_by("template")
    return [
        Template(number, names.get(number, ""))
        for number in rows.values_list("template", flat=True)
    ]


def link(*, admin: Principal, document: Document, template: int) -> None:
    """Done twice it is done once. Raises UnknownTemplateError or DocumentGoneError."""
    found = next((one for one in templates() if one.number == template), None)
    if found is None:
        raise UnknownTemplateError
    if document.deleted_at is not None:
        raise DocumentGoneError
    _row, made = RunbookLink.objects.get_or_create(
        tenant_id=admin.tenant_id,
        document=document,
        template=template,
        defaults={"linked_by": admin.subject, "linked_by_name": admin.name},
    )
    if made:
        _record(admin, document, "documento.ligado", template)


def unlink(*, admin: Principal, document: Document, template: int) -> None:
    count, _rows = RunbookLink.objects.filter(document=document, template=template).delete()
    if count:
        _record(admin, document, "documento.desligado", template)


def _record(admin: Principal, document: Document, action: str, template: int) -> None:
    trail.record_act(
        admin,
        action,
        correlacao_id=document.ref,
        fontes=[{"arquivo": document.name}],
        saida_resumo=f"template {template} do Semaphore",
        reversivel=True,
    )
