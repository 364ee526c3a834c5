"""The composition root of the web: every app's own addresses, and the two fallbacks."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("", include("opspilot.painel.urls")),
    path("perguntar/", include("opspilot.harness.urls")),
    path("rodadas/", include("opspilot.rodadas.urls")),
    path("aprovacoes/", include("approvals.urls")),
    path("conhecimento/", include("grounding.urls")),
    path("trilha/", include("audit.urls")),
    path("conta/", include("opspilot.tenancy.urls")),
    path("idioma/", include("django.conf.urls.i18n")),
]

handler400 = "opspilot.middleware.bad_request"
handler404 = "opspilot.middleware.page_not_found"
handler500 = "opspilot.middleware.server_error"
