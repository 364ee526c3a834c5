from __future__ import annotations

from django.urls import path

from opspilot.painel import views

app_name = "painel"
urlpatterns = [path("", views.index, name="index")]
