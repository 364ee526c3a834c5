from __future__ import annotations

from django.urls import path

from opspilot.busca import views

app_name = "busca"
urlpatterns = [path("", views.index, name="index")]
