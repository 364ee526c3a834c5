"""Addresses under /agentes/."""

from __future__ import annotations

from django.urls import path

from opspilot.api import try_views, views

app_name = "agents"
urlpatterns = [
    path("", views.index, name="index"),
    path("novo/", views.create, name="create"),
    path("<uuid:ref>/", views.detail, name="detail"),
    path("<uuid:ref>/alterar/", views.change, name="change"),
    path("<uuid:ref>/pausar/", views.pause, name="pause"),
    path("<uuid:ref>/retomar/", views.resume, name="resume"),
    path("<uuid:ref>/encerrar/", views.revoke_all, name="revoke_all"),
    path("<uuid:ref>/testar/", try_views.propose, name="try"),
    path("<uuid:ref>/testar/consulta/", try_views.look, name="look"),
    path("<uuid:ref>/segredo/", views.callback_secret, name="callback_secret"),
    path("<uuid:ref>/token/", views.issue, name="issue"),
    path("<uuid:ref>/trocar/", views.rotate, name="rotate"),
    path("<uuid:ref>/revogar/", views.revoke, name="revoke"),
]
