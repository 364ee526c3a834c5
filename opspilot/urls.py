"""The composition root of the web: every app's own addresses, and the two fallbacks."""

from __future__ import annotations

from django.conf import settings
from django.urls import include, path

from opspilot.api.views import docs

urlpatterns = [
    path("", include("opspilot.painel.urls")),
    path("perguntar/", include("opspilot.harness.urls")),
    path("rodadas/", include("opspilot.rodadas.urls")),
    path("aprovacoes/", include("approvals.urls")),
    path("paradas/", include("opspilot.paradas.urls")),
    path("conectores/", include("opspilot.conectores.urls")),
    path("fila/", include("opspilot.dead_letter.urls")),
    path("politicas/permissoes/", include("opspilot.permissoes.urls")),
    path("politicas/", include("approvals.policy.policy_urls")),
    path("agentes/orcamentos/", include("opspilot.budgets.urls")),
    path("agentes/", include("opspilot.api.urls")),
    path("api/v1/docs", docs, name="api_docs"),
    path("conhecimento/colecoes/", include("opspilot.colecoes.urls")),
    path("conhecimento/", include("grounding.urls")),
    path("acessos/", include("opspilot.acessos.urls")),
    path("trilha/amostras/", include("approvals.proof.pack_urls")),
    path("trilha/", include("audit.urls")),
    path("avisos/", include("opspilot.notices.urls")),
    path("busca/", include("opspilot.busca.urls")),
    path("conta/delegacoes/", include("opspilot.acessos.delegation_urls")),
    path("conta/", include("opspilot.accounts.urls")),
    path("", include("opspilot.preferences.urls")),
]
if settings.STYLE_PAGE:
    urlpatterns.append(path("estilo/", include("opspilot.estilo.urls")))

handler400 = "opspilot.middleware.bad_request"
handler404 = "opspilot.middleware.page_not_found"
handler429 = "opspilot.middleware.too_many_requests"
handler500 = "opspilot.middleware.server_error"
