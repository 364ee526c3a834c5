"""Addresses under /conectores/."""

from __future__ import annotations

from django.urls import path

from opspilot.conectores import views

app_name = "conectores"
urlpatterns = [
    path("", views.index, name="index"),
    path("conferir/", views.press, name="press"),
]
