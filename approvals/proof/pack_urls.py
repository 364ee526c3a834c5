from __future__ import annotations

from django.urls import path

from approvals.views import packs

app_name = "packs"
urlpatterns = [
    path("", packs.index, name="index"),
    path("pedir/", packs.ask, name="ask"),
    path("<uuid:ref>/baixar/", packs.take, name="take"),
]
