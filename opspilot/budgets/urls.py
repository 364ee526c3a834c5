"""Addresses under /agentes/orcamentos/."""

from __future__ import annotations

from django.urls import path

from opspilot.budgets import views

app_name = "budgets"
urlpatterns = [
    path("", views.index, name="index"),
    path("definir/", views.give, name="give"),
]
