"""Addresses under /politicas/."""

from __future__ import annotations

from django.urls import path

from approvals.views import policies

app_name = "policies"
urlpatterns = [
    path("", policies.index, name="index"),
    path("versoes/<int:number>/", policies.version, name="version"),
    path("rascunho/", policies.edit, name="edit"),
    path("rascunhos/<uuid:ref>/", policies.draft, name="draft"),
    path("rascunhos/<uuid:ref>/ativar/", policies.activate, name="activate"),
    path("rascunhos/<uuid:ref>/descartar/", policies.discard, name="discard"),
    path("testar/", policies.test, name="test"),
]
