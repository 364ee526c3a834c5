"""Addresses under /acessos/."""

from __future__ import annotations

from django.urls import path

from opspilot.acessos import exports, views

app_name = "acessos"
urlpatterns = [
    path("", views.index, name="index"),
    path("atestar/", views.attest, name="attest"),
    path("revogar/", views.revoke, name="revoke"),
    path("exportar/<slug:kind>/", exports.current, name="export"),
    path("revisoes/<uuid:ref>/", views.review, name="review"),
    path("revisoes/<uuid:ref>/exportar/<slug:kind>/", exports.attested, name="export_review"),
]
