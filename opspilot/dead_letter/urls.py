"""Addresses under /fila/."""

from __future__ import annotations

from django.urls import path

from opspilot.dead_letter import views

app_name = "dead_letter"
urlpatterns = [
    path("", views.index, name="index"),
    path("tentar/", views.again, name="again"),
]
