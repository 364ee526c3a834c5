"""Whether the trail is as it was sealed, and what one takes away to judge it elsewhere."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from audit.seal import heads, page
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import SEAL_READERS


@require_GET
@requires(*SEAL_READERS)
def index(request: TenantRequest) -> HttpResponse:
    found = page.integrity(clock.now())
    return render(request, "audit/integrity.html", {"found": found})


@require_GET
@requires(*SEAL_READERS)
def head(request: TenantRequest) -> HttpResponse:
    """The newest seal and the public keys, as `verify_trail --heads` reads them."""
    newest = heads.newest()
    content = heads.document([newest] if newest else [], heads.public_keys())
    response = HttpResponse(content, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="cabeca-da-trilha.json"'
    return response
