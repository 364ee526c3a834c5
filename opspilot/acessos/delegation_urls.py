"""Addresses under /conta/delegacoes/."""

from __future__ import annotations

from django.urls import path

from opspilot.acessos import delegations

app_name = "delegacoes"
urlpatterns = [
    path("", delegations.index, name="index"),
    path("delegar/", delegations.give, name="give"),
    path("revogar/", delegations.revoke, name="revoke"),
]
