"""Addresses under /politicas/."""

from __future__ import annotations

from django.urls import path

from approvals.views import policies, policy_kinds, policy_test

app_name = "policies"
urlpatterns = [
    path("", policies.index, name="index"),
    path("versoes/<int:number>/", policies.version, name="version"),
    path("rascunho/", policies.edit, name="edit"),
    path("rascunhos/<uuid:ref>/", policies.draft, name="draft"),
    path("rascunhos/<uuid:ref>/ativar/", policies.activate, name="activate"),
    path("rascunhos/<uuid:ref>/descartar/", policies.discard, name="discard"),
    path("rascunho/acoes/<str:kind>/", policy_kinds.edit, name="kind"),
    path("testar/", policy_test.test, name="test"),
]
