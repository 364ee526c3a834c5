from __future__ import annotations

from django.urls import path

from opspilot.harness import views

app_name = "harness"
urlpatterns = [
    path("", views.index, name="index"),
    path("enviar/", views.ask, name="ask"),
]
