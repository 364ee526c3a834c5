"""Addresses under /agentes/."""

from __future__ import annotations

from django.urls import path

from opspilot.api import views

app_name = "agents"
urlpatterns = [
    path("", views.index, name="index"),
    path("novo/", views.create, name="create"),
    path("<uuid:ref>/", views.detail, name="detail"),
    path("<uuid:ref>/alterar/", views.change, name="change"),
    path("<uuid:ref>/desativar/", views.switch, {"active": False}, name="switch_off"),
    path("<uuid:ref>/reativar/", views.switch, {"active": True}, name="switch_on"),
    path("<uuid:ref>/segredo/", views.callback_secret, name="callback_secret"),
    path("<uuid:ref>/token/", views.issue, name="issue"),
    path("<uuid:ref>/trocar/", views.rotate, name="rotate"),
    path("<uuid:ref>/revogar/", views.revoke, name="revoke"),
]
