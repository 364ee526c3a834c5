"""The console's addresses and one page whose rows are read only while it renders."""

from __future__ import annotations

from django.http import HttpRequest
from django.template import engines
from django.template.response import TemplateResponse
from django.urls import path

from opspilot.tenancy.models import Membership
from opspilot.urls import urlpatterns as console

handler404 = "opspilot.middleware.page_not_found"
handler500 = "opspilot.middleware.server_error"


def late(request: HttpRequest) -> TemplateResponse:
    template = engines["django"].from_string("rows: {{ rows.count }}")
    return TemplateResponse(request, template, {"rows": Membership.objects.all()})


urlpatterns = [*console, path("late/", late)]
