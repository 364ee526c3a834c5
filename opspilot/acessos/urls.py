"""Addresses under /acessos/."""

from __future__ import annotations

from django.urls import path

from opspilot.acessos import exports, role_views, views

app_name = "acessos"
urlpatterns = [
    path("", views.index, name="index"),
    path("pessoas/<int:user_id>/", role_views.person, name="roles"),
    path("pessoas/<int:user_id>/mudar/", role_views.change, name="change_roles"),
    path("atestar/", views.attest, name="attest"),
    path("revogar/", views.revoke, name="revoke"),
    path("exportar/<slug:kind>/", exports.current, name="export"),
    path("revisoes/<uuid:ref>/", views.review, name="review"),
    path("revisoes/<uuid:ref>/exportar/<slug:kind>/", exports.attested, name="export_review"),
]
