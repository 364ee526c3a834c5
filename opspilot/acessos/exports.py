"""The list of who decides what as a file: CSV for a spreadsheet, JSON with the hash it proves."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.canonical import action_hash
from approvals.deciders import access_reviews
from opspilot.acessos import page, views
from opspilot.errors import NotFoundError
from opspilot.presentation.spreadsheet import csv_for_excel
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import ACCESS_READERS

_KINDS = ("csv", "json")


@require_GET
@requires(*ACCESS_READERS)
def current(request: TenantRequest, kind: str) -> HttpResponse:
    """The list of now, or of the moment the address names."""
    wanted, since = views.asked(request), people.remembered_since()
    if kind not in _KINDS or wanted.form.errors:
        raise NotFoundError
    if wanted.at is not None and (since is None or wanted.at < since):
        raise NotFoundError
    picture = views.picture_at(wanted.at)
    at = wanted.at or clock.now()
    facts = {"empresa": request.principal.tenant_name, "em": at.isoformat()}
    return _answer(request, kind, picture.content, facts, name=_file_name(at), ref=uuid.uuid4())


@require_GET
@requires(*ACCESS_READERS)
def attested(request: TenantRequest, ref: UUID, kind: str) -> HttpResponse:
    """Exactly what was attested, by whom and when."""
    found = access_reviews.review(ref=ref)
    if kind not in _KINDS:
        raise NotFoundError
    facts = {
        "empresa": request.principal.tenant_name,
        "periodo": found.period,
        "atestada_por": found.reviewer_name,
        "atestada_em": found.at.isoformat(),
        "observacao": found.remark,
    }
    name = f"acessos-{found.period}-{found.sha256[:8]}"
    return _answer(request, kind, found.content, facts, name=name, ref=found.ref)


def _answer(
    request: TenantRequest,
    kind: str,
    content: page.Content,
    facts: dict[str, Any],
    *,
    name: str,
    ref: UUID,
) -> HttpResponse:
    sha256 = action_hash(content)
    access_reviews.exported(reader=request.principal, ref=ref, what=f"{name}.{kind}", sha256=sha256)
    if kind == "json":
        body = json.dumps(
            {**facts, "sha256": sha256, "conteudo": content}, ensure_ascii=False, indent=2
        ).encode()
        response = HttpResponse(body, content_type="application/json; charset=utf-8")
    else:
        response = HttpResponse(_csv(content), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def _csv(content: page.Content) -> bytes:
    header = [
        _("Pessoa"), _("Identificador"), _("Papéis"), _("Decide"), _("Por delegação"), _("Agentes"),
        _("Conflitos"),
    ]  # fmt: skip
    rows = [
        [
            row.name,
            row.subject,
            row.roles,
            "; ".join(row.decides),
            "; ".join(row.lent),
            row.agents,
            "; ".join(row.conflicts),
        ]
        for row in page.people(content)
    ]
    return csv_for_excel(header, rows)


def _file_name(at: dt.datetime) -> str:
    return f"acessos-{localtime(at):%Y-%m-%d-%H%M}"
