"""Addresses under /paradas/."""

from __future__ import annotations

from django.urls import path

from opspilot.paradas import views

app_name = "paradas"
urlpatterns = [
    path("", views.index, name="index"),
    path("parar/", views.press, name="press"),
    path("<uuid:ref>/", views.stop, name="stop"),
    path("<uuid:ref>/levantar/", views.lift, name="lift"),
]
