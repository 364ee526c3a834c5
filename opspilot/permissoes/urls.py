"""Addresses under /politicas/permissoes/."""

from __future__ import annotations

from django.urls import path

from opspilot.permissoes import views

app_name = "permissoes"
urlpatterns = [
    path("", views.index, name="index"),
    path("propor/", views.propose, name="propose"),
    path("<uuid:ref>/", views.permission, name="permission"),
    path("<uuid:ref>/confirmar/", views.confirm, name="confirm"),
    path("<uuid:ref>/revogar/", views.revoke, name="revoke"),
]
