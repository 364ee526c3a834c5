from __future__ import annotations

from django.urls import path

from opspilot.estilo import views

app_name = "estilo"
urlpatterns = [path("", views.index, name="index")]
